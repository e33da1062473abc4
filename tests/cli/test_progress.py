"""Progress on a terminal: a bar that is drawn again, keeps out of others' way and hides nothing."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp.conftest import ZOO
from toolkit.cli.render.progress import Measure, measured
from toolkit.cli.statusline import StatusLine, can_draw

from .runner import run, run_in_terminal
from .screen import screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOOLS = '''
import asyncio
import logging
import os
import sys

from toolkit import ToolContext, tool

LOG = logging.StreamHandler()  # keeps the stream as it is before any bar


@tool
async def climb(context: ToolContext, fails: bool = False, talks: bool = False) -> str:
    """Climb three steps, and take a moment for each."""
    for step in (1, 2, 3):
        told = {"progress": step, "total": 4, "message": f"step \\x1b[31m{step}\\nnow"}
        await context.emit(told)
        await asyncio.sleep(0.25)
        if talks:
            print("printed", step)
            logging.getLogger("mine").addHandler(LOG)
            logging.getLogger("mine").warning("logged %d", step)
    if fails:
        raise ValueError("no fourth step")
    return "up"


@tool
async def count(context: ToolContext) -> str:
    """Tell things that are no measure."""
    for value in ("words", {"progress": 1, "unit": "km"}, [1]):
        await context.emit(value)
        await asyncio.sleep(0.15)
    return "counted"


@tool
async def confide(context: ToolContext) -> str:
    """Tell a secret."""
    await context.emit({"progress": 1, "message": os.environ["PASS_WORD"]})
    await asyncio.sleep(0.25)
    return "told"
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(TOOLS, "utf-8")
    return tmp_path


def call(*words: str) -> list[str]:
    return ["call", "-t", "mine.py", *words]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"progress": 2, "total": 4}, Measure(2, 4)),
        ({"progress": 2, "total": 4, "message": "on"}, Measure(2, 4, "on")),
        ({"progress": 0.5, "total": 1}, Measure(0.5, 1)),
        ({"progress": 7}, Measure(7, None)),
        ({"progress": 7, "total": None, "message": None}, Measure(7, None)),
        ({"progress": 7, "total": 0}, Measure(7, None)),
        ({"progress": 7, "total": -1}, Measure(7, None)),
        ({"progress": 9, "total": 4}, Measure(9, 4)),
        ({"progress": -1, "total": 4}, Measure(-1, 4)),
        ({"progress": True}, None),
        ({"progress": "2"}, None),
        ({"progress": float("nan")}, None),
        ({"progress": float("inf")}, None),
        ({"progress": 10**400}, None),
        ({"progress": 1, "total": "4"}, None),
        ({"progress": 1, "total": float("nan")}, None),
        ({"progress": 1, "message": ["a"]}, None),
        ({"progress": 1, "unit": "km"}, None),
        ({"total": 4}, None),
        ({}, None),
        ("2/4", None),
        ([1], None),
        (None, None),
    ],
)
def test_only_a_value_of_the_protocols_shape_is_a_measure(
    value: Any, expected: Measure | None
) -> None:
    assert measured(value) == expected


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (Measure(2.0, 4.0), "2/4"),
        (Measure(0.25, 1.0), "25%"),
        (Measure(2.5, 4.0), "2.50/4"),
        (Measure(7.0, None), "7"),
        (Measure(1e300, None), "1e+300"),
        (Measure(123456789.0, 987654321.0), "123456789/987654321"),
    ],
)
def test_a_measure_is_told_shortly(measure: Measure, told: str) -> None:
    assert measure.fraction == told


def test_a_terminal_shows_a_bar_that_the_result_replaces(folder: Path) -> None:
    ended = run_in_terminal(*call("climb"), cwd=folder)
    assert ended.code == 0
    for step in (1, 2, 3):
        assert f"{step}/4" in ended.out
        assert f"step \\x1b[31m{step} now" in ended.out
    assert "\x1b[31m" not in ended.out
    assert screen(ended.out) == ["up", ""]


def test_a_call_that_fails_leaves_the_bar_where_it_stopped(folder: Path) -> None:
    ended = run_in_terminal(*call("climb", "--fails"), cwd=folder, NO_COLOR="1")
    assert ended.code == 1
    bar, error, *_ = screen(ended.out)
    assert bar.startswith("climb ━")
    assert "3/4" in bar
    assert error == "Error: ValueError: no fourth step"


def test_a_call_that_its_deadline_ends_leaves_the_bar_too(folder: Path) -> None:
    ended = run_in_terminal(*call("climb", "--timeout", "0.4"), cwd=folder)
    assert ended.code == 1
    bar, error, *_ = screen(ended.out)
    assert "2/4" in bar
    assert "timed out" in error


def test_ctrl_c_leaves_the_bar_and_ends_its_line(folder: Path) -> None:
    ended = run_in_terminal(*call("climb"), cwd=folder, keys="\x03", after="1/4")
    assert ended.code == 130
    bar, *rest = screen(ended.out)
    assert "1/4" in bar
    assert rest == ["interrupted", ""]


def test_what_python_prints_and_logs_meanwhile_stands_above_the_bar(folder: Path) -> None:
    ended = run_in_terminal(*call("climb", "--talks"), cwd=folder)
    told = [line for step in (1, 2, 3) for line in (f"printed {step}", f"logged {step}")]
    assert screen(ended.out) == [*told, "up", ""]


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"COLUMNS": "20"}, {"COLUMNS": "1"}])
def test_a_bar_needs_no_colours_and_fits_in_the_line(env: dict[str, str], folder: Path) -> None:
    ended = run_in_terminal(*call("climb"), cwd=folder, **env)
    assert screen(ended.out) == ["up", ""]
    width = int(env.get("COLUMNS", "100"))
    drawn = [line for line in ended.out.replace("\x1b[K", "").split("\r") if "━" in line]
    assert all(len(screen(line)[0]) < width for line in drawn)
    if "NO_COLOR" in env:
        assert "\x1b[3" not in ended.out


def test_any_other_value_is_a_line(folder: Path) -> None:
    ended = run_in_terminal(*call("count"), cwd=folder)
    lines = ["… words", '… {"progress": 1, "unit": "km"}', "… [1]", "counted", ""]
    assert screen(ended.out) == lines


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": "unknown"}])
def test_a_terminal_that_can_draw_nothing_gets_lines(env: dict[str, str], folder: Path) -> None:
    ended = run_in_terminal(*call("climb"), cwd=folder, **env)
    assert "\x1b" not in ended.out
    assert ended.out.count("… {") == 3


def test_a_pipe_gets_a_line_for_each_message(folder: Path) -> None:
    ended = run(*call("climb"), cwd=folder, FORCE_COLOR="1")
    assert ended.out == "up\n"
    assert ended.err.count("… {") == 3
    assert "━" not in ended.err


def test_events_are_all_there_for_a_program_on_a_terminal(folder: Path) -> None:
    ended = run_in_terminal(*call("climb", "--jsonl"), cwd=folder)
    events = [json.loads(line) for line in screen(ended.out) if line]
    assert [event["event"] for event in events] == ["progress"] * 3 + ["result"]


def test_a_bar_hides_what_is_secret(folder: Path) -> None:
    """The servers' own secrets are known once a target of theirs is on the line."""
    server = {"command": sys.executable, "args": [str(ZOO / "many.py")], "env": {"K": "s3cretword"}}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"many": server}}), "utf-8")
    words = ["call", "-t", "mine.py", "-t", "mcp:many", "confide"]
    ended = run_in_terminal(*words, cwd=folder, PASS_WORD="s3cretword")
    assert "***" in ended.out
    assert "s3cretword" not in ended.out


