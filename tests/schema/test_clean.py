"""Cleaning takes away what says nothing, and no constraint with it."""

from __future__ import annotations

import copy
import json
import time
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field, TypeAdapter

from toolkit.errors import SchemaTooDeepError
from toolkit.schema.clean import clean

NULL = {"type": "null"}
STRING = {"type": "string"}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def optional(inner: Any, **beside: Any) -> Any:
    """What a property becomes that need not be there."""
    return clean(of(p={"anyOf": [inner, NULL], **beside}))["properties"]["p"]


class Color(Enum):
    RED = "r"
    GREEN = "g"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Line(BaseModel):
    """A line."""

    sku: str
    qty: int = Field(1, ge=1)
    note: str | None = None


class Order(BaseModel):
    title: str
    lines: list[Line]
    color: Color = Color.RED
    level: Level | None = None
    by_key: dict[str, Line] = {}
    free: dict[str, Any] = {}
    must: int | None


class Node(BaseModel):
    value: int
    children: list[Node] = []
    order: Order | None = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int | None = None


class Dog(BaseModel):
    kind: Literal["dog"]
    age: Annotated[int, Field(gt=0)]


@dataclass
class Point:
    x: float
    y: float | None = None


MODELS: list[Any] = [
    Order,
    Node,
    Line | None,
    list[Order | Line],
    Annotated[Cat | Dog, Field(discriminator="kind")],
    Point,
    dict[Color, Point],
    tuple[int, str, Node],
    Literal["a", 1] | None,
]


def test_titles_of_pydantic_go_and_a_property_called_title_stays() -> None:
    lean = clean(Order.model_json_schema())
    assert "title" in lean["properties"]
    assert '"title": "' not in json.dumps(lean)


def test_a_title_that_the_author_gave_stays() -> None:
    lean = clean(of(user_id={"type": "integer", "title": "Whose"}))
    assert lean["properties"]["user_id"] == {"type": "integer", "title": "Whose"}


@pytest.mark.parametrize(
    ("name", "title"),
    [("user_id", "User Id"), ("x", "X"), ("_x", "X"), ("stopCount", "Stopcount"), ("a1b", "A1B")],
)
def test_a_title_made_of_the_name_goes(name: str, title: str) -> None:
    assert clean(of(**{name: {"title": title, **STRING}}))["properties"] == {name: STRING}


@pytest.mark.parametrize(
    "name", ["$ref", "title", "default", "anyOf", "enum", "required", "discriminator", "$defs"]
)
def test_a_property_may_have_the_name_of_a_keyword(name: str) -> None:
    schema = of(**{name: {"anyOf": [STRING, NULL], "default": None}})
    assert clean(schema)["properties"] == {name: STRING}


@pytest.mark.parametrize("keyword", ["enum", "const", "default", "examples"])
def test_keywords_that_hold_instances_are_left_alone(keyword: str) -> None:
    value: Any = [
        {"title": "P", "additionalProperties": True, "anyOf": [STRING, NULL], "$ref": "#"}
    ]
    assert clean(of(p={"type": "object", keyword: value}))["properties"]["p"][keyword] == value


def test_open_objects_say_nothing_but_a_value_type_does() -> None:
    schema = of(a={"type": "object", "additionalProperties": True},
                b={"type": "object", "additionalProperties": {"type": "integer"}},
                c={"type": "object", "additionalProperties": False})  # fmt: skip
    assert clean(schema)["properties"] == {
        "a": {"type": "object"},
        "b": {"type": "object", "additionalProperties": {"type": "integer"}},
        "c": {"type": "object", "additionalProperties": False},
    }


def test_an_open_object_counts_where_unevaluated_properties_are_refused() -> None:
    schema = {"allOf": [{"additionalProperties": True}], "unevaluatedProperties": False}
    assert clean(schema) == schema


