"""Keywords that a provider lacks: the same by other keywords, or in words in the description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import Severity
from .roots import followed
from .schemas import PHRASES, infer_type, merge, phrase, types_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .spot import Spot

__all__ = ["move", "rewrite"]

# They say nothing to a model, or were brought up to date before.
_SILENT = frozenset(
    {
        "$anchor",
        "$comment",
        "$dynamicAnchor",
        "$dynamicRef",
        "$id",
        "$schema",
        "$vocabulary",
        "discriminator",
        "externalDocs",
        "nullable",
        "title",
        "xml",
    }
)

# Bounds are said from below to above, whatever order they came in.
_ORDER = {key: place for place, key in enumerate(PHRASES)}


def rewrite(node: dict[str, Any], at: Spot) -> None:
    """Say the same by other keywords where that can be done."""
    takes = at.work.takes
    if "allOf" in node and not takes("allOf"):
        _join(node, at)
    if "const" in node and not takes("const"):
        node["enum"] = [node.pop("const")]
    if "oneOf" in node and not takes("oneOf") and "anyOf" not in node:
        node["anyOf"] = node.pop("oneOf")
        text = "'oneOf' becomes 'anyOf': a value may fit more than one"
        at.say("F212 changed-schema", text, key="oneOf", severity=Severity.INFO)
    if "integer" in types_of(node) and not takes("exclusiveMinimum"):
        for key, bound, step in (
            ("exclusiveMinimum", "minimum", 1),
            ("exclusiveMaximum", "maximum", -1),
        ):
            if isinstance(node.get(key), int) and takes(bound) and bound not in node:
                node[bound] = node.pop(key) + step
    if "prefixItems" in node and not takes("prefixItems"):
        _flatten_tuple(node, at)
    if at.work.profile.get("enum.texts") and isinstance(node.get("enum"), list):
        _say_numbers(node, at)


def _join(node: dict[str, Any], at: Spot) -> None:
    branches = node.pop("allOf")
    joined: dict[str, Any] | None = node
    for branch in branches if isinstance(branches, list) else []:
        target = followed(at.work.whole, branch)
        joined = None if joined is None else merge(joined, target)
    if joined is not None and "allOf" not in joined:
        node.update(joined)
        return
    at.notes.append(phrase("allOf", branches))
    at.say("F213 lost-keyword", "'allOf' can't be said otherwise", key="allOf")


def _flatten_tuple(node: dict[str, Any], at: Spot) -> None:
    places = node.pop("prefixItems")
    rest = node.get("items")
    kinds = [*places, rest] if isinstance(rest, dict) else list(places)
    distinct = [one for index, one in enumerate(kinds) if one not in kinds[:index]]
    if distinct:
        node["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    if rest is False:
        node.setdefault("maxItems", len(places))
    at.notes.append(phrase("prefixItems", places))
    at.say(
        "F213 lost-keyword",
        "the places of a tuple are not told apart; their order stands in the description",
        key="prefixItems",
    )


def _say_numbers(node: dict[str, Any], at: Spot) -> None:
    values = node["enum"]
    texts = [one for one in values if isinstance(one, str) and one]
    if len(texts) + (None in values) == len(values):
        return
    del node["enum"]
    if not types_of(node) and (kind := infer_type({"enum": values})):
        node["type"] = kind
    at.notes.append(phrase("enum", values))
    text = "'enum' takes texts alone; its values stand in the description"
    at.say("F211 moved-keyword", text, key="enum", severity=Severity.INFO)


def move(node: dict[str, Any], at: Spot) -> None:
    """Move into the description what the provider has no keyword for."""
    gone = [key for key in node if not _keeps(node, at, key=key)]
    for key in sorted(gone, key=_order):
        value = node.pop(key)
        if key in _SILENT or (key == "additionalProperties" and value in (True, False)):
            continue
        words = phrase(key, value)
        at.notes.append(words)
        text = f"'{key}' is not taken; it stands in the description"
        if words.startswith("must also fit"):
            at.say("F213 lost-keyword", text, key=key)
        else:
            at.say("F211 moved-keyword", text, key=key, severity=Severity.INFO)
    least, own = at.work.profile.get("items.minimum"), node.get("minItems")
    if least is not None and isinstance(own, int | float) and own > least:
        at.notes.append(phrase("minItems", own))
        node["minItems"] = least
        text = f"'minItems' is taken up to {least} only; it stands in the description"
        at.say("F211 moved-keyword", text, key="minItems", severity=Severity.INFO)


def _order(key: str) -> int:
    return _ORDER.get(key, len(_ORDER))


def _keeps(node: Mapping[str, Any], at: Spot, *, key: str) -> bool:
    if key == "$defs":
        return True
    if not at.work.takes(key):
        return False
    if key == "format":
        formats = at.work.profile.get("formats")
        return formats is None or node[key] in formats
    if key == "pattern":
        refused = at.work.profile.get("patterns.refused", ())
        return not any(part in str(node[key]) for part in refused)
    return True
