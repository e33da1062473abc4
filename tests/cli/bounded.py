"""Run a command of which nothing good is known: with files for its streams, a bound, a signal."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from .runner import environment

__all__ = ["UNRULY", "Outcome", "Running", "bounded", "start", "usual"]

UNRULY = Path(__file__).parent / "unruly" / "bad.py"
PATIENCE = 20.0  # seconds: no command of these tests comes near


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and the seconds that it took (since the signal, where one was sent)."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass
class Running:
    """A command on its way, the leader of a group of its own."""

    process: subprocess.Popen[bytes]
    folder: Path
    since: float

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text("utf-8", errors="replace")

    def until_it_says(self, text: str) -> None:
        """Wait till the text stands in what it wrote to stderr."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.err:
            assert time.monotonic() < deadline, self.err
            assert self.process.poll() is None, self.err
            time.sleep(0.01)

    def signal(self, number: int) -> None:
        self.since = time.monotonic()
        self.process.send_signal(number)

    def end(self) -> Outcome:
        """Wait for the end; nothing of the command outlives this."""
        try:
            code = self.process.wait(PATIENCE)
            seconds = time.monotonic() - self.since
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        out = (self.folder / "out").read_text("utf-8", errors="replace")
        return Outcome(code, out, self.err, seconds)

    def left(self) -> list[int]:
        """The processes of its group that still run."""
        found = []
        for entry in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, group = entry.read_text().rpartition(")")[2].split()[:3]
                if int(group) == self.process.pid and state != "Z":
                    found.append(int(entry.parent.name))
        return found


def start(*words: str, folder: Path, stdin: int = subprocess.DEVNULL) -> Running:
    """Start `toolkit WORDS` in the folder, its streams going to files there."""
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "toolkit", *words],
            cwd=folder,
            stdin=stdin,
            stdout=out,
            stderr=err,
            env=environment(),
            start_new_session=True,
        )
    return Running(process, folder, time.monotonic())


def bounded(*words: str, folder: Path, stdin: int = subprocess.DEVNULL) -> Outcome:
    """Run `toolkit WORDS` to its end."""
    return start(*words, folder=folder, stdin=stdin).end()


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> float:
    """The seconds that a command takes whose tool does nothing."""
    folder = tmp_path_factory.mktemp("usual")
    return min(
        bounded("call", "-t", str(UNRULY), "own_loop", folder=folder).seconds for _ in range(2)
    )
