"""Kinds of parameters, defaults, names and texts: what a model sees, and what a call gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Optional, Required, TypedDict, Unpack

import pytest
from pydantic import AliasChoices, Field

from toolkit import ToolUse, tool
from toolkit.types import ToolContext

from .rows import properties, refused

SENTINEL = object()


@dataclass(frozen=True)
class Row:
    """A function, its properties without their texts, what is required, and calls of it."""

    function: Callable[..., Any]
    properties: dict[str, Any]
    required: tuple[str, ...] = ()
    calls: tuple[tuple[dict[str, Any], Any], ...] = ()
    rest: Any = None  # additionalProperties


def called(function: Any, given: dict[str, Any], *, agent: Any = None) -> Any:
    context = ToolContext(ToolUse("t1", "f", given), agent=agent)
    bound = tool(function).compiled.bind(given, context)
    return function(*bound.args, **bound.kwargs)


def plain(a: int, b: str = "x") -> Any:
    return a, b


def untyped(a, b=1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - on purpose
    return a, b


def keyword_only(*, a: int, b: int = 2) -> Any:
    return a, b


def positional_only(a: int, b: int = 2, /, c: int = 3) -> Any:
    return a, b, c


def every_kind(a: int, /, b: int, *more: int, c: int = 3, **rest: int) -> Any:
    return a, b, more, c, rest


def loose_rest(**rest: Any) -> Any:
    return rest


def untyped_rest(a: int, *args, **kwargs):  # type: ignore[no-untyped-def]  # noqa: ANN002, ANN003, ANN201
    return a, args, kwargs


class Options(TypedDict, total=False):
    depth: Annotated[int, Field(ge=1)]
    name: Required[Annotated[str, "Whose."]]


def unpacked(a: int, **options: Unpack[Options]) -> Any:
    return a, options


def named_args(args: list[str], kwargs: dict[str, int]) -> Any:
    return args, kwargs


def none_for_int(a: int = None) -> Any:  # type: ignore[assignment]
    return a


def constrained_none(a: Annotated[int, Field(ge=1)] = None) -> Any:  # type: ignore[assignment]
    return a


def optional(a: Optional[int] = None, b: int | str | None = None) -> Any:  # noqa: UP045
    return a, b


def required_nullable(a: int | None) -> Any:
    return a


def mutable(a: list[int] = [], b: dict[str, int] = {"k": 1}) -> Any:  # noqa: B006 - on purpose
    a.append(1)
    b["z"] = len(b)
    return a, b


def made_each_time(a: list[int] = Field(default_factory=list)) -> Any:
    a.append(1)
    return a


def made_by_annotation(a: Annotated[list[int], Field(default_factory=lambda: [7])]) -> Any:
    return a


def field_default(a: int = Field(5, ge=0, description="How many.")) -> Any:
    return a


def field_required(a: int = Field(ge=0)) -> Any:
    return a


def annotated_default(a: Annotated[int, Field(default=3, ge=1)]) -> Any:
    return a


def no_json_defaults(
    a: Any = SENTINEL,
    b: Any = print,
    c: float = math.nan,
    d: bytes = b"\xff",
    e: Any = ...,
    g: complex = 1j,
    h: str = "\ud800",
) -> Any:
    return a is SENTINEL, b is print, math.isnan(c), d, e is ..., g, h


def json_defaults(a: set[int] = frozenset({1}), b: tuple[int, ...] = (1, 2)) -> Any:  # type: ignore[assignment]
    return a, b


def aliased(
    from_: Annotated[str, Field(alias="from")],
    size: int = Field(1, alias="pageSize", ge=1),
    kind: Annotated[str, Field(validation_alias=AliasChoices("class", "type"))] = "a",
) -> Any:
    return from_, size, kind


def odd_names(
    schema: int, json: int, copy: int, model_config: int, _x: int, __y: int, class_: int, self: int
) -> Any:
    return schema, json, copy, model_config, _x, __y, class_, self


def nouns_of_the_pipeline(
    input: int,  # noqa: A002 - the name is what is tested
    tool: int,
    name: int,
    context: int,
    tool_use: int,
    state: int,
) -> Any:
    return input, tool, name, context, tool_use, state


def ordinary_agent(agent: str) -> Any:
    return agent


INT = {"type": "integer"}
ROWS = {
    "plain": Row(
        plain,
        {"a": INT, "b": {"type": "string", "default": "x"}},
        ("a",),
        (({"a": 1}, (1, "x")), ({"a": "1", "b": "y"}, (1, "y"))),
    ),
    "untyped": Row(untyped, {"a": {}, "b": {"default": 1}}, ("a",), (({"a": "5"}, ("5", 1)),)),
    "keyword only": Row(
        keyword_only, {"a": INT, "b": {**INT, "default": 2}}, ("a",), (({"a": 1}, (1, 2)),)
    ),
    "positional only": Row(
        positional_only,
        {"a": INT, "b": {**INT, "default": 2}, "c": {**INT, "default": 3}},
        ("a",),
        (({"a": 1, "c": 9}, (1, 2, 9)), ({"a": 1, "b": 5}, (1, 5, 3))),
    ),
    "every kind": Row(
        every_kind,
        {"a": INT, "b": INT, "c": {**INT, "default": 3}},
        ("a", "b"),
        (({"a": 1, "b": 2, "z": "4"}, (1, 2, (), 3, {"z": 4})),),
        INT,
    ),
    "loose rest": Row(loose_rest, {}, (), (({"a": [1]}, {"a": [1]}),)),
    "untyped rest": Row(
        untyped_rest,
        {"a": INT},
        ("a",),
        (({"a": 1, "args": 2, "b": 3}, (1, (), {"args": 2, "b": 3})),),
    ),
    "options of a typed dict": Row(
        unpacked,
        {"a": INT, "depth": {**INT, "minimum": 1}, "name": {"type": "string"}},
        ("a", "name"),
        (
            ({"a": 1, "name": "x"}, (1, {"name": "x"})),
            ({"a": 1, "name": "x", "depth": "2", "z": 1}, (1, {"name": "x", "depth": 2})),
        ),
    ),
    "called args and kwargs": Row(
        named_args,
        {
            "args": {"type": "array", "items": {"type": "string"}},
            "kwargs": {"type": "object", "additionalProperties": INT},
        },
        ("args", "kwargs"),
        (({"args": ["a"], "kwargs": {"k": 1}}, (["a"], {"k": 1})),),
    ),
    "none for an int": Row(none_for_int, {"a": INT}, (), (({}, None), ({"a": None}, None))),
    "none for a bounded int": Row(
        constrained_none, {"a": {**INT, "minimum": 1}}, (), (({}, None), ({"a": None}, None))
    ),
    "optional": Row(
        optional,
        {"a": INT, "b": {"anyOf": [INT, {"type": "string"}]}},
        (),
        (({}, (None, None)), ({"a": None, "b": None}, (None, None))),
    ),
    "required nullable": Row(
        required_nullable,
        {"a": {"anyOf": [INT, {"type": "null"}]}},
        ("a",),
        (({"a": None}, None), ({"a": 1}, 1)),
    ),
    "mutable defaults": Row(
        mutable,
        {
            "a": {"type": "array", "items": INT, "default": []},
            "b": {"type": "object", "additionalProperties": INT, "default": {"k": 1}},
        },
        (),
        (({}, ([1], {"k": 1, "z": 1})), ({}, ([1], {"k": 1, "z": 1}))),
    ),
    "a factory": Row(
        made_each_time, {"a": {"type": "array", "items": INT}}, (), (({}, [1]), ({}, [1]))
    ),
    "a factory in the annotation": Row(
        made_by_annotation, {"a": {"type": "array", "items": INT}}, (), (({}, [7]),)
    ),
    "a field as default": Row(
        field_default, {"a": {**INT, "minimum": 0, "default": 5}}, (), (({}, 5), ({"a": 6}, 6))
    ),
    "a field without default": Row(field_required, {"a": {**INT, "minimum": 0}}, ("a",)),
    "a default in the annotation": Row(
        annotated_default, {"a": {**INT, "minimum": 1, "default": 3}}, (), (({}, 3),)
    ),
    "defaults that JSON can't hold": Row(
        no_json_defaults,
        {
            "a": {},
            "b": {},
            "c": {"type": "number"},
            "d": {"type": "string", "format": "binary"},
            "e": {},
            "g": {"type": "string", "default": "1j"},
            "h": {"type": "string"},
        },
        (),
        (({}, (True, True, True, b"\xff", True, 1j, "\ud800")),),
    ),
    "defaults that JSON writes": Row(
        json_defaults,
        {
            "a": {"type": "array", "items": INT, "uniqueItems": True, "default": [1]},
            "b": {"type": "array", "items": INT, "default": [1, 2]},
        },
        (),
        (({}, (frozenset({1}), (1, 2))),),
    ),
    "aliases": Row(
        aliased,
        {
            "from": {"type": "string"},
            "pageSize": {**INT, "minimum": 1, "default": 1},
            "class": {"type": "string", "default": "a"},
        },
        ("from",),
        (
            ({"from": "a", "pageSize": 2, "type": "b"}, ("a", 2, "b")),
            ({"from": "a"}, ("a", 1, "a")),
        ),
    ),
    "odd names": Row(
        odd_names,
        dict.fromkeys(
            ("schema", "json", "copy", "model_config", "_x", "__y", "class_", "self"), INT
        ),
        ("schema", "json", "copy", "model_config", "_x", "__y", "class_", "self"),
        (
            (
                dict(
                    zip(
                        ("schema", "json", "copy", "model_config", "_x", "__y", "class_", "self"),
                        range(8),
                        strict=True,
                    )
                ),
                tuple(range(8)),
            ),
        ),
    ),
    "nouns of the pipeline": Row(
        nouns_of_the_pipeline,
        dict.fromkeys(("input", "tool", "name", "context", "tool_use", "state"), INT),
        ("input", "tool", "name", "context", "tool_use", "state"),
    ),
    "an agent that is text": Row(
        ordinary_agent, {"agent": {"type": "string"}}, ("agent",), (({"agent": "me"}, "me"),)
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_schema_names_what_a_call_takes(name: str) -> None:
    row = ROWS[name]
    schema = tool(row.function).spec.input_schema
    assert properties(row.function) == row.properties
    assert tuple(schema.get("required", ())) == row.required
    assert schema.get("additionalProperties") == row.rest
    for given, wanted in row.calls:
        assert called(row.function, given) == wanted


def test_a_typed_rest_refuses_what_is_not_of_its_type() -> None:
    message = refused(every_kind, {"a": 1, "b": 2, "z": "x"})
    assert message == 'z: expected an integer, got "x"'


def test_the_python_name_of_an_aliased_parameter_is_told() -> None:
    told = refused(aliased, {"from_": "a"})
    assert told.splitlines()[1:] == [
        "- from: required, but missing",
        "- from_: unknown argument, ignored; did you mean 'from'?",
    ]
