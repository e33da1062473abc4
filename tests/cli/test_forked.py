"""A command that is forked is one that was started: the same streams, the same exit code."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO
from toolkit.cli.children import children, end_children

from . import forked, runner

if TYPE_CHECKING:
    from pathlib import Path

SERVER = f"cmd:{shlex.join([sys.executable, str(ZOO / 'many.py')])}"


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["spec", "mine.py"],
        ["call", "-t", "mine.py", "twice", "--n", "21"],
        ["call", "-t", "mine.py", "twice", "--input", "-"],
        ["call", "-t", "mine.py", "twice", "--m", "1"],
        ["list", "nothing.py"],
        ["mcp", "list", SERVER, "--json"],
        ["call", "-t", SERVER, "progressing"],
    ],
    ids=" ".join,
)
def test_a_forked_command_does_what_a_started_one_does(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\n\nfrom toolkit import tool\n\n\n@tool\ndef twice(n: int) -> str:\n"
        '    """Double it."""\n    print("printed")\n    return os.environ["MARK"] * n\n'
    )
    how = {"cwd": tmp_path, "stdin": '{"n": 2}', "HOME": str(tmp_path), "MARK": "ü"}
    assert forked.run(*words, **how) == runner.run(*words, **how)  # type: ignore[arg-type]


def test_what_ends_the_children_of_the_tests_leaves_the_forking_process(tmp_path: Path) -> None:
    assert forked.run("--version", cwd=tmp_path).code == 0
    assert children() == []
    end_children()
    assert forked.run("--version", cwd=tmp_path).code == 0
