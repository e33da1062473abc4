"""A batch ends with its questions pending; answers rerun only the calls that asked."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from toolkit import (
    Batch,
    BeforeToolCallEvent,
    ToolContext,
    ToolExecutor,
    ToolRegistry,
    ToolUse,
    sequential,
    tool,
)
from toolkit.types import ToolInterrupted


class Office:
    """Tools that count their runs, some of which ask first."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.threads: set[str] = set()

    @tool
    def pay(self, context: ToolContext, amount: int = 1) -> str:
        self.threads.add(threading.current_thread().name)
        self.runs.append("pay")
        answer = context.interrupt("approve", {"amount": amount})
        return f"paid {amount}: {answer}"

    @tool
    async def sign(self, context: ToolContext) -> str:
        self.runs.append("sign")
        first = context.interrupt("who")
        second = context.interrupt("when")
        return f"{first} on {second}"

    @tool
    async def file(self) -> str:
        self.runs.append("file")
        return "filed"


def start(office: Office, *names: str, **options: Any) -> tuple[ToolExecutor, Batch]:
    executor = ToolExecutor(ToolRegistry(office), **options)
    uses = [ToolUse(f"{name}-{number}", name, {}) for number, name in enumerate(names)]
    return executor, asyncio.run(executor.run_batch(uses))


def texts(batch: Batch) -> list[str | None]:
    return [None if result is None else result.text for result in batch.results]


def asked(batch: Batch) -> list[tuple[str, list[tuple[str, Any]]]]:
    return [
        (each.use.tool_use_id, [(one.name, one.reason) for one in each.interrupts])
        for each in batch.pending
    ]


def test_a_batch_keeps_what_is_finished_and_says_what_is_asked() -> None:
    _, batch = start(Office(), "file", "pay", "file")
    assert texts(batch) == ["filed", None, "filed"]
    assert asked(batch) == [("pay-1", [("approve", {"amount": 1})])]


def test_answers_rerun_only_what_asked() -> None:
    office = Office()
    executor, batch = start(office, "file", "pay", "file")
    done = asyncio.run(executor.resume(batch, {"pay-1": {"approve": "yes"}}))
    assert texts(done) == ["filed", "paid 1: yes", "filed"]
    assert done.pending == ()
    assert sorted(office.runs) == ["file", "file", "pay", "pay"]
    assert [each.tool_use_id for each in done.uses] == ["file-0", "pay-1", "file-2"]


@pytest.mark.parametrize("answer", [False, "", 0, None, [], {"a": 1}])
def test_any_value_is_an_answer(answer: Any) -> None:
    executor, batch = start(Office(), "pay")
    done = asyncio.run(executor.resume(batch, {"pay-0": {"approve": answer}}))
    assert texts(done) == [f"paid 1: {answer}"]


def test_earlier_answers_still_hold_when_there_is_another_question() -> None:
    executor, batch = start(Office(), "sign")
    assert asked(batch) == [("sign-0", [("who", None)])]
    batch = asyncio.run(executor.resume(batch, {"sign-0": {"who": "Ada"}}))
    assert asked(batch) == [("sign-0", [("when", None)])]
    batch = asyncio.run(executor.resume(batch, {"sign-0": {"when": "Friday"}}))
    assert texts(batch) == ["Ada on Friday"]


def test_two_calls_may_ask_by_one_name_and_each_has_its_own_answer() -> None:
    executor, batch = start(Office(), "pay", "pay")
    assert [identity for identity, _ in asked(batch)] == ["pay-0", "pay-1"]
    answers = {"pay-0": {"approve": "yes"}, "pay-1": {"approve": "no"}}
    assert texts(asyncio.run(executor.resume(batch, answers))) == ["paid 1: yes", "paid 1: no"]


def test_what_nobody_answers_stays_open() -> None:
    office = Office()
    executor, batch = start(office, "pay", "file")
    again = asyncio.run(executor.resume(batch, {}))
    assert (texts(again), asked(again)) == (texts(batch), asked(batch))
    assert office.runs.count("file") == 1


