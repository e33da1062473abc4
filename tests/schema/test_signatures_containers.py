"""Annotations of arrays and mappings: what a model sees, and what the function gets."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import typing
from collections import abc
from typing import Annotated, Any, Literal, NamedTuple

import jsonschema
import pydantic
import pytest
import typing_extensions
from pydantic import Field

from toolkit import tool

from .rows import Row, check, refused, taken

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
INTEGERS = {"type": "array", "items": INTEGER}
SET = {**INTEGERS, "uniqueItems": True}
COUNTS = {"type": "object", "additionalProperties": INTEGER}

Json = typing_extensions.TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")


class Point(NamedTuple):
    x: int
    y: str = "q"


class Side(enum.StrEnum):
    LEFT = "l"


ARRAYS = {
    "list": Row(
        list[int],
        INTEGERS,
        (([1, 2], [1, 2]), ([], [])),
        (("abc", 'expected an array, got "abc"'), ([1, "x"], "x.1: expected an integer")),
        (("[1]", [1]),),
    ),
    "bare list": Row(list, {"type": "array", "items": {}}, (([1, "a"], [1, "a"]),)),
    "list of lists": Row(
        list[list[int]],
        {"type": "array", "items": INTEGERS},
        (([[1]], [[1]]),),
        (([[1, "x"]], "x.0.1: expected an integer"),),
        ((["[1]"], [[1]]),),
    ),
    "typing list": Row(typing.List[int], INTEGERS, (([1], [1]),)),  # noqa: UP006 - the old way
    "pair": Row(
        tuple[int, str],
        {"type": "array", "prefixItems": [INTEGER, TEXT], "minItems": 2, "maxItems": 2},
        (([1, "a"], (1, "a")),),
        (([1], "x.1: required, but missing"), ([1, "a", 2], "at most 2 items")),
    ),
    "tuple of any length": Row(tuple[int, ...], INTEGERS, (([1, 2], (1, 2)),)),
    "bare tuple": Row(tuple, {"type": "array", "items": {}}, (([1, "a"], (1, "a")),)),
    "named tuple": Row(
        Point,
        {
            "type": "array",
            "prefixItems": [INTEGER, {**TEXT, "default": "q"}],
            "minItems": 1,
            "maxItems": 2,
        },
        (([1], Point(1)), ([1, "b"], Point(1, "b"))),
        (({}, "x.x: required, but missing"),),
        (({"x": 2}, Point(2)),),
    ),
    "set": Row(set[int], SET, (([1, 2], {1, 2}),), ((1, "an array"),), (([1, 1], {1}),)),
    "frozen set": Row(frozenset[int], SET, (([1], frozenset({1})),)),
    "abstract set": Row(abc.Set[int], SET, (([1], frozenset({1})),)),
    "deque": Row(
        collections.deque[int],
        INTEGERS,
        (([1], collections.deque([1])),),
        ((1, "expected an array"),),
        (("[1]", collections.deque([1])),),
    ),
    "sequence": Row(
        abc.Sequence[str],
        {"type": "array", "items": TEXT},
        ((["a"], ["a"]),),
        (("abc", 'expected an array, got "abc"'),),
    ),
    "iterable": Row(
        abc.Iterable[int],
        INTEGERS,
        (([1], [1]),),
        (("45", "expected an array"), (["x"], "x.0: expected an integer")),
    ),
    "typing iterable": Row(typing.Iterable[int], INTEGERS, (([1], [1]),)),
    "collection": Row(abc.Collection[int], INTEGERS, (([1], [1]),)),
    "iterable inside": Row(
        list[abc.Iterable[int]],
        {"type": "array", "items": INTEGERS},
        (([[1]], [[1]]),),
        (([["x"]], "x.0.0: expected an integer"),),
    ),
    "bounded": Row(
        Annotated[list[int], Field(min_length=1, max_length=2)],
        {**INTEGERS, "minItems": 1, "maxItems": 2},
        (([1], [1]),),
        (([], "expected at least 1 item,"), ([1, 2, 3], "expected at most 2 items")),
    ),
    "bounded items": Row(
        list[Annotated[int, Field(gt=0)]],
        {"type": "array", "items": {**INTEGER, "exclusiveMinimum": 0}},
        (([1], [1]),),
        (([0], "x.0: expected a value greater than 0"),),
    ),
    "list of members": Row(
        list[Side], {"type": "array", "items": {**TEXT, "enum": ["l"]}}, ((["l"], [Side.LEFT]),)
    ),
    "list of nullables": Row(
        list[int | None],
        {"type": "array", "items": {"anyOf": [INTEGER, {"type": "null"}]}},
        (([1, None], [1, None]),),
    ),
}
MAPPINGS = {
    "dict": Row(
        dict[str, int],
        COUNTS,
        (({"a": 1}, {"a": 1}),),
        (([], "expected an object, got an empty array"), ({"a": "x"}, "x.a: expected an integer")),
        (('{"a": 1}', {"a": 1}),),
    ),
    "bare dict": Row(dict, {"type": "object"}, (({"a": [1]}, {"a": [1]}),)),
    "dict of any": Row(dict[str, Any], {"type": "object"}, (({"a": None}, {"a": None}),)),
    "mapping": Row(abc.Mapping[str, int], COUNTS, (({"a": 1}, {"a": 1}),)),
    "default dict": Row(
        collections.defaultdict[str, list[int]],
        {"type": "object", "additionalProperties": INTEGERS},
        (({"a": [1]}, collections.defaultdict(list, {"a": [1]})),),
    ),
    "ordered dict": Row(
        collections.OrderedDict[str, int], COUNTS, (({"a": 1}, collections.OrderedDict(a=1)),)
    ),
    "counter": Row(
        collections.Counter[str],
        COUNTS,
        (({"a": 1}, collections.Counter(a=1)),),
        ((None, "expected an object, got null"),),
    ),
    "keys of dates": Row(
        dict[dt.date, int],
        {**COUNTS, "propertyNames": {"format": "date"}},
        (({"2024-01-02": 1}, {dt.date(2024, 1, 2): 1}),),
        (({"soon": 1}, "x.soon: not a key that is allowed: expected a date"),),
    ),
    "keys of choices": Row(
        dict[Literal["a", "b"], int],
        {**COUNTS, "propertyNames": {"enum": ["a", "b"]}},
        (({"a": 1}, {"a": 1}),),
        (({"c": 1}, 'x.c: not a key that is allowed: expected one of "a", "b"'),),
    ),
    "keys of a pattern": Row(
        dict[Annotated[str, pydantic.StringConstraints(pattern="^x-")], int],
        {"type": "object", "patternProperties": {"^x-": INTEGER}},
        (({"x-a": 1}, {"x-a": 1}),),
    ),
    "union of containers": Row(
        dict[str, int] | list[int],
        {"anyOf": [COUNTS, INTEGERS]},
        (({"a": 1}, {"a": 1}), ([1], [1])),
        ((5, "expected an object or an array, got 5"), (["a"], "x.0: expected an integer")),
        (("[1]", [1]), ('{"a": 1}', {"a": 1})),
    ),
    "list or word": Row(
        list[int] | Literal["all"],
        {"anyOf": [INTEGERS, {**TEXT, "const": "all"}]},
        (([1], [1]), ("all", "all")),
        (("some", 'expected an array or "all", got "some"'),),
        (("[1]", [1]),),
    ),
}
ROWS = {**ARRAYS, **MAPPINGS}


@pytest.mark.parametrize("name", ROWS)
def test_a_model_sees_what_the_function_takes_and_it_gets_what_its_hint_says(name: str) -> None:
    check(ROWS[name])


def any_json(value: Json) -> Json:
    return value


def test_an_alias_that_refers_to_itself_keeps_its_entry() -> None:
    schema = tool(any_json).spec.input_schema
    referee = jsonschema.Draft202012Validator(schema)
    good = {"value": {"a": [1, {"b": None}]}}
    assert referee.is_valid(good)
    assert taken(any_json, good) == good
    bad = {"value": {"a": [1, {"b": 1.5}]}}
    assert not referee.is_valid(bad)
    told = "value.a.1.b: expected an object, an array, text or an integer, got 1.5"
    assert refused(any_json, bad) == told


def test_a_text_that_a_union_takes_is_never_parsed() -> None:
    def f(x: str | list[int]) -> None:
        """Take a text as it is."""

    assert taken(f, {"x": "[1]"}) == {"x": "[1]"}


def test_an_iterator_runs_over_checked_items() -> None:
    def f(x: abc.Iterator[int]) -> None:
        """Take items one by one."""

    assert list(taken(f, {"x": ["1", 2]})["x"]) == [1, 2]
    assert refused(f, {"x": ["a"]}) == 'x.0: expected an integer, got "a"'
