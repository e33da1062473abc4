"""Servers that hang in each phase, or flood their stderr: Ctrl-C, deadlines, nothing left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import MARK, ZOO, left

from .runner import environment, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANGS = [sys.executable, str(ZOO / "hangs.py")]
START = ("server/discover", "initialize")


@pytest.fixture
def marked() -> Iterator[list[str]]:
    """The option that marks a server; in the end no process may have the mark."""
    mark = uuid.uuid4().hex
    yield ["--env", f"{MARK}={mark}"]
    until = time.monotonic() + 1
    while left(mark) and time.monotonic() < until:
        os.sched_yield()
    assert left(mark) == []


@pytest.mark.parametrize(
    ("words", "hanging"),
    [
        (["mcp", "info"], START),
        (["lint"], START),
        (["call", "greet"], START),
        (["mcp", "list"], ("tools/list",)),
        (["lint"], ("tools/list",)),
        (["call", "greet"], ("tools/list",)),
        (["call", "greet"], ("tools/call",)),
        (["call", "--json", "greet"], ("tools/call",)),
        (["call", "--repeat", "2", "greet"], ("tools/call",)),
        (["replay", "calls.json"], ("tools/call",)),
        (["mcp", "read", "it://is"], ("resources/read",)),
        (["mcp", "prompt", "it"], ("prompts/list",)),
    ],
    ids=lambda value: "-".join(value).replace("/", "_"),
)
def test_an_interrupt_in_every_phase_ends_at_once_with_130(
    marked: list[str], tmp_path: Path, words: list[str], hanging: tuple[str, ...]
) -> None:
    use = {"toolUseId": "1", "name": "greet", "input": {}}
    recorded = {"role": "assistant", "content": [{"toolUse": use}]}
    (tmp_path / "calls.json").write_text(json.dumps(recorded))
    verbs = 2 if words[0] == "mcp" else 1
    options = [*marked, "--server-log"]
    command = [*words[:verbs], *options, *words[verbs:], "--", *HANGS, *hanging]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", *command],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(HOME=str(tmp_path)),
    )
    assert process.stderr is not None
    assert any(f"asked {hanging[0]}" in line for line in process.stderr)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 2
    assert out == ""
    assert "Traceback" not in said


def test_a_list_that_does_not_come_in_time_names_the_whole_deadline(
    marked: list[str], tmp_path: Path
) -> None:
    words = ["mcp", "list", "--json", *marked, "--timeout", "1.5", "--", *HANGS, "tools/list"]
    ended = run(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert ended.code == 3
    (shown,) = json.loads(ended.out)["servers"]
    assert list(shown["error"]) == [
        "kind", "phase", "message", "exitStatus", "httpStatus", "stderr",
    ]  # fmt: skip
    assert (shown["error"]["kind"], shown["error"]["phase"]) == ("timeout", "list")
    assert "within 1.5 s, while it listed" in shown["error"]["message"]


@pytest.mark.parametrize(
    ("words", "out"), [(["list"], "greet"), (["call", "greet"], "hello")], ids=["list", "call"]
)
def test_a_flood_on_stderr_hinders_nothing_and_is_not_shown(
    marked: list[str], tmp_path: Path, words: list[str], out: str
) -> None:
    command = [words[0], *marked, *words[1:], "--", *HANGS, "flood"]
    ended = run(*command, cwd=tmp_path, HOME=str(tmp_path))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(out)
