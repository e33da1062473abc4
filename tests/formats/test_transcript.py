from __future__ import annotations

import json
import time
from typing import Any

import pytest

from toolkit import errors
from toolkit.formats.transcript import Transcript, read_transcript
from toolkit.types import Json, Text, ToolResult, ToolUse


def read(value: Any) -> Transcript:
    return read_transcript(json.dumps(value))


def lines(*values_: Any) -> Transcript:
    return read_transcript("\n".join(json.dumps(one) for one in values_))


def names(transcript: Transcript) -> list[str]:
    return [one.name for one in transcript.findings]


def call(identity: str | None, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": identity, "type": "function", "function": function}


ASK = {"role": "user", "content": "hi"}
CHAT = [
    ASK,
    {"role": "assistant", "content": None, "tool_calls": [call("1", "w", "{}")]},
    {"role": "tool", "tool_call_id": "1", "content": "ok"},
    {"role": "assistant", "content": "done"},
]
ONE = (ToolUse("1", "w", {}),)
OK = (ToolResult("1", "success", (Text("ok"),)),)


@pytest.mark.parametrize(
    "value",
    [
        CHAT,
        {"model": "m", "messages": CHAT, "tools": [{"type": "function"}]},
        {"request": {"body": {"messages": CHAT}}},
        {"item": {"messages": CHAT[1:3]}},
    ],
)
def test_a_conversation_is_found_in_whatever_holds_it(value: Any) -> None:
    transcript = read(value)
    assert transcript.format == "openai"
    assert [(turn.uses, turn.results) for turn in transcript.turns] == [(ONE, OK)]
    assert transcript.findings == ()


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (CHAT[1], "openai"),
        ({"id": "r", "choices": [{"index": 0, "message": CHAT[1]}]}, "openai"),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "w"}]},
            "anthropic",
        ),
        ({"type": "tool_use", "id": "1", "name": "w", "input": {}}, "anthropic"),
        ({"toolUse": {"toolUseId": "1", "name": "w", "input": {}}}, "bedrock"),
        (
            {
                "output": {
                    "message": {
                        "role": "assistant",
                        "content": [{"toolUse": {"toolUseId": "1", "name": "w", "input": {}}}],
                    }
                },
                "stopReason": "tool_use",
            },
            "bedrock",
        ),
        ({"type": "function_call", "call_id": "1", "name": "w"}, "openai-responses"),
        (
            {
                "object": "response",
                "output": [
                    {"type": "reasoning", "id": "x", "summary": []},
                    {"type": "function_call", "call_id": "1", "name": "w", "arguments": "{}"},
                ],
            },
            "openai-responses",
        ),
        (
            {"candidates": [{"content": {"parts": [{"functionCall": {"id": "1", "name": "w"}}]}}]},
            "gemini",
        ),
        ({"role": "model", "parts": [{"function_call": {"id": "1", "name": "w"}}]}, "gemini"),
    ],
)
def test_one_message_one_block_or_a_whole_answer_is_a_turn(value: Any, shape: str) -> None:
    transcript = read(value)
    assert transcript.format == shape
    assert [(turn.uses, turn.results) for turn in transcript.turns] == [(ONE, (None,))]


def test_malformed_missing_repeated_and_orphaned_are_kept_and_said() -> None:
    transcript = read(
        [
            {
                "role": "assistant",
                "tool_calls": [
                    call("a", "w", '{"x": '),
                    call(None, "w", "{}"),
                    call("a", "w", '{"x": 2}'),
                ],
            },
            {"role": "tool", "tool_call_id": "zz", "content": "?"},
            {"role": "tool", "tool_call_id": "a", "content": "first"},
            {"role": "tool", "tool_call_id": "a", "content": "second"},
            ASK,
        ]
    )
    (turn,) = transcript.turns
    assert [use.tool_use_id for use in turn.uses] == ["a", "no-id-1", "a"]
    assert [result and result.text for result in turn.results] == ["first", None, "second"]
    assert names(transcript) == [
        "malformed-arguments",
        "missing-id",
        "repeated-id",
        "orphan-result",
        "orphan-use",
    ]


@pytest.mark.parametrize(
    ("value", "tool"),
    [
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                    {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
                    {"type": "tool_use", "id": "1", "name": "w", "input": {}},
                ],
            },
            "web_search",
        ),
        (
            [
                {"type": "mcp_call", "id": "m", "name": "find", "server_label": "s"},
                {"type": "function_call", "call_id": "1", "name": "w", "arguments": "{}"},
            ],
            "find",
        ),
        (
            {
                "role": "assistant",
                "content": [
                    {
                        "toolUse": {
                            "toolUseId": "s",
                            "name": "code",
                            "input": {},
                            "type": "server_tool_use",
                        }
                    },
                    {"toolUse": {"toolUseId": "1", "name": "w", "input": {}}},
                ],
            },
            "code",
        ),
        (
            {
                "role": "model",
                "parts": [
                    {"executableCode": {"code": "1"}},
                    {"functionCall": {"id": "1", "name": "w", "args": {}}},
                ],
            },
            "executableCode",
        ),
    ],
)
def test_what_the_provider_ran_itself_is_skipped_and_said(value: Any, tool: str) -> None:
    transcript = read(value)
    assert transcript.uses == ONE
    assert [(one.name, one.tool) for one in transcript.findings] == [("provider-run", tool)]


