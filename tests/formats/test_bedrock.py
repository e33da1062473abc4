from __future__ import annotations

import json

import pytest

from toolkit import errors
from toolkit.formats import bedrock, by_name
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

SPEC = ToolSpec("weather", "Say it.", {"type": "object", "properties": {"city": {}}})


def test_the_house_form_holds_output_schema_and_annotations() -> None:
    spec = ToolSpec(
        "weather",
        "Say it.",
        {"type": "object"},
        output_schema={"type": "string"},
        annotations={"readOnlyHint": True},
    )
    converted = by_name("toolspec").write_spec(spec)
    assert converted.value == {
        "name": "weather",
        "description": "Say it.",
        "inputSchema": {"json": {"type": "object"}},
        "outputSchema": {"json": {"type": "string"}},
        "annotations": {"readOnlyHint": True},
    }
    assert converted.findings == ()
    assert bedrock.read_spec(converted.value).value == spec


def test_converse_takes_no_output_schema_and_that_is_said() -> None:
    spec = ToolSpec("weather", "Say it.", {"type": "object"}, output_schema={"type": "string"})
    converted = by_name("bedrock").write_spec(spec)
    assert list(converted.value["toolSpec"]) == ["name", "description", "inputSchema"]
    assert [(one.name, one.tool) for one in converted.findings] == [("lost-field", "weather")]
    assert not converted.refused


def test_an_entry_without_a_name_is_no_declaration() -> None:
    with pytest.raises(errors.DefinitionError):
        bedrock.read_spec({"toolSpec": {"description": "x"}})


def test_a_result_is_strict_json_whatever_is_in_it() -> None:
    result = ToolResult(
        "a",
        "success",
        (
            Json({"n": float("nan"), "s": "\ud800", "b": b"\x00\xff"}),
            Text("ä\udc80"),
            Image("png", b"\x89PNG"),
            Image("svg+xml", b"<svg/>"),
            Audio("wav", b"12345"),
            Document("a/b_c.pdf", "pdf", b"%PDF"),
            Document("x", "zip", b"PK\xff"),
            Document("y", "json", b"{}"),
            Resource("file:///x", name="x", mime_type="text/plain", size=12),
            Resource("file:///y", text="hello"),
            Opaque("thing", {"a": 1}),
        ),
        structured=[1],
        metadata={"note": float("inf")},
    )
    wire = json.loads(json.dumps(bedrock.result_json(result), allow_nan=False).encode())
    assert wire["content"] == [
        {"json": {"n": None, "s": "\\ud800", "b": "AP8="}},
        {"text": "ä\\udc80"},
        {"image": {"format": "png", "source": {"bytes": "iVBORw=="}}},
        {"text": "[image: image/svg+xml, 6 bytes]"},
        {"text": "[audio: audio/wav, 5 bytes]"},
        {"document": {"name": "a b c pdf", "format": "pdf", "source": {"bytes": "JVBERg=="}}},
        {"text": "[document: x, application/zip, 3 bytes]"},
        {"document": {"name": "y", "format": "txt", "source": {"bytes": "e30="}}},
        {"text": "[link to a resource: file:///x, x, text/plain, 12 bytes]"},
        {"text": "[resource: file:///y]\nhello"},
        {"text": '[thing] {"a": 1}'},
    ]
    assert wire["structuredContent"] == [1]
    assert wire["metadata"] == {"note": None}


def test_a_result_without_structure_has_no_such_key() -> None:
    wire = bedrock.result_json(ToolResult("a", "error", (Text("no"),)))
    assert wire == {"toolUseId": "a", "status": "error", "content": [{"text": "no"}]}


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        (None, {}),
        ("", {}),
        (" ", {}),
        ("null", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ([1], Malformed("[1]", "is an array, not an object")),
        (3, Malformed("3", "is a number, not an object")),
        ("[1]", Malformed("[1]", "is an array, not an object")),
    ],
)
def test_an_input_is_an_object_or_kept_as_it_came(came: object, expected: object) -> None:
    message = {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "x"}}]}
    message["content"][0]["toolUse"]["input"] = came  # type: ignore[index]
    assert bedrock.read_uses(message) == (ToolUse("1", "x", expected),)


def test_text_that_is_no_json_is_malformed_and_comes_back_unchanged() -> None:
    use = bedrock.read_use({"toolUseId": "1", "name": "x", "input": '{"a": NaN'})
    assert isinstance(use.input, Malformed)
    assert bedrock.write_use(use)["toolUse"]["input"] == '{"a": NaN'


def test_blocks_that_we_have_no_word_for_survive() -> None:
    wire = {
        "role": "assistant",
        "content": [
            {"reasoningContent": {"reasoningText": {"text": "hm"}}},
            {"text": "hi"},
            {"toolUse": {"toolUseId": "1", "name": "x", "input": {}}},
        ],
    }
    message = bedrock.read_message(wire)
    assert bedrock.write_message(message) == wire
    assert bedrock.read_uses(wire) == (ToolUse("1", "x", {}),)


def test_every_use_has_its_result_in_the_answer() -> None:
    pairs = [
        (ToolUse("a", "x"), ToolResult("a", "success", (Text("1"),))),
        (ToolUse("b", "y"), ToolResult("b", "error", (Text("2"),))),
    ]
    answer = bedrock.write_results(pairs)
    assert bedrock.read_message(answer) == Message("user", tuple(result for _, result in pairs))


def test_an_unknown_format_names_the_closest() -> None:
    with pytest.raises(errors.UsageError) as caught:
        by_name("bedrok")
    assert caught.value.hint == "did you mean 'bedrock'?"
