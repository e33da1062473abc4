"""Models, dataclasses and typed dicts as parameters: what a model sees, what the function gets."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import InitVar, field
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic
import pydantic.dataclasses
import pytest
import typing_extensions
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, RootModel
from pydantic.alias_generators import to_camel

from toolkit import tool

from .rows import Row, an_object, check, refused

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
T = TypeVar("T")


class Line(BaseModel):
    sku: str
    quantity: Annotated[int, Field(ge=1)] = 1


class Order(BaseModel):
    lines: list[Line]
    note: str | None = None


@dataclasses.dataclass(slots=True)
class Job:
    name: str
    tags: list[str] = field(default_factory=list)
    start: InitVar[int] = 3
    retries: int = field(default=0, kw_only=True)

    def __post_init__(self, start: int) -> None:
        self.retries += start


@pydantic.dataclasses.dataclass(config=ConfigDict(extra="forbid"))
class Strict:
    size: int = Field(ge=1, description="How large.")


class Plain(typing.TypedDict):
    a: int


class Partly(Plain, total=False):
    b: typing.Required[str]
    c: Annotated[int, Field(ge=1)]
    inner: list[Partly]


class Newer(typing_extensions.TypedDict, total=False):
    x: typing_extensions.Required[Plain]
    y: int


class Box(typing.TypedDict, Generic[T]):
    content: T


@dataclasses.dataclass
class Holder:
    plain: Plain
    others: list[Newer] = field(default_factory=list)


class Ids(RootModel[list[int]]):
    pass


class Pair(BaseModel, Generic[T]):
    left: T
    right: list[T] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog", "puppy"]
    bark: str = "woof"


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")
    first_name: str
    last_name: str = Field(validation_alias=AliasChoices("surname", "family"))


class Checked(BaseModel):
    low: int
    high: int

    @pydantic.model_validator(mode="after")
    def ordered(self) -> Checked:
        if self.low > self.high:
            raise ValueError("low must not be above high")
        return self


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


@dataclasses.dataclass
class Node:
    value: int
    next: Node | None = None


LINE = an_object("sku", sku=TEXT, quantity={**INTEGER, "minimum": 1, "default": 1})
PLAIN = an_object("a", a=INTEGER)
NEWER = an_object("x", x=PLAIN, y=INTEGER)
CAT = an_object("kind", "lives", kind={**TEXT, "const": "cat"}, lives=INTEGER)
DOG = an_object("kind", kind={**TEXT, "enum": ["dog", "puppy"]}, bark={**TEXT, "default": "woof"})
CAMEL = Camel.model_validate({"firstName": "a", "surname": "b"})
ROWS = {
    "model": Row(
        Line,
        LINE,
        (({"sku": "a"}, Line(sku="a")),),
        (({}, "x.sku: required, but missing"), ({"sku": "a", "quantity": 0}, "x.quantity: ")),
        (('{"sku": "a"}', Line(sku="a")),),
    ),
    "model in a model": Row(
        Order,
        an_object("lines", lines={"type": "array", "items": LINE}, note=TEXT),
        (({"lines": [{"sku": "a"}]}, Order(lines=[Line(sku="a")])),),
        (({"lines": [{"sku": "a", "quantity": "x"}]}, "x.lines.0.quantity: expected an integer"),),
    ),
    "dataclass": Row(
        Job,
        an_object(
            "name",
            name=TEXT,
            tags={"type": "array", "items": TEXT},
            start={**INTEGER, "default": 3},
            retries={**INTEGER, "default": 0},
        ),
        (
            ({"name": "a"}, Job("a")),
            ({"name": "a", "start": 5, "retries": 1}, Job("a", [], 5, retries=1)),
        ),
        (({"name": 1}, "x.name: expected text"),),
    ),
    "strict dataclass": Row(
        Strict,
        {
            **an_object("size", size={**INTEGER, "minimum": 1, "description": "How large."}),
            "additionalProperties": False,
        },
        (({"size": 1}, Strict(size=1)),),
        (({"size": 1, "sise": 2}, "x.sise: is not allowed here; did you mean 'size'?"),),
    ),
    "typed dict": Row(Plain, PLAIN, (({"a": 1}, {"a": 1}),), (({}, "x.a: required"),)),
    "typed dict in part": Row(
        list[Newer],
        {"type": "array", "items": NEWER},
        (([{"x": {"a": 1}}], [{"x": {"a": 1}}]),),
        (([{"y": 1}], "x.0.x: required, but missing"),),
    ),
    "generic typed dict": Row(
        Box[int], an_object("content", content=INTEGER), (({"content": 1}, {"content": 1}),)
    ),
    "typed dicts in a dataclass": Row(
        Holder,
        an_object("plain", plain=PLAIN, others={"type": "array", "items": NEWER}),
        (({"plain": {"a": 1}}, Holder({"a": 1})),),
        (({"plain": {}}, "x.plain.a: required, but missing"),),
    ),
    "root model": Row(
        Ids,
        {"type": "array", "items": INTEGER},
        (([1], Ids([1])),),
        (({"root": [1]}, "x: expected an array"),),
        (("[1]", Ids([1])),),
    ),
    "generic model": Row(
        Pair[int],
        an_object("left", left=INTEGER, right={"type": "array", "items": INTEGER, "default": []}),
        (({"left": 1}, Pair[int](left=1)),),
        (({"left": 1, "right": ["x"]}, "x.right.0: expected an integer"),),
    ),
    "discriminated": Row(
        Pet,
        {"oneOf": [CAT, DOG]},
        (({"kind": "cat", "lives": 9}, Cat(kind="cat", lives=9)),),
        (
            ({"kind": "fox"}, 'x.kind: expected one of "cat", "dog", "puppy", got "fox"'),
            ({}, 'x.kind: required, but missing; expected one of "cat", "dog", "puppy"'),
            ({"kind": "cat"}, "x.lives: required, but missing"),
            ("fox", "x: expected an object"),
        ),
        (('{"kind": "dog"}', Dog(kind="dog")),),
    ),
    "union of models": Row(
        Cat | Dog | int,
        {"anyOf": [CAT, DOG, INTEGER]},
        ((3, 3), ({"kind": "puppy"}, Dog(kind="puppy"))),
        (
            ({"kind": "dog", "bark": 1}, "x.bark: expected text, got 1"),
            ({"kind": "cat"}, "x.lives: required, but missing"),
            ({"kind": "fox"}, 'x.kind: expected one of "cat", "dog", "puppy", got "fox"'),
            ("x", 'x: expected an object or an integer, got "x"'),
        ),
    ),
    "aliases": Row(
        Camel,
        {
            **an_object("firstName", "surname", firstName=TEXT, surname=TEXT),
            "additionalProperties": False,
        },
        (({"firstName": "a", "surname": "b"}, CAMEL),),
        (({"firstName": [], "surname": "b"}, "x.firstName: expected text, got an empty array"),),
        (({"first_name": "a", "family": "b"}, CAMEL),),
    ),
    "a model's own check": Row(
        Checked,
        an_object("low", "high", low=INTEGER, high=INTEGER),
        (({"low": 1, "high": 2}, Checked(low=1, high=2)),),
        (({"low": 3, "high": 2}, "x: low must not be above high"),),
    ),
    "recursive model": Row(
        Tree,
        {
            "$ref": "#/$defs/Tree",
            "$defs": {
                "Tree": an_object(
                    "value",
                    value=INTEGER,
                    children={"type": "array", "items": {"$ref": "#/$defs/Tree"}, "default": []},
                )
            },
        },
        (({"value": 1, "children": [{"value": 2}]}, Tree(value=1, children=[Tree(value=2)])),),
        (({"value": 1, "children": [{"value": "x"}]}, "x.children.0.value: expected an integer"),),
    ),
    "recursive dataclass": Row(
        Node,
        {
            "$ref": "#/$defs/Node",
            "$defs": {"Node": an_object("value", value=INTEGER, next={"$ref": "#/$defs/Node"})},
        },
        (({"value": 1, "next": {"value": 2}}, Node(1, Node(2))),),
    ),
    "recursive typed dict": Row(
        Partly,
        {
            "$ref": "#/$defs/Partly",
            "$defs": {
                "Partly": an_object(
                    "a",
                    "b",
                    a=INTEGER,
                    b=TEXT,
                    c={**INTEGER, "minimum": 1},
                    inner={"type": "array", "items": {"$ref": "#/$defs/Partly"}},
                )
            },
        },
        (({"a": 1, "b": "x"}, {"a": 1, "b": "x"}),),
        (({"a": 1, "b": "x", "inner": [{"a": 1}]}, "x.inner.0.b: required, but missing"),),
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_model_sees_what_the_function_takes_and_it_gets_what_its_hint_says(name: str) -> None:
    check(ROWS[name])


def test_every_fault_of_a_nested_input_is_told_at_once() -> None:
    def f(order: Order, pet: Pet, count: int) -> None:
        """Take much."""

    message = refused(
        f, {"order": {"lines": [{"quantity": 0}], "note": 5}, "pet": {"kind": "x"}, "cuont": 1}
    )
    assert message.split("\n") == [
        "6 faults in the input:",
        "- order.lines.0.sku: required, but missing",
        "- order.lines.0.quantity: expected a value of at least 1, got 0",
        "- order.note: expected text, got 5",
        '- pet.kind: expected one of "cat", "dog", "puppy", got "x"',
        "- count: required, but missing",
        "- cuont: unknown argument, ignored; did you mean 'count'?",
    ]


def test_a_model_that_is_itself_the_tool_documents_its_fields() -> None:
    class Search(BaseModel):
        """Look something up."""

        query: str = Field(description="What to look for.", min_length=1)
        most: int = Field(5, alias="maxResults", description="How many.")

    spec = tool(Search, name="search").spec
    assert spec.description == "Look something up."
    assert spec.input_schema == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "What to look for."},
            "maxResults": {"type": "integer", "default": 5, "description": "How many."},
        },
        "required": ["query"],
    }


def returning(hint: Any) -> Any:
    def f() -> None:
        """Return something."""

    f.__annotations__ = {"return": hint}
    return tool(f).spec.output_schema


@pytest.mark.parametrize(
    ("hint", "schema"), [(Line, LINE), (Plain, PLAIN), (Annotated[Line, "text"], LINE)]
)
def test_a_record_that_is_returned_gives_an_output_schema(hint: Any, schema: Any) -> None:
    assert returning(hint) == schema


@pytest.mark.parametrize("hint", [str, list[Line], Line | None, Ids, "Nowhere", object()])
def test_a_return_hint_of_another_kind_gives_none_and_breaks_nothing(hint: Any) -> None:
    assert returning(hint) is None


def test_a_recursive_record_that_is_returned_has_its_entry() -> None:
    def f() -> Node:
        return Node(1)

    schema = tool(f).spec.output_schema or {}
    assert schema["properties"]["next"] == {"$ref": "#/$defs/Node"}
    assert set(schema["$defs"]) == {"Node"}
