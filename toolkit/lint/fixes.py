"""Safe fixes of JSON documents: the edits of a run, made in the text, and nothing else touched."""

from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING

from .where import document_path, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .rule import Edit, Path
    from .subject import Subject
    from .where import Piece

__all__ = ["diff", "mended"]


def mended(text: str, edits: Sequence[tuple[Subject, Edit]]) -> tuple[str, int]:
    """The text with the edits that go together, and how many these are.

    Of edits that touch the same place, or one inside another, the first counts; another run
    makes the rest.
    """
    found = pieces(text)
    taken: dict[Path, Edit] = {}
    for subject, edit in edits:
        path = document_path(subject, edit.path)
        if path in found and path and not any(_overlap(path, other) for other in taken):
            taken[path] = edit
    for path, edit in sorted(taken.items(), key=lambda one: found[one[0]].start, reverse=True):
        text = _without(text, found[path]) if edit.remove else _with(text, found[path], edit)
    return text, len(taken)


def _overlap(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _with(text: str, piece: Piece, edit: Edit) -> str:
    """A new value in the manner of the old one: on its line, or indented as the document is."""
    old = text[piece.start : piece.end]
    if "\n" in old:
        found = re.search(r"\n([ \t]+)\S", text)
        line = text[text.rfind("\n", 0, piece.start) + 1 : piece.start]
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        new = json.dumps(edit.value, ensure_ascii=text.isascii(), indent=found[1] if found else 2)
        new = new.replace("\n", f"\n{margin}")
    else:
        separators = (", ", ": ") if re.search(r'[:,] ["\d{\[tfn-]', old) else (",", ":")
        separators = (", ", ": ") if old[:1] not in ("{", "[") else separators
        new = json.dumps(edit.value, ensure_ascii=text.isascii(), separators=separators)
    return text[: piece.start] + new + text[piece.end :]


def _without(text: str, piece: Piece) -> str:
    """Without a member: with the comma behind it, else with the one before it."""
    behind = re.compile(r"\s*,\s*").match(text, piece.end)
    if behind:
        return text[: piece.key] + text[behind.end() :]
    before = re.search(r",?\s*$", text[: piece.key])
    return text[: before.start() if before else piece.key] + text[piece.end :]


def diff(old: str, new: str, *, path: str) -> Iterator[str]:
    """The lines of a unified diff."""
    return difflib.unified_diff(old.splitlines(), new.splitlines(), path, path, lineterm="")
