"""A legal, telling tool name for a type or a schema, whatever it is called."""

from __future__ import annotations

import hashlib
import re
import types
import typing
import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

from ..types import TOOL_NAME

__all__ = ["name_of", "other_name", "plain_type"]

LONGEST = 64
NAMELESS = "structured_output"
DIGEST = 8  # hexadecimal digits that tell two shortened names apart


def name_of(wanted: Any) -> str:
    """The tool's name: a class's own as it stands, else words joined by `_`.

    `Report` stays, `Box[int]` is `Box_int`, `list[Item]` is `list_Item`, `int | None` is
    `int_or_None`, a JSON Schema has its title. What is too long ends in a digest of the whole.
    """
    said = _schema_title(wanted) if isinstance(wanted, Mapping) else _words(wanted)
    plain = unicodedata.normalize("NFKD", said)
    legal = re.sub(r"[^a-zA-Z0-9_-]+", "_", re.sub(r"[\u0300-\u036f]", "", plain))
    if legal != said:
        legal = re.sub(r"_{2,}", "_", legal).strip("_-")
    return _shortened(legal or NAMELESS, said)


def other_name(name: str, number: int) -> str:
    """The next candidate where a name is taken; `number` counts from 1."""
    suffix = "_output" if number == 1 else f"_output_{number}"
    return name[: LONGEST - len(suffix)] + suffix


def plain_type(wanted: Any) -> Any:
    """A type without `Annotated` and without the alias that stands for it."""
    while True:
        if get_origin(wanted) is typing.Annotated:
            wanted = get_args(wanted)[0]
        elif type(wanted).__name__ == "TypeAliasType":
            wanted = wanted.__value__
        else:
            return wanted


def _schema_title(schema: Mapping[str, Any]) -> str:
    title = schema.get("title")
    return title.strip() if isinstance(title, str) else ""


def _shortened(legal: str, said: str) -> str:
    if TOOL_NAME.fullmatch(legal) is not None:
        return legal
    digest = hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:DIGEST]
    return f"{legal[: LONGEST - DIGEST - 1]}_{digest}"


def _words(kind: Any) -> str:
    if type(kind).__name__ == "TypeAliasType":
        return str(kind.__name__)
    kind = plain_type(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "_or_".join(
            str(each.value if isinstance(each, Enum) else each) for each in arguments
        )
    if origin in (Union, types.UnionType):
        return "_or_".join(map(_words, arguments))
    if origin is None:
        return _own_name(kind)
    inner = [_words(each) for each in arguments if each is not Ellipsis]
    return "_".join([_own_name(origin), *inner])


def _own_name(kind: Any) -> str:
    if kind is type(None):
        return "None"
    return str(getattr(kind, "__name__", None) or getattr(kind, "_name", None) or "")
