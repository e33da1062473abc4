"""A tool that calls other tools, from a thread or on the loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolkit import ToolExecutor, ToolRegistry, tool

from .pipeline import PATIENCE, settle, use


@pytest.fixture
def registry() -> ToolRegistry:
    made = ToolRegistry()

    @tool
    def plain(n: int) -> int:
        return n + 1

    @tool
    async def later(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    @tool
    def fails() -> None:
        raise ValueError("inside")

    @tool
    def calls_from_a_thread(name: str, n: int) -> Any:
        return getattr(made.tool, name)(n=n)

    @tool
    async def calls_on_the_loop(name: str, n: int) -> Any:
        return getattr(made.tool, name)(n=n)

    @tool
    async def awaits(name: str, n: int) -> Any:
        return await getattr(made.tool, name).call_async(n=n)

    @tool
    def adds_up(n: int) -> int:
        return 0 if n == 0 else n + int(made.tool.adds_up(n=n - 1).text)

    for each in (plain, later, fails, calls_from_a_thread, calls_on_the_loop, awaits, adds_up):
        made.register(each)
    return made


@pytest.mark.parametrize("inner", ["plain", "later"])
@pytest.mark.parametrize("outer", ["calls_from_a_thread", "calls_on_the_loop", "awaits"])
def test_a_tool_calls_another_wherever_it_runs(
    registry: ToolRegistry, outer: str, inner: str
) -> None:
    async def run() -> None:
        it = ToolExecutor(registry)
        uses = [use(outer, n, name=inner, n=n) for n in range(3)]
        batch = await asyncio.wait_for(it.run_batch(uses), PATIENCE)
        assert [r and r.text for r in batch.results] == ["1", "2", "3"]
        assert [r and r.tool_use_id for r in batch.results] == ["use-0", "use-1", "use-2"]
        assert not await settle()

    asyncio.run(run())


def test_a_result_that_is_passed_on_keeps_its_error(registry: ToolRegistry) -> None:
    result = registry.tool.calls_from_a_thread("fails", 1)
    assert (result.status, result.text) == ("error", "Error: ValueError: inside")


def test_a_tool_may_call_itself_in_depth(registry: ToolRegistry) -> None:
    assert registry.tool.adds_up(n=20).text == str(sum(range(21)))
