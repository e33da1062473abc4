"""What changed in an input schema, and whom it breaks: a row for each kind of change."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit.schema.diff import diff
from toolkit.types import ToolSpec


def spec(schema: dict[str, Any], **more: Any) -> ToolSpec:
    return ToolSpec("weather", "Tell the weather.", schema, **more)


def of(city: Any, *, required: Any = (), **keywords: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"city": city}, **keywords}
    return {**schema, "required": list(required)} if required else schema


def rows(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each.code, str(each.verdict), each.message) for each in diff(spec(old), spec(new))]


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}
NONE: dict[str, Any] = {"type": "object", "properties": {}}
ADDRESS = {"type": "object", "properties": {"street": TEXT}}

ONE_CHANGE = [
    # parameters
    (NONE, of(TEXT), "B106", "compatible", "'city': added, string, optional"),
    (NONE, of(TEXT, required=("city",)), "B103", "breaking", "'city': added, string, required"),
    (of(TEXT), NONE, "B101", "review", "'city': removed"),
    (of(TEXT, required=("city",)), NONE, "B101", "breaking", "'city': removed"),
    (
        of(TEXT, additionalProperties=False),
        {**NONE, "additionalProperties": False},
        "B101",
        "breaking",
        "'city': removed",
    ),
    (of(TEXT), of(TEXT, required=("city",)), "B104", "breaking", "'city': required now"),
    (of(TEXT, required=("city",)), of(TEXT), "B105", "compatible", "'city': optional now"),
    (of(TEXT), of(TEXT, required=("x",)), "B103", "breaking", "'x' is required now"),
    (of(TEXT, required=("x",)), of(TEXT), "B105", "compatible", "'x' is optional now"),
    # types
    (of(NUMBER), of(WHOLE), "B110", "breaking", "'city': number → integer"),
    (of(WHOLE), of(NUMBER), "B111", "compatible", "'city': integer → number"),
    (of(TEXT), of(WHOLE), "B112", "breaking", "'city': string → integer"),
    (
        of({"type": ["string", "null"]}),
        of(TEXT),
        "B110",
        "breaking",
        "'city': null|string → string",
    ),
    (of(TEXT), of({}), "B111", "compatible", "'city': string → any"),
    (of({}), of(TEXT), "B110", "breaking", "'city': any → string"),
    (of(True), of(TEXT), "B110", "breaking", "'city': any → string"),
    # choices
    (
        of({"enum": ["a", "b"]}),
        of({"enum": ["a"]}),
        "B120",
        "breaking",
        "'city': \"b\" is no choice any more",
    ),
    (
        of({"enum": ["a"]}),
        of({"enum": ["a", "b"]}),
        "B121",
        "compatible",
        "'city': \"b\" is a choice now",
    ),
    (of(TEXT), of({**TEXT, "enum": ["a"]}), "B122", "breaking", "'city': only \"a\" now"),
    (of({**TEXT, "const": "a"}), of(TEXT), "B123", "compatible", None),
    (of({"const": 1}), of({"const": 1, "type": "integer"}), None, None, None),
    (of({"enum": [1, 1.5]}), of({"enum": [1.0, 1.5]}), None, None, None),
    # bounds
    (of(WHOLE), of({**WHOLE, "minimum": 1}), "B130", "breaking", "'city': no minimum → minimum 1"),
    (
        of({**WHOLE, "minimum": 1}),
        of({**WHOLE, "minimum": 0}),
        "B131",
        "compatible",
        "'city': minimum 1 → minimum 0",
    ),
    (of({**WHOLE, "maximum": 9}), of({**WHOLE, "maximum": 8}), "B130", "breaking", None),
    (of({**WHOLE, "maximum": 9}), of({**WHOLE, "exclusiveMaximum": 10}), None, None, None),
    (of({**WHOLE, "minimum": 5}), of({**WHOLE, "exclusiveMinimum": 4}), None, None, None),
    (of({**NUMBER, "minimum": 5}), of({**NUMBER, "exclusiveMinimum": 5}), "B130", "breaking", None),
    (
        of({**NUMBER, "exclusiveMaximum": 5}),
        of({**NUMBER, "maximum": 5}),
        "B131",
        "compatible",
        None,
    ),
    (of({**WHOLE, "multipleOf": 4}), of({**WHOLE, "multipleOf": 2}), "B131", "compatible", None),
    (of({**WHOLE, "multipleOf": 2}), of({**WHOLE, "multipleOf": 4}), "B130", "breaking", None),
    (of({**NUMBER, "multipleOf": 0.3}), of({**NUMBER, "multipleOf": 0.1}), "B131", None, None),
    (of(TEXT), of({**TEXT, "minLength": 2}), "B130", "breaking", None),
    (of(TEXT), of({**TEXT, "minLength": 0}), None, None, None),
    (of({**TEXT, "maxLength": 2}), of(TEXT), "B131", "compatible", None),
    (of({"type": "array"}), of({"type": "array", "maxItems": 3}), "B130", "breaking", None),
    (of(ADDRESS), of({**ADDRESS, "minProperties": 1}), "B130", "breaking", None),
    (of(WHOLE), of({**WHOLE, "minLength": 2}), None, None, None),
    # texts
    (of(TEXT), of({**TEXT, "pattern": "^a"}), "B132", "breaking", "'city': pattern none → '^a'"),
    (of({**TEXT, "pattern": "^a"}), of({**TEXT, "pattern": "^b"}), "B132", "review", None),
    (of({**TEXT, "pattern": "^a"}), of(TEXT), "B132", "compatible", None),
    (of(TEXT), of({**TEXT, "format": "date"}), "B113", "review", None),
    # arrays
    (
        of({"type": "array", "items": TEXT}),
        of({"type": "array", "items": WHOLE}),
        "B112",
        "breaking",
        "'city[]': string → integer",
    ),
    (
        of({"type": "array"}),
        of({"type": "array", "items": TEXT}),
        "B110",
        "breaking",
        "'city[]': any → string",
    ),
    (of({"type": "array"}), of({"type": "array", "uniqueItems": True}), "B133", "breaking", None),
    (of({"type": "array", "uniqueItems": True}), of({"type": "array"}), "B133", "compatible", None),
    (of({"type": "array"}), of({"type": "array", "contains": TEXT}), "B199", "breaking", None),
    (of({"type": "array", "contains": TEXT}), of({"type": "array"}), "B199", "compatible", None),
    (of({"type": "array"}), of({"type": "array", "prefixItems": [TEXT]}), "B151", "review", None),
    # objects
    (of(TEXT), of(TEXT, additionalProperties=False), "B140", "breaking", None),
    (of(TEXT, additionalProperties=False), of(TEXT), "B141", "compatible", None),
    (of(TEXT), of(TEXT, additionalProperties=True), None, None, None),
    (
        of(TEXT, additionalProperties=NUMBER),
        of(TEXT, additionalProperties=WHOLE),
        "B110",
        "breaking",
        "'*': number → integer",
    ),
    (
        of(ADDRESS),
        of({"type": "object", "properties": {"street": WHOLE}}),
        "B112",
        "breaking",
        "'city.street': string → integer",
    ),
    # alternatives
    (of({"anyOf": [TEXT, {"type": "null"}]}), of(TEXT), "B110", "breaking", None),
    (of(TEXT), of({"anyOf": [TEXT, {"type": "null"}]}), "B111", "compatible", None),
    (of({"anyOf": [TEXT, WHOLE]}), of({"anyOf": [WHOLE, TEXT]}), None, None, None),
    (
        of({"anyOf": [{**TEXT, "maxLength": 5}, WHOLE]}),
        of({"anyOf": [{**TEXT, "maxLength": 3}, WHOLE]}),
        "B130",
        "breaking",
        None,
    ),
    (of({"oneOf": [WHOLE, TEXT]}), of({"oneOf": [WHOLE, TEXT, ADDRESS]}), "B111", None, None),
    (  # what an open alternative took under a name is judged by the one that stays
        of({"anyOf": [{"type": "object"}, ADDRESS]}),
        of({"anyOf": [ADDRESS]}),
        "B106",
        "compatible",
        "'city.street': added, string, optional",
    ),
    # what is said
    (
        of(TEXT),
        of({**TEXT, "description": "The town."}),
        "B182",
        "review",
        "'city': description none → 'The town.'",
    ),
    (of({**TEXT, "default": "a"}), of({**TEXT, "default": "b"}), "B160", "review", None),
    (
        of({**TEXT, "default": "a"}),
        of(TEXT),
        "B160",
        "review",
        "'city': default \"a\" → none",
    ),
    (of({**TEXT, "title": "A"}), of({**TEXT, "title": "B"}), None, None, None),
    # what nobody can judge
    (of(TEXT), of(TEXT, **{"if": {}, "then": False}), "B199", "review", None),
    (of(TEXT), of(TEXT, propertyNames={"maxLength": 3}), "B199", "breaking", None),
]


@pytest.mark.parametrize(("old", "new", "code", "verdict", "message"), ONE_CHANGE)
def test_a_change_has_its_code_its_verdict_and_its_words(
    old: dict[str, Any],
    new: dict[str, Any],
    code: str | None,
    verdict: str | None,
    message: str | None,
) -> None:
    found = rows(old, new)
    if code is None:
        assert found == []
        return
    assert found[0][0] == code
    assert verdict in (None, found[0][1])
    assert message in (None, found[0][2])


def test_a_reference_is_followed_and_moving_a_schema_is_no_change() -> None:
    inline = of({"type": "object", "properties": {"street": TEXT}})
    moved = of({"$ref": "#/$defs/Address"}, **{"$defs": {"Address": ADDRESS}})
    assert rows(inline, moved) == []
    assert rows(moved, inline) == []
    narrower = {"type": "object", "properties": {"street": {**TEXT, "maxLength": 3}}}
    changed = of({"$ref": "#/$defs/Address"}, **{"$defs": {"Address": narrower}})
    assert [row[:2] for row in rows(moved, changed)] == [("B130", "breaking")]


def test_a_recursive_schema_is_compared_to_its_end() -> None:
    def tree(leaf: dict[str, Any]) -> dict[str, Any]:
        node = {"type": "object", "properties": {"leaf": leaf, "left": {"$ref": "#/$defs/Node"}}}
        return of({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node}})

    assert rows(tree(TEXT), tree(TEXT)) == []
    assert [row[:2] for row in rows(tree(TEXT), tree(WHOLE))] == [("B112", "breaking")]


@pytest.mark.parametrize("keyword", ["not", "prefixItems", "if", "contains"])
def test_a_definition_that_changed_is_seen_wherever_it_is_used(keyword: str) -> None:
    ref: Any = {"$ref": "#/$defs/It"}
    used = {"type": "array", keyword: [ref] if keyword == "prefixItems" else ref}
    old = of(used, **{"$defs": {"It": TEXT}})
    new = of(used, **{"$defs": {"It": WHOLE}})
    assert [row[1] for row in rows(old, new)] == ["review"]
    assert rows(old, old) == []


def test_every_difference_is_told_and_points_to_its_place() -> None:
    old = {"type": "object", "properties": {"a": TEXT, "b/c": {**WHOLE, "maximum": 5}}}
    new = {"type": "object", "properties": {"a": WHOLE, "b/c": {**WHOLE, "maximum": 4}}}
    assert [each.pointer for each in diff(spec(old), spec(new))] == [
        "#/properties/a",
        "#/properties/b~1c",
    ]


def test_a_value_of_any_length_makes_a_line_that_can_be_read() -> None:
    long = "x" * 5000
    (change,) = diff(spec(of({"enum": [long, "a"]})), spec(of({"enum": ["a"]})))
    assert len(str(change)) < 120
