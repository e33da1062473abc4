"""The recordings are what the vendors' own types describe, and what is re-emitted is too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from anthropic.types import MessageParam, RawMessageStreamEvent
from botocore.validate import ParamValidator
from google.genai import types as genai
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam, ResponseStreamEvent
from pydantic import TypeAdapter

from toolkit.formats import by_name
from toolkit.formats.recordings import values
from toolkit.formats.transcript import read_transcript

RECORDINGS = Path(__file__).parent / "recordings"
PROVIDERS = ["anthropic", "bedrock", "gemini", "openai", "openai-responses"]
MESSAGES: dict[str, Any] = {
    "anthropic": MessageParam,
    "openai": ChatCompletionMessageParam,
    "openai-responses": ResponseInputItemParam,
}


def converse(operation: str, member: str | None = None) -> Any:
    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    model = service.operation_model(operation)
    return model.input_shape if member is None else model.output_shape.members[member]


def accept(provider: str, message: Any) -> None:
    if provider == "gemini":
        genai.Content.model_validate(message)
    elif provider == "bedrock":
        request = {"modelId": "m", "messages": [message]}
        report = ParamValidator().validate(request, converse("Converse"))
        assert not report.has_errors(), report.generate_report()
    else:
        TypeAdapter(MESSAGES[provider]).validate_python(message)


def recorded(provider: str) -> list[Any]:
    whole = json.loads((RECORDINGS / f"{provider}.json").read_text())
    if isinstance(whole, list):
        return whole
    found: list[Any] = whole.get("messages") or whole.get("input") or whole["contents"]
    return found


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_recording_is_made_of_the_vendor_s_messages(provider: str) -> None:
    messages = recorded(provider)
    assert len(messages) >= 5
    for message in messages:
        accept(provider, message)


def pieces(provider: str) -> list[Any]:
    return [value for _, value in values((RECORDINGS / f"{provider}-stream.jsonl").read_text())[0]]


def test_the_streams_are_made_of_the_vendors_events() -> None:
    for piece in pieces("anthropic"):
        if piece["type"] != "message_start":  # a whole message, with fields that nobody reads here
            TypeAdapter(RawMessageStreamEvent).validate_python(piece)
    for piece in pieces("openai"):
        ChatCompletionChunk.model_validate({"created": 1, "model": "m", **piece})
    for number, piece in enumerate(pieces("openai-responses")):
        if piece["type"] != "response.created":
            event = {"sequence_number": number, "name": "add", **piece}
            TypeAdapter(ResponseStreamEvent).validate_python(event)
    for piece in pieces("gemini"):
        genai.GenerateContentResponse.model_validate(piece)
    known = converse("ConverseStream", "stream").members
    for piece in pieces("bedrock"):
        ((kind, event),) = piece.items()
        assert set(event) <= set(known[kind].members)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("target", PROVIDERS)
def test_recorded_results_are_re_emitted_in_every_vendor_s_shape(
    provider: str, target: str
) -> None:
    transcript = read_transcript((RECORDINGS / f"{provider}.json").read_text())
    turns = [list(zip(turn.uses, turn.results, strict=True)) for turn in transcript.turns]
    assert [len(pairs) for pairs in turns] == [2, 1]
    for pairs in turns:
        written = by_name(target).room.write_results(pairs)
        for message in written if isinstance(written, list) else [written]:
            accept(target, message)
