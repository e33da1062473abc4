"""What a tool gets from its context: state, notes, reports, and the end of its call."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from toolkit import ToolContext, tool

from .pipeline import Log, executor, settle, until, use, wait_for

if TYPE_CHECKING:
    from toolkit.types import Event


def test_the_state_is_the_callers_own_dict_and_shared_by_a_batch() -> None:
    async def counts(context: ToolContext) -> None:
        context.state["n"] = context.state.get("n", 0) + 1

    async def run() -> None:
        state = {"n": 10}
        await executor(counts).run_batch([use("counts", n) for n in range(5)], state=state)
        assert state == {"n": 15}

    asyncio.run(run())


def test_calls_without_a_state_have_one_of_their_own() -> None:
    async def counts(context: ToolContext) -> int:
        context.state["n"] = context.state.get("n", 0) + 1
        return int(context.state["n"])

    async def run() -> None:
        it = executor(counts)
        assert (await it.run(use("counts"))).text == "1"
        assert (await it.run(use("counts"))).text == "1"

    asyncio.run(run())


def test_the_context_knows_its_use_and_its_agent() -> None:
    agent = object()

    async def looks(context: ToolContext) -> list[Any]:
        return [context.tool_use.tool_use_id, context.tool_use.input, context.agent is agent]

    result = asyncio.run(executor(looks).run(use("looks"), agent=agent))
    assert result.text == '["use-1",{},true]'


def test_what_was_converted_and_ignored_stands_in_the_metadata() -> None:
    async def takes(items: list[int]) -> int:
        return len(items)

    result = asyncio.run(executor(takes).run(use("takes", items="[1, 2]", item=3)))
    assert result.text == "2"
    assert result.metadata["notes"] == [
        {"kind": "converted", "path": "items", "message": "JSON text was parsed"},
        {
            "kind": "ignored",
            "path": "item",
            "message": "unknown argument, ignored; did you mean 'items'?",
        },
    ]


def test_emit_and_report_reach_the_sink_in_order() -> None:
    async def emits(context: ToolContext) -> str:
        for each in range(3):
            await context.emit(each)
        return "done"

    def reports(context: ToolContext) -> str:
        for each in range(3):
            context.report(each)
        return "done"

    for function in (emits, reports):
        log = Log()
        asyncio.run(executor(function).run(use(function.__name__), sink=log))
        assert log.values == [0, 1, 2]
        assert [type(event).__name__ for event in log.events] == [
            "ToolStarted",
            *["ToolProgress"] * 3,
            "ToolFinished",
        ]


def test_without_a_sink_progress_goes_nowhere() -> None:
    async def emits(context: ToolContext) -> str:
        await context.emit(1)
        context.report(2)
        return "done"

    assert asyncio.run(executor(emits).run(use("emits"))).text == "done"


def test_report_on_the_loops_own_thread_keeps_its_place_before_what_follows() -> None:
    async def mixes(context: ToolContext) -> str:
        context.report(1)
        context.report(2)
        await context.emit(3)
        context.report(4)
        return "done"

    async def waits() -> None:
        await asyncio.sleep(0)

    async def run(log: Log) -> None:
        await executor(mixes).run(use("mixes"), sink=log)
        assert log.values == [1, 2, 3, 4]
        assert type(log.events[-1]).__name__ == "ToolFinished"
        assert not await settle()

    asyncio.run(run(Log()))
    asyncio.run(run(Log(waits)))


def test_a_plain_function_is_a_sink_that_takes_at_once() -> None:
    from toolkit.events import TAKEN, Taken

    seen: list[Any] = []

    def sink(event: Event) -> Taken:
        seen.append(getattr(event, "value", type(event).__name__))
        return TAKEN

    async def mixes(context: ToolContext) -> str:
        context.report(1)
        seen.append("reported")
        await context.emit(2)
        return "done"

    asyncio.run(executor(mixes).run(use("mixes"), sink=sink))
    assert seen == ["ToolStarted", 1, "reported", 2, "ToolFinished"]


def test_a_thread_of_an_async_tool_reports_nothing_once_its_call_has_ended() -> None:
    go, gone = threading.Event(), threading.Event()

    async def leaves(context: ToolContext) -> str:
        def late() -> None:
            wait_for(go)
            context.report("late")
            gone.set()

        threading.Thread(target=late, daemon=True).start()
        return "done"

    async def run() -> None:
        log = Log()

        async def other() -> None:
            await until(lambda: any(type(e).__name__ == "ToolFinished" for e in log.events))
            go.set()
            await asyncio.to_thread(wait_for, gone)

        it = executor(leaves, other)
        await it.run_batch([use("leaves", 1), use("other", 2)], sink=log)
        assert log.values == []

    asyncio.run(run())


def test_a_thread_that_reports_after_the_loop_has_ended_goes_on_unharmed() -> None:
    go, gone, failed = threading.Event(), threading.Event(), []

    def leaves(context: ToolContext) -> str:
        def late() -> None:
            wait_for(go)
            try:
                context.report("late")
            except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
                failed.append(error)
            gone.set()

        threading.Thread(target=late, daemon=True).start()
        return "done"

    asyncio.run(executor(leaves).run(use("leaves"), sink=Log()))
    go.set()
    wait_for(gone)
    assert failed == []


def test_a_call_that_asks_and_is_not_answered_is_an_error_that_names_the_question() -> None:
    async def asks(context: ToolContext) -> Any:
        return context.interrupt("sure", "really?")

    it = executor(tool(asks))
    assert "waits for an answer: sure" in asyncio.run(it.run(use("asks"))).text
    answered = asyncio.run(it.run(use("asks"), answers={"use-1": {"sure": "yes"}}))
    assert answered.text == "yes"
