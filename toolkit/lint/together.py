"""Which schemas speak of one value together: combinations, conditions, and what is referred to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..schema.walk import LISTS, MAPS, target, unescaped

if TYPE_CHECKING:
    from .rule import Path

__all__ = ["declared_beside"]

_ALTERNATIVES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")
_SAME = frozenset({*_ALTERNATIVES, *_CONDITIONS, "dependentSchemas"})
_OPEN = ("patternProperties", "$dynamicRef", "$recursiveRef")
_MOST = 1_000  # schemas that speak of one value


def declared_beside(root: Any, path: Path) -> frozenset[str] | None:
    """The properties that all schemas declare which speak of the value that one speaks of.

    None where that can't be told: what is refused, patterns for names, references that lead
    nowhere, and definitions that may be one part of a whole.
    """
    start, is_refused = _whole_of(path)
    if is_refused:
        return None
    schema = root
    for step in path[:start]:
        schema = schema[step]
    found: set[str] = set()
    for each in _together(schema, root):
        if each is None or any(key in each for key in _OPEN):
            return None
        names = each.get("properties")
        found.update(names if isinstance(names, Mapping) else ())
    is_definition = start > 1 and path[start - 2] in ("$defs", "definitions")
    return None if is_definition and not found else frozenset(found)


def _whole_of(path: Path) -> tuple[int, bool]:
    """Up to where the path leads to the outermost schema of the same value; whether under `not`."""
    at = start = 0
    refused = False
    while at < len(path):
        key = path[at]
        same = key in _SAME
        follows = path[at + 1] if at + 1 < len(path) else None
        at += 2 if key in LISTS or key in MAPS or isinstance(follows, int) else 1
        if key == "not":
            refused = True
        elif not same:
            start, refused = at, False
    return start, refused


def _together(schema: Any, root: Any) -> Iterator[Mapping[str, Any] | None]:
    """A schema and all that speak of the same value; None for one that can't be found."""
    waiting, seen = [schema], set[int]()
    while waiting and len(seen) < _MOST:
        one = waiting.pop()
        if not isinstance(one, Mapping) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        ref = one.get("$ref")
        if ref is not None:
            steps = unescaped(ref) if isinstance(ref, str) else None
            found = target(root, steps) if steps is not None else None
            if found is None:
                yield None
                return
            waiting.append(found[1])
        for key in _ALTERNATIVES:
            branches = one.get(key)
            waiting += branches if isinstance(branches, list) else []
        waiting += [one[key] for key in _CONDITIONS if key in one]
        dependent = one.get("dependentSchemas")
        waiting += dependent.values() if isinstance(dependent, Mapping) else ()
