"""Ctrl-C ends at once with 130, SIGTERM with 143, whatever runs; and nothing is left running."""

from __future__ import annotations

import contextlib
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from .bounded import UNRULY, start

if TYPE_CHECKING:
    from pathlib import Path

BAD = str(UNRULY)
AT_ONCE = 1.5  # seconds, on a machine that does other things too


TERM, INT = signal.SIGTERM, signal.SIGINT


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *((name, INT) for name in ("hang", "deaf", "block", "spin", "in_c", "a_gen_hang")),
        *((name, TERM) for name in ("hang", "block")),
    ],
)
def test_a_signal_ends_whatever_runs(name: str, number: signal.Signals, tmp_path: Path) -> None:
    running = start("call", "-t", BAD, name, folder=tmp_path)
    running.until_it_says("begun")
    running.signal(number)
    ended = running.end()
    assert ended.code == 128 + number
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert ended.seconds < AT_ONCE
    if name == "a_gen_hang":
        assert "closed" in ended.err  # a generator has the moment that its finally needs


@pytest.mark.parametrize("name", ["child_wait", "a_child_wait"])
def test_children_end_with_the_command(name: str, tmp_path: Path) -> None:
    running = start("call", "-t", BAD, name, folder=tmp_path)
    running.until_it_says("begun")
    running.signal(signal.SIGINT)
    assert running.process.wait(20) == 130
    left = running.left()
    assert running.end().seconds < AT_ONCE
    assert left == []


def test_a_second_ctrl_c_changes_nothing(tmp_path: Path) -> None:
    running = start("call", "-t", BAD, "deaf", folder=tmp_path)
    running.until_it_says("begun")
    running.signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.process.wait(0.05)  # a person's finger is no faster
    running.signal(signal.SIGINT)
    ended = running.end()
    assert ended.code == 130
    assert "Traceback" not in ended.err


def test_ctrl_c_in_a_repetition_ends_it(tmp_path: Path) -> None:
    words = ["call", "-t", BAD, "--repeat", "20", "--concurrency", "4", "hang"]
    running = start(*words, folder=tmp_path)
    running.until_it_says("begun")
    running.signal(signal.SIGINT)
    ended = running.end()
    assert (ended.code, ended.out) == (130, "")
    assert ended.seconds < AT_ONCE
