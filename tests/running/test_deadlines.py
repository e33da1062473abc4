"""A deadline per call, tool or executor; what it counts, and what becomes of the work."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolContext, tool
from toolkit.errors import ToolTimeoutError
from toolkit.threads import shared

from .pipeline import Log, executor, settle, until, use, wait_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

SHORT = 0.05


def hanging(gate: threading.Event) -> dict[str, Any]:
    """A tool of each kind that hangs till the gate opens, or till it is cancelled."""

    def plain() -> None:
        wait_for(gate)

    async def coroutine() -> None:
        await asyncio.sleep(1000)

    def generator() -> Iterator[int]:
        yield 1
        wait_for(gate)

    async def async_generator() -> AsyncIterator[int]:
        yield 1
        await asyncio.sleep(1000)

    async def deaf() -> None:
        while not gate.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue

    async def threaded() -> None:
        await asyncio.to_thread(wait_for, gate)

    made = [plain, coroutine, generator, async_generator, deaf, threaded]
    return {each.__name__: each for each in made}


@pytest.mark.parametrize("where", ["tool", "executor"])
@pytest.mark.parametrize("kind", list(hanging(threading.Event())))
def test_at_the_deadline_the_call_has_its_error_whatever_hangs(kind: str, where: str) -> None:
    gate = threading.Event()
    own = tool(hanging(gate)[kind], timeout=SHORT if where == "tool" else None)

    async def run() -> None:
        it = executor(own, tool(lambda: "fine", name="good"))
        if where == "executor":
            it = executor(own, tool(lambda: "fine", name="good"), timeout=SHORT)
        started = time.monotonic()
        batch = await it.run_batch([use(kind, 1), use("good", 2)])
        assert time.monotonic() - started < 1
        late, fine = batch.results
        assert late is not None
        assert fine is not None
        assert (late.status, fine.text) == ("error", "fine")
        assert late.text == f"'{kind}' timed out: no result within 0.05 seconds"
        assert isinstance(late.exception, ToolTimeoutError)
        assert late.exception.seconds == SHORT
        await until(lambda: shared().busy == 0)
        gate.set()
        await until(lambda: not asyncio.all_tasks() - {asyncio.current_task()})

    asyncio.run(run())


def test_the_tools_own_deadline_wins_over_the_executors() -> None:
    async def slow() -> str:
        await asyncio.sleep(2 * SHORT)
        return "in time"

    it = executor(tool(slow, timeout=30), timeout=SHORT)
    assert asyncio.run(it.run(use("slow"))).text == "in time"


def test_a_deadline_that_is_kept_changes_nothing() -> None:
    def quick() -> Iterator[int]:
        yield 1
        yield 2

    log = Log()
    assert asyncio.run(executor(quick, timeout=5).run(use("quick"), sink=log)).text == "2"
    assert log.values == [1, 2]


@pytest.mark.parametrize("kind", ["async", "sync"])
def test_waiting_for_a_slow_consumer_counts_against_no_deadline(kind: str) -> None:
    async def later() -> AsyncIterator[int]:
        for each in range(4):
            yield each

    def plain() -> Iterator[int]:
        yield from range(4)

    async def slow() -> None:
        await asyncio.sleep(0.06)

    log = Log(slow)
    it = executor(tool(later if kind == "async" else plain, name="it"), timeout=0.15)
    result = asyncio.run(it.run(use("it"), sink=log))
    assert (result.status, result.text) == ("success", "3")
    assert log.values == [0, 1, 2, 3]


def test_a_tool_that_is_slow_itself_is_late_however_quick_the_consumer() -> None:
    async def slow() -> AsyncIterator[int]:
        for each in range(100):
            await asyncio.sleep(0.02)
            yield each

    result = asyncio.run(executor(slow, timeout=0.1).run(use("slow"), sink=Log()))
    assert isinstance(result.exception, ToolTimeoutError)


def test_an_abandoned_thread_sees_that_it_is_cancelled_and_its_late_reports_are_dropped() -> None:
    ended, told = threading.Event(), []

    def works(context: ToolContext) -> None:
        context.report("early")
        wait_for(context.cancelled)
        context.report("late")
        told.append(context.cancelled.is_set())
        ended.set()

    async def run() -> None:
        log = Log()
        result = await executor(works, timeout=SHORT).run(use("works"), sink=log)
        assert isinstance(result.exception, ToolTimeoutError)
        await asyncio.to_thread(wait_for, ended)
        assert log.values == ["early"]
        assert told == [True]

    asyncio.run(run())


def test_a_generator_stops_at_its_next_item_once_it_is_abandoned() -> None:
    closed = threading.Event()

    def endless() -> Iterator[int]:
        try:
            while True:
                time.sleep(0.001)
                yield 1
        finally:
            closed.set()

    result = asyncio.run(executor(endless, timeout=SHORT).run(use("endless")))
    assert isinstance(result.exception, ToolTimeoutError)
    wait_for(closed)


def test_an_async_generator_that_is_cancelled_half_way_runs_its_finally() -> None:
    log: list[str] = []

    async def half() -> AsyncIterator[str]:
        try:
            yield "first"
            await asyncio.sleep(1000)
        finally:
            await asyncio.sleep(0)
            log.append("closed")

    async def run() -> None:
        running = asyncio.ensure_future(executor(half).run(use("half"), sink=(sink := Log())))
        await until(lambda: sink.values == ["first"])
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert log == ["closed"]
        assert not await settle()

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["plain", "coroutine", "generator", "async_generator"])
@pytest.mark.parametrize("timeout", [None, 30.0])
def test_cancellation_from_outside_goes_up_and_leaves_nothing_running(
    kind: str, timeout: float | None
) -> None:
    gate = threading.Event()
    functions = hanging(gate)

    async def run() -> None:
        log = Log()
        it = executor(functions[kind], tool(lambda: 1, name="good"), timeout=timeout)
        running = asyncio.ensure_future(it.run_batch([use(kind), use("good", 2)], sink=log))
        await until(lambda: any(type(e).__name__ == "ToolFinished" for e in log.events))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not await settle()
        await until(lambda: shared().busy == 0)

    asyncio.run(run())
    gate.set()
