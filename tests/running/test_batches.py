"""One result for each use, in order, whatever fails; and nothing is left behind."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import ToolExecutor, ToolUse, sequential
from toolkit.executor import concurrent
from toolkit.threads import shared
from toolkit.types import ToolFinished, ToolProgress, ToolStarted

from .pipeline import PATIENCE, Log, executor, settle, until, use
from .unruly import GATE, REGISTRY

NAMES = [*REGISTRY.names, "unknown", "", "x" * 65, "Ünïcode"]
INPUTS = st.one_of(
    st.just({"n": 1}),
    st.just({"n": "7"}),
    st.sampled_from([{}, None, "", '{"n": 2}', "[", 5, [1], {"n": "many"}, {"n": 1, "m": 2}]),
)
IDS = st.sampled_from(["a", "b", "", "a"])
USES = st.lists(st.builds(ToolUse, IDS, st.sampled_from(NAMES), INPUTS), max_size=12)
STRATEGIES = [concurrent(), concurrent(max_concurrency=2), sequential()]


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@settings(max_examples=80, deadline=None)
@given(uses=USES, strategy=st.sampled_from(STRATEGIES), slow=st.booleans())
def test_a_batch_has_one_result_for_each_use_in_order_and_leaves_nothing(
    uses: list[ToolUse], strategy: Any, *, slow: bool
) -> None:
    if strategy is STRATEGIES[2]:  # one after the other: a hang for each would be a long test
        uses = [each for each in uses if not each.name.startswith("hangs")] + uses[:1]
    if len(uses) == 1 or strategy is STRATEGIES[2]:
        # in the caller's own task nobody can tell who has cancelled it
        uses = [each for each in uses if each.name != "cancels_itself"]
    log = Log((lambda: asyncio.sleep(0)) if slow else None)

    async def run() -> None:
        files = open_files()
        it = ToolExecutor(REGISTRY, strategy=strategy)
        batch = await asyncio.wait_for(it.run_batch(uses, sink=log), PATIENCE)
        assert [r and r.tool_use_id for r in batch.results] == [u.tool_use_id for u in uses]
        assert not await settle()
        await until(lambda: shared().busy == 0)
        assert open_files() == files

    asyncio.run(run())
    for kind in (ToolStarted, ToolFinished):
        assert sum(isinstance(event, kind) for event in log.events) == len(uses)
    open_calls = 0
    for event in log.events:
        open_calls += isinstance(event, ToolStarted) - isinstance(event, ToolFinished)
        assert not (isinstance(event, ToolProgress) and open_calls <= 0)


def test_the_hanging_threads_of_this_file_end_with_it() -> None:
    GATE.set()
    assert shared().busy == 0


def test_an_empty_batch_has_no_results() -> None:
    assert asyncio.run(ToolExecutor(REGISTRY).run_batch([])).results == ()


def test_results_keep_the_order_of_the_uses_and_not_of_their_ends() -> None:
    async def waits(n: int) -> int:
        await asyncio.sleep(0.01 * (5 - n))
        return n

    async def run() -> None:
        batch = await executor(waits).run_batch([use("waits", n, n=n) for n in range(5)])
        assert [r and r.text for r in batch.results] == ["0", "1", "2", "3", "4"]

    asyncio.run(run())


def test_a_limit_on_concurrency_is_kept_and_one_at_a_time_is_one_at_a_time() -> None:
    running = most = 0

    async def counts() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1

    for strategy, limit in ((concurrent(max_concurrency=3), 3), (sequential(), 1)):
        most = 0
        it = executor(counts, strategy=strategy)
        asyncio.run(it.run_batch([use("counts", n) for n in range(12)]))
        assert most == limit


def test_ten_thousand_calls_of_ten_milliseconds_run_together() -> None:
    async def waits(n: int) -> int:
        await asyncio.sleep(0.01)
        return n

    async def run() -> None:
        uses = [use("waits", n, n=n) for n in range(10_000)]
        started = time.monotonic()
        batch = await executor(waits).run_batch(uses)
        assert time.monotonic() - started < 10  # one after the other they take 100 s
        assert [r and r.text for r in batch.results] == [str(n) for n in range(10_000)]
        assert not await settle()

    asyncio.run(run())


def test_two_hundred_blocking_calls_of_fifty_milliseconds_run_together() -> None:
    def blocks(n: int) -> int:
        time.sleep(0.05)
        return n

    async def run() -> None:
        started = time.monotonic()
        batch = await executor(blocks).run_batch([use("blocks", n, n=n) for n in range(200)])
        assert time.monotonic() - started < 2  # one after the other they take 10 s
        assert [r and r.text for r in batch.results] == [str(n) for n in range(200)]

    asyncio.run(run())
