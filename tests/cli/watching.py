"""A `toolkit watch` in a process of its own, by pipes or on a pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.cli.runner import PATIENCE, environment, steady

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Session", "session", "tool_source"]


def tool_source(text: str = "sunny", parameters: str = "city: str", name: str = "weather") -> str:
    return (
        "from toolkit import tool\n\n\n@tool\n"
        f"def {name}({parameters}) -> str:\n"
        '    """Tell the weather."""\n'
        f'    return f"{{city}}: {text}"\n'
    )


class Session:
    """What a running watch has printed so far, and a way to wait for more."""

    def __init__(self, process: subprocess.Popen[bytes], descriptor: int, cwd: Path) -> None:
        self.process = process
        self.cwd = cwd
        self._descriptor = descriptor
        self._shown = b""
        self._read = 0

    @property
    def shown(self) -> str:
        return steady(self._shown.decode(errors="replace"), self.cwd)

    def until(self, text: str) -> str:
        """What is printed from here to the end of the line that holds a text."""
        deadline = time.monotonic() + PATIENCE
        while True:
            new = self.shown[self._read :]
            at = new.find(text)
            end = new.find("\n", at)
            if at >= 0 and end >= 0:
                self._read += end + 1
                return new[: end + 1]
            assert time.monotonic() < deadline, f"no {text!r} in:\n{self.shown}"
            assert self._more(), f"ended without {text!r}:\n{self.shown}"

    def _more(self) -> bool:
        if not select.select([self._descriptor], [], [], 0.5)[0]:
            return True
        try:
            piece = os.read(self._descriptor, 65536)
        except OSError:
            return False
        self._shown += piece
        return bool(piece)

    def event(self, *, lint: bool = False) -> dict[str, Any]:
        """The next event of `--jsonl`; what lint says only where it is asked for."""
        while True:
            line = self.until("\n")
            if line.startswith("{"):
                found: dict[str, Any] = json.loads(line)
                if lint == (found["event"] == "lint"):
                    return found

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C: the exit code, and what was printed after it."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE)
        while self._more():
            continue
        return code, self.shown[self._read :]


@contextmanager
def session(*words: str, cwd: Path, terminal: bool = False, **env: str) -> Iterator[Session]:
    """Run `toolkit watch WORDS`; both streams in one."""
    here, there = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", "watch", *words],
        cwd=cwd,
        stdin=there if terminal else subprocess.DEVNULL,
        stdout=there,
        stderr=there,
        env=environment(**env),
        start_new_session=True,
    )
    os.close(there)
    try:
        yield Session(process, here, cwd)
    finally:
        process.kill()
        process.wait()
        os.close(here)


def without_times(text: str) -> str:
    """The text without what differs from run to run."""
    text = re.sub(r"\d\d:\d\d:\d\d", "HH:MM:SS", text)
    return re.sub(r"in \d+ s\b", "in N s", re.sub(r"\d+ ms", "N ms", text))
