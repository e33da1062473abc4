"""A command with a person at it: a terminal of its own, whose keys send what they send."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

from .runner import PATIENCE, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["CTRL_C", "Keyboard", "at_a_keyboard"]

CTRL_C = "\x03"


class Keyboard:
    """What a command has shown so far, and keys for it."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self._shown = b""

    @property
    def shown(self) -> str:
        return self._shown.decode(errors="replace").replace("\r\n", "\n")

    def until(self, text: str) -> None:
        """Wait till the text is shown."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"no {text!r} in:\n{self.shown}"
            assert self._more(), f"ended without {text!r}:\n{self.shown}"

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def end(self) -> tuple[int, float]:
        """Wait for the end: the exit code, and the seconds that it took."""
        since = time.monotonic()
        while self._more():
            assert time.monotonic() - since < PATIENCE, self.shown
        return self.process.wait(PATIENCE), time.monotonic() - since

    def _more(self) -> bool:
        if not select.select([self._terminal], [], [], 0.1)[0]:
            return self.process.poll() is None
        try:
            piece = os.read(self._terminal, 65536)
        except OSError:  # nobody holds the other side any more
            return False
        self._shown += piece
        return bool(piece)


@contextlib.contextmanager
def at_a_keyboard(*words: str, cwd: Path, **env: str) -> Iterator[Keyboard]:
    """Run `toolkit WORDS` in the foreground of a terminal of its own."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", *words],
        cwd=cwd,
        stdin=there,
        stdout=there,
        stderr=there,
        env=environment(TERM="xterm-256color", **env),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - a single thread
    )
    os.close(there)
    try:
        yield Keyboard(process, here)
    finally:
        process.kill()
        process.wait()
        os.close(here)
