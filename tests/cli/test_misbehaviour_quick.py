"""A tool that ends, whatever it did to the process, lets the command end with its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .bounded import UNRULY, bounded, usual

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["usual"]  # a fixture

BAD = str(UNRULY)
QUICK = [
    ("sys_exit", 1, "Error: SystemExit: 3\n"),
    ("cancelled", 1, "Error: CancelledError\n"),
    ("base", 1, "Error: Odd\n"),
    ("recurse", 1, "Error: RecursionError: maximum recursion depth exceeded\n"),
    ("keyboard", 130, ""),
    ("os_exit", 7, ""),
    ("nondaemon", 0, "left\n"),
    ("executor_left", 0, "left\n"),
    ("exit_function_hangs", 0, "left\n"),
    ("chdir", 0, "/\n"),
    ("handlers", 0, "only the main thread may\n"),
    ("close_out", 0, "closed\n"),
    ("close_err", 0, "closed\n"),
    ("replace_out", 0, "replaced\n"),
    ("recursion_limit", 0, "set\n"),
    ("big", 0, f"{1 << 30}\n"),
    ("itself", 0, "<tool itself>\n"),
    ("own_loop", 0, "5\n"),
    ("fork", 0, "[1]\n"),
    ("report_late", 0, "ok\n"),
]


@pytest.mark.parametrize(("name", "code", "out"), QUICK)
def test_a_tool_that_ends_lets_the_command_end(
    name: str, code: int, out: str, usual: float, tmp_path: Path
) -> None:
    ended = bounded("call", "-t", BAD, name, folder=tmp_path)
    assert (ended.code, ended.out) == (code, out), ended.err
    assert "Fatal Python error" not in ended.err
    assert "never retrieved" not in ended.err
    assert ended.seconds < 2 * usual + 1
