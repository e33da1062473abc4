"""A middleware of a user's own, held so that what it raises or returns can't cost a result."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..errors import CallError, Interrupt, MiddlewareFailedError
from ..results import error_result
from ..types import ToolResult

if TYPE_CHECKING:
    from ..types import Call, Handler, Middleware

__all__ = ["cancelled_from_outside", "guarded", "name_of"]


def guarded(layer: Middleware) -> Middleware:
    """Turn what `layer` raises into an error result; only cancellation and questions pass.

    A `CallError` (`CallRefusedError("too many calls")`) speaks for itself, anything else names
    the middleware; so does a return value that is no ToolResult.
    """

    async def held(call: Call, handle: Handler) -> ToolResult:
        try:
            result = await layer(call, handle)
        except (Interrupt, KeyboardInterrupt):
            raise
        except asyncio.CancelledError as error:
            if cancelled_from_outside():
                raise
            return _failed(layer, call, error)
        except BaseException as error:  # noqa: BLE001 - one result for each use, whatever it is
            return _failed(layer, call, error)
        if isinstance(result, ToolResult):
            return result
        wrong = TypeError(f"returned {type(result).__name__}, not a ToolResult")
        return _failed(layer, call, wrong)

    return held


def _failed(layer: Middleware, call: Call, error: BaseException) -> ToolResult:
    if not isinstance(error, CallError):
        name = name_of(layer)
        message = f"the middleware '{name}' failed: {type(error).__name__}: {error}"
        wrapped = MiddlewareFailedError(message, middleware=name)
        wrapped.__cause__ = error
        error = wrapped.with_traceback(error.__traceback__)
    return error_result(call.use, error, context=call.context)


def cancelled_from_outside() -> bool:
    """Whether a CancelledError comes from whoever awaits this task, not from its own code."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def name_of(function: object) -> str:
    """What to call a user's function in a message: its name, a partial's or an instance's too."""
    while hasattr(function, "func"):
        function = function.func
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
