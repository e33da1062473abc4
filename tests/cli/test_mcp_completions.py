"""What a server offers for arguments, as help, in hints, and never asked for by a shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO

from .forked import run

if TYPE_CHECKING:
    from pathlib import Path

    from .runner import Ended

SERVER = ["--", sys.executable, str(ZOO / "completing.py")]
ERAS = ["2025-06-18", "2026-07-28"]
eras = pytest.mark.parametrize("era", ERAS)


def do(cwd: Path, era: str, *words: str, more: str = "") -> Ended:
    return run("mcp", *words, *SERVER, era, more, cwd=cwd, HOME=str(cwd))


@eras
def test_the_help_of_a_prompt_lists_what_its_arguments_may_be(era: str, tmp_path: Path) -> None:
    ended = do(tmp_path, era, "prompt", "review", "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "review: Ask for a review.\n"
        "  --language TEXT  What it is written in.  [required]  [one of: python, perl, rust, …]\n"
        "  --framework TEXT\n"
    )


@eras
def test_what_is_missing_is_told_with_what_is_offered(era: str, tmp_path: Path) -> None:
    ended = do(tmp_path, era, "prompt", "review", "--framework", "flask")
    assert ended.code == 2
    assert "needs 'language'" in ended.err
    assert "What it is written in. one of: python, perl, rust, …" in ended.err


@eras
def test_a_value_that_is_refused_is_told_with_the_one_that_was_meant(
    era: str, tmp_path: Path
) -> None:
    near = do(tmp_path, era, "prompt", "review", "--language", "pyton")
    assert (near.code, "did you mean language 'python'?" in near.err) == (1, True), near
    far = do(tmp_path, era, "prompt", "review", "--language", "zzzzzzzz")
    assert "the server offers for language: python, perl, rust, …" in far.err
    words = ["prompt", "review", "--language", "python", "--framework", "flsk"]
    assert "did you mean framework 'flask'?" in do(tmp_path, era, *words).err
    book = do(tmp_path, era, "read", "book://Waldn")
    assert (book.code, "did you mean title 'Walden'?" in book.err) == (1, True), book
    assert do(tmp_path, era, "read", "book://Walden").out == "a book\n"


def test_a_server_that_offers_nothing_is_not_asked(tmp_path: Path) -> None:
    words = ["prompt", "review", "--language", "pyton", "--wire"]
    ended = do(tmp_path, ERAS[0], *words, more="silent")
    assert (ended.code, "did you mean" in ended.err) == (1, False)
    assert "completion/complete" not in ended.err


def test_the_command_itself_has_a_help_too(tmp_path: Path) -> None:
    ended = run("mcp", "prompt", "--help", cwd=tmp_path)
    assert ended.code == 0
    assert "Show the messages of a prompt" in ended.out


def test_a_shell_that_completes_starts_no_server(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    command = f"cmd:touch {mark}"
    asked = {"_TOOLKIT_COMPLETE": "complete_bash", "COMP_CWORD": "5"}
    words = f"toolkit mcp prompt '{command}' review --lang"
    ended = run(cwd=tmp_path, COMP_WORDS=words, **asked)
    assert ended.code == 0
    assert not mark.exists()
