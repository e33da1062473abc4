"""Pydantic models, each with right and wrong instances."""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from typing import Annotated, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    computed_field,
    field_validator,
    model_validator,
)

from tests.agent.kinds import Kind, built

__all__ = ["MODELS", "OSLO", "Plain"]

T = TypeVar("T")


class Plain(BaseModel):
    """A city and its people."""

    city: str
    people: int = 0


class Nested(BaseModel):
    home: Plain
    visited: list[Plain] = []


class Bounded(BaseModel):
    share: float = Field(ge=0, le=1)
    code: str = Field(pattern=r"^[A-Z]{3}$")
    tags: list[str] = Field(min_length=1, max_length=2)


class Aliased(BaseModel):
    from_: str = Field(alias="from")
    stops: int = Field(validation_alias="stopCount", default=0)


class CamelCase(BaseModel):
    model_config = ConfigDict(alias_generator=lambda name: name.title().replace("_", ""))
    first_name: str


class Choices(BaseModel):
    name: str = Field(validation_alias=AliasChoices("name", "title"))


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    on: date
    ids: tuple[int, ...]
    count: int


class Computed(BaseModel):
    width: int
    height: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def area(self) -> int:
        return self.width * self.height


class Validated(BaseModel):
    even: int

    @field_validator("even")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


