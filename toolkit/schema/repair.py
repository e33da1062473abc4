"""Arguments that came as JSON text where an object or array is wanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["parse_texts"]

_WANTS_ARRAY = {"list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"}
_WANTS_OBJECT = {"dict_type", "mapping_type", "model_type", "model_attributes_type"}
_WANTS = _WANTS_ARRAY | _WANTS_OBJECT | {"sequence_str", "dataclass_type", "union_tag_not_found"}


def parse_texts(
    arguments: Mapping[str, Any], errors: list[Any]
) -> tuple[dict[str, Any], list[str]]:
    """A copy in which texts are parsed that stand where an object or array is wanted."""
    repaired: dict[str, Any] = dict(arguments)
    parsed: list[str] = []
    for error in errors:
        name = error["loc"][0] if error["loc"] else None
        text = repaired.get(name) if isinstance(name, str) else None
        if error["type"] not in _WANTS or not isinstance(text, str) or error["input"] != text:
            continue
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list):
            repaired[str(name)] = value
            parsed.append(str(name))
    return repaired, parsed