def test_gemini_results_without_ids_find_their_calls_by_name_and_order() -> None:
    calls: list[Any] = [{"functionCall": {"name": name, "args": {}}} for name in ("w", "v", "w")]
    answers: list[Any] = [
        {"functionResponse": {"name": "v", "response": {"error": "no"}}},
        {"functionResponse": {"name": "w", "response": {"output": 1}}},
        {"functionResponse": {"name": "w", "response": {"degrees": 2}}},
    ]
    (turn,) = read(
        {"contents": [{"role": "model", "parts": calls}, {"role": "user", "parts": answers}]}
    ).turns
    assert turn.results == (
        ToolResult("no-id-1", "success", (Json(1),)),
        ToolResult("no-id-2", "error", (Text("no"),)),
        ToolResult("no-id-3", "success", (Json({"degrees": 2}),)),
    )


def test_what_later_requests_repeat_is_read_once() -> None:
    more = [
        {"role": "assistant", "content": None, "tool_calls": [call("2", "v", "{}")]},
        {"role": "tool", "tool_call_id": "2", "content": "fine"},
    ]
    transcript = lines(
        {"request": {"messages": CHAT[:1]}, "response": {"choices": [{"message": CHAT[1]}]}},
        {"request": {"messages": CHAT[:3]}, "response": {"choices": [{"message": more[0]}]}},
        {"messages": [*CHAT[:3], *more]},
    )
    assert [turn.uses[0].tool_use_id for turn in transcript.turns] == ["1", "2"]
    assert [turn.results[0] and turn.results[0].text for turn in transcript.turns] == ["ok", "fine"]
    assert transcript.findings == ()


def test_lines_that_split_one_message_are_one_turn() -> None:
    def line(identity: str) -> dict[str, Any]:
        block = {"type": "tool_use", "id": identity, "name": "w", "input": {}}
        return {
            "type": "assistant",
            "message": {"id": "m", "role": "assistant", "content": [block]},
        }

    transcript = lines({"type": "summary", "summary": "x"}, line("a"), line("b"))
    assert [[use.tool_use_id for use in turn.uses] for turn in transcript.turns] == [["a", "b"]]
    assert names(transcript) == ["no-message"]


def test_a_broken_line_is_said_and_hides_nothing() -> None:
    text = "\n".join([json.dumps(CHAT[1]), '{"role": "tool", "tool', "junk", json.dumps(CHAT[2])])
    transcript = read_transcript(text, path="log.jsonl")
    assert [turn.results for turn in transcript.turns] == [OK]
    assert [(one.name, one.place.line) for one in transcript.findings] == [
        ("no-json", 2),
        ("no-json", 3),
    ]


def test_a_value_that_is_cut_off_is_one_finding() -> None:
    whole = json.dumps(CHAT, indent=2)
    with pytest.raises(errors.LoadError) as caught:
        read_transcript(whole[: len(whole) // 2], path="x.json")
    assert caught.value.line == 1
    assert caught.value.path == "x.json"


@pytest.mark.parametrize("text", ["", "hello", "{}", "[]", "3", '{"a": {"b": []}}', "\ufeff"])
def test_a_text_without_any_message_is_a_load_error(text: str) -> None:
    with pytest.raises(errors.LoadError):
        read_transcript(text)


@pytest.mark.parametrize(
    "odd",
    [
        {"role": "assistant", "tool_calls": [None, 3, {"function": None}, {"id": 5}]},
        {"role": "assistant", "content": [{"toolUse": {}}]},
        {"role": "assistant", "content": [{"toolUse": {"name": 3, "toolUseId": 4, "input": 5}}]},
        {"role": "assistant", "content": [{"type": "tool_use"}]},
        {"role": "model", "parts": [{"functionCall": {}}, None, 3]},
        {"type": "function_call"},
        {"choices": [{"delta": {"tool_calls": [{"function": {"arguments": None}}]}}]},
    ],
)
def test_uses_without_their_parts_are_still_uses(odd: Any) -> None:
    transcript = read(odd)
    assert transcript.uses
    assert all(use.tool_use_id for use in transcript.uses)


def test_a_thousand_turns_take_linear_time() -> None:
    def seconds(count: int) -> float:
        wire = []
        for at in range(count):
            wire.append({"role": "assistant", "tool_calls": [call(str(at), "w", "{}")]})
            wire.append({"role": "tool", "tool_call_id": str(at), "content": "ok"})
        text = json.dumps(wire)
        best = 9.9
        for _ in range(3):
            start = time.process_time()
            assert len(read_transcript(text).turns) == count
            best = min(best, time.process_time() - start)
        return best

    assert seconds(2000) < 8 * seconds(500) + 0.01


def test_calls_that_libraries_on_top_write_flat_are_read_too() -> None:
    transcript = read(
        [
            {"type": "ai", "content": "", "tool_calls": [{"name": "w", "args": {}, "id": "1"}]},
            {"type": "tool", "tool_call_id": "1", "content": "no", "status": "error"},
            {"role": "assistant", "tool_calls": [{"function": {"name": "v", "arguments": {}}}]},
        ]
    )
    assert transcript.uses == (*ONE, ToolUse("no-id-1", "v", {}))
    assert transcript.turns[0].results == (ToolResult("1", "error", (Text("no"),)),)
