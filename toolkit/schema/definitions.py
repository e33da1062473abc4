"""Which definitions of a schema can be written where they are used, and which must stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .walk import MAX_DEPTH, target, unescaped, walk

__all__ = ["MAX_NODES", "Definitions", "Steps", "survey"]

Steps: TypeAlias = tuple[str, ...]

MAX_NODES = 2000
_CONTAINERS = ("$defs", "definitions")
# Definitions of more nodes than this stay when everything inlined would be too much.
_LIMITS = (MAX_NODES, 500, 100, 20, 0)
_ANCHORS = ("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef")
_ENDLESS = 10**9


@dataclass(frozen=True, slots=True)
class Definitions:
    """What references lead to: the bodies leaves first, and which of them stay as references.

    `recursive` says whether recursion alone is why they stay.
    """

    bodies: dict[Steps, Any]
    kept: frozenset[Steps]
    recursive: bool


@dataclass(frozen=True, slots=True)
class _Outline:
    """A schema without what its references lead to: its size, its height, its references."""

    nodes: int
    height: int
    refs: tuple[tuple[int, Steps], ...]


def survey(schema: Mapping[str, Any]) -> Definitions | None:
    """Look at all references; None where something points into places that must not move."""
    if _is_anchored(schema):
        return None
    root = _outline(schema, schema, without=_CONTAINERS)
    bodies: dict[Steps, Any] = {}
    outlines: dict[Steps, _Outline] = {}
    waiting = [steps for _, steps in root.refs]
    while waiting:
        steps = waiting.pop()
        if steps not in bodies:
            found = target(schema, steps)
            bodies[steps] = found[1] if found else True
            outlines[steps] = _outline(bodies[steps], schema)
            waiting += [inner for _, inner in outlines[steps].refs]
    groups = list(_components(outlines))
    order = [steps for group in groups for steps in group]
    looping = frozenset(
        steps
        for group in groups
        for steps in group
        if len(group) > 1 or any(inner == steps for _, inner in outlines[steps].refs)
    )
    kept = _kept(root, outlines, order, looping)
    if any(not _is_plain(steps) for steps in kept):
        return None
    return Definitions({steps: bodies[steps] for steps in order}, kept, kept == looping)


def _is_plain(steps: Steps) -> bool:
    return not steps or (len(steps) == 2 and steps[0] in _CONTAINERS)  # noqa: PLR2004 - #/$defs/X


def _is_anchored(schema: Mapping[str, Any]) -> bool:
    for path, _, here in walk(schema):
        if isinstance(here, Mapping):
            if any(key in here for key in _ANCHORS) or (path and "$id" in here):
                return True
            ref = here.get("$ref")
            if "$id" in schema and isinstance(ref, str) and not ref.startswith("#"):
                return True
    return False


def _outline(here: Any, root: Mapping[str, Any], *, without: tuple[str, ...] = ()) -> _Outline:
    nodes = height = 0
    refs: list[tuple[int, Steps]] = []
    if without and isinstance(here, Mapping):
        here = {key: value for key, value in here.items() if key not in without}
    for _, depth, inner in walk(here):
        nodes += 1
        height = max(height, depth)
        ref = inner.get("$ref") if isinstance(inner, Mapping) else None
        steps = unescaped(ref) if isinstance(ref, str) else None
        if steps is not None and target(root, steps) is not None:
            refs.append((depth, steps))
    return _Outline(nodes, height, tuple(refs))


def _kept(
    root: _Outline,
    outlines: Mapping[Steps, _Outline],
    order: list[Steps],
    looping: frozenset[Steps],
) -> frozenset[Steps]:
    full = _sizes(outlines, order, looping)
    for limit in _LIMITS:
        kept = looping | {steps for steps in order if full[steps][0] > limit}
        sizes = _sizes(outlines, order, kept)
        own = _grown(root, sizes, kept)
        total = own[0] + sum(sizes[steps][0] for steps in kept)
        height = max([own[1], *(sizes[steps][1] + 1 for steps in kept)])
        if total <= MAX_NODES and height <= MAX_DEPTH:
            return frozenset(kept)
    return frozenset(order)


def _sizes(
    outlines: Mapping[Steps, _Outline], order: list[Steps], kept: frozenset[Steps] | set[Steps]
) -> dict[Steps, tuple[int, int]]:
    """Nodes and height of each definition with all written out that is not kept."""
    sizes: dict[Steps, tuple[int, int]] = {}
    for steps in order:
        sizes[steps] = _grown(outlines[steps], sizes, kept)
    return sizes


def _grown(
    outline: _Outline,
    sizes: Mapping[Steps, tuple[int, int]],
    kept: frozenset[Steps] | set[Steps],
) -> tuple[int, int]:
    nodes, height = outline.nodes, outline.height
    for depth, steps in outline.refs:
        if steps not in kept:
            nodes = min(nodes + sizes[steps][0], _ENDLESS)
            # One level more, for what stands beside the reference may need an allOf.
            height = max(height, depth + sizes[steps][1] + 1)
    return nodes, height


def _components(outlines: Mapping[Steps, _Outline]) -> Iterator[list[Steps]]:
    """Groups of definitions that reach each other, leaves first (Tarjan, with its own stack)."""
    number: dict[Steps, int] = {}
    low: dict[Steps, int] = {}
    path: list[Steps] = []
    on_path: set[Steps] = set()
    for start in outlines:
        if start in number:
            continue
        work = [(start, iter(outlines[start].refs))]
        number[start] = low[start] = len(number)
        path.append(start)
        on_path.add(start)
        while work:
            here, refs = work[-1]
            step = next((inner for _, inner in refs if inner not in number), None)
            if step is not None:
                number[step] = low[step] = len(number)
                path.append(step)
                on_path.add(step)
                work.append((step, iter(outlines[step].refs)))
                continue
            work.pop()
            near = [inner for _, inner in outlines[here].refs if inner in on_path]
            low[here] = min([low[here], *(low[inner] for inner in near)])
            if low[here] == number[here]:
                at = path.index(here)
                group = path[at:]
                del path[at:]
                on_path.difference_update(group)
                yield group
