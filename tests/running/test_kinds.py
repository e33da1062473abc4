"""Every kind of function comes to its value."""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import tool

from .pipeline import Log, call, executor, use

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterator


def plain(n: int) -> int:
    return n + 1


async def coroutine(n: int) -> int:
    await asyncio.sleep(0)
    return n + 1


def generator(n: int) -> Iterator[int]:
    yield 0
    yield n + 1


async def async_generator(n: int) -> AsyncIterator[int]:
    yield 0
    yield n + 1


def passes_on(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def passes_on_later(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


class PlainCallable:
    __name__ = "instance"

    def __call__(self, n: int) -> int:
        return n + 1


class AsyncCallable:
    __name__ = "instance"

    async def __call__(self, n: int) -> int:
        return n + 1


class Methods:
    def method(self, n: int) -> int:
        return n + 1

    async def later(self, n: int) -> int:
        return n + 1

    @classmethod
    def of_class(cls, n: int) -> int:
        return n + 1

    @staticmethod
    def of_none(n: int) -> int:
        return n + 1


def added(n: int, more: int) -> int:
    return n + more


async def added_later(n: int, more: int) -> int:
    return n + more


EACH: tuple[Any, ...] = (plain, coroutine, generator, async_generator)
KINDS: list[Any] = [
    *EACH,
    *(passes_on(each) for each in EACH),
    *(passes_on_later(each) for each in EACH),
    *(passes_on(passes_on_later(each)) for each in EACH),
    PlainCallable(),
    AsyncCallable(),
    Methods().method,
    Methods().later,
    Methods().of_class,
    Methods.of_none,
    lambda n: n + 1,
    functools.partial(added, more=1),
    functools.partial(added_later, more=1),
    functools.partial(passes_on(added_later), more=1),
]


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_every_kind_of_function_comes_to_its_value(number: int) -> None:
    result = call(tool(KINDS[number], name="it"), n=41)
    assert (result.status, result.text) == ("success", "42")


@pytest.mark.parametrize(
    "function",
    [
        generator,
        async_generator,
        passes_on(generator),
        passes_on(async_generator),
        passes_on_later(generator),
        passes_on_later(async_generator),
    ],
)
def test_what_a_generator_yields_is_progress_and_its_last_item_the_result(function: Any) -> None:
    log = Log()
    it = executor(tool(function, name="it"))
    result = asyncio.run(it.run(use("it", n=6), sink=log))
    assert log.values == [0, 7]
    assert result.text == "7"


def test_a_generator_without_items_gives_null() -> None:
    def nothing() -> Iterator[int]:
        yield from ()

    async def nothing_later() -> AsyncIterator[int]:
        nobody: tuple[int, ...] = ()
        for each in nobody:
            yield each

    assert call(nothing).text == "null"
    assert call(nothing_later).text == "null"


def test_what_a_generator_returns_is_its_result() -> None:
    def counted() -> Generator[int, None, str]:
        yield 1
        return "done"

    def emptied() -> Generator[int, None, str]:
        yield from ()
        return "done"

    log = Log()
    result = asyncio.run(executor(counted).run(use("counted"), sink=log))
    assert (log.values, result.text) == ([1], "done")
    assert call(emptied).text == "done"


class Stream:
    """An asynchronous iterator that is no generator, as clients of models give."""

    def __init__(self) -> None:
        self.items = ["a", "b"]

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> str:
        if not self.items:
            raise StopAsyncIteration
        return self.items.pop(0)


def test_a_returned_stream_is_followed_to_its_last_item() -> None:
    async def later() -> Stream:
        return Stream()

    for function in (Stream, later):
        log = Log()
        result = asyncio.run(executor(tool(function, name="it")).run(use("it"), sink=log))
        assert (log.values, result.text) == (["a", "b"], "b")


def test_a_plain_function_runs_on_a_thread_and_a_coroutine_on_the_loops() -> None:
    threads: dict[str, int] = {}

    def sync() -> None:
        threads["sync"] = threading.get_ident()

    async def later() -> None:
        threads["async"] = threading.get_ident()

    call(sync)
    call(later)
    assert threads["async"] == threading.get_ident() != threads["sync"]


def test_a_generator_that_raises_keeps_its_progress_and_gives_an_error() -> None:
    def half() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    log = Log()
    result = asyncio.run(executor(half).run(use("half"), sink=log))
    assert log.values == [1]
    assert result.text == "Error: ValueError: no more"


def test_a_task_group_inside_a_tool_runs_as_anywhere() -> None:
    async def square(n: int) -> int:
        await asyncio.sleep(0)
        return n * n

    async def gathers() -> list[int]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(square(n)) for n in range(3)]
        return [task.result() for task in tasks]

    async def fails() -> None:
        async def no() -> None:
            raise ValueError("inside")

        async with asyncio.TaskGroup() as group:
            group.create_task(no())
            group.create_task(asyncio.sleep(100))

    assert call(gathers).text == "[0,1,4]"
    result = call(fails)
    assert result.text.startswith("Error: ExceptionGroup:")
    assert isinstance(result.exception, ExceptionGroup)


def test_a_timeout_of_the_tools_own_is_the_tools_error() -> None:
    async def short() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(100)

    assert call(short).text == "Error: TimeoutError"
