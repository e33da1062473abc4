from __future__ import annotations

from typing import Any

import pytest

from toolkit.formats.documents import detect, read_document
from toolkit.types import ToolSpec

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
SPEC = ToolSpec("w", "Say it.", SCHEMA)
BASE = {"name": "w", "description": "Say it."}

DECLARATIONS: list[tuple[str, dict[str, Any]]] = [
    ("toolspec", {**BASE, "inputSchema": {"json": SCHEMA}}),
    ("bedrock", {"toolSpec": {**BASE, "inputSchema": {"json": SCHEMA}}}),
    ("mcp", {**BASE, "inputSchema": SCHEMA}),
    ("openai", {"type": "function", "function": {**BASE, "parameters": SCHEMA}}),
    ("openai-responses", {"type": "function", **BASE, "parameters": SCHEMA, "strict": False}),
    ("openai-responses", {**BASE, "parameters": SCHEMA}),
    ("anthropic", {**BASE, "input_schema": SCHEMA}),
    ("anthropic", {"type": "custom", **BASE, "input_schema": SCHEMA}),
    ("gemini", {**BASE, "parametersJsonSchema": SCHEMA}),
    ("gemini", {**BASE, "parameters_json_schema": SCHEMA}),
    (
        "gemini-openapi",
        {**BASE, "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}},
    ),
    (
        "jsonschema",
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "w",
            "description": "Say it.",
            **SCHEMA,
        },
    ),
]


@pytest.mark.parametrize(("name", "wire"), DECLARATIONS)
def test_a_declaration_is_recognised_in_all_that_may_hold_it(
    name: str, wire: dict[str, Any]
) -> None:
    for document in (
        wire,
        [wire],
        {"tools": [wire]},
        {"model": "m", "messages": [], "tools": [wire]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [wire]}},
        {"toolConfig": {"tools": [wire], "toolChoice": {"auto": {}}}},
        {"tools": [{"functionDeclarations": [wire]}]},
        {"config": {"tools": [{"function_declarations": [wire]}]}},
        {"functions": [wire]},
        {"servers": [{"name": "s", "tools": [wire]}]},
        [{"type": "namespace", "name": "n", "tools": [wire]}],
    ):
        assert detect(document) == name
        read = read_document(document)
        assert read.value == (SPEC,)
        assert read.findings == ()


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
        {"type": "web_search"},
        {"googleSearch": {}},
        {"cachePoint": {"type": "default"}},
        {"systemTool": {"name": "x"}},
    ],
)
def test_a_tool_that_the_provider_runs_is_skipped_and_said(wire: Any) -> None:
    read = read_document([DECLARATIONS[2][1], wire])
    assert read.value == (SPEC,)
    assert [(one.name, one.place.pointer) for one in read.findings] == [("provider-tool", "/1")]
    assert not read.refused


@pytest.mark.parametrize("wire", [3, None, "x", [], {}, {"name": "x"}, {"a": 1, "b": 2}])
def test_what_is_no_declaration_is_an_error_that_hides_nothing(wire: Any) -> None:
    read = read_document({"tools": [wire, DECLARATIONS[2][1]]})
    assert read.value == (SPEC,)
    assert [(one.name, one.place.pointer) for one in read.findings] == [
        ("no-declaration", "/tools/0")
    ]


@pytest.mark.parametrize("document", [None, 3, "x", [], {}, {"tools": []}, {"a": {"b": 1}}])
def test_a_document_without_declarations_gives_none(document: Any) -> None:
    assert detect(document) is None
    assert read_document(document).value == ()


def test_the_shapes_may_be_mixed() -> None:
    read = read_document([wire for _, wire in DECLARATIONS])
    assert read.value == (SPEC,) * len(DECLARATIONS)


def test_what_a_spec_has_no_place_for_is_said() -> None:
    wire = {**DECLARATIONS[6][1], "cache_control": {"type": "ephemeral"}, "defer_loading": True}
    read = read_document(wire)
    assert [one.place.pointer for one in read.findings] == ["/cache_control", "/defer_loading"]


def test_examples_and_output_schemas_are_read_where_a_shape_has_them() -> None:
    (anthropic,) = read_document(
        {**BASE, "input_schema": SCHEMA, "input_examples": [{"city": "Rome"}]}
    ).value
    assert anthropic.examples == ({"city": "Rome"},)
    (responses,) = read_document(
        {"type": "function", **BASE, "parameters": SCHEMA, "output_schema": {"type": "string"}}
    ).value
    assert responses.output_schema == {"type": "string"}
    (gemini,) = read_document(
        {**BASE, "parameters": {"type": "OBJECT"}, "response": {"type": "STRING", "nullable": True}}
    ).value
    assert gemini.output_schema == {"type": ["string", "null"]}


def test_an_openapi_schema_becomes_a_json_schema() -> None:
    parameters = {
        "type": "OBJECT",
        "properties": {
            "a": {"type": "STRING", "nullable": True, "format": "enum", "enum": ["x"]},
            "b": {"any_of": [{"type": "INTEGER"}, {"type": "STRING"}], "min_items": 1},
        },
    }
    (spec,) = read_document({**BASE, "parameters": parameters}).value
    assert spec.input_schema["properties"] == {
        "a": {"type": ["string", "null"], "enum": ["x", None]},
        "b": {"anyOf": [{"type": "integer"}, {"type": "string"}], "minItems": 1},
    }
