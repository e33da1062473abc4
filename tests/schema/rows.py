"""A row of a table of types: what a model sees of one, takes and refuses for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jsonschema

from toolkit import ToolUse, tool
from toolkit.errors import InvalidInputError
from toolkit.types import ToolContext

__all__ = ["Row", "an_object", "check", "properties", "refused", "taken"]


@dataclass(frozen=True)
class Row:
    """`taken` maps JSON values to what the function gets; `refused` to words of the fault.

    `lax` are values that the call takes though the schema does not name them.
    """

    hint: Any
    schema: dict[str, Any]
    taken: tuple[tuple[Any, Any], ...] = ()
    refused: tuple[tuple[Any, str], ...] = ()
    lax: tuple[tuple[Any, Any], ...] = ()


def an_object(*required: str, **properties: Any) -> dict[str, Any]:
    """The schema of an object with these properties, some of them required."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def check(row: Row) -> None:
    """Hold a row: the schema exactly, every value by the call and by an independent referee."""
    function = _taking(row.hint)
    schema = tool(function).spec.input_schema
    shown = {**schema["properties"]["x"]}
    assert shown.pop("description") == "Parameter x"
    definitions = schema.get("$defs")
    if definitions is not None:
        shown["$defs"] = definitions
    assert shown == row.schema
    referee = jsonschema.Draft202012Validator(schema)
    for given, wanted in row.taken:
        assert referee.is_valid({"x": given}), given
        got = taken(function, {"x": given})["x"]
        assert got == wanted
        assert type(got) is type(wanted)
    for given, wanted in row.lax:
        assert not referee.is_valid({"x": given}), given
        assert taken(function, {"x": given})["x"] == wanted
    for given, words in row.refused:
        message = refused(function, {"x": given})
        assert words in message, message


def _taking(hint: Any) -> Any:
    def f(x: Any) -> Any:
        return x

    f.__annotations__ = {"x": hint}
    return f


def taken(function: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """What the function's parameters get for an input."""
    bound = tool(function).compiled.bind(arguments, ToolContext(ToolUse("t1", "f", arguments)))
    return bound.kwargs


def refused(function: Any, arguments: dict[str, Any]) -> str:
    """The message for an input that must be refused."""
    try:
        values = taken(function, arguments)
    except InvalidInputError as error:
        return error.message
    raise AssertionError(values)


def properties(function: Any) -> dict[str, Any]:
    """The properties of a function's schema without the texts that every one has."""
    shown = {}
    for name, each in tool(function).spec.input_schema["properties"].items():
        shown[name] = {key: value for key, value in each.items() if key != "description"}
    return shown
