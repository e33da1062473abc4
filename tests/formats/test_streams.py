from __future__ import annotations

import json
from typing import Any

import pytest

from toolkit.formats.transcript import Transcript, read_transcript
from toolkit.types import Malformed, ToolUse


def lines(*values_: Any) -> Transcript:
    return read_transcript("\n".join(json.dumps(one) for one in values_))


def names(transcript: Transcript) -> list[str]:
    return [one.name for one in transcript.findings]


def call(identity: str | None, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": identity, "type": "function", "function": function}


STREAMS: dict[str, list[Any]] = {
    "openai": [
        {
            "id": "s",
            "object": "chat.completion.chunk",
            "choices": [
                {"index": 0, "delta": {"tool_calls": [{"index": 0, **call("1", "w", "")}]}}
            ],
        },
        {"id": "s", "choices": [{"delta": {"tool_calls": [{"index": 0, "function": {}}]}}]},
        {
            "id": "s",
            "choices": [
                {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"a'}}]}}
            ],
        },
        {
            "id": "s",
            "choices": [
                {
                    "delta": {
                        "tool_calls": [
                            {"index": 0, "function": {"arguments": '":1}'}},
                            {"index": 1, **call("2", "v", "{}")},
                        ]
                    }
                }
            ],
        },
        {"id": "s", "choices": [], "usage": {}, "object": "chat.completion.chunk"},
    ],
    "anthropic": [
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "1", "name": "w", "input": {}},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"a"'},
        },
        {"type": "ping"},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": ":1}"},
        },
        {"type": "content_block_stop", "index": 1},
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "tool_use", "id": "2", "name": "v", "input": {}},
        },
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ],
    "bedrock": [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "x"}}},
        {
            "contentBlockStart": {
                "contentBlockIndex": 1,
                "start": {"toolUse": {"toolUseId": "1", "name": "w"}},
            }
        },
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"a":'}}}},
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "1}"}}}},
        {"contentBlockStop": {"contentBlockIndex": 1}},
        {
            "contentBlockStart": {
                "contentBlockIndex": 2,
                "start": {"toolUse": {"toolUseId": "2", "name": "v"}},
            }
        },
        {"messageStop": {"stopReason": "tool_use"}},
        {"metadata": {"usage": {}}},
    ],
    "openai-responses": [
        {"type": "response.created", "response": {"output": []}},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {"type": "function_call", "call_id": "1", "name": "w", "arguments": ""},
        },
        {
            "type": "response.function_call_arguments.delta",
            "output_index": 0,
            "delta": '{"a":',
        },
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "1}"},
        {
            "type": "response.output_item.added",
            "output_index": 1,
            "item": {"type": "function_call", "call_id": "2", "name": "v", "arguments": ""},
        },
        {"type": "response.function_call_arguments.done", "output_index": 1, "arguments": "{}"},
    ],
    "gemini": [
        {
            "responseId": "r",
            "candidates": [
                {
                    "content": {
                        "role": "model",
                        "parts": [{"functionCall": {"id": "1", "name": "w", "willContinue": True}}],
                    }
                }
            ],
        },
        {
            "responseId": "r",
            "candidates": [
                {
                    "content": {
                        "parts": [
                            {
                                "functionCall": {
                                    "partialArgs": [{"jsonPath": "$.a", "numberValue": 1}]
                                }
                            }
                        ]
                    }
                }
            ],
        },
        {
            "responseId": "r",
            "candidates": [
                {
                    "content": {"parts": [{"functionCall": {"id": "2", "name": "v", "args": {}}}]},
                    "finishReason": "STOP",
                }
            ],
        },
    ],
}
BOTH = (ToolUse("1", "w", {"a": 1}), ToolUse("2", "v", {}))


@pytest.mark.parametrize("shape", sorted(STREAMS))
def test_streamed_pieces_are_one_turn_as_a_list_as_lines_and_as_events(shape: str) -> None:
    pieces = STREAMS[shape]
    events = "".join(f"event: x\ndata: {json.dumps(one)}\n\n" for one in pieces)
    for transcript in (
        read_transcript(json.dumps(pieces)),
        lines(*pieces),
        read_transcript(f"{events}data: [DONE]\n"),
    ):
        assert transcript.format == shape
        assert [turn.uses for turn in transcript.turns] == [BOTH]
        assert transcript.findings == ()


@pytest.mark.parametrize("shape", sorted(STREAMS))
def test_two_streams_after_each_other_are_two_turns(shape: str) -> None:
    again = json.loads(json.dumps(STREAMS[shape]).replace('"1"', '"3"').replace('"2"', '"4"'))
    renamed = json.dumps(again).replace('"id": "s"', '"id": "t"').replace('"id": "m"', '"id": "n"')
    transcript = lines(*STREAMS[shape], *json.loads(renamed))
    assert [[use.tool_use_id for use in turn.uses] for turn in transcript.turns] == [
        ["1", "2"],
        ["3", "4"],
    ]


@pytest.mark.parametrize("shape", ["anthropic", "bedrock", "openai-responses", "openai"])
def test_a_stream_that_breaks_off_keeps_what_came_as_malformed(shape: str) -> None:
    cut = {"anthropic": 5, "bedrock": 4, "openai-responses": 3, "openai": 3}[shape]
    transcript = lines(*STREAMS[shape][:cut])
    (use,) = transcript.uses
    assert isinstance(use.input, Malformed)
    assert use.input.text.startswith('{"a')
    assert names(transcript) == ["malformed-arguments"]


def test_string_pieces_of_one_argument_are_joined() -> None:
    parts = [
        {"name": "w", "willContinue": True},
        {"partialArgs": [{"jsonPath": "$.x[1].y", "stringValue": "Pa"}], "willContinue": True},
        {"partialArgs": [{"jsonPath": "$.x[1].y", "stringValue": "ris"}]},
    ]
    transcript = lines(
        *({"candidates": [{"content": {"parts": [{"functionCall": one}]}}]} for one in parts)
    )
    assert [use.input for use in transcript.uses] == [{"x": [{}, {"y": "Paris"}]}]
