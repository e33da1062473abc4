"""Regular expressions that are compiled when they are first used: a document needs few of them."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Pattern"]


class Pattern:
    """A regular expression of a rule, with the methods of `re.Pattern` that rules use."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags

    @functools.cached_property
    def compiled(self) -> re.Pattern[str]:
        """What `re.compile` makes of it, made once."""
        return re.compile(self._text, self._flags)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match anywhere from a place on."""
        return self.compiled.search(text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """A match that begins at a place."""
        return self.compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of the whole text."""
        return self.compiled.fullmatch(text)

    def finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        """Every match, from the left; `within` are the first place and the one behind the last."""
        return self.compiled.finditer(text, *within)

    def findall(self, text: str) -> list[str]:
        """What every match holds; for expressions of at most one group."""
        return self.compiled.findall(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        """The text with every match replaced."""
        return self.compiled.sub(by, text)

    def split(self, text: str) -> list[str]:
        """The parts between the matches."""
        return self.compiled.split(text)
