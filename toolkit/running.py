"""Run a function of any kind to its value: coroutine, generators of both kinds, or plain."""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, Callable, Generator
from typing import TYPE_CHECKING, Any

from .threads import shared

if TYPE_CHECKING:
    from .types import ToolContext

__all__ = ["kind_of", "run"]

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

    A generator's value is its last item, None where there was none. What a plain function
    returns is awaited or iterated in its turn, so that a plain wrapper round any kind works.
    """
    if kind == "coroutine":
        return await function(*args, **kwargs)
    if kind == "async generator":
        return await _drain(function(*args, **kwargs), context)
    workers = context.workers or shared()
    try:
        value = await workers.run(functools.partial(_in_thread, function, args, kwargs, context))
        if hasattr(value, "__await__"):
            return await value
        return await _drain(value, context) if isinstance(value, AsyncGenerator) else value
    finally:
        context.cancelled.set()  # a thread that goes on after its call has ended can see it


async def _drain(items: AsyncGenerator[Any, None], context: ToolContext) -> Any:
    last = None
    try:
        async for last in items:
            await context.emit(last)
    finally:
        await items.aclose()
    return last


def _in_thread(
    function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any], context: ToolContext
) -> Any:
    value = function(*args, **kwargs)
    return _exhaust(value, context) if isinstance(value, Generator) else value


def _exhaust(items: Generator[Any, Any, Any], context: ToolContext) -> Any:
    last = None
    try:
        for last in items:
            if context.cancelled.is_set():
                return last
            context.report(last)
    finally:
        items.close()
    return last
