"""The form that a provider demands of a schema: a type, items, closed objects, all required."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import Severity
from .schemas import accepts_null, infer_type, nullable, types_of

if TYPE_CHECKING:
    from .spot import Spot

__all__ = ["shape", "typed"]

_SCALARS = ("string", "number", "boolean")


def typed(node: dict[str, Any], at: Spot) -> dict[str, Any]:
    """Give a type to a schema that has none, where the provider demands one."""
    says = any(key in node for key in ("type", "anyOf", "oneOf", "allOf", "$ref"))
    if says or not at.work.profile.get("types.required"):
        return node
    kind = infer_type(node)
    if kind is not None:
        return {**node, "type": kind}
    text = "a value of any type is not taken: it becomes a text, a number or a boolean"
    at.say("F212 changed-schema", text)
    return {**node, "anyOf": [{"type": kind} for kind in _SCALARS]}


def shape(node: dict[str, Any], at: Spot) -> dict[str, Any]:
    """Return the schema with everything that the provider demands of its kind."""
    node = typed(node, at)
    profile = at.work.profile
    bare = "prefixItems" not in node and not isinstance(node.get("items"), dict)
    if bare and "array" in types_of(node) and profile.get("arrays.items"):
        node["items"] = typed({}, at.inside("items"))
    if "object" in types_of(node) or "properties" in node:
        if profile.get("objects.properties"):
            node.setdefault("properties", {})
        if profile.get("objects.closed"):
            _close(node, at)
        if profile.get("objects.required") == "all":
            _require(node, at)
    return node


def _close(node: dict[str, Any], at: Spot) -> None:
    properties = node.get("properties") or {}
    extra = node.get("additionalProperties")
    node["additionalProperties"] = False
    if not properties and extra is not False and at.pointer:
        at.refuse(
            "an object with free keys can't be closed: it would take none",
            hint="name its keys, make it a list of pairs, or declare the tool without --strict",
        )
    elif extra is True or isinstance(extra, dict):
        at.say("F212 changed-schema", "keys besides the named ones are refused")
    missing = [name for name in node.get("required", ()) if name not in properties]
    if missing:
        said = ", ".join(f"'{name}'" for name in missing)
        at.refuse(f"{said} is required, but no property of a closed object", key="required")


def _require(node: dict[str, Any], at: Spot) -> None:
    properties = dict(node.get("properties") or {})
    optional = [name for name in properties if name not in node.get("required", ())]
    for name in optional:
        if not accepts_null(properties[name]):
            properties[name] = nullable(properties[name])
        text = "what is optional must be given: a model writes null to leave it out"
        at.inside("properties", name).say("F212 changed-schema", text, severity=Severity.INFO)
    node["properties"] = properties
    node["required"] = list(properties)
