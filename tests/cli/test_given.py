"""What people's files and pipes hold beside the tool: marks, odd bytes, loops of their own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from toolkit.config import Config
from toolkit.targets import open_targets

from .runner import environment, run

if TYPE_CHECKING:
    from pathlib import Path

MARK = b"\xef\xbb\xbf"  # a byte order mark, with which some editors and shells begin
MODULE = """\
import asyncio

from toolkit import tool

HERE = asyncio.get_event_loop()
GIVEN = asyncio.run(asyncio.sleep(0, "ready"))


@tool
def say(text: str) -> str:
    '''Say it.'''
    return f"{GIVEN} {text}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "input.json").write_bytes(MARK + b'{"text": "x"}')
    (tmp_path / "text.txt").write_bytes(MARK + b"x")
    return tmp_path


@pytest.mark.parametrize(
    "words", [("--input", "@input.json"), ("text=@text.txt",), ("--input", "\ufeff{}", "--help")]
)
def test_a_byte_order_mark_is_no_part_of_what_is_given(
    folder: Path, words: tuple[str, ...]
) -> None:
    ended = run("call", "-t", "mine.py", "say", *words, cwd=folder)
    assert ended.code == 0, ended.err
    assert ended.out == "ready x\n" or "--text" in ended.out


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (MARK + b'{"text": "x"}', 0, b"ready x"),
        (b'{"text": "\xff"}', 2, b"error: can't read stdin: it is not UTF-8"),
    ],
)
def test_an_input_on_stdin_is_read_as_a_file_is(
    folder: Path, data: bytes, code: int, said: bytes
) -> None:
    words = ["call", "-t", "mine.py", "say", "--input", "-"]
    ended = subprocess.run(
        [sys.executable, "-m", "toolkit", *words],
        cwd=folder,
        input=data,
        capture_output=True,
        timeout=60,
        env=environment(),
        check=False,
    )
    assert (ended.returncode, (ended.stdout or ended.stderr).strip()) == (code, said)


def test_a_configuration_may_begin_with_a_mark(folder: Path) -> None:
    (folder / "pyproject.toml").write_bytes(MARK + b'[tool.toolkit]\nsources = ["mine.py"]\n')
    ended = run("list", "--json", cwd=folder)
    assert (ended.code, ended.err) == (0, "")


def test_a_module_may_run_a_loop_while_it_is_imported(folder: Path) -> None:
    async def names() -> list[str]:
        async with open_targets([str(folder / "mine.py")], Config(root=folder)) as opened:
            return list(opened.registry.names)

    assert asyncio.run(names()) == ["say"]
