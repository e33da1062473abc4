"""The examples of the README, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit import tool

from .pipeline import executor, run, run_batch

if TYPE_CHECKING:
    import pytest

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def example(name: str) -> dict[str, Any]:
    """The names of the one example that defines `name`."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", README)
    (block,) = [block for block in blocks if f"def {name}(" in block]
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(block, "README.md", "exec"), names)
    return names


def test_a_cache_runs_a_tool_once_for_each_input_and_failures_again() -> None:
    runs: list[int] = []

    @tool
    def double(number: int) -> int:
        runs.append(number)
        if number < 0:
            raise ValueError(number)
        return 2 * number

    runner = executor(double, middleware=[example("cached")["cached"]])
    given = [1, 2, 1, -1, -1]
    results = [run(runner, "double", number=number) for number in given]
    assert [each.text for each in results[:3]] == ["2", "4", "2"]
    assert runs == [1, 2, -1, -1]


def test_a_rate_limit_refuses_and_the_model_reads_why(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    limit = example("limited")
    monkeypatch.setattr(limit["time"], "monotonic", lambda: clock[0])

    @tool
    async def nothing() -> None: ...

    runner = executor(nothing, middleware=[limit["limited"]])
    batch = run_batch(runner, *["nothing"] * 101)
    statuses = [result.status for result in batch.results if result]
    assert statuses == ["success"] * 100 + ["error"]
    last = batch.results[-1]
    assert last is not None
    assert last.text == "100 calls a minute are enough; try again later"
    clock[0] += 60
    assert run(runner, "nothing").status == "success"


def test_a_guard_asks_before_a_payment() -> None:
    runs: list[int] = []

    @tool
    async def pay(amount: int = 1) -> str:
        runs.append(amount)
        return f"paid {amount}"

    runner = executor(pay, hooks=[example("guard")["guard"]])
    assert len(run_batch(runner, "pay").pending) == 1
    answered = {answer: {"use-1": {"approve": answer}} for answer in ("yes", "no")}
    refused = run_batch(runner, "pay", answers=answered["no"])
    assert [result.text for result in refused.results if result] == ["nobody approved this"]
    assert runs == []
    paid = run_batch(runner, "pay", answers=answered["yes"])
    assert [result.text for result in paid.results if result] == ["paid 1"]


def test_patient_hooks_try_again() -> None:
    calls: list[int] = []

    @tool
    async def fetch() -> str:
        calls.append(1)
        if len(calls) < 2:
            raise ConnectionError("reset")
        return "fetched"

    result = run(executor(fetch, hooks=[example("patient")["patient"]]), "fetch")
    assert (result.text, result.metadata) == ("fetched", {"attempts": 2})
