"""A middleware of a user's own: where it stands, and what it can't break."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import (
    AfterToolCallEvent,
    BeforeToolCallEvent,
    Call,
    CallRefusedError,
    Handler,
    Text,
    ToolResult,
    tool,
)
from toolkit.errors import MiddlewareFailedError

from .pipeline import executor, run, run_batch

if TYPE_CHECKING:
    from collections.abc import Awaitable


@tool
def double(number: int = 1) -> int:
    return 2 * number


def test_the_first_is_outermost_and_hooks_stand_outside() -> None:
    order: list[str] = []

    def layer(name: str) -> Any:
        async def around(call: Call, handle: Handler) -> ToolResult:
            order.append(f"{name} in")
            result = await handle(call)
            order.append(f"{name} out")
            return result

        return around

    def before(event: BeforeToolCallEvent) -> None:
        order.append(f"before {event.tool_use.name}")

    def after(event: AfterToolCallEvent) -> None:
        order.append(f"after {event.tool_use.name}")

    runner = executor(double, hooks=[before, after], middleware=[layer("a"), layer("b")])
    assert run(runner, "double").text == "2"
    assert order == ["before double", "a in", "b in", "b out", "a out", "after double"]


def test_a_use_that_is_refused_passes_through_too() -> None:
    seen: list[Any] = []

    async def note(call: Call, handle: Handler) -> ToolResult:
        seen.append(call.tool)
        return await handle(call)

    assert run(executor(double, middleware=[note]), "nobody").status == "error"
    assert run(executor(double, middleware=[note]), "a b").status == "error"
    assert seen == [None, None]


def test_a_refusal_speaks_for_itself() -> None:
    async def refuse(call: Call, handle: Handler) -> ToolResult:
        del call, handle
        raise CallRefusedError("three calls a minute are enough")

    result = run(executor(double, middleware=[refuse]), "double")
    assert (result.status, result.text) == ("error", "three calls a minute are enough")


@pytest.mark.parametrize("error", [KeyError("rate"), SystemExit(1), asyncio.CancelledError("own")])
def test_whatever_it_raises_is_an_error_result_that_names_it(error: BaseException) -> None:
    async def rate(call: Call, handle: Handler) -> ToolResult:
        del call, handle
        raise error

    batch = run_batch(executor(double, middleware=[rate]), "double", "double")
    for result in batch.results:
        assert result is not None
        assert "rate' failed: " in result.text
        assert isinstance(result.exception, MiddlewareFailedError)
        assert result.exception.__cause__ is error


def test_what_is_no_result_is_an_error_result() -> None:
    async def forget(call: Call, handle: Handler) -> Any:
        await handle(call)

    result = run(executor(double, middleware=[forget]), "double")
    assert result.text.endswith("forget' failed: TypeError: returned NoneType, not a ToolResult")


def test_it_may_answer_without_running_anything() -> None:
    def answer(call: Call, handle: Handler) -> Awaitable[ToolResult]:
        del handle

        async def known() -> ToolResult:
            return ToolResult(call.use.tool_use_id, "success", (Text("known"),))

        return known()

    assert run(executor(double, middleware=[answer]), "nobody").text == "known"
