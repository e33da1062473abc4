"""`@tool(max_concurrency=…)` bounds the calls of that tool, and of no other."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from toolkit import ToolExecutor, ToolRegistry, ToolResult, ToolUse, concurrent, tool

from .pipeline import executor, run_batch


class Gauge:
    """Counts who is inside, from any thread."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self.lock = threading.Lock()

    def __enter__(self) -> None:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.inside -= 1


async def turns(count: int = 5) -> None:
    """Give the others a chance to run."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("most", [1, 2])
def test_at_most_so_many_calls_run_at_one_time(most: int) -> None:
    limited, free = Gauge(), Gauge()

    @tool(max_concurrency=most)
    async def narrow() -> None:
        with limited:
            await turns()

    @tool
    async def wide() -> None:
        with free:
            await turns(20)

    batch = run_batch(executor(narrow, wide), *["narrow", "wide"] * 6)
    assert all(result is not None and result.status == "success" for result in batch.results)
    assert (limited.most, free.most) == (most, 6)


def test_the_waiting_go_in_the_order_in_which_they_came() -> None:
    order: list[int] = []

    @tool(max_concurrency=1)
    async def note(number: int) -> None:
        order.append(number)
        await turns()

    uses = [ToolUse(f"use-{n}", "note", {"number": n}) for n in range(8)]
    asyncio.run(executor(note).run_batch(uses))
    assert order == list(range(8))


def test_a_thread_and_two_executors_share_the_limit() -> None:
    gauge = Gauge()
    first = threading.Event()

    @tool(max_concurrency=1)
    def narrow() -> None:
        with gauge:
            first.set()
            threading.Event().wait(0.01)

    def call(_: int) -> ToolResult:
        runner = ToolExecutor(ToolRegistry([narrow]))
        return asyncio.run(runner.run(ToolUse("use-1", "narrow")))

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(call, range(8)))
    assert {result.status for result in results} == {"success"}
    assert gauge.most == 1


def test_a_cancelled_waiter_gives_its_turn_to_the_next() -> None:
    entered: list[int] = []

    async def scene() -> list[Any]:
        gate = asyncio.Event()

        @tool(max_concurrency=1)
        async def narrow(number: int) -> int:
            entered.append(number)
            await gate.wait()
            return number

        runner = executor(narrow)
        calls = [
            asyncio.ensure_future(runner.run(ToolUse(f"use-{n}", "narrow", {"number": n})))
            for n in range(4)
        ]
        await turns()
        calls[1].cancel()
        await turns()
        gate.set()
        await turns(20)
        calls[2].cancel()  # it may have its turn already, or just be given it
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(asyncio.wait_for(scene(), 10))
    assert isinstance(results[1], asyncio.CancelledError)
    assert results[3].text == "3"
    assert 1 not in entered


def test_waiting_for_a_turn_counts_against_no_deadline() -> None:
    @tool(max_concurrency=1, timeout=0.15)
    async def narrow() -> str:
        await asyncio.sleep(0.08)
        return "in time"

    batch = run_batch(executor(narrow), *["narrow"] * 4)
    assert [result.text for result in batch.results if result] == ["in time"] * 4


def test_a_failing_call_leaves_its_place() -> None:
    @tool(max_concurrency=1)
    def fail() -> None:
        raise ValueError("no")

    batch = run_batch(executor(fail), "fail", "fail", "fail")
    assert [result.text for result in batch.results if result] == ["Error: ValueError: no"] * 3


def test_a_tool_that_no_dictionary_takes_is_limited_too() -> None:
    gauge = Gauge()

    @dataclass
    class Worker:
        name: str

        async def __call__(self) -> str:
            with gauge:
                await turns()
            return self.name

    work = tool(Worker("w"), name="work", max_concurrency=1)
    with pytest.raises(TypeError):
        hash(work)
    batch = run_batch(executor(work), "work", "work", "work")
    assert [result.text for result in batch.results if result] == ["w", "w", "w"]
    assert gauge.most == 1


def test_no_call_at_all_is_no_limit() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        tool(max_concurrency=0)(turns)
    with pytest.raises(ValueError, match="at least 1"):
        concurrent(max_concurrency=0)
