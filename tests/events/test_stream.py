"""`executor.stream(…)`: the events by `async for`, the batch last, safe to leave early."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolContext  # noqa: TC001 - a tool's annotations are read
from toolkit.threads import shared
from toolkit.types import Batch, ToolFinished, ToolProgress, ToolStarted

from .flows import PATIENCE, executor, left, until, uses

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

PRODUCED: list[int] = []
BEGUN: list[int] = []
CLOSED: list[int] = []


async def emits(n: int, context: ToolContext) -> int:
    for each in range(5):
        PRODUCED.append(each)
        await context.emit(each)
    return n


async def endless(n: int) -> AsyncIterator[int]:
    BEGUN.append(n)
    try:
        while True:
            yield n
    finally:
        CLOSED.append(n)


def endless_in_a_thread(n: int) -> Iterator[int]:
    BEGUN.append(n)
    try:
        while True:
            yield n
    finally:
        CLOSED.append(n)


def reports_for_ever(n: int, context: ToolContext) -> None:
    BEGUN.append(n)
    while not context.cancelled.is_set():
        context.report(n)
    CLOSED.append(n)


async def group(n: int, context: ToolContext) -> None:
    async def child() -> None:
        BEGUN.append(n)
        try:
            while True:
                await context.emit(n)
        finally:
            CLOSED.append(n)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(child())


@pytest.fixture(autouse=True)
def nothing_yet() -> None:
    PRODUCED.clear()
    BEGUN.clear()
    CLOSED.clear()


def test_the_events_come_in_order_and_the_batch_last() -> None:
    async def run() -> None:
        seen = [each async for each in executor(emits).stream(uses("emits", 1))]
        kinds = [type(each) for each in seen]
        assert kinds == [ToolStarted, *[ToolProgress] * 5, ToolFinished, Batch]
        assert seen[-1].results[0].text == "0"  # type: ignore[union-attr]
        assert not await left()

    asyncio.run(run())


def test_the_producer_waits_until_the_next_event_is_asked_for() -> None:
    async def run() -> None:
        events = executor(emits).stream(uses("emits", 1))
        async for each in events:
            if isinstance(each, ToolProgress):
                for _ in range(20):
                    await asyncio.sleep(0)
                assert PRODUCED[-1] == each.value
        assert list(range(5)) == PRODUCED

    asyncio.run(run())


def test_many_calls_share_turns_of_the_loop_and_each_waits_for_its_own_event() -> None:
    """A hundred calls have a hundred events ready in one turn: the stream need not wait between."""
    turns = 0
    ahead: Counter[int] = Counter()
    seen: dict[int, list[int]] = defaultdict(list)

    async def counting(n: int, context: ToolContext) -> None:
        for each in range(20):
            ahead[n] += 1
            await context.emit((n, each))

    async def turning() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def run() -> None:
        clock = asyncio.ensure_future(turning())
        async for each in executor(counting).stream(uses("counting", 100)):
            if isinstance(each, ToolProgress):
                n, number = each.value
                ahead[n] -= 1
                assert ahead[n] == 0
                seen[n].append(number)
        clock.cancel()

    asyncio.run(run())
    assert seen == {n: list(range(20)) for n in range(100)}
    assert turns < 500  # 2,200 events; a turn or more for each would be as many


@pytest.mark.parametrize("leave", ["break", "aclose", "raise", "cancel", "drop"])
@pytest.mark.parametrize("tool", [endless, endless_in_a_thread, reports_for_ever, group])
def test_a_stream_that_is_left_early_leaves_nothing_running(  # noqa: C901 - each way to leave
    tool: Any, leave: str
) -> None:
    async def consume(events: Any) -> None:
        async for each in events:
            if isinstance(each, ToolProgress):
                if leave == "break":
                    break
                if leave == "aclose":
                    await events.aclose()
                if leave == "raise":
                    raise LookupError("enough")
                if leave == "cancel":
                    asyncio.current_task().cancel()  # type: ignore[union-attr]
                    await asyncio.sleep(1000)

    async def run() -> None:
        events = executor(tool).stream(uses(tool.__name__, 4))
        task = asyncio.ensure_future(consume(events))
        await asyncio.wait([task], timeout=PATIENCE)
        if leave == "raise":
            assert isinstance(task.exception(), LookupError)
        del task
        await events.aclose()  # type: ignore[attr-defined]
        assert not await left()
        await until(lambda: shared().busy == 0)
        assert BEGUN  # those that had to wait for a thread have not even begun
        await until(lambda: sorted(BEGUN) == sorted(CLOSED))

    async def dropped() -> None:
        events: Any = executor(tool).stream(uses(tool.__name__, 4))
        await anext(events)
        del events
        gc.collect()  # the loop closes what nobody holds
        await until(lambda: len(asyncio.all_tasks()) == 1)
        await until(lambda: shared().busy == 0)

    asyncio.run(dropped() if leave == "drop" else run())


def test_leaving_during_a_tool_that_hangs_in_a_thread_waits_for_nothing() -> None:
    gate = threading.Event()

    def hangs(n: int) -> int:
        gate.wait(PATIENCE)
        return n

    async def run() -> None:
        events: Any = executor(hangs).stream(uses("hangs", 2))
        assert isinstance(await anext(events), ToolStarted)
        await events.aclose()
        assert not gate.is_set()
        assert not await left()
        assert shared().busy == 0

    asyncio.run(run())
    gate.set()


def test_a_stream_that_is_never_asked_runs_nothing() -> None:
    async def run() -> None:
        events: Any = executor(emits).stream(uses("emits", 1))
        await asyncio.sleep(0)
        assert not PRODUCED
        await events.aclose()
        assert not await left()

    asyncio.run(run())


def test_a_timeout_round_a_stream_ends_its_calls() -> None:
    async def run() -> None:
        async def consume() -> None:
            async for _ in executor(endless).stream(uses("endless", 3)):
                await asyncio.sleep(0.001)

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(consume(), 0.05)
        await until(lambda: sorted(CLOSED) == [0, 1, 2])
        assert not await left()

    asyncio.run(run())
