"""Schemas that others made get the form that a model can be given."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolkit.errors import DefinitionError, SchemaTooDeepError
from toolkit.schema.check import checker, normalise, problems


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = of(n=schema)
    return schema


@pytest.mark.parametrize(
    ("raw", "whole"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"properties": {}}, {"type": "object", "properties": {}}),
        ({"type": None, "properties": None}, {"type": "object", "properties": {}}),
        ({"type": ["object", "null"]}, {"type": "object", "properties": {}}),
        ({"required": None}, {"type": "object", "properties": {}}),
    ],
)
def test_what_the_root_lacks_is_filled_in(raw: Any, whole: Any) -> None:
    assert normalise(raw, tool="t") == whole


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ({}, "string"),
        ({"description": "d"}, "string"),
        ({"type": None}, "string"),
        ({"minimum": 0}, "number"),
        ({"multipleOf": 2}, "number"),
        ({"pattern": "a"}, "string"),
        ({"format": "date"}, "string"),
        ({"items": {}}, "array"),
        ({"uniqueItems": True}, "array"),
        ({"properties": {}}, "object"),
        ({"additionalProperties": False}, "object"),
        ({"required": ["a"]}, "object"),
        ({"minimum": 0, "minLength": 1}, ["number", "string"]),
        ({"default": 5}, "number"),
        ({"default": True}, "boolean"),
        ({"default": []}, "array"),
        ({"default": "a"}, "string"),
    ],
)
def test_a_property_gets_the_type_that_its_keywords_imply(raw: Any, kind: Any) -> None:
    assert normalise(of(p=raw), tool="t")["properties"]["p"]["type"] == kind


@pytest.mark.parametrize(
    "raw",
    [
        True,
        False,
        {"$ref": "#/$defs/A"},
        {"anyOf": [{"type": "string"}]},
        {"oneOf": [{"type": "string"}]},
        {"allOf": [{"type": "string"}]},
        {"not": {"type": "string"}},
        {"enum": [1, "a"]},
        {"const": 1},
        {"type": "integer"},
        {"type": ["integer", "null"]},
    ],
)
def test_a_property_that_says_itself_what_it_is_gets_none(raw: Any) -> None:
    assert normalise(of(p=raw), tool="t")["properties"]["p"] == raw


def test_nested_properties_are_normalised_too() -> None:
    raw = of(
        a=of(b={"description": "b"}),
        c={"type": "array", "items": of(d={"minimum": 0})},
        e={"additionalProperties": of(f={})},
    ) | {"$defs": {"G": of(h={})}}
    whole = normalise(raw, tool="t")
    found = whole["properties"]
    assert found["a"]["properties"]["b"]["type"] == "string"
    assert found["c"]["items"]["properties"]["d"]["type"] == "number"
    assert found["e"]["type"] == "object"
    assert found["e"]["additionalProperties"]["properties"]["f"]["type"] == "string"
    assert whole["$defs"]["G"]["properties"]["h"]["type"] == "string"


def test_a_property_of_which_a_branch_says_more_is_left_to_it() -> None:
    raw = of(a={"description": "d"}) | {"allOf": [{"properties": {"a": {"type": "integer"}}}]}
    assert normalise(raw, tool="t") == raw


def test_conditions_are_left_as_they_came() -> None:
    raw = of(a={"type": "string"}) | {"if": {"properties": {"a": {"minLength": 2}}}, "then": {}}
    assert normalise(raw, tool="t") == raw


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (None, "null"),
        ({"type": "array"}, "array"),
        ({"type": "null"}, "null"),
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string"),
        ([], "list"),
        (True, "bool"),
    ],
)
def test_a_root_that_is_no_object_is_the_tools_error(raw: Any, word: str) -> None:
    with pytest.raises(DefinitionError, match=rf'"search".*{word}') as caught:
        normalise(raw, tool="search")
    assert caught.value.tool == "search"
    assert caught.value.hint


@pytest.mark.parametrize("levels", [65, 70, 10_000])
def test_too_deep_a_schema_is_refused(levels: int) -> None:
    with pytest.raises(SchemaTooDeepError, match=r"deep.*64"):
        normalise(deep(levels), tool="t")
    with pytest.raises(SchemaTooDeepError):
        checker(deep(levels))


def test_the_input_is_not_changed() -> None:
    raw = of(a={"properties": {"b": {}}}, c={"type": None})
    before = copy.deepcopy(raw)
    normalise(raw, tool="t")
    problems(raw)
    checker(raw)({"a": 1})
    assert raw == before
