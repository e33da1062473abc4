"""Schemas that others made, brought into the form that a model can be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import DefinitionError
from .walk import LISTS, MAPS, SINGLE, check_depth

__all__ = ["normalise"]

_IMPLIED = {
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "string": {
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    },
    "array": {
        "items",
        "prefixItems",
        "additionalItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "unevaluatedItems",
    },
    "object": {
        "properties",
        "patternProperties",
        "additionalProperties",
        "required",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "unevaluatedProperties",
    },
}
_SAYS_ITSELF = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "enum",
        "const",
    }
)
# In these a type more would change what the schema around them accepts.
_BRANCHES = frozenset({"allOf", "not", "if", "then", "else", "dependentSchemas", "contains"})


def normalise(schema: Any, *, tool: str) -> dict[str, Any]:
    """Fill in what is missing: an object at the root, its properties, a type for each of them.

    For schemas that we did not make. The input is not changed; what it holds besides schemas is
    shared. Raises DefinitionError where the root is no object, SchemaTooDeepError beyond 64 levels.
    """
    if not isinstance(schema, Mapping):
        raise _no_object(tool, "null" if schema is None else type(schema).__name__)
    kind = schema.get("type")
    if kind is not None and kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise _no_object(tool, f"{kind!r}" if isinstance(kind, str) else str(kind))
    check_depth(schema)
    whole = _filled(schema)
    for keyword in [
        key for key in ("properties", "required", "$defs") if whole.get(key, ...) is None
    ]:
        del whole[keyword]
    return {**whole, "type": "object", "properties": whole.get("properties", {})}


def _no_object(tool: str, came: str) -> DefinitionError:
    return DefinitionError(
        f'the input schema of "{tool}" must describe an object, not {came}',
        hint='Give the schema "type": "object" and put the input under "properties".',
        tool=tool,
    )


def _filled(schema: Any) -> Any:
    """A copy in which every property has a type."""
    if not isinstance(schema, Mapping):
        return schema
    copy: dict[str, Any] = {}
    elsewhere = _named_elsewhere(schema)
    for keyword, value in schema.items():
        if keyword in _BRANCHES:
            copy[keyword] = value
        elif keyword in MAPS and isinstance(value, Mapping):
            copy[keyword] = {name: _filled(inner) for name, inner in value.items()}
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            copy[keyword] = [_filled(inner) for inner in value]
        else:
            copy[keyword] = _filled(value) if keyword in SINGLE else value
    properties = copy.get("properties")
    if isinstance(properties, dict):
        copy["properties"] = {
            name: inner if name in elsewhere else _typed(inner)
            for name, inner in properties.items()
        }
    return copy


def _named_elsewhere(schema: Mapping[str, Any]) -> set[str]:
    """Properties of which a branch beside them says more."""
    names: set[str] = set()
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        for branch in branches if isinstance(branches, list) else ():
            inside = branch.get("properties") if isinstance(branch, Mapping) else None
            names |= set(inside) if isinstance(inside, Mapping) else set()
    return names


def _typed(schema: Any) -> Any:
    if not isinstance(schema, dict) or schema.get("type") is not None:
        return schema
    if not _SAYS_ITSELF.isdisjoint(schema):
        return schema
    kinds = [kind for kind, keywords in _IMPLIED.items() if not keywords.isdisjoint(schema)]
    kinds = kinds or _of_default(schema)
    return {"type": kinds[0] if len(kinds) == 1 else kinds, **_without_type(schema)}


def _without_type(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "type"}


def _of_default(schema: Mapping[str, Any]) -> list[str]:
    """The type that the default has; a text where there is none to go by."""
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "boolean"),
        (int, "number"),
        (float, "number"),
        (list, "array"),
        (dict, "object"),
    )
    default = schema.get("default")
    return [next((name for kind, name in kinds if isinstance(default, kind)), "string")]
