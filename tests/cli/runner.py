"""Run whole commands in a process of their own, as a person or a script does."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "Ended", "environment", "run", "run_in_terminal", "steady"]

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds for any one command: a bound, never a measure


@dataclass(frozen=True)
class Ended:
    """What a command left: its exit code, and both streams as text."""

    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """A steady environment: this checkout, no colours asked for, no CI."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR") if key in os.environ}
    return {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONUTF8": "1", **kept, **more}


def run(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> Ended:
    """Run `toolkit WORDS` with pipes."""
    ended = subprocess.run(
        [sys.executable, "-m", "toolkit", *words],
        cwd=cwd,
        input=stdin or "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        env=environment(**env),
        check=False,
    )
    return Ended(ended.returncode, steady(ended.stdout, cwd), steady(ended.stderr, cwd))


def steady(text: str, cwd: Path) -> str:
    """The text without what differs from machine to machine."""
    shown = text.replace(f"{cwd.resolve()}/", "").replace(f"{cwd}/", "")
    return shown.replace(sys.executable, "PYTHON").replace("\r\n", "\n")


def run_in_terminal(*words: str, cwd: Path, keys: str = "", after: str = "", **env: str) -> Ended:
    """Run with a pseudo-terminal as all three streams; what it showed is `out`.

    The keys are pressed at the start, or once the terminal has shown `after`.
    """
    here, there = pty.openpty()
    # the first terminal that a session opens is its own: its keys become signals
    opening = ["/bin/sh", "-c", 'exec "$@" 0<>"$0"', os.ttyname(there)]
    process = subprocess.Popen(
        [*opening, sys.executable, "-m", "toolkit", *words],
        cwd=cwd,
        stdin=there,
        stdout=there,
        stderr=there,
        env=environment(**{"TERM": "xterm-256color", **env}),
        start_new_session=True,
    )
    os.close(there)
    shown = _read_all(here, until=after) if after else b""
    os.write(here, keys.encode())
    shown += _read_all(here)
    code = process.wait(timeout=PATIENCE)
    os.close(here)
    return Ended(code, steady(shown.decode(), cwd), "")


def _read_all(descriptor: int, *, until: str = "") -> bytes:
    shown = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if until and until.encode() in shown:
            return shown
        if not select.select([descriptor], [], [], 0.5)[0]:
            continue
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # the other side has closed
            return shown
        shown += piece
    raise TimeoutError(shown.decode(errors="replace"))