OPTIONAL: dict[str, tuple[Any, Any]] = {
    "a type": ({"anyOf": [STRING, NULL]}, STRING),
    "a default": ({"anyOf": [STRING, NULL], "default": None}, STRING),
    "another default": ({"anyOf": [STRING, NULL], "default": "a"}, {**STRING, "default": "a"}),
    "siblings": ({"anyOf": [STRING, NULL], "description": "d"}, {**STRING, "description": "d"}),
    "nearer words": (
        {"anyOf": [{**STRING, "description": "far"}, NULL], "description": "near"},
        {**STRING, "description": "near"},
    ),
    "a longer union": (
        {"anyOf": [STRING, {"type": "integer"}, NULL]},
        {"anyOf": [STRING, {"type": "integer"}]},
    ),
    "oneOf": ({"oneOf": [NULL, STRING]}, STRING),
    "a list of types": ({"type": ["string", "null"]}, STRING),
    "a longer list": (
        {"type": ["string", "integer", "null"]},
        {"type": ["string", "integer"]},
    ),
    "an enum": ({"enum": ["a", None], "default": None}, {"enum": ["a"]}),
    "an enum with types": (
        {"type": ["string", "null"], "enum": ["a", None]},
        {"type": "string", "enum": ["a"]},
    ),
    "unions in a union": ({"anyOf": [{"anyOf": [STRING, NULL]}, NULL]}, STRING),
    "null as a constant": ({"anyOf": [STRING, {"const": None}]}, STRING),
    "anything": ({"anyOf": [True, NULL], "description": "d"}, {"description": "d"}),
    "null alone": (NULL, NULL),
    "no union": ({**STRING, "default": None}, {**STRING, "default": None}),
    "constraints beside": (
        {"anyOf": [{"type": "string", "minLength": 1}, NULL], "minLength": 3},
        {"minLength": 3, "allOf": [{"type": "string", "minLength": 1}]},
    ),
    "a group beside": (
        {"anyOf": [{"additionalProperties": False}, NULL], "properties": {"a": STRING}},
        {"properties": {"a": STRING}, "allOf": [{"additionalProperties": False}]},
    ),
}


@pytest.mark.parametrize(("given_", "lean"), OPTIONAL.values(), ids=list(OPTIONAL))
def test_a_property_that_need_not_be_there_loses_its_null(given_: Any, lean: Any) -> None:
    assert clean(of(p=given_))["properties"]["p"] == lean


@pytest.mark.parametrize(("given_", "_lean"), OPTIONAL.values(), ids=list(OPTIONAL))
def test_a_required_one_keeps_it(given_: Any, _lean: Any) -> None:
    schema = {**of(p=given_), "required": ["p"]}
    assert clean(schema) == schema


def test_optionals_are_flattened_at_every_depth() -> None:
    inner = of(a={"anyOf": [STRING, NULL]})
    schema = of(l={"type": "array", "items": inner}, d={"additionalProperties": inner},
                t={"prefixItems": [inner]}, u={"anyOf": [inner, STRING]})  # fmt: skip
    assert "null" not in json.dumps(clean(schema))


@pytest.mark.parametrize("keyword", ["not", "if"])
def test_where_less_means_more_nothing_is_flattened(keyword: str) -> None:
    schema = {keyword: of(a={"anyOf": [STRING, NULL]})}
    assert clean(schema) == schema


def test_references_are_written_out_and_definitions_go() -> None:
    lean = clean(Order.model_json_schema())
    assert "$defs" not in lean
    assert "$ref" not in json.dumps(lean)
    assert lean["properties"]["lines"]["items"]["properties"]["qty"]["minimum"] == 1
    assert lean["properties"]["color"] == {"enum": ["r", "g"], "type": "string", "default": "r"}


def test_what_stands_beside_a_reference_wins_over_its_words_and_joins_its_constraints() -> None:
    schema = of(a={"$ref": "#/$defs/A", "description": "near", "minLength": 2},
                b={"$ref": "#/$defs/A", "maxLength": 3})  # fmt: skip
    schema["$defs"] = {"A": {"type": "string", "description": "far", "maxLength": 5}}
    assert clean(schema)["properties"] == {
        "a": {"type": "string", "description": "near", "maxLength": 5, "minLength": 2},
        "b": {
            "description": "far",
            "maxLength": 3,
            "allOf": [{"type": "string", "maxLength": 5}],
        },
    }


