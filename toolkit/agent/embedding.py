"""A JSON Schema that somebody gave, as the schema of a tool's input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import DefinitionError, InvalidInputError
from ..findings import Severity
from ..schema.walk import LISTS, MAPS, SINGLE, check_depth

if TYPE_CHECKING:
    from ..types import Note

__all__ = ["WRAPPER", "GivenSchema", "is_object_schema"]

WRAPPER = "value"  # the key under which travels what is no object
HOISTED = ("$schema", "$defs", "definitions")


class GivenSchema:
    """The shape of a JSON Schema: the value is the input as it came, checked by the schema."""

    def __init__(self, wanted: Mapping[str, Any], *, tool: str) -> None:
        """`DefinitionError` where it is no valid schema."""
        from ..schema.check import checker, problems

        self.tool = tool
        self.wrapped = not is_object_schema(wanted)
        check_depth(wanted)
        whole = _wrapped(wanted) if self.wrapped else wanted
        for found in problems(whole):
            if found.severity is Severity.ERROR:
                message = f"the schema of '{tool}' is not valid: {found.place}: {found.message}"
                raise DefinitionError(message, hint=found.hint, tool=tool)
        self.schema: dict[str, Any] = {
            **whole,
            "type": "object",
            "properties": whole.get("properties", {}),
        }
        about = wanted.get("description")
        self.about = about if isinstance(about, str) else ""
        if not self.wrapped:
            self.schema.pop("description", None)
        self._check = checker(whole)

    def read(self, arguments: Mapping[str, Any]) -> tuple[Any, list[Note]]:
        """The value, or `InvalidInputError` with every fault."""
        faults = self._check(arguments)
        if faults:
            lines = [f"{path or 'input'}: {words}" for path, words in faults]
            if len(lines) > 1:
                lines = [f"{len(lines)} faults in the input:", *(f"- {line}" for line in lines)]
            raise InvalidInputError("\n".join(lines), faults=tuple(faults), tool=self.tool)
        return (arguments[WRAPPER] if self.wrapped else arguments), []


def is_object_schema(schema: Mapping[str, Any]) -> bool:
    """Whether the root describes an object and nothing else."""
    kind = schema.get("type")
    return kind == "object" or (kind is None and "properties" in schema)


def _wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema under the one required key, with its references leading where they led.

    Definitions go to the root, so that their references stay; what refers to another place
    follows it. A schema with an `$id` is a resource of its own, and moves as a whole.
    """
    hoisted = {} if "$id" in schema else {k: schema[k] for k in HOISTED if k in schema}
    inner = {key: value for key, value in schema.items() if key not in hoisted}
    moved = inner if "$id" in schema else _moved(inner)
    definitions = hoisted if "$id" in schema else _moved(hoisted)
    root = {"type": "object", "properties": {WRAPPER: moved}, "required": [WRAPPER]}
    return {**root, **definitions}


def _moved(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    copy: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "$ref" and isinstance(value, str):
            copy[keyword] = _led(value)
        elif keyword in MAPS and isinstance(value, Mapping):
            copy[keyword] = {name: _moved(inner) for name, inner in value.items()}
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            copy[keyword] = [_moved(inner) for inner in value]
        else:
            copy[keyword] = _moved(value) if keyword in SINGLE else value
    return copy


def _led(reference: str) -> str:
    if reference == "#" or (
        reference.startswith("#/") and not reference.startswith(("#/$defs/", "#/definitions/"))
    ):
        return f"#/properties/{WRAPPER}{reference[1:]}"
    return reference
