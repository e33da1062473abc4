from __future__ import annotations

import copy
import functools
from typing import Any

import botocore.session
import pytest
from anthropic import transform_schema
from anthropic.types import MessageParam, ToolParam
from botocore.validate import ParamValidator
from google.genai import types as genai
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam
from openai.types.responses import FunctionToolParam, ResponseInputItemParam
from pydantic import TypeAdapter

from toolkit.formats import by_name
from toolkit.types import (
    Audio,
    Document,
    Image,
    Json,
    Message,
    Resource,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1, "pattern": "^[A-Z]", "examples": ["Rome"]},
        "days": {"type": "integer", "exclusiveMinimum": 0, "maximum": 7, "default": 3},
        "unit": {"enum": ["c", "f"]},
        "level": {"type": "integer", "enum": [1, 2, 3]},
        "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
        "place": {"$ref": "#/$defs/Place", "description": "Where."},
        "kind": {"oneOf": [{"const": "a"}, {"type": "integer"}]},
        "both": {"allOf": [{"$ref": "#/$defs/Place"}]},
    },
    "required": ["city"],
    "$defs": {"Place": {"type": "object", "properties": {"lat": {"type": ["number", "null"]}}}},
}
SPEC = ToolSpec("get_weather", "Say the weather.", SCHEMA, output_schema={"type": "string"})


@functools.cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@functools.cache
def converse() -> Any:
    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    return service.operation_model("Converse").input_shape


def bedrock(**request: Any) -> None:
    report = ParamValidator().validate({"modelId": "m", **request}, converse())
    assert not report.has_errors(), report.generate_report()


def accept_tool(name: str, wire: Any) -> None:
    if name == "openai":
        adapter(ChatCompletionFunctionToolParam).validate_python(wire)
    elif name == "openai-responses":
        adapter(FunctionToolParam).validate_python(wire)
    elif name == "anthropic":
        adapter(ToolParam).validate_python(wire)
    elif name == "bedrock":
        bedrock(toolConfig={"tools": [wire]})
    else:
        genai.FunctionDeclaration.model_validate(wire)


def accept_message(name: str, wire: Any) -> None:
    listed = wire if isinstance(wire, list) else [wire]
    for one in listed:
        if name == "openai":
            adapter(ChatCompletionMessageParam).validate_python(one)
        elif name == "openai-responses":
            adapter(ResponseInputItemParam).validate_python(one)
        elif name == "anthropic":
            adapter(MessageParam).validate_python(one)
        elif name == "gemini":
            genai.Content.model_validate(one)
        else:
            bedrock(messages=[one])


TOOLS = [
    ("openai", False),
    ("openai", True),
    ("openai-responses", False),
    ("openai-responses", True),
    ("anthropic", False),
    ("anthropic", True),
    ("bedrock", False),
    ("bedrock", True),
    ("gemini", False),
    ("gemini-openapi", False),
]


@pytest.mark.parametrize(("name", "strict"), TOOLS)
@pytest.mark.parametrize("description", ["Say the weather.", ""])
def test_a_declaration_is_what_the_vendor_types_take(
    name: str, description: str, *, strict: bool
) -> None:
    spec = ToolSpec(SPEC.name, description, SCHEMA)
    converted = by_name(name).write_spec(spec, strict=strict)
    assert not converted.refused
    accept_tool(name, converted.value)


RESULTS = (
    Text("sunny"),
    Json({"t": 21.5, "list": [None, True]}),
    Image("png", b"\x89PNG"),
    Image("svg+xml", b"<svg/>"),
    Audio("wav", b"RIFF"),
    Document("report.pdf", "pdf", b"%PDF"),
    Document("notes", "json", b"{}"),
    Document("archive", "zip", b"PK\xff"),
    Resource("file:///x", text="hello"),
)


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "bedrock", "gemini"])
def test_uses_and_results_are_what_the_vendor_types_take(name: str) -> None:
    room = by_name(name).room
    uses = (ToolUse("id-1", "get_weather", {"city": "Rome"}), ToolUse("id-2", "beep", {}))
    accept_message(name, room.write_message(Message("assistant", (Text("Wait."), *uses))))
    results = (
        ToolResult("id-1", "success", RESULTS),
        ToolResult("id-2", "error", (Text("no"),)),
    )
    accept_message(name, room.write_results(list(zip(uses, results, strict=True))))
    accept_message(name, room.write_message(Message("user", results), uses=uses))
    accept_message(name, room.write_message(Message("user", (Text("Hi."), Image("png", b"x")))))


kinds = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean", "description": "Yes or no."},
        {"type": "string", "enum": ["a", "b"]},
        {"type": "array", "items": {"type": "number"}},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"$ref": "#/$defs/Place"},
    ]
)
plain = st.dictionaries(st.sampled_from("abcd"), kinds, min_size=1).map(
    lambda properties: {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": {"Place": {"type": "object", "properties": {}, "required": []}},
    }
)


def without_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$defs"}


def without_enum_types(schema: Any) -> Any:
    # transform_schema drops the type beside an enum; it says no more than the values.
    if isinstance(schema, dict):
        kept = {key: one for key, one in schema.items() if key != "type" or "enum" not in schema}
        return {key: without_enum_types(one) for key, one in kept.items()}
    return [without_enum_types(one) for one in schema] if isinstance(schema, list) else schema


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    # Ours: a definition without keys can't be closed, so it is closed by its author.
    place = {**schema["$defs"]["Place"], "additionalProperties": False}
    return {**schema, "$defs": {"Place": place}}


@settings(deadline=None)
@given(schema=plain)
def test_strict_openai_equals_what_the_vendor_makes_of_it(schema: Any) -> None:
    given_ = closed(schema)
    ours = by_name("openai").write_spec(ToolSpec("t", "T.", given_), strict=True).value
    theirs = copy.deepcopy(given_)
    _ensure_strict_json_schema(theirs, path=(), root=theirs)
    mine = ours["function"]["parameters"]
    assert without_definitions(mine) == without_definitions(theirs)


@settings(deadline=None)
@given(schema=plain)
def test_strict_anthropic_equals_what_the_vendor_makes_of_it(schema: Any) -> None:
    given_ = closed(schema)
    ours = by_name("anthropic").write_spec(ToolSpec("t", "T.", given_), strict=True).value
    mine = without_enum_types(without_definitions(ours["input_schema"]))
    assert mine == without_enum_types(without_definitions(transform_schema(given_)))
