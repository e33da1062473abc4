"""Whole messages out of public reports, as commands: results, times, exit codes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from .runner import Ended, run

CASES = Path(__file__).parents[1] / "cases" / "files"


def replayed(name: str, *words: str) -> tuple[Ended, list[dict[str, Any]], float]:
    """The command's end, its results, and how many seconds it took."""
    started = time.monotonic()
    ended = run("replay", "message.json", "-t", "tool.py", "--json", *words, cwd=CASES / name)
    seconds = time.monotonic() - started
    blocks = json.loads(ended.out)["content"]
    return ended, [block["toolResult"] for block in blocks], seconds


def expected(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((CASES / name / "case.json").read_text())
    return case


def fits(result: dict[str, Any], want: dict[str, Any]) -> bool:
    """Whether a result is the wanted one, or one of those that are allowed."""
    text = result["content"][0]["text"]
    return result["toolUseId"] == want["toolUseId"] and any(
        result["status"] == each["status"]
        and text == each.get("text", text)
        and all(word.lower() in text.lower() for word in each.get("has", ()))
        for each in want.get("either", [want])
    )


def test_an_input_that_is_json_text_does_not_crash_the_pipeline() -> None:
    name = "27-json-text-arguments"
    ended, results, _ = replayed(name)
    (want,) = expected(name)["message"]["results"]
    assert fits(results[0], want)
    assert ended.code == 0


def test_each_call_of_a_batch_ends_on_its_own_and_a_hung_thread_keeps_nobody_waiting() -> None:
    name = "31-batch-one-raises-one-hangs"
    ended, results, seconds = replayed(name, "--timeout", "2")
    case = expected(name)
    for result, want in zip(results, case["message"]["results"], strict=True):
        assert fits(result, want), (result, want)
    assert seconds < case["process_ends_within_s"]
    assert ended.code == 1


def test_blocking_tools_run_together_and_leave_the_loop_its_rhythm() -> None:
    _, results, seconds = replayed("33-blocking-sync-tools")
    *naps, beat = [result["content"][0]["text"] for result in results]
    assert naps == [f"{number}:unset" for number in range(24)]
    assert json.loads(beat)["late_ms"] < 200
    assert seconds < 3.0 + 2.0  # the start of the process counts here too
