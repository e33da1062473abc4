"""What a Before hook may change, and what it is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolkit import BeforeToolCallEvent, CallRefusedError, ToolUse, tool
from toolkit.errors import HookFailedError

from .pipeline import executor, run


@tool
def double(number: int) -> int:
    return 2 * number


@tool
def triple(number: int) -> int:
    return 3 * number


def test_hooks_fire_in_order_sync_and_async_alike() -> None:
    fired: list[str] = []

    def first(event: BeforeToolCallEvent) -> None:
        fired.append(f"first {event.tool_use.name}")

    async def second(event: BeforeToolCallEvent) -> None:
        fired.append(f"second {event.attempt}")

    assert run(executor(double, hooks=[first, second]), "double", number=2).text == "4"
    assert fired == ["first double", "second 1"]


def test_an_input_can_be_edited_in_place_and_the_caller_keeps_its_own() -> None:
    def edit(event: BeforeToolCallEvent) -> None:
        event.tool_use.input["number"] += 1

    given = {"number": 2}
    assert run(executor(double, hooks=[edit]), "double", **given).text == "6"
    assert given == {"number": 2}


def test_a_use_can_be_replaced() -> None:
    def change(event: BeforeToolCallEvent) -> None:
        event.tool_use = replace(event.tool_use, input={"number": 10})

    assert run(executor(double, hooks=[change]), "double", number=2).text == "20"


def test_another_name_is_looked_up_again() -> None:
    def rename(event: BeforeToolCallEvent) -> None:
        event.tool_use = replace(event.tool_use, name="triple")
        assert event.selected_tool is triple

    assert run(executor(double, triple, hooks=[rename]), "double", number=2).text == "6"
    assert run(executor(double, triple, hooks=[rename]), "dubble", number=2).text == "6"


def test_a_name_that_no_tool_has_is_an_unknown_tool() -> None:
    def rename(event: BeforeToolCallEvent) -> None:
        event.tool_use = replace(event.tool_use, name="trippel")

    result = run(executor(double, triple, hooks=[rename]), "double", number=2)
    assert (result.status, result.text) == (
        "error",
        "unknown tool 'trippel'; did you mean 'triple'?",
    )


def test_a_selected_tool_runs_whatever_the_name() -> None:
    def swap(event: BeforeToolCallEvent) -> None:
        event.selected_tool = triple
        event.tool_use = replace(event.tool_use, name="double")

    assert run(executor(double, hooks=[swap]), "double", number=2).text == "6"


def test_the_tool_sees_the_use_as_the_hooks_left_it() -> None:
    seen: list[ToolUse] = []

    class Spy:
        spec = triple.spec

        async def invoke(self, use: ToolUse, context: Any) -> str:
            seen.extend([use, context.tool_use])
            return "seen"

    def change(event: BeforeToolCallEvent) -> None:
        event.tool_use.input["number"] = 7

    assert run(executor(Spy(), hooks=[change]), "triple", number=1).text == "seen"
    assert seen == [ToolUse("use-1", "triple", {"number": 7})] * 2


@pytest.mark.parametrize(
    ("cancel", "text"),
    [("not on a Sunday", "not on a Sunday"), (True, "the call was refused")],
)
def test_a_refused_call_does_not_run_and_says_why(cancel: bool | str, text: str) -> None:  # noqa: FBT001
    fired: list[str] = []

    def refuse(event: BeforeToolCallEvent) -> None:
        event.cancel_tool = cancel

    def later(event: BeforeToolCallEvent) -> None:
        fired.append(event.tool_use.name)

    result = run(executor(double, hooks=[refuse, later]), "double", number=2)
    assert (result.status, result.text) == ("error", text)
    assert isinstance(result.exception, CallRefusedError)
    assert fired == []


def test_cancel_tool_set_to_false_refuses_nothing() -> None:
    def allow(event: BeforeToolCallEvent) -> None:
        event.cancel_tool = False

    assert run(executor(double, hooks=[allow]), "double", number=2).text == "4"


def test_a_hook_that_raises_is_named_and_the_tool_does_not_run() -> None:
    ran: list[int] = []

    @tool
    def note() -> None:
        ran.append(1)

    def check(event: BeforeToolCallEvent) -> None:
        raise LookupError(f"no rule for {event.tool_use.name}")

    result = run(executor(note, hooks=[check]), "note")
    assert result.text.startswith("the hook '")
    assert result.text.endswith("check' failed before the tool ran: LookupError: no rule for note")
    assert isinstance(result.exception, HookFailedError)
    assert isinstance(result.exception.__cause__, LookupError)
    assert ran == []


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration(), RuntimeError()])
def test_whatever_a_hook_raises_is_an_error_result(error: BaseException) -> None:
    def check(event: BeforeToolCallEvent) -> None:
        del event
        raise error

    assert type(error).__name__ in run(executor(double, hooks=[check]), "double", number=1).text


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("tool_use", {"name": "x"}, "tool_use must be a ToolUse, not dict"),
        ("tool_use", ToolUse("other", "double"), "must keep its tool_use_id"),
        ("selected_tool", "double", "selected_tool must be a Tool or None, not str"),
        ("cancel_tool", 1, "cancel_tool must be a bool or a str, not int"),
        ("attempt", 2, "attempt"),
        ("context", None, "context"),
        ("result", None, "result"),
    ],
)
def test_what_a_hook_sets_is_checked(field: str, value: object, said: str) -> None:
    def set_it(event: BeforeToolCallEvent) -> None:
        setattr(event, field, value)

    result = run(executor(double, hooks=[set_it]), "double", number=2)
    assert result.status == "error"
    assert said in result.text


def test_a_context_is_shared_with_the_caller() -> None:
    def note(event: BeforeToolCallEvent) -> None:
        event.context.state["seen"] = event.selected_tool

    from .pipeline import run_batch

    @tool
    def nothing() -> None: ...

    state: dict[str, Any] = {}
    run_batch(executor(nothing, hooks=[note]), "nothing", state=state)
    assert state == {"seen": nothing}
