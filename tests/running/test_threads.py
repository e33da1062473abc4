"""Worker threads: our own, daemonic, reused, bounded, and not counted once abandoned."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from toolkit import ToolRegistry, tool
from toolkit.threads import DEFAULT_LIMIT, Inline, Workers, run_to_end, shared

from .pipeline import PATIENCE, executor, until, use, wait_for

ROOT = Path(__file__).parents[2]
NAME: contextvars.ContextVar[str] = contextvars.ContextVar("NAME", default="nobody")


def test_a_context_variable_reaches_the_thread_and_what_it_sets_stays_there() -> None:
    def who() -> str:
        name = NAME.get()
        NAME.set("inside")
        return name

    async def run() -> None:
        NAME.set("caller")
        assert (await executor(who).run(use("who"))).text == "caller"
        assert NAME.get() == "caller"

    asyncio.run(run())


def test_a_context_variable_reaches_a_tool_that_is_called_from_a_tool() -> None:
    registry = ToolRegistry()

    @tool
    def inner() -> str:
        return NAME.get()

    @tool
    def outer() -> Any:
        return registry.tool.inner()

    registry.register(inner)
    registry.register(outer)
    NAME.set("far")
    assert registry.tool.outer().text == "far"
    NAME.set("nobody")


def test_workers_are_daemons_and_are_used_again() -> None:
    async def run() -> None:
        workers = Workers()
        seen = []
        for _ in range(5):
            seen.append(await workers.run(threading.current_thread))
            await until(lambda: workers.busy == 0)
        assert len(set(seen)) == 1
        assert seen[0].daemon

    asyncio.run(run())


def test_no_more_than_the_limit_work_at_one_time_and_the_rest_waits_in_order() -> None:
    workers, gate, order = Workers(2), threading.Event(), []
    most = 0

    def job(number: int) -> int:
        nonlocal most
        most = max(most, workers.busy)
        order.append(number)
        wait_for(gate)
        return number

    async def run() -> None:
        jobs = [asyncio.ensure_future(workers.run(functools.partial(job, n))) for n in range(8)]
        await until(lambda: len(order) == 2)
        assert workers.busy == 2
        gate.set()
        assert await asyncio.gather(*jobs) == list(range(8))
        assert sorted(order[:2]) == [0, 1]
        assert most <= 2
        await until(lambda: workers.busy == 0)

    asyncio.run(run())


def test_an_abandoned_thread_is_counted_no_more_and_its_place_is_taken() -> None:
    workers, gate = Workers(1), threading.Event()

    async def run() -> None:
        hung = asyncio.ensure_future(workers.run(lambda: wait_for(gate)))
        await until(lambda: workers.busy == 1)
        waiting = asyncio.ensure_future(workers.run(lambda: "next"))
        await asyncio.sleep(0)
        hung.cancel()
        assert await asyncio.wait_for(waiting, PATIENCE) == "next"
        await until(lambda: workers.busy == 0)
        gate.set()  # the abandoned one ends, and changes no count
        assert await asyncio.wait_for(workers.run(lambda: "more"), PATIENCE) == "more"
        await until(lambda: workers.busy == 0)

    asyncio.run(run())


def test_a_job_that_waits_for_its_turn_is_never_begun_once_it_is_cancelled() -> None:
    workers, gate, begun = Workers(1), threading.Event(), []

    async def run() -> None:
        first = asyncio.ensure_future(workers.run(lambda: wait_for(gate)))
        second = asyncio.ensure_future(workers.run(lambda: begun.append(1)))
        await until(lambda: workers.busy == 1)
        second.cancel()
        await asyncio.wait([second])
        gate.set()
        await first
        await workers.run(lambda: None)
        assert begun == []

    asyncio.run(run())


def test_tools_that_wait_for_tools_never_fill_every_place() -> None:
    """As many outer calls as there are places, each calling another tool of the same workers."""
    registry = ToolRegistry()

    @tool
    def inner(n: int) -> int:
        return n * 2

    @tool
    def outer(n: int) -> Any:
        return registry.tool.inner(n=n)

    registry.register(inner)
    registry.register(outer)
    outer_calls = shared().limit + 10

    async def run() -> None:
        it = executor(outer)
        uses = [use("outer", n, n=n) for n in range(outer_calls)]
        batch = await asyncio.wait_for(it.run_batch(uses), 30)
        assert [r and r.text for r in batch.results] == [str(n * 2) for n in range(outer_calls)]
        await until(lambda: shared().busy == 0)

    asyncio.run(run())


def test_a_thread_that_can_not_be_started_is_an_error_and_no_busy_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers()

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def run() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            with pytest.raises(RuntimeError, match="can't start"):
                await workers.run(lambda: 1)
        assert workers.busy == 0
        assert await workers.run(lambda: 1) == 1

    asyncio.run(run())


def test_the_limit_of_the_process_is_stated() -> None:
    assert shared().limit == DEFAULT_LIMIT == 256


def test_an_executor_may_have_workers_of_its_own() -> None:
    gate = threading.Event()

    def waits() -> None:
        wait_for(gate)

    async def run() -> None:
        it = executor(waits, max_workers=3)
        running = asyncio.ensure_future(it.run_batch([use("waits", n) for n in range(9)]))
        await until(lambda: it.workers is not shared() and getattr(it.workers, "busy", 0) == 3)
        gate.set()
        assert len((await running).results) == 9

    asyncio.run(run())


def test_inline_runs_on_the_thread_of_the_caller() -> None:
    it = executor(tool(lambda: threading.get_ident(), name="ident"))  # noqa: PLW0108 - a builtin has no signature
    it.workers = Inline()
    assert asyncio.run(it.run(use("ident"))).text == str(threading.get_ident())


def test_a_coroutine_runs_to_its_end_from_synchronous_code_anywhere() -> None:
    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    async def inside_a_loop() -> int:
        value: int = run_to_end(answer)
        return value

    assert run_to_end(answer) == 42
    assert asyncio.run(inside_a_loop()) == 42


def test_what_it_raises_is_raised_to_the_caller() -> None:
    async def fails() -> None:
        raise LookupError("gone")

    async def inside_a_loop() -> None:
        with pytest.raises(LookupError, match="gone"):
            run_to_end(fails)

    with pytest.raises(LookupError, match="gone"):
        run_to_end(fails)
    asyncio.run(inside_a_loop())


def test_a_loop_of_its_own_waits_for_no_thread_of_a_tool() -> None:
    gate = threading.Event()

    @tool(timeout=0.05)
    async def hangs() -> None:
        await asyncio.to_thread(wait_for, gate)

    registry = ToolRegistry()
    registry.register(hangs)
    assert "timed out" in registry.tool.hangs().text
    assert not gate.is_set()
    gate.set()


def test_a_fork_of_the_process_has_workers_of_its_own() -> None:
    """The threads of the parent are not in it, and what waits for them would wait for ever."""
    code = """
import asyncio, os
from toolkit import ToolRegistry, tool
@tool
def one(): return 1
registry = ToolRegistry()
registry.register(one)
assert registry.tool.one().text == "1"
child = os.fork()
if child == 0:
    os._exit(0 if registry.tool.one().text == "1" else 1)
assert os.waitpid(child, 0)[1] == 0
assert registry.tool.one().text == "1"
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False, timeout=30, cwd=ROOT)
    assert ended.returncode == 0


def test_a_process_ends_while_an_abandoned_thread_still_runs() -> None:
    code = """
import threading
from toolkit import ToolRegistry, tool
@tool(timeout=0.05)
def hangs(): threading.Event().wait()
registry = ToolRegistry()
registry.register(hangs)
print(registry.tool.hangs().text)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        timeout=30,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert ended.stdout == "'hangs' timed out: no result within 0.05 seconds\n"


def test_ctrl_c_in_a_script_that_waits_for_a_tool_is_a_keyboard_interrupt() -> None:
    code = """
import threading
from toolkit import ToolRegistry, tool
@tool
def hangs():
    print("begun", flush=True)
    threading.Event().wait()
registry = ToolRegistry()
registry.register(hangs)
try:
    registry.tool.hangs()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(20) == 0
