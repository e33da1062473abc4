"""What `call` shows and keeps: a trace, progress, lines of JSON, files, a state, latencies."""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from toolkit.cli.repeating import Latencies

from .bounded import UNRULY
from .runner import run, run_in_terminal

if TYPE_CHECKING:
    from pathlib import Path

BAD = str(UNRULY)
TIME = re.compile(r"\d+\.\d\d ms")


def traced(err: str) -> list[str]:
    return [TIME.sub("T", line) for line in err.splitlines()]


def test_a_trace_is_a_tree_of_steps_with_times_conversions_and_ignored_arguments(
    tmp_path: Path,
) -> None:
    given = json.dumps({"items": "[1, 2]", "item": 3})
    ended = run("call", "-t", BAD, "adds", "--trace", "--input", given, cwd=tmp_path)
    assert ended.code == 0
    assert traced(ended.err)[3:9] == [
        "adds (success, T)",
        "├─ look up  T",
        "├─ validate  T",
        "│  ├─ converted items: JSON text was parsed",
        "│  └─ ignored item: unknown argument, ignored; did you mean 'items'?",
        "├─ run  T",
    ]


@pytest.mark.parametrize(
    ("words", "tree"),
    [
        (
            ["fails"],
            ["fails (error, T)", "├─ look up  T", "├─ validate  T", "└─ ValueError  T"],
        ),
        (
            ["fails", "--input", '{"n": "many"}'],
            ["fails (error, T)", "├─ look up  T", "└─ InvalidInputError  T"],
        ),
        (
            ["hang", "--timeout", "0.2"],
            ["hang (error, T)", "├─ look up  T", "├─ validate  T", "└─ ToolTimeoutError  T"],
        ),
    ],
)
def test_a_trace_of_a_failure_ends_with_its_kind(
    words: list[str], tree: list[str], tmp_path: Path
) -> None:
    ended = run("call", "-t", BAD, *words, "--trace", cwd=tmp_path)
    assert ended.code == 1
    shown = [line for line in traced(ended.err) if line != "begun"]
    assert shown[: len(tree)] == tree


def test_progress_is_told_on_stderr_and_the_state_is_what_the_context_holds(
    tmp_path: Path,
) -> None:
    (tmp_path / "state.json").write_text('{"user": "ü"}', encoding="utf-8")
    words = ["call", "-t", BAD, "adds", "--items", "1", "--state", "@state.json"]
    ended = run(*words, cwd=tmp_path)
    assert json.loads(ended.out) == {"sum": 1, "state": {"user": "ü"}}
    assert ended.err.splitlines()[0] == "… 1"


def test_lines_of_json_hold_each_event_and_the_result_last(tmp_path: Path) -> None:
    ended = run("call", "-t", BAD, "adds", "--items", "1", "--items", "2", "--jsonl", cwd=tmp_path)
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert [line["event"] for line in lines] == ["progress", "progress", "progress", "result"]
    assert [line["value"] for line in lines[:2]] == [1, 2]
    assert lines[-1]["status"] == "success"
    assert json.loads(lines[-1]["content"][0]["text"])["sum"] == 3


def test_images_and_documents_are_saved_inside_the_folder_alone(tmp_path: Path) -> None:
    ended = run("call", "-t", BAD, "files", "--save", "out", cwd=tmp_path)
    assert ended.code == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in files} == {
        "out/1-image.png": b"\x89PNG\r\n\x1a\n123",
        "out/2-___a_report.pdf": b"%PDF",
        "out/3-audio.mp3": b"x",
        "out/4-image.______up": b"y",
        "out/5-q1.csv": b"1,2",
        "out/6-resource": b"dots",
        f"out/7-{'long' * 15}": "w\u00f6rter".encode(),
    }