def test_each_use_of_a_definition_has_objects_of_its_own() -> None:
    schema = of(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"})
    schema["$defs"] = {"A": of(x=STRING)}
    properties = clean(schema)["properties"]
    assert properties["a"] == properties["b"]
    assert properties["a"]["properties"] is not properties["b"]["properties"]


def test_a_recursive_definition_stays_alone() -> None:
    lean = clean(of(root={"$ref": "#/$defs/Node"}) | {"$defs": Node.model_json_schema()["$defs"]})
    assert list(lean["$defs"]) == ["Node"]
    assert lean["properties"]["root"] == {"$ref": "#/$defs/Node"}
    assert lean["$defs"]["Node"]["properties"]["order"]["type"] == "object"


def test_definitions_that_reach_each_other_stay_together() -> None:
    schema = of(a={"$ref": "#/$defs/A"})
    schema["$defs"] = {
        "A": of(b={"$ref": "#/$defs/B"}),
        "B": of(a={"$ref": "#/$defs/A"}, c={"$ref": "#/$defs/C"}),
        "C": {"type": "integer"},
        "D": {"$ref": "#/$defs/D"},
    }
    assert list(clean(schema)["$defs"]) == ["A", "B"]


@pytest.mark.parametrize(
    ("name", "ref"), [("a/b", "a~1b"), ("a~b", "a~0b"), ("a b", "a%20b"), ("50%", "50%25")]
)
def test_references_are_unescaped(name: str, ref: str) -> None:
    schema = of(a={"$ref": f"#/$defs/{ref}"}) | {"$defs": {name: STRING}}
    assert clean(schema) == of(a=STRING)


def test_references_into_properties_and_old_definitions_are_written_out() -> None:
    schema = of(a={"$ref": "#/properties/b"}, b=STRING, c={"$ref": "#/definitions/C"})
    assert clean(schema | {"definitions": {"C": NULL}}) == of(a=STRING, b=STRING, c=NULL)


@pytest.mark.parametrize("ref", ["#/$defs/None", "https://example.com/a", "other.json#/x", "#node"])
def test_a_reference_that_leads_nowhere_stays_as_it_is(ref: str) -> None:
    assert clean(of(a={"$ref": ref})) == of(a={"$ref": ref})


@pytest.mark.parametrize(
    "schema",
    [
        {**of(a={"$ref": "#x"}), "$defs": {"A": {"$anchor": "x", **STRING}}},
        {**of(a={"$ref": "b"}), "$defs": {"A": {"$id": "b", **STRING}}},
        of(a=of(b={"$ref": "#/properties/a"})),
    ],
    ids=["anchor", "embedded", "recursion through a property"],
)
def test_a_schema_with_places_that_must_not_move_comes_back_as_it_was(schema: Any) -> None:
    assert clean(schema) == schema


def test_a_discriminator_goes_and_the_tags_stay() -> None:
    lean = clean({"properties": {"pet": TypeAdapter(MODELS[4]).json_schema()}} | {
        "$defs": TypeAdapter(MODELS[4]).json_schema()["$defs"]})  # fmt: skip
    pet = lean["properties"]["pet"]
    assert list(pet) == ["oneOf"]
    assert [branch["properties"]["kind"]["const"] for branch in pet["oneOf"]] == ["cat", "dog"]


def wide(levels: int) -> dict[str, Any]:
    """2^levels paths lead through these definitions."""
    definitions: dict[str, Any] = {
        f"L{n}": of(l={"$ref": f"#/$defs/L{n + 1}"}, r={"$ref": f"#/$defs/L{n + 1}"})
        for n in range(levels)
    }
    return of(top={"$ref": "#/$defs/L0"}) | {"$defs": {**definitions, f"L{levels}": STRING}}


@pytest.mark.parametrize("levels", [9, 10, 20, 60])
def test_what_would_explode_stays_a_reference(levels: int) -> None:
    begun = time.monotonic()
    lean = clean(wide(levels))
    assert time.monotonic() - begun < 2
    assert len(json.dumps(lean)) < 200_000
    assert ("$defs" in lean) == (levels > 9)
    assert clean(lean) == lean


def test_a_chain_of_references_costs_no_stack() -> None:
    chain: dict[str, Any] = {f"A{n}": {"$ref": f"#/$defs/A{n + 1}"} for n in range(3000)}
    schema = of(a={"$ref": "#/$defs/A0"}) | {"$defs": {**chain, "A3000": STRING}}
    assert Draft202012Validator.check_schema(clean(schema)) is None


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = dict(STRING)
    for _ in range(levels):
        schema = of(n=schema)
    return schema


def test_sixty_four_levels_are_allowed() -> None:
    assert clean(deep(64)) == deep(64)


@pytest.mark.parametrize("levels", [65, 70, 20_000])
def test_more_levels_are_refused_in_words(levels: int) -> None:
    with pytest.raises(SchemaTooDeepError, match="64") as caught:
        clean(deep(levels))
    assert caught.value.depth == 64


def test_an_object_that_contains_itself_is_too_deep() -> None:
    schema: dict[str, Any] = of()
    schema["properties"]["a"] = schema
    with pytest.raises(SchemaTooDeepError):
        clean(schema)


def test_a_deep_default_is_no_depth() -> None:
    value: Any = []
    for _ in range(20_000):
        value = [value]
    assert clean(of(a={"default": value}))["properties"]["a"]["default"] is value


@pytest.mark.parametrize("kind", MODELS, ids=str)
def test_cleaning_twice_changes_nothing_and_the_input_is_never_touched(kind: Any) -> None:
    schema = of(p=TypeAdapter(kind).json_schema())
    schema["$defs"] = schema["properties"]["p"].pop("$defs", {})
    before = copy.deepcopy(schema)
    lean = clean(schema)
    assert clean(lean) == lean
    assert schema == before