def test_a_question_in_the_middle_has_the_line_to_itself(tmp_path: Path) -> None:
    server = f"cmd:{shlex.join([sys.executable, str(ZOO / 'measuring.py')])}"
    words = ["call", "-t", server, "travel"]
    ended = run_in_terminal(*words, cwd=tmp_path, keys="Rome\n", HOME=str(tmp_path))
    assert ended.code == 0, ended.out
    for told in ("1/2", "2/2", "city (string) Where to?: "):
        assert told in ended.out
    assert not [line for line in screen(ended.out) if "━" in line]


def test_the_bar_of_a_replay_counts_the_calls_and_tells_of_the_latest(folder: Path) -> None:
    uses = [{"toolUse": {"toolUseId": f"t{n}", "name": "climb", "input": {}}} for n in (1, 2)]
    turns = [{"role": "assistant", "content": [use]} for use in uses]
    (folder / "said.json").write_text(json.dumps(turns), "utf-8")
    ended = run_in_terminal("replay", "said.json", "-t", "mine.py", cwd=folder)
    assert ended.code == 0
    assert "0/2" in ended.out
    assert "1/2" in ended.out
    assert "climb (t2) 3/4 step" in ended.out
    assert not [line for line in screen(ended.out) if "━" in line]


def test_the_bar_of_a_repetition_counts_the_calls_and_a_pipe_has_none(folder: Path) -> None:
    words = call("climb", "--repeat", "3", "--concurrency", "1")
    ended = run_in_terminal(*words, cwd=folder)
    assert "1/3" in ended.out
    assert screen(ended.out)[0].startswith("3 calls")
    assert run(*words, cwd=folder).err == ""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> list[str]:
        """The lines on its screen."""
        return screen(self.getvalue())


