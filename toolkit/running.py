"""Run a function of any kind to its value: coroutine, generators of both kinds, or plain."""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from .threads import shared

if TYPE_CHECKING:
    from .types import ToolContext

__all__ = ["kind_of", "run"]

PLAIN = frozenset({str, dict, list, int, float, bool, type(None)})  # nothing to await in these
CO_GENERATOR, CO_COROUTINE, CO_ITERABLE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x100, 0x200


def kind_of(function: Any) -> str:
    """Tell what a call gives: a coroutine, an (async) generator, or a plain value."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):  # a callable instance
        function = type(function).__call__
    code = getattr(function, "__code__", None)
    flags = getattr(code, "co_flags", 0)
    if flags & CO_ASYNC_GENERATOR:
        return "async generator"
    if flags & (CO_COROUTINE | CO_ITERABLE):
        return "coroutine"
    return "generator" if flags & CO_GENERATOR else "plain"


async def run(
    function: Callable[..., Any],
    kind: str,
    *,
    args: list[Any],
    kwargs: dict[str, Any],
    context: ToolContext,
) -> Any:
    """Call it, report what a generator yields as progress, and return the value.

    A generator's value is what it returns, else its last item, None where there was none. What a
    function returns is awaited or iterated in its turn, so that a wrapper of any kind round any
    kind works.
    """
    if kind == "async generator":
        return await _drain(function(*args, **kwargs), context)
    if kind == "coroutine":
        value = await function(*args, **kwargs)
        if type(value) in PLAIN:
            return value
        return await _settled(value, context)
    workers = context.workers or shared()
    value = await workers.run(functools.partial(_in_thread, function, args, kwargs, context))
    return value if type(value) in PLAIN else await _settled(value, context)


async def _settled(value: Any, context: ToolContext) -> Any:
    """The value itself, or what comes of awaiting or iterating it.

    Only the type is asked: what an instance says of itself is the code of who knows whom.
    """
    kind = type(value)
    while hasattr(kind, "__await__"):
        value = await value
        kind = type(value)
    if hasattr(kind, "__anext__"):  # such as a client's stream, not only a generator
        return await _drain(value, context)
    if kind is GeneratorType:
        workers = context.workers or shared()
        return await workers.run(functools.partial(_exhaust, value, context))
    return value


async def _drain(items: AsyncIterator[Any], context: ToolContext) -> Any:
    last = None
    try:
        async for last in items:
            await context.emit(last)
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()
    return last


def _in_thread(
    function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any], context: ToolContext
) -> Any:
    value = function(*args, **kwargs)
    return _exhaust(value, context) if type(value) is GeneratorType else value


def _exhaust(items: Generator[Any, Any, Any], context: ToolContext) -> Any:
    last = None
    try:
        while not context.ended:
            last = next(items)
            context.report(last)
    except StopIteration as end:
        return last if end.value is None else end.value
    finally:
        items.close()
    return last
