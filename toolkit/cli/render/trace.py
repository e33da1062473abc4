"""The steps of the pipeline as a tree, with the time of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..console import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...types import ToolResult, ToolUse

__all__ = ["write_trace"]


def write_trace(use: ToolUse, result: ToolResult, *, steps: Sequence[tuple[str, float]]) -> None:
    """Write the tree to stderr; times are in milliseconds since the step before."""
    lines = []
    for number, (name, moment) in enumerate(steps):
        before = steps[number - 1][1] if number else moment
        lines.append((name, f"{(moment - before) * 1000:.2f} ms" if number else ""))
        if name == "validate":
            lines += [(f"  {n['kind']} {n['path']}: {n['message']}", "") for n in _notes(result)]
    total = (steps[-1][1] - steps[0][1]) * 1000 if steps else 0.0
    say(f"{use.name} ({result.status}, {total:.2f} ms)")
    for number, (name, time) in enumerate(lines):
        branch = "└─" if number == len(lines) - 1 else "├─"
        say(f"{branch} {name}  {time}".rstrip())


def _notes(result: ToolResult) -> list[dict[str, str]]:
    notes: list[dict[str, str]] = list(result.metadata.get("notes", ()))
    return notes
