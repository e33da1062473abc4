"""The tool itself: what it says, what it takes beyond the letter, and what is no type."""

from __future__ import annotations

import asyncio
import dataclasses
import typing
from collections.abc import Callable, Iterable
from datetime import date
from enum import Enum
from typing import Any, Literal, Never

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel

from toolkit import Agent, ScriptedModel, StructuredOutputTool, ToolRegistry, ToolUse
from toolkit.errors import DefinitionError, InvalidInputError, SchemaTooDeepError
from toolkit.types import ToolContext


class Item(BaseModel):
    """One thing to buy."""

    name: str
    tags: list[str] = []
    on: date | None = None


@dataclasses.dataclass
class Silent:
    a: int


class Told(Enum):
    """What was told."""

    A = 1


class Child(Item):
    more: int = 0


class Listed(RootModel[list[int]]):
    """Some numbers."""


def invoked(tool: StructuredOutputTool, arguments: Any) -> tuple[Any, ToolContext]:
    use = ToolUse("use-1", tool.name, arguments)
    context = ToolContext(use)
    assert asyncio.run(tool.invoke(use, context)).status == "success"
    return tool.validate(arguments), context


@pytest.mark.parametrize(
    ("wanted", "about"),
    [
        (Item, "One thing to buy."),
        (Told, "What was told."),
        (Listed, "Some numbers."),
        ({"type": "object", "description": "A schema's own"}, "A schema's own"),
    ],
)
def test_the_description_is_the_types_own(wanted: Any, about: str) -> None:
    spec = StructuredOutputTool(wanted).spec
    assert spec.description.startswith(f"{about}\n\n")
    assert "description" not in spec.input_schema


@pytest.mark.parametrize("wanted", [Silent, Child, int, list[int], {"type": "object"}])
def test_a_docstring_that_nobody_wrote_is_not_told(wanted: Any) -> None:
    spec = StructuredOutputTool(wanted).spec
    assert spec.description == "Call this tool last, once, with the final answer."


def test_local_types_may_refer_to_each_other() -> None:
    class Inner(BaseModel):
        x: int

    @dataclasses.dataclass
    class Outer:
        inner: Inner

    class Keys(typing.TypedDict):
        inner: Inner

    arguments, inner = {"inner": {"x": 1}}, Inner(x=1)
    assert StructuredOutputTool(Outer).validate(arguments) == Outer(inner)
    assert StructuredOutputTool(Keys).validate(arguments) == {"inner": inner}
    assert StructuredOutputTool(list[Outer]).validate({"value": [arguments]}) == [Outer(inner)]
    for wanted in (Outer, Keys):
        with ScriptedModel([ToolUse("1", wanted.__name__, arguments)]) as model:
            assert Agent(model=model).structured_output(wanted, "Go")


def test_a_hint_that_leads_nowhere_is_named() -> None:
    class Outer(BaseModel):
        inner: Missing  # type: ignore[name-defined]  # noqa: F821 - that is the point

    with pytest.raises(DefinitionError, match="made of Outer: name 'Missing' is not defined"):
        _ = StructuredOutputTool(Outer).spec


def test_what_iterates_is_checked_whole() -> None:
    tool = StructuredOutputTool(Iterable[int])
    assert tool.validate({"value": [1, 2]}) == [1, 2]
    with pytest.raises(InvalidInputError):
        tool.validate({"value": [1, "x"]})


@pytest.mark.parametrize(
    "wanted",
    [
        "Item",
        len,
        lambda: 1,
        object(),
        Callable[[int], int],
        5,
        type("Plain", (), {}),
        Literal[()],
        Never,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_json_form_is_an_error_of_the_definition(wanted: Any) -> None:
    with pytest.raises(DefinitionError, match="no structured output can be made of"):
        _ = StructuredOutputTool(wanted).spec


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "'#/properties/a/type'|#/prop"),
        ({"type": "array", "items": {"$ref": "#/$defs/no"}}, "leads to nothing"),
    ],
)
def test_a_schema_that_is_not_valid_is_an_error_with_its_place(schema: Any, said: str) -> None:
    with pytest.raises(DefinitionError, match=said):
        _ = StructuredOutputTool(schema).spec


def test_a_schema_that_is_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(70):
        schema = {"type": "array", "items": schema}
    with pytest.raises(SchemaTooDeepError):
        _ = StructuredOutputTool(schema).spec


