"""What an After hook may change; a finished tool is never run again because one fails."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import AfterToolCallEvent, BeforeToolCallEvent, Text, ToolContext, ToolResult, tool
from toolkit.errors import HookFailedError, ToolTimeoutError

from .pipeline import executor, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit import ToolExecutor


@tool
def double(number: int) -> int:
    return 2 * number


class Failing:
    """Fails a number of times, then returns how often it was called."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.calls = 0

    @tool
    async def work(self) -> int:
        self.calls += 1
        if self.calls <= self.times:
            raise ConnectionError(f"call {self.calls}")
        return self.calls


def on_error(event: AfterToolCallEvent) -> None:
    event.retry = 0.0 if event.exception is not None else False


def retrying(subject: Failing, *hooks: Callable[..., Any]) -> ToolExecutor:
    return executor(subject.work, hooks=[on_error, *hooks])


def test_hooks_fire_in_reverse_and_each_sees_the_result_of_the_one_before() -> None:
    def first(event: AfterToolCallEvent) -> None:
        event.result = replace(event.result, content=(Text(f"first({event.result.text})"),))

    async def second(event: AfterToolCallEvent) -> None:
        event.result = replace(event.result, content=(Text(f"second({event.result.text})"),))

    result = run(executor(double, hooks=[first, second]), "double", number=2)
    assert result.text == "first(second(4))"


def test_a_hook_reads_what_happened() -> None:
    seen: list[Any] = []

    def note(event: AfterToolCallEvent) -> None:
        seen.append((event.tool_use.name, event.selected_tool, event.attempt))
        seen.append((type(event.exception), event.cancel_message, event.duration >= 0))
        seen.append(event.context.tool_use is event.tool_use)

    run(executor(double, hooks=[note]), "double", number="many")
    assert seen[0] == ("double", double, 1)
    assert seen[1][0].__name__ == "InvalidInputError"
    assert seen[1][1:] == (None, True)
    assert seen[2]


def test_a_refusal_is_told_to_the_after_hooks_and_never_retried() -> None:
    seen: list[str | None] = []

    def refuse(event: BeforeToolCallEvent) -> None:
        event.cancel_tool = "closed"

    def note(event: AfterToolCallEvent) -> None:
        seen.append(event.cancel_message)
        event.retry = 0.0

    assert run(executor(double, hooks=[refuse, note]), "double", number=1).text == "closed"
    assert seen == ["closed"]


def test_the_id_of_a_result_that_a_hook_makes_is_the_one_of_the_use() -> None:
    def make(event: AfterToolCallEvent) -> None:
        event.result = ToolResult("another", "success", (Text("made"),))

    result = run(executor(double, hooks=[make]), "double", number=1)
    assert (result.tool_use_id, result.text) == ("use-1", "made")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("result", "done", "result must be a ToolResult, not str"),
        ("result", ToolResult("use-1", "fine"), "success or error, not 'fine'"),  # type: ignore[arg-type]
        ("result", ToolResult("use-1", "success", ("text",)), "tuple of Text"),  # type: ignore[arg-type]
        ("retry", "yes", "retry must be a bool or seconds, not str"),
        ("retry", -1, "retry can't wait -1 seconds"),
        ("retry", float("nan"), "retry can't wait nan seconds"),
        ("duration", 0, "duration"),
        ("exception", None, "exception"),
        ("cancel_tool", True, "cancel_tool"),
    ],
)
def test_what_a_hook_sets_is_checked(field: str, value: object, said: str) -> None:
    def set_it(event: AfterToolCallEvent) -> None:
        setattr(event, field, value)

    result = run(executor(double, hooks=[set_it]), "double", number=2)
    assert result.status == "error"
    assert said in result.text


def test_a_hook_that_fails_is_named_and_the_others_still_fire() -> None:
    seen: list[str] = []

    def cleanup(event: AfterToolCallEvent) -> None:
        seen.append(event.result.status)

    def check(event: AfterToolCallEvent) -> None:
        raise ValueError(event.result.text)

    result = run(executor(double, hooks=[cleanup, check]), "double", number=2)
    assert result.text.endswith("check' failed after the tool had run: ValueError: 4")
    assert isinstance(result.exception, HookFailedError)
    assert seen == ["error"]


def test_a_finished_tool_is_never_run_again_because_a_hook_fails() -> None:
    subject = Failing(0)

    def again(event: AfterToolCallEvent) -> None:
        event.retry = 0.0

    def check(event: AfterToolCallEvent) -> None:
        raise ValueError(event.attempt)

    assert run(executor(subject.work, hooks=[again, check]), "work").status == "error"
    assert subject.calls == 1


def test_a_question_after_the_tool_has_run_is_a_failure_of_the_hook() -> None:
    def ask(event: AfterToolCallEvent) -> None:
        event.context.interrupt("sure")

    result = run(executor(double, hooks=[ask]), "double", number=2)
    assert "asked 'sure' when the tool had run already" in result.text


def test_a_call_is_retried_until_it_is_well() -> None:
    subject = Failing(2)
    seen: list[int] = []

    def note(event: BeforeToolCallEvent) -> None:
        seen.append(event.attempt)

    result = run(retrying(subject, note), "work")
    assert (result.text, result.metadata) == ("3", {"attempts": 3})
    assert seen == [1, 2, 3]


def test_retries_are_bounded() -> None:
    subject = Failing(100)
    result = run(retrying(subject), "work")
    assert (result.text, result.metadata) == ("Error: ConnectionError: call 4", {"attempts": 4})
    assert subject.calls == 4


def test_the_pause_grows_from_attempt_to_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def again(event: AfterToolCallEvent) -> None:
        event.retry = True

    monkeypatch.setattr("toolkit.middleware.hooks.asyncio.sleep", sleep)
    run(executor(Failing(0).work, hooks=[again]), "work")
    assert pauses == [0.1, 0.2, 0.4]


def test_an_attempt_starts_from_what_the_model_asked_for() -> None:
    seen: list[int] = []

    def edit(event: BeforeToolCallEvent) -> None:
        event.tool_use.input["number"] += 1

    def again(event: AfterToolCallEvent) -> None:
        seen.append(event.tool_use.input["number"])
        event.retry = 0.0 if event.attempt < 3 else False

    assert run(executor(double, hooks=[edit, again]), "double", number=1).text == "4"
    assert seen == [2, 2, 2]


def test_an_attempt_is_not_cancelled_because_the_one_before_was_left_behind() -> None:
    attempts: list[bool] = []

    @tool(timeout=0.05)
    async def work(context: ToolContext) -> str:
        attempts.append(context.cancelled.is_set())
        if len(attempts) == 1:
            await asyncio.Event().wait()
        return "done"

    def on_timeout(event: AfterToolCallEvent) -> None:
        event.retry = 0.0 if isinstance(event.exception, ToolTimeoutError) else False

    assert run(executor(work, hooks=[on_timeout]), "work").text == "done"
    assert attempts == [False, False]
