"""An input is checked against a schema as it came, and every fault is told."""

# ruff: noqa: E501 - a row of a table stands on one line

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolkit.errors import DefinitionError
from toolkit.schema.check import InputChecker, checker, normalise, problems


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


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

FAULTS: dict[str, tuple[Any, Any, list[tuple[str, str]]]] = {
    "type": ({"type": "integer"}, "two", [("p", 'expected an integer, got "two"')]),
    "types": ({"type": ["integer", "null"]}, [], [("p", "expected an integer or null, got an empty array")]),
    "enum": ({"enum": ["a", 1]}, "c", [("p", 'expected one of "a", 1, got "c"')]),
    "const": ({"const": "a"}, "b", [("p", 'expected "a", got "b"')]),
    "minimum": ({"minimum": 1}, 0, [("p", "expected at least 1, got 0")]),
    "maximum": ({"exclusiveMaximum": 1}, 1, [("p", "expected less than 1, got 1")]),
    "multiple": ({"multipleOf": 5}, 7, [("p", "expected a multiple of 5, got 7")]),
    "pattern": ({"pattern": "^a$"}, "b", [("p", 'expected text that matches ^a$, got "b"')]),
    "short": ({"minLength": 2}, "b", [("p", 'expected at least 2 characters, got 1 ("b")')]),
    "few": ({"minItems": 1}, [], [("p", "expected at least 1 item, got 0")]),
    "twice": ({"uniqueItems": True}, [1, 2, 1], [("p", "expected different items, got 1 twice")]),
    "required": ({"required": ["a", "b"]}, {"b": 1}, [("p.a", "is required, but missing")]),
    "unknown": (
        {"properties": {"colour": {}}, "additionalProperties": False},
        {"color": 1},
        [("p.color", 'is not a known property; did you mean "colour"?')],
    ),
    "unknown among patterns": (
        {"patternProperties": {"^x-": {}}, "additionalProperties": False},
        {"x-a": 1, "b": 1},
        [("p.b", "is not a known property")],
    ),
    "unevaluated": (
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"a": 1, "b": 2},
        [("p.b", "is not a known property")],
    ),
    "dependent": (
        {"dependentRequired": {"a": ["b"]}},
        {"a": 1},
        [("p.b", 'is required where "a" is given')],
    ),
    "never": (False, 1, [("p", "nothing is allowed here, got 1")]),
    "not": ({"not": {"type": "string"}}, "a", [("p", '"a" is what the schema forbids here')]),
    "union": (
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "a",
        [("p", 'expected an integer or null, got "a"')],
    ),
    "union of one object": (
        {"anyOf": [of(a={"type": "integer"}), {"type": "null"}]},
        {"a": "x"},
        [("p.a", 'expected an integer, got "x"')],
    ),
    "tagged": (
        {"oneOf": [of(k={"const": "a"}), of(k={"const": "b"})]},
        {"k": "c"},
        [("p.k", 'expected one of "a", "b", got "c"')],
    ),
    "tagged, the branch at fault": (
        {"oneOf": [of(k={"const": "a"}, n={"type": "integer"}), of(k={"const": "b"})]},
        {"k": "a", "n": "x"},
        [("p.n", 'expected an integer, got "x"')],
    ),
    "too many": (
        {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
        1,
        [("p", "fits more than one of the forms that exclude each other")],
    ),
    "names": (
        {"propertyNames": {"pattern": "^a"}},
        {"b": 1},
        [("p", 'the property name "b" does not fit: expected text that matches ^a, got "b"')],
    ),
    "deep": (
        of(lines={"type": "array", "items": of(qty={"type": "integer"})}),
        {"lines": [{"qty": 1}, {"qty": "two"}]},
        [("p.lines.1.qty", 'expected an integer, got "two"')],
    ),
    "two": (
        of(a={"type": "integer"}, b={"type": "integer"}),
        {"a": "x", "b": "y"},
        [("p.a", 'expected an integer, got "x"'), ("p.b", 'expected an integer, got "y"')],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "faults"), FAULTS.values(), ids=list(FAULTS))
def test_every_fault_is_told_by_path(schema: Any, value: Any, faults: Any) -> None:
    assert checker(of(p=schema))({"p": value}) == faults


