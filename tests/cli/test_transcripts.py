"""Whole commands: exit code, stdout and stderr, exactly.

Each file of transcripts/ holds commands as typed, then their stdout, stderr (`! ` before each
line) and exit code. Set UPDATE_TRANSCRIPTS=1 to write what the commands print now, and read the
difference.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from .runner import Ended, run

TRANSCRIPTS = Path(__file__).parent / "transcripts"
FILES = sorted(TRANSCRIPTS.glob("*.txt"))
UPDATE = bool(os.environ.get("UPDATE_TRANSCRIPTS"))


def blocks(path: Path) -> list[tuple[str, str]]:
    """The commands of a transcript, each with what is expected of it."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n$ ")[1:]:
        command, _, rest = block.partition("\n")
        found.append((command, rest.rstrip("\n")))
    return found


def transcribed(ended: Ended) -> str:
    """What a command left, as a transcript writes it."""
    lines = [*ended.out.splitlines(), *(f"! {line}" for line in ended.err.splitlines())]
    return "\n".join([*lines, f"[exit {ended.code}]"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the folder that the transcripts work in."""
    shutil.copytree(TRANSCRIPTS / "project", tmp_path, dirs_exist_ok=True)
    (tmp_path / "nul.py").write_bytes(b"x = '\0'\n")
    (tmp_path / "latin.py").write_bytes("name = 'caf\xe9'\n".encode("latin-1"))
    (tmp_path / "none").mkdir()
    return tmp_path


def run_line(line: str, cwd: Path) -> Ended:
    """Run a line: `toolkit …`, or `echo TEXT | toolkit …`."""
    piped, bar, command = line.partition(" | ")
    words = shlex.split(command if bar else line)
    stdin = " ".join(shlex.split(piped)[1:]) + "\n" if bar else None
    return run(*words[1:], cwd=cwd, stdin=stdin)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_print_exactly_this(path: Path, project: Path) -> None:
    printed = [(line, transcribed(run_line(line, project))) for line, _ in blocks(path)]
    if UPDATE:
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        text = "".join(f"\n$ {line}\n{seen}\n" for line, seen in printed)
        path.write_text(f"{title}\n{text}", encoding="utf-8")
    assert printed == blocks(path)
