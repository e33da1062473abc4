"""What a pipe, a terminal and the environment make of the same command."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from .runner import run, run_in_terminal

PROJECT = Path(__file__).parent / "transcripts" / "project"
ESCAPE = re.compile(r"\x1b\[")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_pipe_gets_no_colour_and_no_box(project: Path) -> None:
    listed = run("list", "kinds.py", cwd=project)
    assert listed.code == 0
    assert not ESCAPE.search(listed.out + listed.err)
    assert not set(listed.out) & set("─│┌┐└┘━┃╭╮╰╯")


def test_a_terminal_gets_colour(project: Path) -> None:
    assert ESCAPE.search(run_in_terminal("list", cwd=project).out)


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color_and_a_dumb_terminal_get_plain_text(
    project: Path, variables: dict[str, str]
) -> None:
    shown = run_in_terminal("list", cwd=project, **variables)
    assert "greet" in shown.out
    assert not ESCAPE.search(shown.out)


def test_force_color_colours_a_pipe(project: Path) -> None:
    assert ESCAPE.search(run("list", cwd=project, FORCE_COLOR="1").out)


def test_no_color_wins_over_force_color(project: Path) -> None:
    assert not ESCAPE.search(run("list", cwd=project, FORCE_COLOR="1", NO_COLOR="1").out)


def test_an_escape_in_a_result_is_shown_and_not_sent_to_a_terminal(project: Path) -> None:
    shown = run_in_terminal("call", "-t", "kinds.py", "escapes", cwd=project)
    assert "\\x1b[31mred" in shown.out
    assert not ESCAPE.search(shown.out)


def test_an_escape_in_a_result_reaches_a_pipe_as_it_is(project: Path) -> None:
    assert run("call", "-t", "kinds.py", "escapes", cwd=project).out == "\x1b[31mred\n"


def test_the_json_of_every_command_is_one_document(project: Path) -> None:
    for words in (["spec"], ["list", "--json"], ["call", "greet", "--name", "A", "--json"]):
        assert json.loads(run(*words, cwd=project).out)


def test_a_reader_that_stops_early_gets_no_traceback(project: Path) -> None:
    import subprocess
    import sys

    from .runner import environment

    line = f"{sys.executable} -m toolkit spec kinds.py | head -n 1"
    ended = subprocess.run(
        ["bash", "-c", line],
        cwd=project,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert ended.stdout == "[\n"
    assert ended.stderr == ""


def test_stdin_is_the_terminal_for_a_tool_that_reads_it(project: Path) -> None:
    shown = run_in_terminal("call", "-t", "kinds.py", "reads", cwd=project, keys="typed\n\x04")
    assert "'typed\\n'" in shown.out


def test_help_fits_the_width_of_the_terminal(project: Path) -> None:
    shown = run("call", "-t", "kinds.py", "everything", "--help", cwd=project, COLUMNS="60")
    assert max(map(len, shown.out.splitlines())) <= 80


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_offers_commands_and_tools(project: Path, shell: str) -> None:
    def offered(line: str) -> str:
        words = line.split(" ")
        variables = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "_TOOLKIT_COMPLETE": f"complete_{shell}",
        }
        return run(cwd=project, **variables).out

    assert "call" in offered("toolkit ca")
    assert "greet" in offered("toolkit call gr")
    assert "--timeout" in offered("toolkit call --ti")
    assert "fail" not in offered("toolkit call gr")