def test_in_sequence_a_question_stops_the_rest_until_it_is_answered() -> None:
    office = Office()
    executor, batch = start(office, "file", "pay", "file", strategy=sequential())
    assert texts(batch) == ["filed", None, None]
    assert len(batch.pending) == 1
    done = asyncio.run(executor.resume(batch, {"pay-1": {"approve": "ok"}}))
    assert texts(done) == ["filed", "paid 1: ok", "filed"]
    assert office.runs == ["file", "pay", "pay", "file"]


def test_a_hook_asks_before_the_tool_runs() -> None:
    office = Office()

    def guard(event: BeforeToolCallEvent) -> None:
        if event.interrupt("sure", event.tool_use.name) != "yes":
            event.cancel_tool = "you said no"

    executor, batch = start(office, "file", "file", hooks=[guard])
    assert asked(batch) == [("file-0", [("sure", "file")]), ("file-1", [("sure", "file")])]
    assert office.runs == []
    answers = {"file-0": {"sure": "yes"}, "file-1": {"sure": "no"}}
    assert texts(asyncio.run(executor.resume(batch, answers))) == ["filed", "you said no"]
    assert office.runs == ["file"]


def test_an_author_who_catches_every_exception_does_not_catch_a_question() -> None:
    @tool
    def careful(context: ToolContext) -> str:
        try:
            return str(context.interrupt("sure"))
        except Exception as error:  # noqa: BLE001 - what many tools do
            return f"caught {error}"

    executor = ToolExecutor(ToolRegistry([careful]), timeout=5)
    batch = asyncio.run(executor.run_batch([ToolUse("use-1", "careful")]))
    assert asked(batch) == [("use-1", [("sure", None)])]


def test_questions_of_tasks_that_a_tool_started_are_questions() -> None:
    @tool
    async def both(context: ToolContext) -> str:
        async def ask(name: str) -> str:
            return str(context.interrupt(name))

        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ask(name)) for name in ("one", "two")]
        return " and ".join(task.result() for task in asked)

    executor = ToolExecutor(ToolRegistry([both]))
    batch = asyncio.run(executor.run_batch([ToolUse("b", "both")]))
    assert asked(batch) == [("b", [("one", None)])]
    batch = asyncio.run(executor.resume(batch, {"b": {"one": 1}}))
    assert asked(batch) == [("b", [("two", None)])]
    assert texts(asyncio.run(executor.resume(batch, {"b": {"two": 2}}))) == ["1 and 2"]


def test_a_question_beside_a_failure_is_a_failure() -> None:
    @tool
    async def both(context: ToolContext) -> None:
        async def fail() -> None:
            raise ValueError("no")

        async def ask() -> None:
            context.interrupt("one")

        async with asyncio.TaskGroup() as group:
            group.create_task(fail())
            group.create_task(ask())

    result = asyncio.run(ToolExecutor(ToolRegistry([both])).run(ToolUse("b", "both")))
    assert result.status == "error"
    assert "BaseExceptionGroup" in result.text


def test_a_question_is_an_event() -> None:
    events: list[Any] = []

    async def sink(event: Any) -> None:
        events.append(event)

    executor = ToolExecutor(ToolRegistry(Office()))
    batch = asyncio.run(executor.run_batch([ToolUse("p", "pay")], sink=sink))
    assert [type(event).__name__ for event in events] == ["ToolStarted", "ToolInterrupted"]
    assert isinstance(events[1], ToolInterrupted)
    assert events[1] == batch.pending[0]


def test_where_nobody_can_be_asked_a_question_is_an_error_result() -> None:
    result = asyncio.run(ToolExecutor(ToolRegistry(Office())).run(ToolUse("p", "pay")))
    assert (result.status, result.text) == ("error", "'pay' waits for an answer: approve")


def test_the_state_goes_on() -> None:
    @tool
    def count(context: ToolContext) -> int:
        context.state["runs"] = context.state.get("runs", 0) + 1
        context.interrupt("go on")
        return int(context.state["runs"])

    executor = ToolExecutor(ToolRegistry([count]))
    state: dict[str, Any] = {}
    batch = asyncio.run(executor.run_batch([ToolUse("c", "count")], state=state))
    done = asyncio.run(executor.resume(batch, {"c": {"go on": True}}))
    assert texts(done) == ["2"]
    assert state == {"runs": 2}
