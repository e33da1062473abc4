"""References of a schema that lead nowhere, away, or only back to themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

from .walk import Path, Spot, children, target, unescaped, walk

__all__ = ["Trouble", "TroubledRef", "troubled_refs"]

# Applied to the very value that the schema around them is about.
_IN_PLACE = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
)


_KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef")


class Trouble(Enum):
    """Why a reference can't be followed."""

    DANGLING = "dangling"
    EXTERNAL = "external"
    LOOP = "loop"


class TroubledRef(NamedTuple):
    """A reference that can't be followed, and where the schema that has it stands."""

    trouble: Trouble
    path: Path
    keyword: str
    ref: str


def troubled_refs(schema: Any) -> Iterator[TroubledRef]:
    """All of them, loops last; raises SchemaTooDeepError beyond 64 levels."""
    spots = list(walk(schema))
    anchors, names = _anchors(spots)
    nested = any(path for path in names.values())
    followed: dict[Path, Path] = {}
    for path, _, here in spots:
        for keyword in _KEYWORDS:
            ref = here.get(keyword) if isinstance(here, Mapping) else None
            if not isinstance(ref, str):
                continue
            found = _followed(schema, ref, anchors)
            if found is not None:
                followed[path] = found
            elif not ref.startswith("#"):
                if not _is_named(ref, names):
                    yield TroubledRef(Trouble.EXTERNAL, path, keyword, ref)
            elif not nested:
                yield TroubledRef(Trouble.DANGLING, path, keyword, ref)
    yield from _loops(schema, followed)


def _anchors(spots: list[Spot]) -> tuple[dict[str, Path], dict[str, Path]]:
    """Where the anchors and the embedded documents stand."""
    anchors: dict[str, Path] = {}
    names: dict[str, Path] = {}
    for path, _, here in spots:
        if isinstance(here, Mapping):
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(here.get(keyword), str):
                    anchors[here[keyword]] = path
            name = here.get("$id")
            if isinstance(name, str) and name.startswith("#"):
                anchors[name[1:]] = path
            elif isinstance(name, str):
                names[name] = path
    return anchors, names


def _followed(schema: Any, ref: str, anchors: Mapping[str, Path]) -> Path | None:
    steps = unescaped(ref)
    if steps is None:
        return anchors.get(ref[1:]) if ref.startswith("#") else None
    found = target(schema, steps)
    return found[0] if found and isinstance(found[1], Mapping | bool) else None


def _is_named(ref: str, names: Mapping[str, Path]) -> bool:
    plain = ref.partition("#")[0]
    return any(name.partition("#")[0] == plain or name.endswith(f"/{plain}") for name in names)


def _loops(schema: Any, followed: Mapping[Path, Path]) -> Iterator[TroubledRef]:
    """A reference for each circle that takes no step into the value."""
    left = dict(followed)
    while True:
        found = _circles(schema, left)
        if not found:
            return
        for path in sorted(found, key=str):
            del left[path]
            here = _at(schema, path)
            keyword = next(word for word in _KEYWORDS if isinstance(here.get(word), str))
            yield TroubledRef(Trouble.LOOP, path, keyword, here[keyword])


def _circles(schema: Any, followed: Mapping[Path, Path]) -> set[Path]:
    """The last reference of every circle that one pass in depth meets."""
    found: set[Path] = set()
    done: set[Path] = set()
    for start in followed:
        trail: list[Path] = [start]
        on_trail = {start}
        work = [iter([] if start in done else _edges(schema, start, followed))]
        while work:
            step = next(work[-1], None)
            if step is None:
                work.pop()
                done.add(trail[-1])
                on_trail.discard(trail.pop())
            elif step in on_trail:
                circle = trail[trail.index(step) :]
                found.add(next(path for path in reversed(circle) if path in followed))
            elif step not in done:
                trail.append(step)
                on_trail.add(step)
                work.append(iter(_edges(schema, step, followed)))
    return found


def _edges(schema: Any, path: Path, followed: Mapping[Path, Path]) -> list[Path]:
    inside = [path + step for step, _ in children(_at(schema, path)) if step[0] in _IN_PLACE]
    return [*inside, *([followed[path]] if path in followed else [])]


def _at(schema: Any, path: Path) -> Any:
    for step in path:
        schema = schema[step]
    return schema
