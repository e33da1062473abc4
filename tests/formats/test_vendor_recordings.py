"""Answers as the vendors' own SDKs hold and dump them, whole and streamed, are read as turns."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from anthropic.types import RawMessageStreamEvent
from google.genai import types as genai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from toolkit.formats.transcript import read_transcript
from toolkit.types import ToolUse

BOTH = (ToolUse("c1", "w", {"a": 1}), ToolUse("c2", "v", {}))


def calls(*indexes: int) -> list[dict[str, Any]]:
    all_ = [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "w", "arguments": '{"a": 1}'},
        },
        {"id": "c2", "type": "function", "function": {"name": "v", "arguments": "{}"}},
    ]
    return [all_[index] for index in indexes]


def chat() -> ChatCompletion:
    message = {"role": "assistant", "content": None, "tool_calls": calls(0, 1)}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    whole = {"id": "x", "created": 1, "model": "m", "object": "chat.completion"}
    return ChatCompletion.model_validate({**whole, "choices": [choice]})


def chunks() -> list[ChatCompletionChunk]:
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "w"}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a"'}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
        {"tool_calls": [{"index": 1, **calls(1)[0]}]},
        {},
    ]
    whole = {"id": "x", "created": 1, "model": "m", "object": "chat.completion.chunk"}
    return [
        ChatCompletionChunk.model_validate({**whole, "choices": [{"index": 0, "delta": delta}]})
        for delta in deltas
    ]


ITEMS: list[dict[str, Any]] = [
    {"type": "reasoning", "id": "rs", "summary": []},
    {"type": "function_call", "id": "f1", "call_id": "c1", "name": "w", "arguments": '{"a": 1}'},
    {"type": "function_call", "id": "f2", "call_id": "c2", "name": "v", "arguments": "{}"},
]


def response() -> Response:
    return Response.model_validate(
        {
            "id": "r",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "output": ITEMS,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [{"type": "function", "name": "w", "parameters": {}, "strict": False}],
        }
    )


def response_events() -> list[Any]:
    adapter: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
    events: list[dict[str, Any]] = []
    for index, item in enumerate(ITEMS):
        opened = {**item, **({"arguments": ""} if "arguments" in item else {})}
        place = {"output_index": index, "item_id": item["id"]}
        events.append({"type": "response.output_item.added", "output_index": index, "item": opened})
        for piece in (item.get("arguments", "")[:3], item.get("arguments", "")[3:]):
            kind = "response.function_call_arguments.delta"
            events.append({"type": kind, **place, "delta": piece})
    return [
        adapter.validate_python({**event, "sequence_number": number})
        for number, event in enumerate(events)
        if "delta" not in event or event["output_index"] > 0
    ]


def message() -> AnthropicMessage:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "c1", "name": "w", "input": {"a": 1}},
        {"type": "tool_use", "id": "c2", "name": "v", "input": {}},
    ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    whole = {"id": "m", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    return AnthropicMessage.model_validate({**whole, "content": blocks})


def message_events() -> list[Any]:
    adapter: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    start = {**message().model_dump(), "content": []}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, (identity, name, text) in enumerate((("c1", "w", '{"a": 1}'), ("c2", "v", ""))):
        block = {"type": "tool_use", "id": identity, "name": name, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for piece in (text[:2], text[2:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_stop"})
    return [adapter.validate_python(event) for event in events]


def content(*parts: dict[str, Any]) -> genai.GenerateContentResponse:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP"}
    return genai.GenerateContentResponse.model_validate(
        {"candidates": [candidate], "responseId": "r", "modelVersion": "m"}
    )


FIRST = {"functionCall": {"id": "c1", "name": "w", "args": {"a": 1}}}
SECOND = {"functionCall": {"id": "c2", "name": "v", "args": {}}}


@pytest.mark.parametrize(
    ("answer", "shape"),
    [
        (chat(), "openai"),
        (response(), "openai-responses"),
        (message(), "anthropic"),
        (content({"text": "Wait."}, FIRST, SECOND), "gemini"),
    ],
    ids=["chat", "responses", "anthropic", "gemini"],
)
@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("alias", [True, False])
def test_an_answer_as_its_sdk_dumps_it(
    answer: Any, shape: str, *, exclude: bool, alias: bool
) -> None:
    text = answer.model_dump_json(exclude_none=exclude, by_alias=alias)
    transcript = read_transcript(text)
    assert transcript.format == shape
    assert [turn.uses for turn in transcript.turns] == [BOTH]
    assert transcript.findings == ()


@pytest.mark.parametrize(
    ("events", "shape"),
    [
        (chunks(), "openai"),
        (response_events(), "openai-responses"),
        (message_events(), "anthropic"),
    ],
    ids=["chat", "responses", "anthropic"],
)
@pytest.mark.parametrize("exclude", [True, False])
def test_a_stream_as_its_sdk_dumps_it(events: list[Any], shape: str, *, exclude: bool) -> None:
    lines = [event.model_dump_json(exclude_none=exclude) for event in events]
    transcript = read_transcript("\n".join(lines))
    assert transcript.format == shape
    assert [turn.uses for turn in transcript.turns] == [BOTH]
    assert transcript.findings == ()


@pytest.mark.parametrize("alias", [True, False])
def test_a_gemini_call_in_parts_as_its_sdk_dumps_it(*, alias: bool) -> None:
    parts: list[dict[str, Any]] = [
        {"functionCall": {"id": "c1", "name": "w", "willContinue": True}},
        {"functionCall": {"partialArgs": [{"jsonPath": "$.a", "numberValue": 1}]}},
    ]
    dumped = []
    for part in parts:
        answer = content(part).model_dump(mode="json", by_alias=alias)
        for candidate in answer["candidates"]:
            candidate.pop("finishReason", None)
            candidate.pop("finish_reason", None)
        dumped.append(json.dumps(answer))
    transcript = read_transcript("\n".join(dumped))
    assert [use.input for use in transcript.uses] == [{"a": 1}]
