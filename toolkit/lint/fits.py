"""Whether a value fits a schema, by the simple keywords; the full validator where they end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .metaschema import KEYWORDS

__all__ = ["faults_of", "is_of_type", "number"]

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "array": (list, tuple),
    "boolean": bool,
    "null": type(None),
    "object": Mapping,
    "string": str,
}
_PLAIN = frozenset(
    {
        "type",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "title",
        "description",
        "default",
        "examples",
        "format",
        "deprecated",
        "$comment",
    }
)


def is_of_type(value: Any, kind: Any) -> bool:
    """Whether a value is of a JSON type; an unknown type fits everything."""
    if kind in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return kind == "number" or float(value).is_integer()
    return not isinstance(kind, str) or kind not in _KINDS or isinstance(value, _KINDS[kind])


def faults_of(value: Any, schema: Any, *, root: Any = None) -> list[str]:
    """Why a value does not fit, in words; empty where it does.

    `root` is the schema in which references of `schema` are looked up.
    """
    if not isinstance(schema, Mapping):
        return ["nothing is allowed"] if schema is False else []
    judging = (schema.keys() & KEYWORDS) - _PLAIN
    if not judging:
        return _plain(value, schema)
    if judging == {"items"} and isinstance(value, list):
        own = _plain(value, schema)
        return own or [
            f"{at}: {each}"
            for at, one in enumerate(value)
            for each in faults_of(one, schema["items"], root=root)
        ]
    return _whole(value, schema, root)


def _plain(value: Any, schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if not any(is_of_type(value, kind) for kind in kinds):
        return [f"expected {' or '.join(map(str, kinds))}"]
    found = []
    enum = schema.get("enum")
    if isinstance(enum, list) and not any(_equal(value, each) for each in enum):
        found.append("is none of the enum")
    if "const" in schema and not _equal(value, schema["const"]):
        found.append("is not the const")
    size = len(value) if isinstance(value, str | list) else value
    unit = "Length" if isinstance(value, str) else "Items" if isinstance(value, list) else "imum"
    if isinstance(size, int | float) and not isinstance(size, bool):
        found += _bounds(size, schema, unit)
    return found


def _bounds(size: float, schema: Mapping[str, Any], unit: str) -> list[str]:
    found = []
    low, high = number(schema.get(f"min{unit}")), number(schema.get(f"max{unit}"))
    if low is not None and size < low:
        found.append(f"is below min{unit} {low}")
    if high is not None and size > high:
        found.append(f"is above max{unit} {high}")
    if unit == "imum":
        low = number(schema.get("exclusiveMinimum"))
        high = number(schema.get("exclusiveMaximum"))
        if low is not None and size <= low:
            found.append(f"is not above {low}")
        if high is not None and size >= high:
            found.append(f"is not below {high}")
    return found


def number(value: Any) -> int | float | None:
    """The value where it is a number, and no boolean; else None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _equal(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _whole(value: Any, schema: Mapping[str, Any], root: Any) -> list[str]:
    """By the validator, which costs a quarter of a second to load."""
    if (schema.keys() & KEYWORDS) - _PLAIN == {"pattern"} and isinstance(value, str):
        try:
            fits = re.search(str(schema["pattern"]), value)
        except re.error:
            return _plain(value, schema)
        return _plain(value, schema) or ([] if fits else ["does not match the pattern"])
    from ..schema.check import checker

    whole = dict(schema)
    if isinstance(root, Mapping):
        kept = {key: root[key] for key in ("$defs", "definitions", "$schema") if key in root}
        whole = {**kept, **whole}
    return [f"{path}: {why}" if path else why for path, why in checker(whole)(value)]
