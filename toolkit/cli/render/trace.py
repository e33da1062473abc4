"""The steps of the pipeline as a tree, with the time of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..console import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...types import ToolResult, ToolUse

__all__ = ["write_trace"]


def write_trace(use: ToolUse, result: ToolResult, *, steps: Sequence[tuple[str, float]]) -> None:
    """Write the tree to stderr: what each step took, and what validation converted and ignored.

    The first of `steps` is the start; a step that failed goes by the name of its exception.
    """
    say(f"{use.name} ({result.status}, {_took(steps[0], steps[-1])})" if steps else use.name)
    notes = [f"{each['kind']} {each['path']}: {each['message']}" for each in _notes(result)]
    last = len(steps) - 1
    for number in range(1, len(steps)):
        say(
            _branch(f"{steps[number][0]}  {_took(*steps[number - 1 : number + 1])}", number == last)
        )
        if steps[number][0] == "validate":
            stem = "   " if number == last else "│  "
            for at, note in enumerate(notes, 1):
                say(stem + _branch(note, at == len(notes)))


def _branch(text: str, last: bool) -> str:  # noqa: FBT001 - the last of its level or not
    return f"{'└─' if last else '├─'} {text}"


def _took(before: tuple[str, float], after: tuple[str, float]) -> str:
    return f"{(after[1] - before[1]) * 1000:.2f} ms"


def _notes(result: ToolResult) -> list[dict[str, str]]:
    notes: list[dict[str, str]] = list(result.metadata.get("notes", ()))
    return notes
