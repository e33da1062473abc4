"""Whatever tools and hooks do: one result for each use, in order, and no finished tool run twice.

PIPELINE_EXAMPLES sets how many random batches are tried.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit import (
    AfterToolCallEvent,
    Batch,
    BeforeToolCallEvent,
    Text,
    ToolContext,
    ToolExecutor,
    ToolRegistry,
    ToolResult,
    ToolUse,
    concurrent,
    sequential,
    tool,
)
from toolkit.pending import closed, dump_batches, load_batches
from toolkit.types import Malformed, ToolFinished, ToolInterrupted, ToolStarted

PATIENCE = 60  # seconds for one batch: a bound, never a measure
EXAMPLES = int(os.environ.get("PIPELINE_EXAMPLES", "300"))
QUESTIONS = ("first", "second", "hook")

returns = ["value", "none", "object", "result", "not a result"]
raises = ["error", "no text", "exit", "stop", "cancelled", "unprintable"]
BEHAVIOURS = [*returns, *raises, "asks", "asks twice", "streams", "streams and fails", "hangs"]
BEFORE = ["nothing", "raises", "exits", "is cancelled", "refuses", "refuses with text", "edits"]
BEFORE += ["renames", "renames to nothing", "selects", "selects nothing", "sets nonsense", "asks"]
AFTER = ["nothing", "raises", "exits", "retries", "replaces", "sets nonsense", "asks"]


@dataclass
class World:
    """What really happened, by the position of the use."""

    begun: Counter[int] = field(default_factory=Counter)
    finished: Counter[int] = field(default_factory=Counter)
    retries: Counter[int] = field(default_factory=Counter)


class Unprintable(Exception):  # noqa: N818 - it is what it says
    def __str__(self) -> str:
        raise RuntimeError("no text either")


ERRORS: dict[str, BaseException] = {
    "error": ValueError("no"),
    "no text": RuntimeError(),
    "exit": SystemExit(3),
    "stop": StopIteration("over"),
    "cancelled": asyncio.CancelledError("own"),
    "unprintable": Unprintable(),
}
VALUES: dict[str, Any] = {
    "value": {"a": [1, None]},
    "none": None,
    "object": object(),
    "result": ToolResult("another id", "error", (Text("told"),)),
    "not a result": {"status": "success", "content": "text"},
}


def behave(behaviour: str, world: World, n: int, context: ToolContext) -> Any:
    """Do as the behaviour says; a question leaves before the tool has finished."""
    if behaviour in ("asks", "asks twice"):
        context.interrupt("first", n)
    if behaviour == "asks twice":
        context.interrupt("second")
    world.finished[n] += 1
    if behaviour in ERRORS:
        raise ERRORS[behaviour]
    return VALUES.get(behaviour, n)


def tools_of(world: World) -> list[Any]:
    """A tool for each behaviour, as a coroutine, and as a function in a thread."""
    made: list[Any] = []
    for behaviour in BEHAVIOURS:
        made += _tools(behaviour, world)
    return made


def _tools(behaviour: str, world: World) -> list[Any]:
    name = behaviour.replace(" ", "_")

    async def hangs(n: int, context: ToolContext) -> None:
        del context
        world.begun[n] += 1
        await asyncio.Event().wait()

    async def streams(n: int, context: ToolContext) -> Any:
        world.begun[n] += 1
        yield 1
        yield 2
        yield behave("error" if behaviour != "streams" else "value", world, n, context)

    async def coroutine(n: int, context: ToolContext) -> Any:
        world.begun[n] += 1
        await asyncio.sleep(0)
        return behave(behaviour, world, n, context)

    def plain(n: int, context: ToolContext) -> Any:
        world.begun[n] += 1
        context.report("at work")
        return behave(behaviour, world, n, context)

    if behaviour == "hangs":
        return [tool(hangs, name=name, timeout=0.005)]
    if behaviour.startswith("streams"):
        return [tool(streams, name=name, max_concurrency=1)]
    return [tool(coroutine, name=name), tool(plain, name=f"{name}_in_a_thread", timeout=30)]


NAMES = [each.name for each in tools_of(World())]


@dataclass(frozen=True)
class Hook:
    """A hook that does something to every third use, or to all."""

    before: bool
    action: str
    which: int

    def concerns(self, event: Any) -> bool:
        given = event.tool_use.input
        n = given.get("n") if isinstance(given, dict) else None
        return self.which == 3 or not isinstance(n, int) or n % 3 == self.which

    def function(self, world: World, tools: list[Any]) -> Any:
        async def before(event: BeforeToolCallEvent) -> None:
            await asyncio.sleep(0)
            if self.concerns(event):
                self.act_before(event, tools)

        def after(event: AfterToolCallEvent) -> None:
            if self.concerns(event):
                self.act_after(event, world)

        return before if self.before else after

    def act_before(self, event: BeforeToolCallEvent, tools: list[Any]) -> None:
        self.fail()
        match self.action:
            case "refuses":
                event.cancel_tool = True
            case "refuses with text":
                event.cancel_tool = "no"
            case "edits" if isinstance(event.tool_use.input, dict):
                event.tool_use.input["more"] = 1
            case "renames":
                event.tool_use = replace(event.tool_use, name="value")
            case "renames to nothing":
                event.tool_use = replace(event.tool_use, name="no tool")
            case "selects":
                event.selected_tool = tools[0]
            case "selects nothing":
                event.selected_tool = None
            case "sets nonsense":
                event.selected_tool = "a text"  # type: ignore[assignment]
            case "asks":
                event.interrupt("hook")

    def act_after(self, event: AfterToolCallEvent, world: World) -> None:
        self.fail()
        match self.action:
            case "retries":
                event.retry = 0.0
                given = event.tool_use.input
                world.retries[given.get("n", -1) if isinstance(given, dict) else -1] += 1
            case "replaces":
                event.result = ToolResult("made up", "success", (Text("made up"),))
            case "sets nonsense":
                event.result = None  # type: ignore[assignment]
            case "asks":
                event.context.interrupt("hook")

    def fail(self) -> None:
        if self.action == "raises":
            raise LookupError("hook")
        if self.action == "exits":
            raise SystemExit("hook")
        if self.action == "is cancelled":
            raise asyncio.CancelledError("hook")


hooks = st.builds(
    Hook, st.just(value=True), st.sampled_from(BEFORE), st.integers(0, 3)
) | st.builds(Hook, st.just(value=False), st.sampled_from(AFTER), st.integers(0, 3))
wrong_names = st.sampled_from(["", " ", "valu", "x" * 65, "näme", "value\n"])
wrong_inputs: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "{broken", "[1]", [], 3, Malformed("{", "is cut off"), {}]
)


@st.composite
def batches(draw: st.DrawFn) -> list[ToolUse]:
    uses = []
    for n in range(draw(st.integers(0, 6))):
        name = draw(st.sampled_from(NAMES) if draw(st.integers(0, 9)) else wrong_names)
        input_ = {"n": n} if draw(st.integers(0, 9)) else draw(wrong_inputs)
        identity = f"use-{n}" if draw(st.integers(0, 5)) else "again"
        uses.append(ToolUse(identity, name, input_))
    return uses


strategies = st.sampled_from([concurrent(), concurrent(max_concurrency=2), sequential()])


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    uses=batches(),
    wanted=st.lists(hooks, max_size=4),
    strategy=strategies,
    rounds=st.lists(st.sets(st.sampled_from(QUESTIONS)), max_size=3),
    saves=st.booleans(),
)
def test_one_result_for_each_use_in_order_and_no_finished_tool_runs_twice(
    uses: list[ToolUse],
    wanted: list[Hook],
    strategy: Any,
    rounds: list[set[str]],
    saves: bool,  # noqa: FBT001 - hypothesis gives it by name
) -> None:
    world = World()
    tools = tools_of(world)
    executor = ToolExecutor(
        ToolRegistry(tools),
        strategy=strategy,
        hooks=[each.function(world, tools) for each in wanted],
    )
    asyncio.run(_scene(executor, uses, rounds, world, saves=saves))


async def _scene(
    executor: ToolExecutor,
    uses: list[ToolUse],
    rounds: list[set[str]],
    world: World,
    *,
    saves: bool,
) -> None:
    events: list[Any] = []

    async def sink(event: Any) -> None:
        await asyncio.sleep(0)
        events.append(event)

    async with asyncio.timeout(PATIENCE):
        batch = await executor.run_batch(uses, sink=sink)
        _check_events(events, batch)
        for answered in [*rounds, set(QUESTIONS), set(QUESTIONS), set(QUESTIONS)]:
            _check(batch, uses, world)
            before = batch
            if saves:
                (batch,), _ = load_batches(dump_batches([batch]))
            answers = {use.tool_use_id: dict.fromkeys(answered, "yes") for use in uses}
            batch = await executor.resume(batch, answers)
            _check_kept(before, batch)
    _check(batch, uses, world)
    assert batch.pending == ()
    assert None not in batch.results
    assert asyncio.all_tasks() == {asyncio.current_task()}


def _check(batch: Batch, uses: list[ToolUse], world: World) -> None:
    results = closed(batch)
    assert [result.tool_use_id for result in results] == [use.tool_use_id for use in uses]
    assert all(isinstance(result, ToolResult) for result in results)
    assert all(result.status in ("success", "error") for result in results)
    for n in world.finished:
        # a hook may ask for a retry, and nothing else makes a finished tool run again
        assert world.finished[n] <= 1 + world.retries[n]
        assert world.finished[n] <= 4


def _check_kept(before: Batch, after: Batch) -> None:
    for old, new in zip(before.results, after.results, strict=True):
        assert old is None or old == new


def _check_events(events: list[Any], batch: Batch) -> None:
    started = [event.use for event in events if isinstance(event, ToolStarted)]
    finished = [event.use for event in events if isinstance(event, ToolFinished)]
    asked = [event.use for event in events if isinstance(event, ToolInterrupted)]
    done = [use for use, result in zip(batch.uses, batch.results, strict=True) if result]
    assert sorted(map(id, finished)) == sorted(map(id, done))
    assert sorted(map(id, asked)) == sorted(id(one.use) for one in batch.pending)
    assert sorted(map(id, started)) == sorted(map(id, [*finished, *asked]))


@settings(max_examples=max(50, EXAMPLES // 10), deadline=None)
@given(
    uses=batches(),
    wanted=st.lists(hooks, max_size=3),
    strategy=strategies,
    steps=st.integers(0, 30),
)
def test_cancelling_a_batch_ends_every_call_and_leaves_nothing_running(
    uses: list[ToolUse], wanted: list[Hook], strategy: Any, steps: int
) -> None:
    async def scene() -> None:
        world = World()
        tools = tools_of(world)
        functions = [each.function(world, tools) for each in wanted]
        executor = ToolExecutor(ToolRegistry(tools), strategy=strategy, hooks=functions)
        running = asyncio.ensure_future(executor.run_batch(uses))
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled() or isinstance(running.result(), Batch)
        begun = world.begun.copy()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert world.begun - begun == Counter() or any("thread" in use.name for use in uses)

    asyncio.run(scene())
