"""A tool may do what it likes: the command ends in time, with its code and its data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .bounded import UNRULY, Outcome, bounded, start, usual
from .runner import environment

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["usual"]  # a fixture

DEADLINE = 0.4
BAD = str(UNRULY)


def late(name: str) -> str:
    return f"'{name}' timed out: no result within {DEADLINE:g} seconds\n"


HANGS = [
    "hang",
    "a_hang",
    "deaf",
    "block",
    "in_c",
    "gen_hang",
    "a_gen_hang",
    "child_wait",
    "to_thread_hang",
    "no_faulthandler",
]


@pytest.mark.parametrize("name", HANGS)
def test_a_tool_that_hangs_ends_at_its_deadline_with_its_error(
    name: str, usual: float, tmp_path: Path
) -> None:
    running = start("call", "-t", BAD, "--timeout", str(DEADLINE), name, folder=tmp_path)
    code = running.process.wait(20)
    left = running.left()
    ended = running.end()
    assert (code, ended.out) == (1, late(name))
    assert "begun" in ended.err
    assert "Traceback" not in ended.err
    assert left == []
    assert ended.seconds < 2 * usual + DEADLINE + 1


def test_c_code_that_never_gives_python_its_turn_ends_too(usual: float, tmp_path: Path) -> None:
    ended = bounded("call", "-t", BAD, "--timeout", str(DEADLINE), "a_in_c", folder=tmp_path)
    assert ended.code == 1
    assert ended.seconds < 2 * usual + DEADLINE + 1.5


def test_a_tool_that_cancels_its_own_task_is_an_error(usual: float, tmp_path: Path) -> None:
    ended = bounded("call", "-t", BAD, "--timeout", "30", "cancels_itself", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "Error: CancelledError\n")
    assert ended.seconds < 2 * usual + 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("blocks_past_its_own", []),
        ("blocks_past_its_own", ["--timeout", "1000"]),
        ("has_long", ["--timeout", "0.4"]),
    ],
)
def test_the_shorter_of_the_tools_own_deadline_and_the_commands_ends_it(
    name: str, words: list[str], usual: float, tmp_path: Path
) -> None:
    ended = bounded("call", "-t", BAD, *words, name, folder=tmp_path)
    assert (ended.code, ended.out) == (1, late(name))
    assert ended.seconds < 2 * usual + DEADLINE + 1


def test_what_a_tool_leaves_running_is_said(usual: float, tmp_path: Path) -> None:
    running = start("call", "-t", BAD, "child_left", folder=tmp_path)
    assert running.process.wait(20) == 0
    left = running.left()
    ended = running.end()
    assert ended.out == "left\n"
    assert "warning: the tool left processes running: " in ended.err
    said = ended.err.partition("running: ")[2].split("\n")[0]
    assert set(map(int, said.split(", "))) <= set(left)
    assert ended.seconds < 2 * usual + 1


def test_what_a_tool_and_its_children_print_goes_to_stderr(tmp_path: Path) -> None:
    ended = bounded("call", "-t", BAD, "prints", "--json", folder=tmp_path)
    assert json.loads(ended.out)["content"] == [{"text": "data"}]
    lines = ended.err.splitlines()
    assert {"printed", "written", "raw", "shell", "child", "python", "said"} == set(lines)


def test_a_tool_that_prints_much_is_not_held_up(tmp_path: Path) -> None:
    ended = bounded("call", "-t", BAD, "prints_much", folder=tmp_path)
    assert ended.out == "data\n"
    assert ended.err.count("x" * 100) == 2000


def piped(name: str, folder: Path) -> Outcome:
    reading, writing = os.pipe()
    os.write(writing, b"never for the tool\n")
    try:
        return bounded("call", "-t", BAD, "--timeout", "5", name, folder=folder, stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("name", "code", "out"),
    [
        ("reads", 0, "''\n"),
        ("child_reads", 0, "b''\n"),
        ("asks", 1, "Error: EOFError: EOF when reading a line\n"),
    ],
)
def test_a_tool_that_reads_stdin_gets_its_end(
    name: str, code: int, out: str, usual: float, tmp_path: Path
) -> None:
    ended = piped(name, tmp_path)
    assert (ended.code, ended.out) == (code, out)
    assert ended.seconds < 2 * usual + 1


def test_an_exception_in_a_fork_of_ours_does_not_answer_for_the_parent(tmp_path: Path) -> None:
    ended = bounded("call", "-t", BAD, "--timeout", "10", "forks_and_raises", folder=tmp_path)
    assert ended.code == 0
    assert ended.out.count("parent") == 1


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with (tmp_path / "err").open("wb") as err:
        code = subprocess.call(
            [sys.executable, "-m", "toolkit", "call", "-t", BAD, "own_loop"],
            stdout=writing,
            stderr=err,
            env=environment(),
            cwd=tmp_path,
        )
    os.close(writing)
    assert "Traceback" not in (tmp_path / "err").read_text()
    assert code in (0, 141)
