"""How the tools stood before and after a batch, and what a report says of the difference."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..findings import Place, ToolChange
from ..schema.diff import diff

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..types import Tool, ToolSpec

__all__ = ["Differences", "Parts", "Standing", "compare", "parts_of"]

DECORATED = ast.FunctionDef | ast.AsyncFunctionDef


class Standing(NamedTuple):
    """A tool as it stands in the registry; `spec` is None where it has no valid one."""

    tool: Tool
    spec: ToolSpec | None
    place: Place


@dataclass(frozen=True, slots=True)
class Differences:
    """What came, changed and went, in the order of the registry."""

    added: tuple[ToolChange, ...]
    changed: tuple[ToolChange, ...]
    removed: tuple[ToolChange, ...]


def compare(
    before: Mapping[str, Standing],
    after: Mapping[str, Standing],
    *,
    code: Callable[[Tool], str | None],
) -> Differences:
    """Compare two states; `code` says in a line how a tool's code changed, None for not at all."""
    changed = []
    for name, new in after.items():
        old = before.get(name)
        if old is not None and old.tool is not new.tool:
            change = _change(name, old, new, code=code)
            if change is not None:
                changed.append(change)
    return Differences(
        tuple(ToolChange(name, new.place) for name, new in after.items() if name not in before),
        tuple(changed),
        tuple(ToolChange(name, old.place) for name, old in before.items() if name not in after),
    )


def _change(
    name: str,
    old: Standing,
    new: Standing,
    *,
    code: Callable[[Tool], str | None],
) -> ToolChange | None:
    found = diff(old.spec, new.spec) if old.spec is not None and new.spec is not None else ()
    lines = [f"breaking: {each}" if each.breaking else str(each) for each in found]
    breaking = any(each.breaking for each in found)
    if old.spec is not None and new.spec is None:
        lines, breaking = ["breaking: has no valid spec any more"], True
    elif old.spec is None and new.spec is not None:
        lines = ["has a valid spec"]
    if old.place.path != new.place.path:
        lines.append(f"moved from {old.place}")
    about_code = code(new.tool)
    if not lines and about_code is not None:
        lines.append(about_code)
    return ToolChange(name, new.place, tuple(lines), breaking) if lines else None


class Parts(NamedTuple):
    """A source in parts: each decorated function's text, and everything else."""

    functions: dict[str, str]
    rest: str

    def differs(self, other: Parts, name: str | None) -> bool:
        """Whether what a function does may have changed: its own code, or what stands around it."""
        if self.rest != other.rest or name not in self.functions:
            return True
        return self.functions[name] != other.functions.get(name)


def parts_of(source: bytes) -> Parts | None:
    """Take a source apart; layout and comments are no part of it. None for what does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    functions = {
        node.name: ast.dump(node)
        for node in tree.body
        if isinstance(node, DECORATED) and node.decorator_list
    }
    tree.body = [node for node in tree.body if getattr(node, "name", None) not in functions]
    return Parts(functions, ast.dump(tree))