@contextlib.contextmanager
def one_terminal() -> Iterator[tuple[StatusLine, Terminal]]:
    """A line on a terminal that is behind both streams."""
    terminal = Terminal()
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        yield StatusLine(), terminal


def test_a_line_is_drawn_over_itself_and_taken_away() -> None:
    with one_terminal() as (line, terminal):
        line.draw("a long first text")
        line.draw("second")
        assert terminal.shown == ["second"]
        line.end()
        assert terminal.shown == [""]
        line.end(keep=True)
        assert terminal.shown == [""]


def test_a_line_that_is_kept_ends() -> None:
    with one_terminal() as (line, terminal):
        line.draw("half way")
        line.end(keep=True)
        sys.stderr.write("error\n")
        assert terminal.shown == ["half way", "error", ""]


def test_a_line_that_somebody_has_begun_is_left_alone_until_it_ends() -> None:
    with one_terminal() as (line, terminal):
        line.draw("bar 1")
        sys.stdout.write("loading")
        line.draw("bar 2")
        sys.stdout.write(" ...")
        assert terminal.shown == ["loading ..."]
        sys.stdout.writelines([" done", "\n"])
        assert terminal.shown == ["loading ... done", "bar 2"]


def test_a_person_who_is_asked_has_the_line() -> None:
    with one_terminal() as (line, terminal):
        line.draw("bar")
        with line.away():
            sys.stderr.write("city? ")
            line.draw("bar 2")
            assert terminal.shown == ["city?"]
            sys.stderr.write("Rome\n")
        assert terminal.shown == ["city? Rome", "bar 2"]


def test_the_streams_are_their_own_again_once_the_line_has_ended() -> None:
    with one_terminal() as (line, terminal):
        line.draw("bar")
        kept = sys.stderr.write
        line.end()
        assert "write" not in vars(terminal)
        kept("late\n")
        assert terminal.shown == ["late", ""]


def test_a_terminal_that_has_gone_is_no_error() -> None:
    with one_terminal() as (line, terminal):
        line.draw("bar")
        terminal.close()
        line.draw("bar 2")
        line.end(keep=True)
    with contextlib.redirect_stderr(None):
        assert not can_draw()


def test_a_stream_that_a_tool_has_put_in_place_is_left_alone() -> None:
    class Odd:
        __slots__ = ("written",)

        def __init__(self) -> None:
            self.written = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            self.written += text
            return len(text)

    odd: Any = Odd()
    with one_terminal() as (line, terminal), contextlib.redirect_stdout(odd):
        line.draw("bar")
        sys.stdout.write("x")
        line.end()
        assert odd.written == "x"
        assert terminal.shown == [""]
