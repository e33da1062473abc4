"""JSON Schema in the words of OpenAPI 3.0, as Gemini's `parameters` want it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .schemas import MAPS, modernise, types_of

__all__ = ["from_openapi", "to_openapi"]


def to_openapi(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Write types in capitals, null as `nullable`, several types as `anyOf`, one example.

    The schema must hold only keywords that OpenAPI has.
    """
    node = {key: _inner(key, value, to_openapi) for key, value in schema.items()}
    if "anyOf" in node:
        _union(node)
    kinds = types_of(schema)
    if "null" in kinds:
        node["nullable"] = True
    named = [kind.upper() for kind in kinds if kind != "null"]
    if len(named) == 1:
        node["type"] = named[0]
    elif named:
        del node["type"]
        node["anyOf"] = [_only(kind, node) for kind in named]
        for key in [key for keys in _BELONGS.values() for key in keys]:
            node.pop(key, None)
    elif kinds:
        node["type"] = "NULL"
        del node["nullable"]
    if "enum" in node:
        node["enum"] = [one for one in node["enum"] if one is not None]
    return node


_BELONGS = {
    "ARRAY": ("items", "minItems", "maxItems"),
    "OBJECT": ("properties", "required", "minProperties", "maxProperties"),
    "STRING": ("pattern", "minLength", "maxLength", "enum", "format"),
    "NUMBER": ("minimum", "maximum"),
}


def _only(kind: str, node: Mapping[str, Any]) -> dict[str, Any]:
    keys = _BELONGS.get("NUMBER" if kind == "INTEGER" else kind, ())
    return {"type": kind, **{key: node[key] for key in keys if key in node}}


def _union(node: dict[str, Any]) -> None:
    branches = [one for one in node["anyOf"] if one.get("type") != "NULL"]
    if len(branches) < len(node["anyOf"]):
        node["nullable"] = True
    if len(branches) == 1:
        del node["anyOf"]
        node.update({**branches[0], **node})
    else:
        node["anyOf"] = branches


def _inner(key: str, value: Any, convert: Any) -> Any:
    if key in MAPS and isinstance(value, Mapping):
        return {name: _each(one, convert) for name, one in value.items()}
    if key == "items" and isinstance(value, Mapping):
        return convert(value)
    if key == "anyOf" and isinstance(value, list):
        return [_each(one, convert) for one in value]
    return value


def _each(value: Any, convert: Any) -> Any:
    return convert(value) if isinstance(value, Mapping) else value


def from_openapi(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Read a schema in OpenAPI's words, types in capitals or not, keys in camel or snake case."""
    modern: dict[str, Any] = modernise(_lowered(schema))
    return modern


def _lowered(schema: Mapping[str, Any]) -> dict[str, Any]:
    node = {}
    for key, value in schema.items():
        name = _KEYS.get(key, key)
        node[name] = _inner(name, value, _lowered)
    if isinstance(node.get("type"), str):
        node["type"] = node["type"].lower()
    if node.get("format") == "enum":
        del node["format"]
    return node


_KEYS = {
    "any_of": "anyOf",
    "additional_properties": "additionalProperties",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
    "property_ordering": "propertyOrdering",
}
