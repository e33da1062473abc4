"""Pipelines and consumers for tests of the way of events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PATIENCE", "executor", "left", "until", "uses"]

PATIENCE = 20.0  # seconds: a bound, never a measure


def executor(*functions: Any, **options: Any) -> ToolExecutor:
    registry = ToolRegistry()
    for each in functions:
        registry.register(tool(each))
    return ToolExecutor(registry, **options)


def uses(name: str, count: int, **given: Any) -> list[ToolUse]:
    return [ToolUse(f"{name}-{n}", name, {"n": n, **given}) for n in range(count)]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.002)


async def left() -> list[asyncio.Task[Any]]:
    """The tasks that are left beside the test's own, after a few turns of the loop."""
    for _ in range(5):
        await asyncio.sleep(0)
    return [each for each in asyncio.all_tasks() if each is not asyncio.current_task()]
