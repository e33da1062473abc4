"""What a schema says of one place in an input: which names, which kinds, which tags, how secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .walk import target, unescaped

__all__ = ["Outline"]

_COMBINED = ("allOf", "anyOf", "oneOf")


class Outline:
    """Reads an input schema; a path is a sequence of keys and indexes, empty for the input."""

    __slots__ = ("_schema",)

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    def names(self, path: Sequence[Any]) -> list[str]:
        """The properties that an object there may have, by any member of a union."""
        found = (each.get("properties", {}) for each in self._at(path))
        return list(dict.fromkeys(name for properties in found for name in properties))

    def kinds(self, path: Sequence[Any]) -> set[str]:
        """The JSON types that a value there may have, as far as they are told."""
        kinds: set[str] = set()
        for each in self._at(path):
            said = each.get("type", ())
            kinds.update([said] if isinstance(said, str) else said)
        return kinds

    def tags(self, path: Sequence[Any], name: str) -> list[Any]:
        """The values that say which member of a union is meant, in a property of that name."""
        found: list[Any] = []
        for each in self._at(path):
            tag = each.get("properties", {}).get(name, {})
            found += [tag["const"]] if "const" in tag else tag.get("enum", [])
        return found

    def secret(self, path: Sequence[Any]) -> bool:
        """Whether a value there is marked as one not to be shown."""
        return any(
            each.get("writeOnly") is True or each.get("format") == "password"
            for each in self._at(path)
        )

    def _at(self, path: Sequence[Any]) -> list[Mapping[str, Any]]:
        here = list(self._opened(self._schema, set()))
        for step in path:
            inner = [found for each in here for found in _inside(each, step)]
            seen: set[int] = set()
            here = [found for each in inner for found in self._opened(each, seen)]
        return here

    def _opened(self, schema: Any, seen: set[int]) -> Iterator[Mapping[str, Any]]:
        """A schema, what it refers to, and the members of its unions."""
        if not isinstance(schema, Mapping) or id(schema) in seen:
            return
        seen.add(id(schema))
        yield schema
        steps = unescaped(schema["$ref"]) if isinstance(schema.get("$ref"), str) else None
        found = None if steps is None else target(self._schema, steps)
        if found is not None:
            yield from self._opened(found[1], seen)
        for keyword in _COMBINED:
            for each in schema.get(keyword, ()):
                yield from self._opened(each, seen)


def _inside(schema: Mapping[str, Any], step: Any) -> Iterator[Any]:
    if isinstance(step, int):
        first = schema.get("prefixItems", ())
        yield first[step] if step < len(first) else schema.get("items")
    elif step in schema.get("properties", {}):
        yield schema["properties"][step]
    else:
        yield schema.get("additionalProperties")
