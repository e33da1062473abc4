"""A docstring as lines that know where they stand: how deep, and whether they are literal text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Page"]

_FENCE = re.compile(r"(`{3,}(?!.*`)|~{3,})")
_LITERAL = re.compile(r"\.\.[ ]+[\w:+-]+::.*|.*\S::|::")
_UNDERLINE = re.compile(r"-{3,}|={3,}")


class Page:
    """The lines of a cleaned docstring.

    `indent[i]` is None for a blank line; a fence's lines have the indent of its opening.
    `literal[i]` says that nothing in the line has a meaning: it is code, output or a directive.
    `base` is the indent of the docstring's own level (a flush fence may push all else right).
    """

    NOWHERE = 10**9

    __slots__ = ("base", "indent", "lines", "literal")

    def __init__(self, lines: Sequence[str]) -> None:
        """Measure every line once."""
        self.lines = lines
        self.indent: list[int | None] = [_indent(line) for line in lines]
        self.literal = [False] * len(lines)
        self._mark()
        depths = [
            depth
            for depth, literal in zip(self.indent[1:], self.literal[1:], strict=True)
            if depth is not None and not literal
        ]
        self.base = min(depths, default=0)

    def __len__(self) -> int:
        """How many lines."""
        return len(self.lines)

    def depth(self, at: int) -> int:
        """The indent of a line; a blank one is deeper than anything."""
        found = self.indent[at]
        return self.NOWHERE if found is None else found

    def blank(self, at: int) -> bool:
        """Whether the line is empty, and not part of a fence."""
        return self.indent[at] is None

    def after_blanks(self, at: int) -> int:
        """The first line from `at` on that is not blank, or the page's length."""
        while at < len(self) and self.blank(at):
            at += 1
        return at

    def before_blanks(self, end: int) -> int:
        """`end` moved up over the blank lines before it."""
        while end > 0 and self.blank(end - 1):
            end -= 1
        return end

    def block_end(self, start: int, limit: int) -> int:
        """Where the lines from `start` that are deeper than `limit` end, blanks not counted."""
        end = start
        while end < len(self) and self.depth(end) > limit:
            end += 1
        return self.before_blanks(end)

    def underlined(self, at: int) -> bool:
        """Whether the line is a heading with dashes under it."""
        return (
            at + 1 < len(self)
            and not self.blank(at)
            and not self.literal[at]
            and self.indent[at + 1] == self.indent[at]
            and bool(_UNDERLINE.fullmatch(self.lines[at + 1].strip()))
        )

    def introduced(self, at: int) -> bool:
        """Whether the nearest line above that is less deep announces what follows."""
        own = self.depth(at)
        above = at - 1
        while above >= 0 and self.depth(above) >= own:
            above -= 1
        return above >= 0 and self.lines[above].rstrip().endswith((":", "\uff1a"))

    def _mark(self) -> None:
        at = 0
        while at < len(self):
            text = self.lines[at].strip()
            if _FENCE.match(text):
                end = self._fence_end(at, text)
                self.indent[at:end] = [self.indent[at]] * (end - at)
            elif text.startswith(">>>"):
                end = at
                while end < len(self) and not self.blank(end):
                    end += 1
            elif _LITERAL.fullmatch(text):
                at += 1
                end = max(at, self.block_end(at, self.depth(at - 1)))
            else:
                at += 1
                continue
            self.literal[at:end] = [True] * (end - at)
            at = end

    def _fence_end(self, at: int, text: str) -> int:
        """Behind the closing fence; without one, where the text around the fence goes on."""
        mark = text[: len(text) - len(text.lstrip(text[0]))]
        for end in range(at + 1, len(self)):
            line = self.lines[end].strip()
            if line.startswith(mark) and not line.strip(mark[0]):
                return end + 1
        return max(at + 1, self.block_end(at, self.depth(at) - 1))


def _indent(line: str) -> int | None:
    bare = line.lstrip()
    return len(line) - len(bare) if bare else None
