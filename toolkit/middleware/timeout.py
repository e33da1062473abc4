"""A deadline for each attempt of a call, which waiting for the consumer of events does not eat."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..errors import ToolTimeoutError
from ..results import error_result
from ..threads import Inline

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from ..types import Call, Handler, Middleware, ToolResult

__all__ = ["GRACE", "timeout"]

GRACE = 0.25  # seconds that a cancelled coroutine has to end before it is left behind
_LEFT_BEHIND: set[asyncio.Task[ToolResult]] = set()


def timeout(seconds: float | None = None) -> Middleware:
    """Bound each call by the tool's own `timeout`, else by `seconds`; None bounds nothing.

    At the deadline the call gets an error result: a coroutine is cancelled (and left behind where
    it does not end within `GRACE`), a thread abandoned; `context.cancelled` tells both.
    """

    def within(call: Call, handle: Handler) -> Awaitable[ToolResult]:
        own = getattr(call.tool, "timeout", None)
        limit = seconds if own is None else own
        if limit is None or isinstance(call.context.workers, Inline):  # a debugger has no deadline
            return handle(call)
        return _bounded(call, handle, limit)

    return within


async def _bounded(call: Call, handle: Handler, limit: float) -> ToolResult:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(handle(call))
    started = loop.time()
    try:
        while not task.done():
            left = limit + call.context.waited - (loop.time() - started)
            if left <= 0 and not call.context.waiting:
                return await _expire(call, task, limit)
            # while the consumer keeps an event waiting, the deadline moves: look again later
            await asyncio.wait([task], timeout=max(left, 0.05))
    except asyncio.CancelledError:
        call.context.end()
        await _cancel(task)
        raise
    if task.cancelled():  # by its own code, and not by us
        return error_result(call.use, asyncio.CancelledError(), context=call.context)
    return task.result()


async def _expire(call: Call, task: asyncio.Task[ToolResult], limit: float) -> ToolResult:
    call.context.end()
    await _cancel(task)
    call.context.mark("ToolTimeoutError")
    message = (
        f"'{call.use.name}' timed out: no result within {limit:g} second{'' if limit == 1 else 's'}"
    )
    return error_result(call.use, ToolTimeoutError(message, seconds=limit), context=call.context)


async def _cancel(task: asyncio.Task[ToolResult]) -> None:
    task.cancel()
    await asyncio.wait([task], timeout=GRACE)
    if not task.done():
        _LEFT_BEHIND.add(task)
        task.add_done_callback(_LEFT_BEHIND.discard)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
