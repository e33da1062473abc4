"""Well-formed recordings and declarations with a few places broken: nothing may crash on them."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import errors
from toolkit.formats import FORMATS, by_name
from toolkit.formats.documents import read_document
from toolkit.formats.transcript import Transcript, read_transcript
from toolkit.formats.wire import dump
from toolkit.types import Document, Image, Json, Message, Text, ToolResult, ToolSpec, ToolUse

SHAPES = ["anthropic", "bedrock", "gemini", "openai", "openai-responses"]
USES = (ToolUse("1", "w", {"a": 1}), ToolUse("2", "v", {}))
RESULTS = (
    ToolResult(
        "1", "success", (Text("a"), Json([1]), Image("png", b"x"), Document("d", "pdf", b"x"))
    ),
    ToolResult("2", "error", (Text("no"),)),
)
SPEC = ToolSpec(
    "w",
    "Text.",
    {
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"$ref": "#/$defs/A"}, "minItems": 1},
            "b": {"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["x"]}]},
        },
        "required": ["a"],
        "$defs": {"A": {"type": "object", "properties": {"c": {"type": "string"}}}},
    },
    output_schema={"type": "string"},
    annotations={"readOnlyHint": True},
)
JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "object",
    "tool_use",
    [],
    {},
    [[]],
    [{}],
    {"a": 1},
    "#",
]
STREAM: dict[str, list[Any]] = {
    "anthropic": [
        {"type": "message_start", "message": {"id": "m", "role": "assistant"}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "1", "name": "w", "input": {}},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": "{}"},
        },
    ],
    "bedrock": [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"name": "w"}}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{}"}}}},
    ],
    "gemini": [
        {
            "candidates": [
                {
                    "content": {
                        "parts": [
                            {
                                "functionCall": {
                                    "name": "w",
                                    "partialArgs": [{"jsonPath": "$.a[0]", "stringValue": "x"}],
                                    "willContinue": True,
                                }
                            }
                        ]
                    }
                }
            ]
        }
    ],
    "openai": [
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {
                        "content": "x",
                        "tool_calls": [
                            {"index": 0, "id": "1", "function": {"name": "w", "arguments": "{"}}
                        ],
                    },
                }
            ]
        }
    ],
    "openai-responses": [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {"type": "function_call", "call_id": "1", "name": "w", "arguments": ""},
        },
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{}"},
    ],
}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a value."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            found.append((node, key))
            if isinstance(node[key], dict | list):
                waiting.append(node[key])
    return found


def broken(value: Any, seed: int) -> Any:
    chance = random.Random(seed)
    value = copy.deepcopy(value)
    for _ in range(chance.choice([1, 1, 2, 4])):
        choices = places(value)
        if not choices:
            break
        node, key = chance.choice(choices)
        if chance.random() < 0.3:
            del node[key]
        else:
            node[key] = copy.deepcopy(chance.choice(JUNK))
    return value


def recording(shape: str) -> list[Any]:
    room = by_name(shape).room
    asked = room.write_message(Message("assistant", (Text("t"), *USES)))
    answered = room.write_results(list(zip(USES, RESULTS, strict=True)))
    parts = [one if isinstance(one, list) else [one] for one in (asked, answered)]
    wire: list[Any] = json.loads(dump([*parts[0], *parts[1]]))
    return wire


def written_again(transcript: Transcript) -> None:
    for turn in transcript.turns:
        empty = (ToolResult(use.tool_use_id, "success", ()) for use in turn.uses)
        results = [one or other for one, other in zip(turn.results, empty, strict=True)]
        pairs = list(zip(turn.uses, results, strict=True))
        for shape in SHAPES:
            dump(by_name(shape).room.write_results(pairs)).encode()
            dump(by_name(shape).room.write_message(Message("assistant", turn.uses))).encode()


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_broken_recording_is_read_and_written_again_or_refused(shape: str, seed: int) -> None:
    for whole in (recording(shape), STREAM[shape]):
        with contextlib.suppress(errors.LoadError):
            written_again(read_transcript(dump(broken(whole, seed))))


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_broken_declaration_is_read_and_written_again_or_refused(name: str, seed: int) -> None:
    declaration = json.loads(dump(FORMATS[name].write_spec(SPEC).value))
    read = read_document([broken(declaration, seed)])
    assert read.value or read.findings
    for spec in read.value:
        for form in FORMATS.values():
            assert json.dumps(form.write_spec(spec, strict=form.strict).value, allow_nan=False)