def test_a_folder_that_cant_be_written_is_told_behind_the_result(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    ended = run("call", "-t", BAD, "files", "--save", "out", cwd=tmp_path)
    assert ended.code == 2
    assert ended.out.endswith("text\n")
    assert "can't write into 'out'" in ended.err


def test_a_repetition_counts_its_calls_and_failures_by_kind(tmp_path: Path) -> None:
    words = ["call", "-t", BAD, "sometimes", "--repeat", "10", "--concurrency", "3"]
    machine = run(*words, "--json", cwd=tmp_path)
    found = json.loads(machine.out)
    assert machine.code == 1
    assert found["calls"] == 10
    assert found["failures"] == {"KeyError": 3, "ValueError": 2}
    times = found["milliseconds"]
    assert 0 < times["p50"] <= times["p90"] <= times["p99"] <= times["max"]
    person = run(*words, cwd=tmp_path)
    lines = [re.sub(r"[\d.]+ (ms|a second)", r"T \1", line) for line in person.out.splitlines()]
    assert [" ".join(line.split()) for line in lines] == [
        "10 calls, T a second",
        "p50 T ms",
        "p90 T ms",
        "p99 T ms",
        "max T ms",
        "failures 5:",
        "KeyError 3",
        "ValueError 2",
    ]


def test_a_repetition_whose_tool_blocks_the_loop_ends_too(tmp_path: Path) -> None:
    words = ["--repeat", "2", "--concurrency", "2", "--timeout", "0.2"]
    ended = run("call", "-t", BAD, "block", *words, cwd=tmp_path)
    assert ended.code == 1
    assert "timed out" in ended.out


def test_a_destructive_tool_is_repeated_only_when_told(tmp_path: Path) -> None:
    refused = run("call", "-t", BAD, "destroys", "--repeat", "2", cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert "--destructive" in refused.err
    told = run("call", "-t", BAD, "destroys", "--repeat", "2", "--destructive", cwd=tmp_path)
    assert told.code == 0


@pytest.mark.parametrize("name", ["stops", "stops_later"])
def test_a_breakpoint_has_the_terminal_and_no_deadline(name: str, tmp_path: Path) -> None:
    words = ["call", "-t", BAD, "--pdb", name, "--n", "3"]
    shown = run_in_terminal(*words, cwd=tmp_path, keys="p n * 14\nc\n")
    assert shown.code == 0
    assert "42" in shown.out.splitlines()
    assert shown.out.splitlines()[-1] == "3"


def test_an_exception_drops_into_the_debugger_at_its_frame(tmp_path: Path) -> None:
    shown = run_in_terminal("call", "-t", BAD, "--pdb", "fails", cwd=tmp_path, keys="p inner\nq\n")
    assert shown.code == 1
    assert "ValueError: no 1" in shown.out
    assert "42" in shown.out.splitlines()


@pytest.mark.parametrize("count", [1, 2, 3, 7, 10, 99, 100, 101, 1000])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 1.0])
def test_a_percentile_is_the_nearest_rank(count: int, share: float) -> None:
    """The smallest value that at least that share of all do not pass."""
    seconds = [float(n) for n in range(count, 0, -1)]
    found = Latencies(seconds, 1.0, Counter()).percentile(share)
    within = sum(each <= found for each in seconds)
    assert within * 100 >= share * 100 * count - 1e-6
    assert (within - 1) * 100 < share * 100 * count - 1e-6
    if count % 2 and share == 0.5:
        assert found == statistics.median(seconds)


@pytest.mark.parametrize("place", ["before", "after"])
def test_the_whole_input_may_stand_before_or_after_the_tool(tmp_path: Path, place: str) -> None:
    (tmp_path / "mine.py").write_text(
        "from toolkit import tool\n\n@tool\ndef twice(n: int) -> int:\n"
        '    """Double it."""\n    return 2 * n\n'
    )
    given = ["--input", '{"n": 21}']
    words = [*given, "twice"] if place == "before" else ["twice", *given]
    ended = run("call", "-t", "mine.py", *words, cwd=tmp_path)
    assert (ended.code, ended.out) == (0, "42\n")
