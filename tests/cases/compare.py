"""Two schemas are equal when they differ only in what says nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["comparable"]


def comparable(schema: Any, *, fold: bool = False) -> Any:
    """Write references inline, sort `required` and unions, drop titles and null defaults.

    With `fold`, runs of white space in descriptions count as one blank.
    """
    return _comparable(schema, schema, fold=fold)


def _comparable(schema: Any, root: Any, *, fold: bool) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:
        target = root["$defs"][schema["$ref"].rpartition("/")[2]]
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _comparable({**target, **beside}, root, fold=fold)
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "discriminator", "$defs") or (key == "default" and value is None):
            continue
        if key == "additionalProperties" and isinstance(value, bool):
            continue
        out[key] = _part(key, value, root, fold)
    if "required" in out and not out["required"]:
        del out["required"]
    return out


def _part(key: str, value: Any, root: Any, fold: bool) -> Any:  # noqa: FBT001 - a walk's own
    if key in ("properties", "patternProperties"):
        return {name: _comparable(each, root, fold=fold) for name, each in value.items()}
    if key in ("items", "additionalProperties", "contains", "not"):
        return _comparable(value, root, fold=fold)
    if key in ("anyOf", "oneOf", "allOf"):
        return sorted((_comparable(each, root, fold=fold) for each in value), key=_text)
    if key == "required":
        return sorted(value)
    if key == "description" and fold:
        return " ".join(value.split())
    return value


def _text(schema: Any) -> str:
    return json.dumps(schema, sort_keys=True)
