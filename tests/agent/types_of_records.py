"""Records of other kinds, each with right and wrong instances."""

from __future__ import annotations

import dataclasses
import typing
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import pydantic.dataclasses
import typing_extensions
from pydantic import BaseModel, ConfigDict, Discriminator, Field, RootModel, Tag

from tests.agent.kinds import Kind, built
from tests.agent.types_of_models import OSLO, Plain

__all__ = ["RECORDS"]

T = TypeVar("T")


class Odd(BaseModel):
    schema_: int = Field(alias="schema")
    self: str
    type: str
    title: str


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)
    pair: tuple[int, str]


class Numbers(RootModel[list[int]]):
    """Some numbers."""


class Ages(RootModel[dict[str, int]]):
    pass


class NestedRoot(BaseModel):
    numbers: Numbers


@dataclasses.dataclass
class Point:
    """A place on the plane."""

    x: int
    y: int = 0


@dataclasses.dataclass
class Line:
    start: Point
    end: Point
    labels: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Pair(Generic[T]):
    left: T
    right: T


@pydantic.dataclasses.dataclass
class Guarded:
    age: Annotated[int, Field(ge=18)]


class Movie(typing.TypedDict):
    title: str
    year: int


class Partial(typing_extensions.TypedDict, total=False):
    title: str
    year: typing_extensions.Required[int]


@dataclasses.dataclass
class Holder:
    movie: Movie


class Everything(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    path: Path
    price: Decimal
    names: set[str]
    kinds: frozenset[int] = frozenset()
    anything: Any = None


class Step(NamedTuple):
    at: int
    name: str = "go"


class Steps(BaseModel):
    steps: list[Step]


def _kind_of(value: Any) -> str:
    return "whole" if isinstance(value, int) else "plain"


class Callables(BaseModel):
    either: Annotated[
        Annotated[int, Tag("whole")] | Annotated[Plain, Tag("plain")], Discriminator(_kind_of)
    ]


RECORDS = [
    Kind(
        "odd names",
        Odd,
        [
            (
                {"schema": 1, "self": "s", "type": "t", "title": "T"},
                built(Odd, {"schema": 1, "self": "s", "type": "t", "title": "T"}),
            )
        ],
        [({"schema": "x", "self": "s", "type": "t"}, {"schema", "title"})],
    ),
    Kind(
        "a tuple",
        Frozen,
        [({"pair": [1, "a"]}, Frozen(pair=(1, "a")))],
        [({"pair": [1]}, {"pair.1"}), ({"pair": ["a", "a"]}, {"pair.0"})],
    ),
    Kind("a root model", Numbers, [([1, 2], Numbers([1, 2]))], [(["x"], {"0"}), ({}, {""})]),
    Kind(
        "a root model of a dictionary",
        Ages,
        [({"Ada": 36}, Ages({"Ada": 36}))],
        [({"Ada": "old"}, {"Ada"})],
    ),
    Kind(
        "a root model inside",
        NestedRoot,
        [({"numbers": [1]}, NestedRoot(numbers=Numbers([1])))],
        [({"numbers": 1}, {"numbers"})],
    ),
    Kind("a dataclass", Point, [({"x": 1}, Point(1))], [({"y": 1}, {"x"}), ({"x": "a"}, {"x"})]),
    Kind(
        "a nested dataclass",
        Line,
        [({"start": {"x": 0}, "end": {"x": 1}}, Line(Point(0), Point(1)))],
        [({"start": {}, "end": {"x": 1}}, {"start.x"})],
    ),
    Kind(
        "a generic dataclass",
        Pair[int],
        [({"left": 1, "right": 2}, Pair(1, 2))],
        [({"left": 1, "right": "x"}, {"right"})],
    ),
    Kind(
        "a pydantic dataclass", Guarded, [({"age": 18}, Guarded(age=18))], [({"age": 17}, {"age"})]
    ),
    Kind(
        "a TypedDict",
        Movie,
        [({"title": "M", "year": 1931}, {"title": "M", "year": 1931})],
        [({"title": "M"}, {"year"})],
    ),
    Kind(
        "a partial TypedDict",
        Partial,
        [({"year": 1931}, {"year": 1931})],
        [({"title": "M"}, {"year"})],
    ),
    Kind(
        "a TypedDict inside",
        Holder,
        [({"movie": {"title": "M", "year": 1}}, Holder(movie={"title": "M", "year": 1}))],
        [({"movie": {"title": "M"}}, {"movie.year"})],
    ),
    Kind(
        "paths, decimals, sets",
        Everything,
        [
            (
                {"path": "a.txt", "price": "1.50", "names": ["a"], "anything": [1]},
                Everything(path=Path("a.txt"), price=Decimal("1.50"), names={"a"}, anything=[1]),
            )
        ],
        [({"path": 1, "price": "x", "names": "a"}, {"path", "price", "names"})],
    ),
    Kind(
        "a NamedTuple inside",
        Steps,
        [({"steps": [[1, "a"], [2]]}, Steps(steps=[Step(1, "a"), Step(2)]))],
        [({"steps": [["x", "a"]]}, {"steps.0.0"})],
    ),
    Kind(
        "a callable discriminator",
        Callables,
        [
            ({"either": 1}, Callables(either=1)),
            ({"either": OSLO}, Callables(either=Plain(city="Oslo"))),
        ],
        [({"either": {}}, {"either.city"})],
    ),
]
