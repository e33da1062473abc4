"""What is wrong with a schema is said with its place, and nothing is fetched."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit.findings import Severity
from toolkit.schema.check import problems


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = of(n=schema)
    return schema


LOOP = of(x={"$ref": "#/$defs/A"}) | {
    "$defs": {"A": {"allOf": [{"$ref": "#/$defs/B"}]}, "B": {"allOf": [{"$ref": "#/$defs/A"}]}}
}
SELF = of(x={"$ref": "#/properties/x"})
DANGLING = of(x={"$ref": "#/$defs/Missing"})
REMOTE = of(x={"$ref": "https://schemas.example.invalid/x.json"})
TREE = of(root={"$ref": "#/$defs/Node"}) | {
    "required": ["root"],
    "$defs": {"Node": of(kids={"type": "array", "items": {"$ref": "#/$defs/Node"}})},
}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        of(a={"type": "string"}),
        TREE,
        deep(64),
        {"type": "object", "properties": {"a": {"$ref": "#"}}},
        of(a={"$ref": "#x"}) | {"$defs": {"X": {"$anchor": "x"}}},
        of(a={"$ref": "b"}) | {"$defs": {"X": {"$id": "b"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", **of(a={"items": [{}, {}]})},
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            **of(a={"minimum": 1, "exclusiveMinimum": True}),
        },
        {"$schema": "urn:nobody-knows", "type": "object"},
        of(a={"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}) | {"$defs": {"A": {}}},
    ],
)
def test_a_sound_schema_has_none(schema: Any) -> None:
    assert problems(schema, tool="t") == ()


@pytest.mark.parametrize(
    ("schema", "code", "name", "pointer", "word"),
    [
        (None, "S002", "root-not-object", "#", "null"),
        ({"type": "array"}, "S002", "root-not-object", "#", "array"),
        (of(a={"type": "strng"}), "S001", "invalid-json-schema", "#/properties/a/type", "strng"),
        (of(a=5), "S001", "invalid-json-schema", "#/properties/a", "5"),
        (of(a={"minimum": "3"}), "S001", "invalid-json-schema", "#/properties/a/minimum", "number"),
        ({"required": "a"}, "S001", "invalid-json-schema", "#/required", "array"),
        (of(**{"a/b": {"enum": 1}}), "S001", "invalid-json-schema", "#/properties/a~1b/enum", "1"),
        (of(a={"items": [{}]}), "S001", "invalid-json-schema", "#/properties/a/items", "items"),
        (of(a={"pattern": "("}), "S001", "invalid-json-schema", "#/properties/a/pattern", "("),
        (DANGLING, "S003", "dangling-ref", "#/properties/x/$ref", "Missing"),
        (of(a={"$ref": "#nowhere"}), "S003", "dangling-ref", "#/properties/a/$ref", "nowhere"),
        (REMOTE, "S004", "external-ref", "#/properties/x/$ref", "ref"),
        (of(a={"$ref": "other.json"}), "S004", "external-ref", "#/properties/a/$ref", "other"),
        (LOOP, "S005", "recursive-schema", "#/$defs/B/allOf/0/$ref", "A"),
        (SELF, "S005", "recursive-schema", "#/properties/x/$ref", "itself"),
        (of(a={"not": {"$ref": "#/properties/a"}}), "S005", "recursive-schema",
         "#/properties/a/not/$ref", "itself"),
        (deep(70), "S018", "too-deep", "#/properties/n/properties/n/properties/n", "depth"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(
    schema: Any, code: str, name: str, pointer: str, word: str
) -> None:
    found = [one for one in problems(schema, tool="t") if one.code == code]
    assert [(one.name, one.tool, one.place.pointer) for one in found] == [(name, "t", pointer)]
    assert word in found[0].message
    assert found[0].severity in (Severity.ERROR, Severity.WARNING)


def test_every_offence_is_told() -> None:
    schema = of(
        a={"type": "x"}, b={"minimum": "x"}, c={"$ref": "#/x"}, d={"$ref": "#/properties/d"}
    )
    assert [one.code for one in problems(schema)] == ["S001", "S001", "S003", "S005"]


def test_words_in_values_are_no_references() -> None:
    value = {"$ref": "#/nowhere", "type": "strng"}
    assert problems(of(a={"default": value, "enum": [value], "const": value})) == ()
