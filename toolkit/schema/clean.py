"""A schema of pydantic's making without what a model need not read, and with every constraint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .combine import combined, without_null
from .definitions import Definitions, Steps, survey
from .walk import LISTS, MAPS, SINGLE, check_depth, unescaped, walk

__all__ = ["clean"]

_CONTAINERS = ("$defs", "definitions")
# Inside these, accepting less is accepting more.
_NEGATIVE = frozenset({"not", "if"})
_ROUNDS = 8


def clean(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Drop what says nothing, write references out, flatten optionals; by one rule at each depth.

    What accepts the result is what `schema` accepts, but for the null of a property that is not
    required. `enum`, `const`, `default` and `examples` hold instances and pass as they are (the
    very objects). A schema with anchors, or with a pointer into a place that would move, is
    returned as it came. Raises SchemaTooDeepError beyond 64 levels, never RecursionError.
    """
    check_depth(schema)
    lean = dict(schema)
    for _ in range(_ROUNDS):
        known = survey(lean)
        if known is None:
            return lean
        before, lean = lean, _Cleaner(lean, known).result()
        # Definitions that stayed for their size may have become small enough by the cleaning.
        if known.recursive or lean == before:
            break
    return lean


class _Cleaner:
    """One round of cleaning."""

    def __init__(self, schema: Mapping[str, Any], known: Definitions) -> None:
        self._root = schema
        self._known = known
        self._bodies: dict[Steps, Any] = {}
        # `additionalProperties: true` says something where unevaluated properties are refused.
        self._counts_rest = any(
            isinstance(here, Mapping) and "unevaluatedProperties" in here
            for _, _, here in walk(schema)
        )

    def result(self) -> dict[str, Any]:
        for steps, body in self._known.bodies.items():
            if steps:
                self._bodies[steps] = self._cleaned(body, partial(_is_class, steps[-1]))
        top = {key: value for key, value in self._root.items() if key not in _CONTAINERS}
        lean = self._cleaned(top, str.isidentifier)
        whole = dict(lean) if isinstance(lean, Mapping) else {"allOf": [lean]}
        for container in _CONTAINERS:
            inside = self._root.get(container)
            kept = {
                name: self._bodies[container, name]
                for name in (inside if isinstance(inside, Mapping) else ())
                if (container, name) in self._known.kept
            }
            if kept:
                whole[container] = kept
        return whole

    def _cleaned(self, schema: Any, is_made: Callable[[str], bool], *, exact: bool = False) -> Any:
        """One schema; `is_made` knows a title of pydantic's, and `exact` keeps every null."""
        if not isinstance(schema, Mapping):
            return schema
        lean: dict[str, Any] = {}
        for keyword, value in schema.items():
            if not self._says_nothing(keyword, value, is_made):
                lean[keyword] = self._inside(keyword, value, exact=exact or keyword in _NEGATIVE)
        if not exact:
            _flatten(lean)
        return _untitled(self._written_out(lean), is_made)

    def _says_nothing(self, keyword: str, value: Any, is_made: Callable[[str], bool]) -> bool:
        if keyword == "title":
            return isinstance(value, str) and is_made(value)
        if keyword == "additionalProperties":
            return value is True and not self._counts_rest
        return keyword in ("discriminator", *_CONTAINERS)

    def _inside(self, keyword: str, value: Any, *, exact: bool) -> Any:
        if keyword in MAPS and isinstance(value, Mapping):
            titled = keyword == "properties"
            return {
                name: self._cleaned(
                    inner, partial(_is_property, name) if titled else _never, exact=exact
                )
                for name, inner in value.items()
            }
        if isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            return [self._cleaned(inner, _never, exact=exact) for inner in value]
        if keyword in SINGLE:
            return self._cleaned(value, _never, exact=exact)
        return value

    def _written_out(self, lean: dict[str, Any]) -> Any:
        """What the reference leads to in its place, with what stood beside it."""
        ref = lean.get("$ref")
        steps = unescaped(ref) if isinstance(ref, str) else None
        if steps is None or steps in self._known.kept or steps not in self._bodies:
            return lean
        beside = {key: value for key, value in lean.items() if key != "$ref"}
        return combined(_copied(self._bodies[steps]), beside)


def _flatten(schema: dict[str, Any]) -> None:
    """Take the null from the properties that need not be there."""
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict):
        needed = required if isinstance(required, list) else ()
        schema["properties"] = {
            name: inner
            if name in needed
            else _untitled(without_null(inner), partial(_is_property, name))
            for name, inner in properties.items()
        }


def _untitled(schema: Any, is_made: Callable[[str], bool]) -> Any:
    """Without a title that came from a definition or a branch, and says nothing in this place."""
    title = schema.get("title") if isinstance(schema, Mapping) else None
    if not isinstance(title, str) or not is_made(title):
        return schema
    return {key: value for key, value in schema.items() if key != "title"}


def _copied(schema: Any) -> Any:
    """Each place where a definition is used gets objects of its own."""
    if not isinstance(schema, Mapping):
        return schema
    copy: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, Mapping):
            copy[keyword] = {name: _copied(inner) for name, inner in value.items()}
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            copy[keyword] = [_copied(inner) for inner in value]
        else:
            copy[keyword] = _copied(value) if keyword in SINGLE else value
    return copy


def _never(_title: str) -> bool:
    return False


def _is_property(name: str, title: str) -> bool:
    return title in (name.replace("_", " ").title(), name.title().replace("_", " ").strip())


def _is_class(name: str, title: str) -> bool:
    """A definition is named after its class, with its module before it where two clash."""
    plain = re.sub(r"[^a-zA-Z0-9.\-_]", "_", title)
    return plain == name or name.endswith(f"__{plain}")
