from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import errors
from toolkit.formats import FORMATS
from toolkit.formats.documents import detect, read_document
from toolkit.formats.tokens import cost
from toolkit.formats.transcript import read_transcript
from toolkit.types import ToolSpec

KEYWORDS = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "definitions",
    "dependencies",
    "description",
    "enum",
    "examples",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxItems",
    "minItems",
    "minimum",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "title",
    "type",
]
MESSAGES = [
    "arguments",
    "call_id",
    "candidates",
    "choices",
    "content",
    "contentBlockDelta",
    "contentBlockStart",
    "contents",
    "delta",
    "function",
    "functionCall",
    "functionResponse",
    "id",
    "index",
    "input",
    "inputSchema",
    "item",
    "message",
    "messages",
    "name",
    "output",
    "parameters",
    "parts",
    "response",
    "role",
    "source",
    "tool_calls",
    "toolResult",
    "toolSpec",
    "toolUse",
    "tools",
    "type",
]
WORDS = [
    "#",
    "#/$defs/a",
    "assistant",
    "array",
    "content_block_delta",
    "content_block_start",
    "function",
    "function_call",
    "function_call_output",
    "image",
    "integer",
    "message_start",
    "model",
    "null",
    "object",
    "response.completed",
    "response.output_item.added",
    "string",
    "tool",
    "tool_result",
    "tool_use",
    "user",
]
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=3)
)


def junk(keys: list[str]) -> st.SearchStrategy[Any]:
    names = st.sampled_from([*keys, "a", ""])
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5),
        max_leaves=25,
    )


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(max_examples=150, deadline=None)
@given(schema=junk(KEYWORDS))
def test_any_schema_is_written_or_refused_in_every_mode(name: str, schema: Any) -> None:
    form = FORMATS[name]
    for strict in {False, form.strict}:
        converted = form.write_spec(ToolSpec("t", "Text.", schema), strict=strict)
        json.dumps(converted.value, allow_nan=False).encode()
        assert all(one.tool == "t" for one in converted.findings)
    if not converted.refused:
        assert cost(ToolSpec("t", "Text.", schema), form).total > 0


@settings(max_examples=500, deadline=None)
@given(document=junk(MESSAGES))
def test_any_document_is_read_or_refused(document: Any) -> None:
    read = read_document(document)
    assert bool(read.value or read.findings) or detect(document) is None


@settings(max_examples=1000, deadline=None)
@given(document=junk(MESSAGES) | st.lists(junk(MESSAGES), max_size=4))
def test_any_recording_is_read_or_refused(document: Any) -> None:
    try:
        transcript = read_transcript(json.dumps(document))
    except errors.LoadError:
        return
    for turn in transcript.turns:
        assert len(turn.uses) == len(turn.results) > 0
        assert all(use.tool_use_id for use in turn.uses)


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.sampled_from('{}[]":,data event\n\t1tfn\\x'), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(errors.LoadError):
        assert read_transcript(text).format in FORMATS
