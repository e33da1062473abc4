"""The one line of a terminal that is drawn again and again, and keeps out of others' way."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["STATUS", "StatusLine", "can_draw"]

ERASED = "\r\x1b[K"  # to the line's begin, and nothing behind it
UNABLE = {"dumb", "unknown"}  # values of TERM: a line there can't be drawn twice


def can_draw() -> bool:
    """Whether stderr is a terminal that can draw a line anew."""
    try:
        return sys.stderr.isatty() and os.environ.get("TERM") not in UNABLE
    except (ValueError, AttributeError):  # closed, or taken away by a tool
        return False


class StatusLine:
    """The last line of stderr. What Python code prints meanwhile is put above it.

    What a child process prints comes behind it on its line: nothing of that is lost either.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._stream: TextIO | None = None
        self._put_raw: Callable[[str], int] = sys.stderr.write
        self._covered: list[TextIO] = []
        self._text = ""
        self._is_visible = False
        self._others_line = False  # somebody has begun a line and not ended it
        self._away = 0
        if hasattr(os, "register_at_fork"):  # a tool may fork while another thread holds the lock
            os.register_at_fork(after_in_child=self._forget)

    def draw(self, text: str) -> None:
        """Show a text, which fits in a line, in place of the last one."""
        with self._lock:
            if self._stream is None:
                self._begin(sys.stderr)
            self._text = text
            self._show()

    def end(self, *, keep: bool = False) -> None:
        """Take the line away, or leave it where it is and go to the next."""
        with self._lock:
            if self._stream is None:
                return
            if keep:
                self._show()
                self._put("\n" if self._is_visible else "")
            else:
                self._hide()
            for stream in self._covered:
                vars(stream).pop("write", None)
            self._covered.clear()
            self._stream, self._text = None, ""
            self._is_visible = self._others_line = False

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Keep the line away while a person is asked, or data is written to the terminal."""
        with self._lock:
            self._hide()
            self._away += 1
        try:
            yield
        finally:
            with self._lock:
                self._away -= 1
                self._others_line = False
                self._show()

    def _write_above(self, text: str, *, write: Callable[[str], int]) -> int:
        """Write somebody's text to the terminal, and draw the line again below it."""
        with self._lock:
            if self._stream is None or not text:
                return write(text)
            self._hide()
            count = write(text)
            self._others_line = not text.endswith("\n")
            self._show()
            return count

    def _forget(self) -> None:
        self._lock = threading.RLock()
        self._stream = None

    def _begin(self, stream: TextIO) -> None:
        """Cover the streams' own `write`: a logger has kept the stream since before."""
        self._stream, self._put_raw = stream, stream.write
        for each in (sys.stdout, sys.stderr):
            with contextlib.suppress(ValueError, AttributeError, TypeError):  # closed, or a tool's
                if each.isatty():
                    covered = functools.partial(self._write_above, write=each.write)
                    vars(each)["write"] = covered
                    self._covered.append(each)

    def _show(self) -> None:
        if self._text and not self._away and not self._others_line:
            self._put(f"\r{self._text}\x1b[K")
            self._is_visible = True

    def _hide(self) -> None:
        if self._is_visible:
            self._put(ERASED)
            self._is_visible = False

    def _put(self, text: str) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError, ValueError):  # closed by a tool, or hung up
                self._put_raw(text)
                self._stream.flush()


STATUS = StatusLine()
