"""Take out of a schema what has the wrong kind of value, so that the rest can be worked with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .schemas import LISTS, MAPS, SINGLES

__all__ = ["TYPES", "Fault", "tidy"]

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_DEEPEST = 150
_TEXTS = frozenset({"$ref", "$schema", "description", "format", "pattern", "title"})
_COUNTS = frozenset(
    {"maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"}
)
_NUMBERS = frozenset({"maximum", "minimum", "multipleOf"})
_BOUNDS = frozenset({"exclusiveMaximum", "exclusiveMinimum"})
_OBJECTS = frozenset({"dependencies", "dependentRequired"})


class Fault(NamedTuple):
    """A keyword that was taken out: where it stood, and what it is not."""

    pointer: tuple[str, ...]
    message: str


def tidy(schema: Any) -> tuple[dict[str, Any], list[Fault]]:
    """Return a copy in which every keyword has a value of its kind, and what was taken out."""
    faults: list[Fault] = []
    return _tidy(schema, (), faults=faults), faults


def _tidy(schema: Any, at: tuple[str, ...], *, faults: list[Fault]) -> Any:
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, Mapping):
        faults.append(Fault(at, "this is no schema"))
        return {}
    if len(at) > _DEEPEST:
        return dict(schema)
    node = {}
    for key, value in schema.items():
        wrong = _wrong(key, value)
        if wrong:
            faults.append(Fault((*at, key), f"'{key}' is not {wrong}"))
            continue
        node[key] = _inside(key, value, at=at, faults=faults)
    return node


def _inside(key: str, value: Any, *, at: tuple[str, ...], faults: list[Fault]) -> Any:
    if key in MAPS:
        return {name: _tidy(one, (*at, key, name), faults=faults) for name, one in value.items()}
    if key in LISTS or (key == "items" and isinstance(value, list)):
        parts = enumerate(value)
        return [_tidy(one, (*at, key, str(index)), faults=faults) for index, one in parts]
    if key in SINGLES:
        return _tidy(value, (*at, key), faults=faults)
    return value


def _wrong(key: str, value: Any) -> str | None:
    """Say what a value should be and is not."""
    for keys, right, words in (
        (MAPS | _OBJECTS, isinstance(value, Mapping), "an object"),
        (LISTS, isinstance(value, list) and bool(value), "a list of schemas"),
        (SINGLES, isinstance(value, Mapping | bool | list), "a schema"),
        (_TEXTS, isinstance(value, str), "a text"),
        (_COUNTS, _is_number(value) and value >= 0, "a count"),
        (_NUMBERS, _is_number(value), "a number"),
        (_BOUNDS, _is_number(value) or isinstance(value, bool), "a number"),
        ({"enum"}, isinstance(value, list) and bool(value), "a list of values"),
        ({"required"}, _are_texts(value), "a list of names"),
        ({"type"}, _are_types(value), "a type of JSON"),
    ):
        if key in keys and not right:
            return words
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_types(value: Any) -> bool:
    listed = value if isinstance(value, list) and value else [value]
    return all(isinstance(one, str) and one in TYPES for one in listed)
