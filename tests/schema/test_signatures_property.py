"""What the schema accepts the call accepts, and what it refuses the call refuses."""

from __future__ import annotations

import dataclasses
import enum
import json
from typing import Annotated, Any, Literal, TypedDict

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from toolkit import ToolUse, tool
from toolkit.errors import InvalidInputError
from toolkit.types import ToolContext


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Word(enum.StrEnum):
    YES = "y"
    NO = "n"


class Line(BaseModel):
    sku: str
    quantity: Annotated[int, Field(ge=1)] = 1


@dataclasses.dataclass
class Job:
    name: str
    lines: list[Line] = dataclasses.field(default_factory=list)
    note: str | None = None


class Keys(TypedDict, total=False):
    a: int
    b: list[str]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tail: bool = True


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


ATOMS = [
    int,
    str,
    float,
    bool,
    Level,
    Word,
    Line,
    Job,
    Keys,
    Tree,
    Cat | Dog,
    Literal["a", "b"],
    Literal[1, "x"],
    Annotated[int, Field(ge=0, le=5)],
    Annotated[str, Field(min_length=1, max_length=3)],
    Annotated[Cat | Dog, Field(discriminator="kind")],
]
# As a type checker has no names for types that are made at run time.
LIST: Any = list
DICT: Any = dict
TUPLE: Any = tuple
BOUNDED: Any = Annotated
HINTS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        inner.map(lambda hint: LIST[hint]),
        inner.map(lambda hint: DICT[str, hint]),
        inner.map(lambda hint: TUPLE[hint, int]),
        inner.map(lambda hint: hint | None),
        inner.map(lambda hint: BOUNDED[LIST[hint], Field(max_length=2)]),
        st.just(set[int]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
    ),
    max_leaves=4,
)
WORDS = st.sampled_from(["", "a", "b", "cat", "dog", "x", "y", "5", "-1", "true", "abcd", "[1]"])
NAMES = st.sampled_from(["sku", "quantity", "name", "lines", "note", "a", "b", "kind", "lives"])
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 7), st.sampled_from([0.5, 1.0, -1.5]), WORDS
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(NAMES | st.sampled_from(["value", "children", "tail"]), inner, max_size=3),
    ),
    max_leaves=6,
)

# The conversions that a call makes beyond its schema, by the type that the schema names; there
# are no others. The null of a parameter that need not be given is the last of them.
BOOLEAN, ANY_TEXT = {"type": "boolean"}, {"type": "string"}
BEYOND: dict[str, list[dict[str, Any]]] = {
    "integer": [BOOLEAN, ANY_TEXT],  # true as 1, "5"
    "number": [BOOLEAN, ANY_TEXT],
    "boolean": [{"enum": [0, 1]}, ANY_TEXT],  # 1, "true", "off"
    "array": [ANY_TEXT],  # JSON text
    "object": [ANY_TEXT],
    "string": [],  # a text stays a text, and nothing becomes one
    "null": [],
}


def loosened(schema: Any) -> Any:
    """The schema with the conversions, at every depth."""
    if not isinstance(schema, dict):
        return schema
    loose: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            loose[key] = {name: loosened(each) for name, each in value.items()}
        elif key in ("items", "additionalProperties"):
            loose[key] = loosened(value)
        elif key in ("anyOf", "oneOf", "prefixItems"):
            loose["anyOf" if key == "oneOf" else key] = [loosened(each) for each in value]
        elif key != "uniqueItems":  # a set drops what comes twice
            loose[key] = value
    needed = schema.get("required", ())
    for name in loose.get("properties", {}):
        if name not in needed:
            loose["properties"][name] = {"anyOf": [loose["properties"][name], {"type": "null"}]}
    kind = schema.get("type")
    if kind is None and "enum" in schema:
        return {"anyOf": [loose, BOOLEAN]}
    return {"anyOf": [loose, *BEYOND[kind]]} if kind in BEYOND else loose


def taking(hint: Any) -> Any:
    def f(x: Any) -> None:
        """Take what the hint says."""

    f.__annotations__ = {"x": hint}
    return f


def taking_or_not(hint: Any) -> Any:
    def f(x: Any = None) -> None:
        """Take what the hint says, or nothing."""

    f.__annotations__ = {"x": hint}
    return f


def accepts(made: Any, given_: dict[str, Any]) -> bool:
    try:
        made.compiled.bind(given_, ToolContext(ToolUse("t1", "f", given_)))
    except InvalidInputError:
        return False
    return True


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(HINTS, st.lists(VALUES, min_size=1, max_size=6), st.sampled_from([taking, taking_or_not]))
def test_a_call_accepts_what_its_schema_accepts_and_little_else(
    hint: Any, values: list[Any], make: Any
) -> None:
    made = tool(make(hint))
    schema: Any = made.spec.input_schema
    json.dumps(schema, allow_nan=False)
    strict = jsonschema.Draft202012Validator(schema)
    loose = jsonschema.Draft202012Validator(_rooted(schema))
    for value in values:
        given_ = {"x": value}
        accepted = accepts(made, given_)
        if strict.is_valid(given_):
            assert accepted, (hint, value)
        elif not loose.is_valid(given_):
            assert not accepted, (hint, value)


def _rooted(schema: Any) -> Any:
    """The loosened schema, with its entries where references look for them."""
    entries = {name: loosened(each) for name, each in schema.get("$defs", {}).items()}
    bare = {key: value for key, value in schema.items() if key != "$defs"}
    return {**loosened(bare), "$defs": entries}
