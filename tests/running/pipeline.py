"""Small pipelines for tests: functions in, results and events out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from toolkit import ToolExecutor, ToolRegistry, ToolResult, ToolUse, tool
from toolkit.decorator import FunctionTool

if TYPE_CHECKING:
    import threading
    from collections.abc import Awaitable, Callable

    from toolkit.types import Event

__all__ = ["Log", "call", "executor", "settle", "until", "use"]

PATIENCE = 10.0  # seconds: a bound, never a measure


def executor(*functions: Any, **options: Any) -> ToolExecutor:
    """An executor of exactly these functions."""
    registry = ToolRegistry()
    for each in functions:
        registry.register(each if isinstance(each, FunctionTool) else tool(each))
    return ToolExecutor(registry, **options)


def use(name: str, number: int = 1, /, **given: Any) -> ToolUse:
    return ToolUse(f"use-{number}", name, given)


def call(function: Any, **given: Any) -> ToolResult:
    """One call of one function, on a loop of its own."""
    made = function if isinstance(function, FunctionTool) else tool(function)
    running = executor(made).run(ToolUse("use-1", made.name, given))
    return asyncio.run(asyncio.wait_for(running, PATIENCE))


class Log:
    """A sink that keeps what it takes, after an optional wait of its own."""

    def __init__(self, wait: Callable[[], Awaitable[Any]] | None = None) -> None:
        self.events: list[Event] = []
        self.wait = wait

    async def __call__(self, event: Event) -> None:
        if self.wait is not None:
            await self.wait()
        self.events.append(event)

    @property
    def values(self) -> list[Any]:
        return [event.value for event in self.events if hasattr(event, "value")]


async def until(true: Callable[[], bool]) -> None:
    """Let the loop run until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.002)


async def settle() -> set[asyncio.Task[Any]]:
    """The tasks that are left beside the test's own, after a few turns of the loop."""
    for _ in range(5):
        await asyncio.sleep(0)
    return asyncio.all_tasks() - {asyncio.current_task()}


def wait_for(event: threading.Event) -> None:
    assert event.wait(PATIENCE)
