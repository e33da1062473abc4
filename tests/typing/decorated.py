"""What a type checker sees of a decorated function; `test_types.py` has mypy check this file."""

from __future__ import annotations

import asyncio
import functools
import pickle
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, assert_type

from toolkit import ToolContext, ToolSpec, tool


@tool
def bare(city: str, days: int = 1) -> dict[str, int]:
    return {city: days}


@tool(name="other", description="Another.", timeout=3, examples=[{"city": "Oslo"}])
def with_options(city: str) -> list[str]:
    return [city]


@tool
async def coroutine(city: str) -> str:
    await asyncio.sleep(0)
    return city


@tool
def generator(most: int) -> Iterator[int]:
    yield from range(most)


@tool
async def async_generator(most: int) -> AsyncIterator[int]:
    for number in range(most):
        yield number


@tool
def with_context(city: str, context: ToolContext) -> str:
    return city + context.tool_use.name


@tool
def every_kind(a: int, /, b: str, *more: float, c: bool = True, **rest: bytes) -> None:
    """Take everything."""


class Service:
    @tool
    def method(self, number: int) -> str:
        return str(number)

    @tool
    @staticmethod
    def static(number: int) -> str:
        return str(number)


def plain(a: int, b: str = "x") -> float:
    return a + len(b)


def the_signature_is_kept() -> None:
    assert_type(bare("Oslo"), dict[str, int])
    assert_type(bare("Oslo", days=2), dict[str, int])
    assert_type(with_options(city="Oslo"), list[str])
    pending = assert_type(coroutine("Oslo"), Coroutine[Any, Any, str])
    pending.close()
    assert_type(generator(3), Iterator[int])
    assert_type(async_generator(3), AsyncIterator[int])
    assert_type(every_kind(1, "b", 2.0, c=False, d=b""), None)


def a_tool_can_be_made_by_a_call() -> None:
    made = tool(plain, name="made")
    assert_type(made(1, b="y"), float)
    partly = tool(functools.partial(plain, 1), name="partly")
    assert_type(partly(b="y"), float)
    listed: list[Callable[..., Any]] = [bare, with_options, made]
    assert len(listed) == 3


def a_method_is_bound() -> None:
    assert_type(Service().method(3), str)
    assert_type(Service.static(3), str)


def a_tool_has_its_tool_side() -> None:
    assert_type(bare.spec, ToolSpec)
    assert_type(bare.name, str)
    assert_type(with_options.timeout, float | None)


def a_tool_pickles() -> None:
    again = pickle.loads(pickle.dumps(bare))
    assert again is bare


async def a_coroutine_is_awaited() -> None:
    assert_type(await coroutine("Oslo"), str)
    assert_type([item async for item in async_generator(2)], list[int])


def what_is_wrong_is_seen(context: ToolContext) -> None:
    """Each of these is an error that mypy must report: an unused ignore would be one."""
    bare(5)  # type: ignore[arg-type]
    bare()  # type: ignore[call-arg]
    bare("Oslo", weeks=2)  # type: ignore[call-arg]
    every_kind("a", "b")  # type: ignore[arg-type]
    with_context("Oslo", 5)  # type: ignore[arg-type]
    tool(nmae="x")  # type: ignore[call-overload]
    tool(5)  # type: ignore[call-overload]
    assert_type(with_context("Oslo", context), str)
