"""What always holds of a difference; `jsonschema` is the referee."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from toolkit.schema.compare import JUDGED, ONLY_ADDED, SAID_ONLY
from toolkit.schema.diff import Verdict, diff
from toolkit.types import ToolSpec

NAMES = ("a", "b", "c")
SMALL = st.integers(-2, 4)
TEXTS = st.sampled_from(["", "a", "ab", "abc", "1"])
PLAIN = st.one_of(st.none(), st.booleans(), SMALL, st.sampled_from([0.5, 1.0, 2.5]), TEXTS)


def optional(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keywords)


def typed(kind: str, **keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return optional(**keywords).map(lambda found: {"type": kind, **found})


LEAVES = st.one_of(
    st.just({}),
    typed("string", minLength=st.integers(0, 3), maxLength=st.integers(0, 3)),
    typed("string", pattern=st.sampled_from(["^a", "b"]), enum=st.lists(TEXTS, min_size=1)),
    typed("integer", minimum=SMALL, maximum=SMALL, multipleOf=st.integers(1, 3)),
    typed("number", exclusiveMinimum=SMALL, exclusiveMaximum=SMALL, minimum=SMALL),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {"type": ["string", "null"]}]),
    st.lists(PLAIN, min_size=1, max_size=4).map(lambda values: {"enum": values}),
    PLAIN.map(lambda value: {"const": value}),
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return typed(
        "object",
        properties=st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
        required=st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
        additionalProperties=st.one_of(st.booleans(), inner),
        minProperties=st.integers(0, 2),
    )


SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        objects(inner),
        typed("array", items=inner, minItems=st.integers(0, 2), uniqueItems=st.booleans()),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: {"anyOf": found}),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: {"oneOf": found}),
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def edited(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema and another that shares most of it: as two versions of one tool do."""
    old = draw(SCHEMAS)
    if draw(st.booleans()):
        return old, draw(SCHEMAS)
    new = copy.deepcopy(old)
    spots = [new]
    for spot in spots:
        spots += list(spot.get("properties", {}).values())
        spots += list(spot.get("anyOf", ()))
        spots += [each for each in (spot.get("items"),) if isinstance(each, dict)]
    spot = draw(st.sampled_from(spots))
    change = draw(SCHEMAS)
    for key in draw(st.sets(st.sampled_from(sorted({*spot, *change}) or ["title"]), max_size=2)):
        if key in change:
            spot[key] = change[key]
        else:
            spot.pop(key, None)
    return old, new


def of(schema: dict[str, Any]) -> ToolSpec:
    return ToolSpec("t", "Text.", schema)


@given(SCHEMAS)
def test_equal_specs_have_no_change(schema: dict[str, Any]) -> None:
    assert diff(of(schema), of(copy.deepcopy(schema))) == ()


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(edited(), st.lists(VALUES, min_size=5, max_size=20))
def test_a_compatible_change_refuses_nothing_that_was_accepted(
    pair: tuple[dict[str, Any], dict[str, Any]], values: list[Any]
) -> None:
    old, new = pair
    changes = diff(of(old), of(new))
    assume(all(change.verdict is Verdict.COMPATIBLE for change in changes))
    assume(not any(change.code == "B106" for change in changes))  # a key that was not declared
    accepted = [each for each in values if jsonschema.Draft202012Validator(old).is_valid(each)]
    refused = [each for each in accepted if not jsonschema.Draft202012Validator(new).is_valid(each)]
    assert refused == []


@given(edited())
def test_what_one_way_adds_the_other_way_takes(
    pair: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    """Where there is a difference one way, there is one the other way."""
    old, new = pair
    assert bool(diff(of(old), of(new))) == bool(diff(of(new), of(old)))


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = sorted({*JUDGED, *SAID_ONLY, *ONLY_ADDED, "patternProperties", "$ref", "if"})
JUNK = st.recursive(
    JSON, lambda inner: st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=5), max_leaves=12
)


@given(st.tuples(JUNK, JUNK))
def test_whatever_stands_in_a_schema_it_is_compared(pair: tuple[Any, Any]) -> None:
    """A schema that is none is other people's, and no reason to fail."""
    old, new = pair
    for change in diff(of(old), of(new)):
        assert len(str(change)) < 400
    assert diff(of(old), of(copy.deepcopy(old))) == ()
