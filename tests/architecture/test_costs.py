"""What work grows with: counted in calls of functions, which no busy machine can blur."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def _counting() -> Iterator[list[int]]:
    """Count the functions, Python's and C's, that are called on this thread meanwhile."""
    count = [0]

    def see(_frame: Any, event: str, _argument: Any) -> None:
        count[0] += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        yield count
    finally:
        sys.setprofile(before)


def _calls(work: Callable[[], Any]) -> int:
    with _counting() as count:
        work()
    return count[0]


def _tools(many: int) -> list[Any]:
    async def answer(city: str, days: int = 1) -> str:
        """Answer."""
        return f"{city} {days}"

    return [tool(answer, name=f"tool_{number}") for number in range(many)]


def _one_call(registry: ToolRegistry) -> int:
    executor = ToolExecutor(registry)
    use = ToolUse("t1", "tool_0", {"city": "Tokyo"})
    asyncio.run(executor.run(use))  # the first one builds the validator
    with _counting() as count:
        result = asyncio.run(executor.run(use))
    assert result.text == "Tokyo 1"
    return count[0]


def test_a_call_costs_the_same_among_one_tool_and_among_thousands() -> None:
    alone = _one_call(ToolRegistry(_tools(1)))
    among_many = _one_call(ToolRegistry(_tools(3000)))
    assert among_many == pytest.approx(alone, rel=0.05)


def test_decorating_costs_the_same_for_each_tool() -> None:
    _tools(1)
    few, many = _calls(lambda: _tools(100)), _calls(lambda: _tools(1000))
    assert many == pytest.approx(10 * few, rel=0.05)
    assert few < 100 * 50


def test_registering_costs_the_same_for_each_tool() -> None:
    ToolRegistry(_tools(1))
    few_tools, many_tools = _tools(100), _tools(1000)
    few, many = _calls(lambda: ToolRegistry(few_tools)), _calls(lambda: ToolRegistry(many_tools))
    assert many == pytest.approx(10 * few, rel=0.1)


def test_building_specs_costs_the_same_for_each_tool() -> None:
    _ = _tools(1)[0].spec
    few_tools, many_tools = _tools(20), _tools(200)
    few = _calls(lambda: [each.spec for each in few_tools])
    many = _calls(lambda: [each.spec for each in many_tools])
    assert many == pytest.approx(10 * few, rel=0.1)
    assert _calls(lambda: [each.spec for each in many_tools]) < 200 * 5
