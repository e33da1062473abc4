"""One event at a time, each producer waiting until its own has been taken."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolContext, ToolExecutor
from toolkit.types import Event, ToolFinished, ToolProgress, ToolStarted

from .flows import executor, left, until, uses

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

PRODUCED: Counter[int] = Counter()


async def emits(n: int, many: int, context: ToolContext) -> int:
    for each in range(many):
        PRODUCED[n] += 1
        await context.emit((n, each))
    return n


async def yields(n: int, many: int) -> AsyncIterator[Any]:
    for each in range(many):
        PRODUCED[n] += 1
        yield (n, each)


def reports(n: int, many: int, context: ToolContext) -> int:
    for each in range(many):
        PRODUCED[n] += 1
        context.report((n, each))
    return n


def yields_in_a_thread(n: int, many: int) -> Iterator[Any]:
    for each in range(many):
        PRODUCED[n] += 1
        yield (n, each)


PRODUCERS = [emits, yields, reports, yields_in_a_thread]


@pytest.fixture(autouse=True)
def nothing_produced() -> None:
    PRODUCED.clear()


@pytest.mark.parametrize("producer", PRODUCERS)
def test_no_call_is_more_than_one_event_ahead_of_the_consumer(producer: Any) -> None:
    taken: Counter[int] = Counter()
    ahead: list[int] = []

    async def sink(event: Event) -> None:
        await asyncio.sleep(0)
        if isinstance(event, ToolProgress):
            n = event.value[0]
            taken[n] += 1
            ahead.append(PRODUCED[n] - taken[n])

    async def run() -> None:
        it = executor(producer)
        await it.run_batch(uses(producer.__name__, 8, many=20), sink=sink)
        assert len(ahead) == 160
        assert max(ahead) == 0  # the one that is being taken is the last that was produced

    asyncio.run(run())


@pytest.mark.parametrize("producer", [emits, yields_in_a_thread])
@pytest.mark.parametrize("waits", [False, True])
def test_a_hundred_calls_of_a_hundred_events_keep_their_order_and_lose_none(
    producer: Any, *, waits: bool
) -> None:
    seen: dict[int, list[int]] = defaultdict(list)
    inside = 0

    async def sink(event: Event) -> None:
        nonlocal inside
        inside += 1
        assert inside == 1, "two events at one time"
        if waits:
            await asyncio.sleep(0)
        if isinstance(event, ToolProgress):
            seen[event.value[0]].append(event.value[1])
        inside -= 1

    async def run() -> None:
        it = executor(producer)
        batch = await it.run_batch(uses(producer.__name__, 100, many=100), sink=sink)
        assert all(result and result.status == "success" for result in batch.results)
        assert seen == {n: list(range(100)) for n in range(100)}
        assert not await left()

    asyncio.run(run())


def test_every_call_starts_before_its_events_and_finishes_after_them() -> None:
    order: dict[str, list[str]] = defaultdict(list)

    async def sink(event: Event) -> None:
        await asyncio.sleep(0)
        order[event.use.tool_use_id].append(type(event).__name__)

    async def run() -> None:
        await executor(yields).run_batch(uses("yields", 20, many=3), sink=sink)
        want = ["ToolStarted", "ToolProgress", "ToolProgress", "ToolProgress", "ToolFinished"]
        assert list(order.values()) == [want] * 20

    asyncio.run(run())


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_slow_consumer_slows_the_producers(producer: Any) -> None:
    async def sink(event: Event) -> None:
        if isinstance(event, ToolProgress):
            await asyncio.sleep(0.01)

    async def run() -> None:
        started = time.monotonic()
        await executor(producer).run_batch(uses(producer.__name__, 2, many=10), sink=sink)
        assert time.monotonic() - started >= 20 * 0.01

    asyncio.run(run())


def test_a_consumer_that_stops_taking_stops_the_producers() -> None:
    go = asyncio.Event()

    async def sink(event: Event) -> None:
        if isinstance(event, ToolProgress):
            await go.wait()

    async def run() -> None:
        running = asyncio.ensure_future(
            executor(emits).run_batch(uses("emits", 5, many=50), sink=sink)
        )
        await until(lambda: len(PRODUCED) == 5)
        for _ in range(100):
            await asyncio.sleep(0)
        assert set(PRODUCED.values()) == {1}
        go.set()
        await running
        assert set(PRODUCED.values()) == {50}

    asyncio.run(run())


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_cancelled_producer_never_leaves_half_an_event(producer: Any) -> None:
    begun, whole = [], []
    entered = asyncio.Event()

    async def sink(event: Event) -> None:
        begun.append(event)
        if isinstance(event, ToolProgress):
            entered.set()
        await asyncio.sleep(0.02)
        whole.append(event)

    async def run() -> None:
        running = asyncio.ensure_future(
            executor(producer).run_batch(uses(producer.__name__, 3, many=5), sink=sink)
        )
        await entered.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert begun == whole
        assert any(isinstance(event, ToolProgress) for event in whole)
        assert not await left()
        count = len(begun)
        await asyncio.sleep(0.03)
        assert len(begun) == count

    asyncio.run(run())


def test_cancelling_twice_still_leaves_no_half_event() -> None:
    begun, whole = [], []
    entered = asyncio.Event()

    async def sink(event: Event) -> None:
        begun.append(event)
        entered.set()
        await asyncio.sleep(0.02)
        whole.append(event)

    async def run() -> None:
        running = asyncio.ensure_future(
            executor(emits).run_batch(uses("emits", 1, many=5), sink=sink)
        )
        await entered.wait()
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert begun == whole
        assert not await left()

    asyncio.run(run())


def test_a_sink_may_have_deadlines_and_groups_of_tasks_of_its_own() -> None:
    """They belong to the task that they begin in, which must not be the producer's."""
    late = []

    async def sink(event: Event) -> None:
        try:
            async with asyncio.timeout(0.01), asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(1000))
        except TimeoutError:
            late.append(type(event))

    async def run() -> None:
        result = await executor(emits).run(uses("emits", 1, many=2)[0], sink=sink)
        assert result.status == "success"
        assert late == [ToolStarted, ToolProgress, ToolProgress, ToolFinished]

    asyncio.run(run())


def test_a_sink_that_fails_is_told_to_the_caller() -> None:
    async def sink(event: Event) -> None:
        if isinstance(event, ToolFinished):
            raise OSError("the pipe is gone")

    async def run() -> None:
        with pytest.raises(OSError, match="the pipe is gone"):
            await executor(emits).run_batch(uses("emits", 3, many=1), sink=sink)
        assert not await left()

    asyncio.run(run())


def test_the_duration_of_a_call_leaves_out_the_consumers_wait_before_it() -> None:
    durations = []

    async def sink(event: Event) -> None:
        if isinstance(event, ToolStarted):
            await asyncio.sleep(0.05)
        if isinstance(event, ToolFinished):
            durations.append(event.duration)

    asyncio.run(ToolExecutor(executor(emits).registry).run(uses("emits", 1, many=0)[0], sink=sink))
    assert durations[0] < 0.05
