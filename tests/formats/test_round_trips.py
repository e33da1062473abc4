from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.formats import FORMATS, by_name
from toolkit.formats.documents import detect, read_document
from toolkit.formats.transcript import read_transcript
from toolkit.formats.wire import dump
from toolkit.types import (
    Audio,
    Document,
    Image,
    Json,
    Malformed,
    Message,
    Opaque,
    Resource,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
)

SHAPES = ["bedrock", "anthropic", "openai", "openai-responses", "gemini"]
WITH_ERRORS = {"bedrock", "anthropic", "gemini"}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.from_regex(r"[a-zA-Z][a-zA-Z0-9_-]{0,30}", fullmatch=True)
values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)
inputs = st.dictionaries(texts, values, max_size=4)
broken = st.builds(
    Malformed, st.sampled_from(['{"a": ', "{'a': 1}", "[1, 2", "nonsense"]), st.just("")
)
schemas = st.dictionaries(names, st.sampled_from([{"type": "string"}, {"type": "integer"}])).map(
    lambda properties: {"type": "object", "properties": properties}
)
specs = st.builds(ToolSpec, names, texts.filter(bool), schemas)


statuses: st.SearchStrategy[Literal["success", "error"]] = st.sampled_from(["success", "error"])


@st.composite
def turns(draw: st.DrawFn) -> list[list[tuple[ToolUse, ToolResult]]]:
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    made = []
    for turn, count in enumerate(counts):
        pairs = []
        for at in range(count):
            use = ToolUse(f"id-{turn}-{at}", draw(names), draw(inputs))
            status = draw(statuses)
            text = draw(texts.filter(bool))
            pairs.append((use, ToolResult(use.tool_use_id, status, (Text(text),))))
        made.append(pairs)
    return made


def listed(wire: Any) -> list[Any]:
    return wire if isinstance(wire, list) else [wire]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=40, deadline=None)
@given(made=turns())
def test_a_conversation_comes_back_turn_by_turn(
    shape: str, made: list[list[tuple[ToolUse, ToolResult]]]
) -> None:
    room = by_name(shape).room
    wire: list[Any] = []
    for pairs in made:
        uses = tuple(use for use, _ in pairs)
        wire += listed(room.write_message(Message("assistant", uses)))
        wire += listed(room.write_results(pairs))
    for text in (json.dumps(wire), "\n".join(json.dumps(one) for one in wire)):
        read = read_transcript(text)
        assert read.format == shape
        assert read.findings == ()
        assert [turn.uses for turn in read.turns] == [
            tuple(use for use, _ in pairs) for pairs in made
        ]
        for turn, pairs in zip(read.turns, made, strict=True):
            for result, (use, expected) in zip(turn.results, pairs, strict=True):
                assert result is not None
                assert result.tool_use_id == use.tool_use_id
                assert result.content == expected.content
                assert result.status == expected.status or shape not in WITH_ERRORS


@pytest.mark.parametrize("shape", ["bedrock", "anthropic", "openai", "openai-responses"])
@settings(max_examples=40, deadline=None)
@given(malformed=broken)
def test_malformed_input_comes_back_as_it_came(shape: str, malformed: Malformed) -> None:
    room = by_name(shape).room
    wire = room.write_message(Message("assistant", (ToolUse("1", "x", malformed),)))
    (use,) = room.read_uses(listed(wire)[0])
    assert isinstance(use.input, Malformed)
    assert use.input.text == malformed.text


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=40, deadline=None)
@given(spec=specs)
def test_a_declaration_comes_back_from_every_format(name: str, spec: ToolSpec) -> None:
    written = by_name(name).write_spec(spec).value
    for document in (written, [written], {"model": "m", "tools": [written]}):
        assert detect(document) == name
        read = read_document(document)
        assert read.findings == ()
        assert read.value == (spec,)


data = st.binary(max_size=20)
contents = st.one_of(
    st.builds(Text, st.text(max_size=20)),
    st.builds(Json, values | st.just(float("nan")) | st.just({"a": [float("inf")]})),
    st.builds(Image, st.sampled_from(["png", "jpeg", "svg+xml", "tiff"]), data),
    st.builds(Audio, st.sampled_from(["wav", "mpeg"]), data),
    st.builds(Document, st.text(max_size=9), st.sampled_from(["pdf", "csv", "json", "zip"]), data),
    st.builds(Resource, texts, name=st.none() | texts, text=st.none() | st.text(), data=st.none()),
    st.builds(Opaque, texts, values),
)


@pytest.mark.parametrize("shape", [*SHAPES, "toolspec", "mcp"])
@settings(max_examples=40, deadline=None)
@given(content=st.lists(contents, max_size=4), status=statuses)
def test_any_result_is_strict_json_in_every_shape_and_nothing_is_dropped(
    shape: str, content: list[Any], status: Any
) -> None:
    use = ToolUse("1", "x", {})
    result = ToolResult("1", status, tuple(content))
    written = by_name(shape).room.write_results([(use, result)])
    text = dump(written)
    text.encode()
    assert json.loads(text, parse_constant=pytest.fail) is not None
    for part in content:
        media = isinstance(part, Audio | Image)
        if media and part.format in ("wav", "svg+xml", "tiff"):
            assert f"/{part.format}" in text
        if isinstance(part, Text):
            assert dump(part.text)[1:-1] in text or shape in ("openai", "openai-responses")


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=40, deadline=None)
@given(blobs=st.lists(data, min_size=1, max_size=4))
def test_images_survive_where_a_shape_has_them(shape: str, blobs: list[bytes]) -> None:
    room = by_name(shape).room
    pngs = tuple(Image("png", blob) for blob in blobs)
    pairs = [(ToolUse("1", "x", {}), ToolResult("1", "success", pngs))]
    wire = listed(room.write_results(pairs))[0]
    (result,) = room.read_message(wire).content
    if shape == "openai":
        assert all(f"image/png, {len(one.data):,} byte" in result.text for one in pngs)
    else:
        assert result.content == pngs