def test_an_input_that_fits_has_no_fault() -> None:
    assert checker(TREE)({"root": {"kids": [{"kids": []}]}}) == []
    assert checker(TREE)({"root": {"kids": [{"kids": 5}]}}) == [
        ("root.kids.0.kids", "expected an array, got 5")
    ]
    assert checker(TREE)({}) == [("root", "is required, but missing")]


def test_no_fault_carries_the_whole_payload() -> None:
    ((_, words),) = checker(of(p={"type": "integer"}))({"p": "x" * 10_000})
    assert len(words) < 100


def test_a_secret_is_not_told() -> None:
    ((_, words),) = checker(of(api_key={"type": "integer"}))({"api_key": "hunter2"})
    assert "hunter2" not in words


@pytest.mark.parametrize("schema", [LOOP, SELF, DANGLING, REMOTE])
def test_a_reference_that_can_not_be_followed_holds_nobody_back(schema: Any) -> None:
    assert checker(schema)({"x": {"anything": 1}}) == []
    assert checker(schema)([]) == [("", "expected an object, got an empty array")]


@pytest.mark.parametrize(
    "broken",
    [{"type": "strng"}, {"minimum": "3"}, {"required": 5}, {"properties": []}, 5, {"pattern": "("}],
)
def test_what_is_broken_in_a_schema_is_left_out_of_the_check(broken: Any) -> None:
    schema = of(a=broken, b={"type": "integer"})
    assert checker(schema)({"a": {}, "b": "x"}) == [("b", 'expected an integer, got "x"')]


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [("(?<y>\\d)", "1", True), ("(?<y>\\d)", "a", False), ("^\\p{L}$", "1", True)],
)
def test_patterns_of_other_languages_are_read_or_left_out(
    pattern: str, text: str, *, fits: bool
) -> None:
    assert (checker(of(p={"pattern": pattern}))({"p": text}) == []) == fits


@pytest.mark.parametrize(
    ("value", "fits"), [(0.3, True), (0.35, False), (1e300, True), (True, True)]
)
def test_multiples_are_counted_by_the_digits(value: float, *, fits: bool) -> None:
    assert (checker(of(p={"multipleOf": 0.1}))({"p": value}) == []) == fits


def test_an_endless_input_is_a_fault_and_no_crash() -> None:
    value: Any = {}
    for _ in range(5000):
        value = {"kids": [value]}
    assert checker(TREE)({"root": value}) == [("", "is nested too deeply to be checked")]


def test_a_checker_is_cheap_to_call() -> None:
    check = checker(of(**{f"p{n}": {"type": "integer"} for n in range(10)}))
    value = {f"p{n}": n for n in range(10)}
    begun = time.perf_counter()
    for _ in range(200):
        assert check(value) == []
    assert time.perf_counter() - begun < 2


def test_a_declared_draft_is_honoured() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **of(a={"items": [{"type": "integer"}]}),
    }
    assert checker(schema)({"a": ["x"]}) == [("a.0", 'expected an integer, got "x"')]


# -- by property ------------------------------------------------------------------------------

KEYWORDS = st.sampled_from(
    [
        "type",
        "properties",
        "items",
        "required",
        "minimum",
        "anyOf",
        "not",
        "$ref",
        "enum",
        "pattern",
    ]
)
JUNK = st.recursive(
    st.sampled_from([None, True, False, 1, "#", "#/properties/a", "string", "object", "("]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYWORDS, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(JUNK, JUNK)
def test_no_schema_and_no_input_breaks_the_room(schema: Any, value: Any) -> None:
    found = problems(schema)
    assert all(re.fullmatch(r"S0\d\d", one.code) and one.place.pointer for one in found)
    assert isinstance(InputChecker(schema)(value), list)
    try:
        whole = normalise(schema, tool="t")
    except DefinitionError:
        assert found
    else:
        assert whole["type"] == "object"
        assert normalise(whole, tool="t") == whole


@settings(deadline=None)
@given(st.sampled_from([row[0] for row in FAULTS.values()]), JUNK)
def test_a_fault_is_found_exactly_where_the_library_finds_one(schema: Any, value: Any) -> None:
    whole = of(p=schema)
    assert (checker(whole)({"p": value}) == []) == Draft202012Validator(whole).is_valid(
        {"p": value}
    )