class Ordered(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def in_order(self) -> Ordered:
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class Box(BaseModel, Generic[T]):
    item: T


class Base(BaseModel):
    id: int


class Derived(Base):
    label: str


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Chain(BaseModel):
    value: int
    next: Chain | None


class Ping(BaseModel):
    pong: Pong | None = None


class Pong(BaseModel):
    ping: Ping | None = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Owner(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Shape(BaseModel):
    size: int | str | None


class Required(BaseModel):
    note: str | None
    mood: Literal["up", "down"] | None


class Optional(BaseModel):
    note: str | None = None
    limit: int | None = Field(default=None, ge=1)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    S = 1
    L = 3


class Enums(BaseModel):
    colour: Colour
    size: Size | None = None


class Times(BaseModel):
    on: date
    at: datetime
    id: UUID


class Deep(BaseModel):
    levels: dict[str, list[dict[str, Plain]]]


class Fixed(BaseModel):
    version: Literal[2]


NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
ID = "6f1c1a52-8d0f-4a39-9c53-0f7a6c0c8f11"
OSLO = {"city": "Oslo"}
MODELS = [
    Kind("a model", Plain, [(OSLO, Plain(city="Oslo"))], [({}, {"city"}), ({"city": 1}, {"city"})]),
    Kind(
        "a nested model",
        Nested,
        [
            (
                {"home": OSLO, "visited": [OSLO]},
                Nested(home=Plain(city="Oslo"), visited=[Plain(city="Oslo")]),
            )
        ],
        [
            ({"visited": []}, {"home"}),
            ({"home": {}, "visited": [OSLO, {"city": None}]}, {"home.city", "visited.1.city"}),
        ],
    ),
    Kind(
        "bounds",
        Bounded,
        [
            (
                {"share": 0.5, "code": "ABC", "tags": ["a"]},
                Bounded(share=0.5, code="ABC", tags=["a"]),
            )
        ],
        [
            ({"share": 2, "code": "abc", "tags": []}, {"share", "code", "tags"}),
            ({"share": 0, "code": "ABC", "tags": ["a", "b", "c"]}, {"tags"}),
        ],
    ),
    Kind(
        "aliases",
        Aliased,
        [({"from": "A", "stopCount": 2}, built(Aliased, {"from": "A", "stopCount": 2}))],
        [({"from_": "A"}, {"from"}), ({"from": "A", "stopCount": "x"}, {"stopCount"})],
    ),
    Kind(
        "an alias generator",
        CamelCase,
        [({"FirstName": "Ada"}, built(CamelCase, {"FirstName": "Ada"}))],
        [({"first_name": "Ada"}, {"FirstName"})],
    ),
    Kind("alias choices", Choices, [({"name": "x"}, Choices(name="x"))], [({}, {"name"})]),
    Kind(
        "nothing extra",
        Closed,
        [({"a": 1}, Closed(a=1))],
        [({"a": 1, "b": 2}, {"b"}), ({"b": 2}, {"a", "b"})],
    ),
    Kind(
        "anything extra",
        Open,
        [({"a": 1, "b": 2}, built(Open, {"a": 1, "b": 2}))],
        [({"b": 2}, {"a"})],
    ),
    Kind(
        "a strict model",
        Strict,
        [
            (
                {"on": "2024-02-29", "ids": [1, 2], "count": 1},
                Strict(on=date(2024, 2, 29), ids=(1, 2), count=1),
            )
        ],
        [({"on": "2024-02-29", "ids": ["1"], "count": "1"}, {"ids.0", "count"})],
    ),
    Kind(
        "a computed field",
        Computed,
        [({"width": 2, "height": 3}, Computed(width=2, height=3))],
        [({"area": 6}, {"width", "height"})],
    ),
    Kind(
        "a validator",
        Validated,
        [({"even": 2}, Validated(even=2))],
        [({"even": None}, {"even"})],
        [({"even": 3}, {"even"})],
    ),
    Kind(
        "a rule between members",
        Ordered,
        [({"low": 1, "high": 2}, Ordered(low=1, high=2))],
        [({"low": 1}, {"high"})],
        [({"low": 3, "high": 2}, {""})],
    ),
    Kind(
        "a generic model", Box[int], [({"item": 1}, Box[int](item=1))], [({"item": "x"}, {"item"})]
    ),
    Kind(
        "a generic of a model",
        Box[Plain],
        [({"item": OSLO}, Box[Plain](item=Plain(city="Oslo")))],
        [({"item": {}}, {"item.city"})],
    ),
    Kind(
        "inheritance",
        Derived,
        [({"id": 1, "label": "x"}, Derived(id=1, label="x"))],
        [({}, {"id", "label"})],
    ),
    Kind(
        "recursion",
        Tree,
        [({"name": "a", "children": [{"name": "b"}]}, Tree(name="a", children=[Tree(name="b")]))],
        [
            (
                {"name": "a", "children": [{"name": "b", "children": [{}]}]},
                {"children.0.children.0.name"},
            )
        ],
    ),
    Kind(
        "a required recursion",
        Chain,
        [
            (
                {"value": 1, "next": {"value": 2, "next": None}},
                Chain(value=1, next=Chain(value=2, next=None)),
            )
        ],
        [({"value": 1}, {"next"}), ({"value": 1, "next": {"value": 2}}, {"next.next"})],
    ),
    Kind(
        "two models that hold each other",
        Ping,
        [({"pong": {"ping": {}}}, Ping(pong=Pong(ping=Ping())))],
        [({"pong": {"ping": 1}}, {"pong.ping"})],
    ),
    Kind(
        "a discriminated member",
        Owner,
        [({"pet": {"kind": "dog", "name": "Rex"}}, Owner(pet=Dog(kind="dog", name="Rex")))],
        [
            ({"pet": {"kind": "cow"}}, {"pet.kind"}),
            ({"pet": {"kind": "cat", "lives": "x"}}, {"pet.lives"}),
        ],
    ),
    Kind(
        "a union with null",
        Shape,
        [
            ({"size": 1}, Shape(size=1)),
            ({"size": "L"}, Shape(size="L")),
            ({"size": None}, Shape(size=None)),
        ],
        [({}, {"size"}), ({"size": []}, {"size"})],
    ),
    Kind(
        "required, may be null",
        Required,
        [({"note": None, "mood": "up"}, Required(note=None, mood="up"))],
        [({"note": None}, {"mood"}), ({"note": 1, "mood": "left"}, {"note", "mood"})],
    ),
    Kind(
        "optional",
        Optional,
        [({}, Optional()), ({"limit": 1}, Optional(limit=1))],
        [({"limit": 0}, {"limit"}), ({"note": 1}, {"note"})],
    ),
    Kind(
        "enumerations",
        Enums,
        [({"colour": "red", "size": 3}, Enums(colour=Colour.RED, size=Size.L))],
        [({"colour": "RED"}, {"colour"}), ({"colour": "red", "size": 2}, {"size"})],
    ),
    Kind(
        "dates and ids",
        Times,
        [
            (
                {"on": "2024-02-29", "at": "2024-02-29T12:00:00Z", "id": ID},
                Times(on=date(2024, 2, 29), at=NOON, id=UUID(ID)),
            )
        ],
        [({"on": "2023-02-29", "at": "noon", "id": "1"}, {"on", "at", "id"})],
    ),
    Kind(
        "deep dictionaries",
        Deep,
        [({"levels": {"a": [{"b": OSLO}]}}, Deep(levels={"a": [{"b": Plain(city="Oslo")}]}))],
        [({"levels": {"a": [{"b": {}}]}}, {"levels.a.0.b.city"})],
    ),
    Kind(
        "a constant", Fixed, [({"version": 2}, Fixed(version=2))], [({"version": 1}, {"version"})]
    ),
]
