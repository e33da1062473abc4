"""Types that are no records, JSON Schemas among them, each with right and wrong instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import typing_extensions
from pydantic import BaseModel, Field, PositiveInt, StringConstraints

from tests.agent.kinds import Kind

__all__ = ["VALUES"]


class Item(BaseModel):
    name: str
    price: float = Field(gt=0)


class Basket(NamedTuple):
    owner: str
    items: list[Item] = []  # noqa: RUF012 - pydantic copies it


class Level(Enum):
    LOW = 1
    HIGH = 2


class Corner(Enum):
    ORIGIN = (0, 0)
    FAR = (9, 9)


@dataclass
class Leaf:
    value: int


@dataclass
class Branch:
    left: Branch | Leaf
    right: Branch | Leaf


class Circle(BaseModel):
    kind: Literal["circle"] = "circle"
    radius: float


class Square(BaseModel):
    kind: Literal["square"] = "square"
    side: float


Figure = Annotated[Circle | Square, Field(discriminator="kind")]
Json = typing_extensions.TypeAliasType(
    "Json", "dict[str, Json] | list[Json] | str | int | bool | None"
)
Alias = typing_extensions.TypeAliasType("Alias", Item)
PEN = {"name": "pen", "price": 1.5}
A_PEN = Item(name="pen", price=1.5)
NODE = {
    "type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"$ref": "#"}},
    "required": ["value"],
}
TREE_LIST = {
    "type": "array",
    "items": {"$ref": "#/$defs/tree"},
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "kids": {"$ref": "#"}},
            "required": ["n"],
        }
    },
}
VALUES = [
    Kind("text", str, [("a", "a")], [(1, {""}), (None, {""})]),
    Kind("an integer", int, [(1, 1)], [("x", {""}), (1.5, {""})]),
    Kind("a number", float, [(1.5, 1.5), (2, 2.0)], [("x", {""})]),
    Kind("a boolean", bool, [(True, True)], [("maybe", {""})]),
    Kind("nothing", None, [(None, None)], [(0, {""})]),
    Kind("anything", Any, [({"a": [1]}, {"a": [1]}), (None, None)], []),
    Kind(
        "a list of models",
        list[Item],
        [([PEN], [A_PEN]), ([], [])],
        [([{"name": "pen", "price": 0}, {}], {"0.price", "1.name", "1.price"}), ({}, {""})],
    ),
    Kind("a dictionary", dict[str, int], [({"a": 1}, {"a": 1})], [({"a": "x"}, {"a"}), ([], {""})]),
    Kind(
        "a dictionary of models",
        dict[str, Item],
        [({"a": PEN}, {"a": A_PEN})],
        [({"a": {"name": "pen"}}, {"a.price"})],
    ),
    Kind("a set", set[int], [([1, 2], {1, 2})], [(["x"], {"0"})]),
    Kind("a frozen set", frozenset[str], [(["a"], frozenset("a"))], [([1], {"0"})]),
    Kind(
        "a fixed tuple",
        tuple[int, str],
        [([1, "a"], (1, "a"))],
        [([1], {"1"}), ([1, "a", 2], {""})],
    ),
    Kind("a tuple of any length", tuple[int, ...], [([1, 2, 3], (1, 2, 3))], [([1, "x"], {"1"})]),
    Kind(
        "a NamedTuple",
        Basket,
        [(["Ada", [PEN]], Basket("Ada", [A_PEN])), (["Ada"], Basket("Ada"))],
        [([1], {"0"}), ([], {"0"})],
    ),
    Kind("a union", int | str, [(1, 1), ("1", "1")], [([], {""}), (None, {""})]),
    Kind("a union with null", int | None, [(1, 1), (None, None)], [("x", {""})]),
    Kind(
        "a union of models",
        Circle | Item,
        [(PEN, A_PEN), ({"radius": 1}, Circle(radius=1))],
        [("x", {""})],
    ),
    Kind(
        "a discriminated union",
        Figure,
        [({"kind": "square", "side": 2}, Square(side=2))],
        [({"kind": "line"}, {"kind"}), ({"kind": "square", "side": "x"}, {"side"})],
    ),
    Kind(
        "a list of a discriminated union",
        list[Figure],
        [([{"kind": "circle", "radius": 1}], [Circle(radius=1)])],
        [([{"kind": "circle"}], {"0.radius"})],
    ),
    Kind("an enumeration", Level, [(2, Level.HIGH)], [(3, {""})]),
    Kind("an enumeration of tuples", Corner, [([9, 9], Corner.FAR)], [([1, 9], {""})]),
    Kind("a literal", Literal["a", "b"], [("a", "a")], [("c", {""})]),
    Kind(
        "a mixed literal", Literal["a", 1] | None, [(1, 1), (None, None)], [("c", {""}), (2, {""})]
    ),
    Kind("a bounded integer", Annotated[int, Field(ge=1, le=5)], [(5, 5)], [(0, {""}), (6, {""})]),
    Kind("a named bound", PositiveInt, [(1, 1)], [(0, {""})]),
    Kind(
        "a pattern",
        Annotated[str, StringConstraints(pattern=r"^\d{4}$")],
        [("0042", "0042")],
        [("42", {""})],
    ),
    Kind(
        "a bounded list",
        Annotated[list[int], Field(min_length=2)],
        [([1, 2], [1, 2])],
        [([1], {""})],
    ),
    Kind("a date", date, [("2024-02-29", date(2024, 2, 29))], [("tomorrow", {""})]),
    Kind("a duration", timedelta, [("PT90S", timedelta(seconds=90))], [([], {""})]),
    Kind("bytes", bytes, [("abc", b"abc")], [(1, {""})]),
    Kind("a sequence", Sequence[int], [([1], [1])], [(["x"], {"0"})]),
    Kind("a mapping", Mapping[str, bool], [({"a": True}, {"a": True})], [({"a": "maybe"}, {"a"})]),
    Kind("integer keys", dict[int, str], [({"1": "a"}, {1: "a"})], [({"1": 2}, {"1"})]),
    Kind(
        "an annotated model",
        Annotated[Item, Field(description="One thing")],
        [(PEN, A_PEN)],
        [({}, {"name", "price"})],
    ),
    Kind("an alias of a model", Alias, [(PEN, A_PEN)], [({"name": 1, "price": 1}, {"name"})]),
    Kind(
        "a recursive alias",
        Json,
        [({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})],
        [(1.5, {""})],
    ),
    Kind(
        "recursive dataclasses",
        Branch,
        [({"left": {"value": 1}, "right": {"value": 2}}, Branch(Leaf(1), Leaf(2)))],
        [({"left": {"value": 1}}, {"right"})],
    ),
    Kind("a list of lists", list[list[int]], [([[1], []], [[1], []])], [([[1], ["x"]], {"1.0"})]),
    Kind(
        "an optional list of models",
        list[Item] | None,
        [(None, None), ([PEN], [A_PEN])],
        [([{}], {"0.name", "0.price"})],
    ),
    Kind(
        "an object schema",
        NODE,
        [({"value": 1, "next": {"value": 2}}, {"value": 1, "next": {"value": 2}})],
        [({"value": 1, "next": {}}, {"next.value"}), ({"value": "x"}, {"value"})],
    ),
    Kind(
        "an array schema",
        {"type": "array", "items": {"type": "integer"}},
        [([1], [1])],
        [(["x"], {"0"}), (1, {""})],
    ),
    Kind("an enum schema", {"enum": ["a", None]}, [(None, None)], [("b", {""})]),
    Kind(
        "a union schema",
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        [(1, 1)],
        [([], {""})],
    ),
    Kind(
        "a recursive array schema",
        TREE_LIST,
        [([{"n": 1, "kids": [{"n": 2}]}], [{"n": 1, "kids": [{"n": 2}]}])],
        [([{"n": 1, "kids": [{"n": "x"}]}], {"0.kids.0.n"})],
    ),
    Kind(
        "a closed schema",
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        [({"a": [1]}, {"a": [1]})],
        [({"b": 1}, {"b"})],
    ),
]
