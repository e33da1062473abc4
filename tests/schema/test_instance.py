"""A small instance of a schema is one that the schema accepts."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolkit.schema.instance import instance_of

RECURSIVE = {
    "type": "object",
    "properties": {"next": {"$ref": "#"}, "kids": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["kids"],
}
SCHEMAS = [
    {},
    True,
    {"type": "string", "minLength": 9},
    {"type": "string", "maxLength": 2},
    {"type": "string", "format": "date"},
    {"type": "string", "pattern": r"^\d{4}-\d\d$"},
    {"type": "string", "pattern": r"^(a|b)[^x-z]+\w?\s*end$"},
    {"type": "string", "pattern": "^[A-Z]{2,5}$", "minLength": 4},
    {"type": "string", "pattern": "["},
    {"type": "integer", "minimum": 7, "multipleOf": 5},
    {"type": "integer", "maximum": -3},
    {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5},
    {"type": "number", "multipleOf": 0.25, "minimum": 0.3},
    {"type": ["null", "integer"]},
    {"type": "null"},
    {"const": None},
    {"enum": [3, 4]},
    {"minimum": 4},
    {"items": {"type": "integer"}, "minItems": 2},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
    {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": True},
    {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": True},
    {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": True},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2},
    {"type": "array", "contains": {"const": 5}},
    {"type": "object", "required": ["a"]},
    {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2},
    {"type": "object", "propertyNames": {"pattern": "^k[0-9]$"}, "minProperties": 1},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "minProperties": 1},
    {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 3}]},
    {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "integer"}}}]},
    {"allOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"},
    {"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}},
    {"$ref": "#/$defs/n", "minimum": 9, "$defs": {"n": {"type": "integer"}}},
    {"type": "boolean"},
    RECURSIVE,
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_the_instance_is_accepted(schema: Any) -> None:
    made = instance_of(schema)
    if isinstance(schema, dict) and schema.get("pattern") == "[":
        assert made == "text"  # no expression can be read: no promise, and no error
    else:
        Draft202012Validator(schema).validate(made)


def test_a_default_or_an_example_goes_before_what_could_be_made() -> None:
    assert instance_of({"type": "string", "default": "d"}) == "d"
    assert instance_of({"type": "string", "examples": ["e", "f"]}) == "e"


def test_what_can_never_end_ends() -> None:
    endless = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
    made, depth = instance_of(endless), 0
    while made:
        made, depth = made["next"], depth + 1
    assert depth < 100
    assert instance_of({"$ref": "#"}) is not None
    assert instance_of({"$ref": "#/nowhere"}) is not None
