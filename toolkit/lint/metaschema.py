"""The meta-schema of JSON Schema 2020-12 as a table, so that no validator has to be loaded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..schema.faults import short
from ..schema.walk import LISTS, MAPS, SINGLE

if TYPE_CHECKING:
    from .rule import Path

__all__ = ["KEYWORDS", "TYPES", "offences"]

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_COUNTS = frozenset(
    {
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
    }
)
_FLAGS = frozenset({"deprecated", "nullable", "readOnly", "uniqueItems", "writeOnly"})
_TEXTS = frozenset(
    {
        "$anchor",
        "$comment",
        "$dynamicAnchor",
        "$dynamicRef",
        "$id",
        "$ref",
        "$schema",
        "contentEncoding",
        "contentMediaType",
        "description",
        "format",
        "pattern",
        "title",
    }
)
_OTHERS = frozenset(
    {
        "$vocabulary",
        "const",
        "default",
        "dependentRequired",
        "enum",
        "examples",
        "multipleOf",
        "required",
        "type",
    }
)
# Every keyword of the standard, draft-07's own, and OpenAPI's that are widely read.
KEYWORDS = (
    _NUMBERS
    | _COUNTS
    | _FLAGS
    | _TEXTS
    | _OTHERS
    | MAPS
    | SINGLE
    | LISTS
    | {"$recursiveRef", "$recursiveAnchor", "id", "discriminator", "example", "externalDocs", "xml"}
)


def offences(schema: Any, *, is_root: bool = False) -> Iterator[tuple[Path, str]]:
    """What is not valid in one schema, not in those inside it: the steps to it, and words.

    What draft-04 to draft-07 wrote otherwise (`exclusiveMinimum: true`, a list of `items`) is no
    offence: another rule speaks of it.
    """
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        if not is_root:
            yield (), f"a schema is an object or a boolean, not {short(schema)}"
        return
    for keyword, value in schema.items():
        wanted = _wanted(keyword, value)
        if wanted is not None:
            yield (keyword,), f"{keyword} must be {wanted}, not {short(value)}"


def _wanted(keyword: str, value: Any) -> str | None:
    """What a keyword's value should be, where it is not that."""
    if keyword in _TEXTS:
        return None if isinstance(value, str) else "a text"
    if keyword == "type":
        return _type(value)
    if keyword in MAPS:
        return None if isinstance(value, Mapping) else "an object"
    if keyword in _NUMBERS:
        if keyword.startswith("exclusive") and isinstance(value, bool):
            return None
        return None if _is_number(value) else "a number"
    if keyword in _COUNTS:
        return None if _is_count(value) else "a whole number from 0"
    if keyword in _FLAGS:
        return None if isinstance(value, bool) else "true or false"
    if keyword in LISTS:
        return None if isinstance(value, list) and value else "a list of at least one schema"
    if keyword in SINGLE:
        ok = isinstance(value, Mapping | bool) or (keyword == "items" and isinstance(value, list))
        return None if ok else "a schema"
    return _other(keyword, value)


def _other(keyword: str, value: Any) -> str | None:
    match keyword:
        case "required":
            ok = isinstance(value, list) and all(isinstance(each, str) for each in value)
            return None if ok else "a list of names, beside the properties"
        case "enum" | "examples":
            return None if isinstance(value, list) else "a list of values"
        case "multipleOf":
            return None if _is_number(value) and value > 0 else "a number above 0"
        case "dependentRequired":
            ok = isinstance(value, Mapping) and all(isinstance(x, list) for x in value.values())
            return None if ok else "an object of lists of names"
    return None


def _type(value: Any) -> str | None:
    kinds = value if isinstance(value, list) else [value]
    if kinds and all(isinstance(each, str) and each in TYPES for each in kinds):
        return "types that differ" if len(set(kinds)) < len(kinds) else None
    return f"one of {', '.join(TYPES)}, or a list of them"


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and float(value).is_integer()
