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

__all__ = ["ROOT", "Ended", "run", "run_in_terminal", "write"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """What a command left: its exit code, and both streams as text."""

    code: int
    out: str
    err: str

    def lines(self) -> tuple[int, str, str]:
        """The three of them, to be compared with a snapshot."""
        return self.code, self.out, self.err


def environment(**more: str) -> dict[str, str]:
    """A steady environment: this checkout, no colours asked for, no CI."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR") if key in os.environ}
    return {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONUTF8": "1", **kept, **more}


def run(
    *words: str,
    cwd: Path,
    stdin: str | None = None,
    timeout: float = 30,
    env: dict[str, str] | None = None,
) -> Ended:
    """Run `toolkit WORDS` with pipes; the working folder's own path is shown as `.`."""
    ended = subprocess.run(
        [sys.executable, "-m", "toolkit", *words],
        cwd=cwd,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        env=environment(**(env or {})),
        check=False,
    )
    return Ended(ended.returncode, *(_steady(text, cwd) for text in (ended.stdout, ended.stderr)))


def _steady(text: str, cwd: Path) -> str:
    shown = text.replace(f"{cwd.resolve()}/", "").replace(f"{cwd}/", "")
    return shown.replace(sys.executable, "PYTHON")


def run_in_terminal(
    *words: str,
    cwd: Path,
    keys: bytes = b"",
    timeout: float = 30,
    env: dict[str, str] | None = None,
) -> Ended:
    """Run with a pseudo-terminal as all three streams; what it showed is `out`."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", *words],
        cwd=cwd,
        stdin=there,
        stdout=there,
        stderr=there,
        env=environment(TERM="xterm-256color", **(env or {})),
        start_new_session=True,
    )
    os.close(there)
    if keys:
        os.write(here, keys)
    shown = _read_all(here, time.monotonic() + timeout)
    code = process.wait(timeout=timeout)
    os.close(here)
    return Ended(code, _steady(shown.decode().replace("\r\n", "\n"), cwd), "")


def _read_all(descriptor: int, deadline: float) -> bytes:
    shown = b""
    while time.monotonic() < deadline:
        ready, _, _ = select.select([descriptor], [], [], 0.5)
        if not ready:
            continue
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # the other side has closed
            return shown
        if not piece:
            return shown
        shown += piece
    raise TimeoutError(shown.decode(errors="replace"))


def write(folder: Path, **files: str) -> Path:
    """Write `name="text"` as name.py (two underscores stand for a slash)."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
