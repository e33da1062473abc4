"""Arguments that came as JSON text where an object or array is wanted, at any depth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from .faults import located

if TYPE_CHECKING:
    from .outline import Outline

__all__ = ["members_in", "parse_texts"]

_CONTAINERS = {"array", "object"}


def parse_texts(
    arguments: Mapping[str, Any],
    errors: Sequence[Mapping[str, Any]],
    *,
    outline: Outline,
    members: Sequence[Enum] = (),
) -> tuple[dict[str, Any], list[str]]:
    """A copy in which refused texts are parsed that stand where an object or array is wanted.

    Also returns the dotted paths of what was parsed. A text that is accepted is never touched.
    An array that stands for an enum's member becomes the tuple that JSON can't write, and the value
    of one of `members` that a Literal names becomes the member, which alone would be taken.
    """
    repaired: Any = dict(arguments)
    parsed: list[str] = []
    for error in errors:
        path = located(error, repaired, outline=outline)
        came = _at(repaired, path)
        if error["type"] == "enum" and isinstance(came, list):
            repaired = _with(repaired, path, new=_as_tuple(came))
            continue
        if member := _member(error, came, members):
            repaired = _with(repaired, (*path, *member[0]), new=member[1])
            continue
        value = _parsed(came)
        if value is not None and outline.kinds(path) & _CONTAINERS:
            repaired = _with(repaired, path, new=value)
            parsed.append(".".join(map(str, path)))
    return repaired, parsed


def members_in(core: Any) -> list[Enum]:
    """The members of enums that Literals name, anywhere in a type's core schema."""
    found: list[Enum] = []
    waiting = [core]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            if here.get("type") == "literal":
                found += [each for each in here["expected"] if isinstance(each, Enum)]
            waiting += here.values()
        elif isinstance(here, list | tuple):
            waiting += here
    return found


def _member(
    error: Mapping[str, Any], came: Any, members: Sequence[Enum]
) -> tuple[tuple[Any, ...], Enum] | None:
    """The member that a refused value stands for, and where the value stands below `came`."""
    told: Mapping[str, Any] = error.get("ctx", {})
    below: tuple[Any, ...] = ()
    by_tag = error["type"] == "union_tag_invalid"
    wanted = str(told.get("expected_tags" if by_tag else "expected"))
    if by_tag and isinstance(came, Mapping):
        below = (told["discriminator"].strip("'"),)
        came = came.get(below[0])
    for each in members:
        same = type(each.value) is type(came) and each.value == came
        if same and repr(each) in wanted:
            return below, each
    return None


def _at(value: Any, path: Sequence[Any]) -> Any:
    for step in path:
        if isinstance(value, str):
            return None
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def _parsed(text: Any) -> Any:
    """The object or array that a text holds, None for any other."""
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def _with(value: Any, path: Sequence[Any], *, new: Any) -> Any:
    """A copy with one part replaced."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    copy[path[0]] = _with(copy[path[0]], path[1:], new=new)
    return copy