def test_a_given_schema_is_not_changed_and_shown_as_it_came() -> None:
    schema = {"type": "object", "properties": {"any": {}}, "required": ["any"]}
    spec = StructuredOutputTool(schema).spec
    assert spec.input_schema == schema
    assert schema == {"type": "object", "properties": {"any": {}}, "required": ["any"]}


def test_the_references_of_a_wrapped_schema_lead_where_they_led() -> None:
    schema = {
        "type": "array",
        "items": {"$ref": "#/$defs/n"},
        "prefixItems": [{"anyOf": [{"$ref": "#"}, {"const": {"$ref": "#"}}]}],
        "$defs": {"n": {"type": "integer"}},
    }
    tool = StructuredOutputTool(schema)
    shown = tool.spec.input_schema
    assert shown["$defs"] == {"n": {"type": "integer"}}
    branches = shown["properties"]["value"]["prefixItems"][0]["anyOf"]
    assert branches == [{"$ref": "#/properties/value"}, {"const": {"$ref": "#"}}]
    assert tool.validate({"value": [[[]], 1]}) == [[[]], 1]
    with pytest.raises(InvalidInputError):
        tool.validate({"value": [1, "x"]})


def test_a_schema_with_an_id_moves_as_a_whole() -> None:
    schema = {
        "$id": "https://example.com/numbers",
        "type": "array",
        "items": {"$ref": "#/$defs/n"},
        "$defs": {"n": {"type": "integer"}},
    }
    tool = StructuredOutputTool(schema)
    assert tool.spec.input_schema["properties"]["value"] == schema
    assert tool.validate({"value": [1]}) == [1]


def test_json_text_in_the_place_of_an_array_is_parsed_and_noted() -> None:
    value, context = invoked(StructuredOutputTool(Item), {"name": "x", "tags": '["a"]'})
    assert value == Item(name="x", tags=["a"])
    assert [(note.kind, note.path) for note in context.notes] == [("converted", "tags")]


def test_json_text_deep_inside_is_parsed_too() -> None:
    class Basket(BaseModel):
        items: list[Item]

    basket = {"items": [{"name": "x", "tags": '["a"]'}, '{"name": "y"}']}
    value, context = invoked(StructuredOutputTool(Basket), basket)
    assert value == Basket(items=[Item(name="x", tags=["a"]), Item(name="y")])
    assert [note.path for note in context.notes] == ["items.0.tags", "items.1"]


def test_a_wrapped_list_may_come_as_json_text() -> None:
    value, _ = invoked(StructuredOutputTool(list[int]), {"value": "[1, 2]"})
    assert value == [1, 2]


def test_json_text_that_is_wrong_inside_is_refused_by_what_it_holds() -> None:
    with pytest.raises(InvalidInputError) as refused:
        StructuredOutputTool(Item).validate({"name": "x", "tags": "[1]"})
    assert [place for place, _ in refused.value.faults] == ["tags.0"]


def test_a_strict_model_takes_what_json_can_say() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        on: date

    assert StructuredOutputTool(Strict).validate({"on": "2024-02-29"}).on == date(2024, 2, 29)


def test_a_lone_surrogate_breaks_nothing() -> None:
    registry = ToolRegistry()
    registry.register(StructuredOutputTool(Item))
    result = registry.tool.Item(name="\ud800")
    assert (result.status, result.text.encode()) == (
        "success",
        b'{"name": "\\\\ud800", "tags": [], "on": null}',
    )


def test_a_value_that_only_python_has_is_judged_too() -> None:
    assert StructuredOutputTool(Item).validate({"name": "x", "on": date(2024, 1, 1)})


def test_an_input_nested_too_deeply_is_refused() -> None:
    class Tree(BaseModel):
        kids: list[Tree] = Field(default_factory=list)

    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"kids": [deep]}
    with pytest.raises(InvalidInputError):
        StructuredOutputTool(Tree).validate(deep)


def test_what_a_secret_was_is_not_repeated() -> None:
    class Login(BaseModel):
        password: int

    with pytest.raises(InvalidInputError) as refused:
        StructuredOutputTool(Login).validate({"password": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_an_object_that_looks_like_a_result_is_data_all_the_same() -> None:
    schema = {"type": "object", "title": "Outcome", "properties": {"status": {}, "content": {}}}
    outcome = {"status": "error", "content": [{"text": "no"}]}
    with ScriptedModel([ToolUse("1", "Outcome", outcome)]) as model:
        assert Agent(model=model).structured_output(schema, "Go") == outcome
    assert StructuredOutputTool(bytes).validate({"value": "\x89PNG"}) == "\x89PNG".encode()
