"""The user's functions before and after each attempt of a call, and the loop that retries it."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from ..errors import CallRefusedError, HookFailedError, Interrupt
from ..results import error_result
from .guard import cancelled_from_outside, name_of
from .hook_events import AfterToolCallEvent, BeforeToolCallEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..types import Call, Handler, Middleware, ToolResult
    from .hook_events import LookUp

__all__ = ["events_of", "hooks"]

LONGEST = 30.0  # seconds that the back-off grows to
EVENTS = {each.__name__: each for each in (BeforeToolCallEvent, AfterToolCallEvent)}


def hooks(
    functions: Sequence[Callable[..., Any]],
    *,
    look_up: LookUp,
    retries: int = 3,
    backoff: float = 0.1,
) -> Middleware:
    """Run `functions` around each attempt: Before hooks in order, After hooks in reverse.

    The annotation of its first parameter says which event a function wants; `TypeError` where it
    says none. It may be a coroutine function; a plain one runs on the event loop, so it must not
    block. At most `retries` further attempts are made, the first after `backoff` seconds and each
    after twice the wait of the one before. A hook that raises gives the call an error result that
    names it, and what has run is not run again because of it.
    """
    wanted = [(each, events_of(each)) for each in functions]
    for function, events in wanted:
        if not events:
            raise TypeError(
                f"'{name_of(function)}' is no hook: annotate its first parameter with "
                "BeforeToolCallEvent or AfterToolCallEvent"
            )
    around = _Around(
        tuple(each for each, events in wanted if BeforeToolCallEvent in events),
        tuple(each for each, events in reversed(wanted) if AfterToolCallEvent in events),
        look_up,
    )

    async def retrying(call: Call, handle: Handler) -> ToolResult:
        attempt = call
        result, again = await around.attempt(attempt, handle)
        while again is not False and attempt.attempt <= retries:
            pause = min(backoff * 2 ** (attempt.attempt - 1), LONGEST)
            await asyncio.sleep(pause if again is True else again)
            fresh = call.context.again(call.use)
            fresh.mark("pause")
            attempt = replace(call, context=fresh, attempt=attempt.attempt + 1)
            result, again = await around.attempt(attempt, handle)
        if attempt.attempt == 1:
            return result
        return replace(result, metadata={**result.metadata, "attempts": attempt.attempt})

    return retrying


def events_of(function: Callable[..., Any]) -> frozenset[type]:
    """The events that a function wants by the annotation of its first parameter; often none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # no function, or one written in C
        return frozenset()
    if not parameters:
        return frozenset()
    return frozenset(_events_in(_resolved(function, parameters[0])))


def _resolved(function: Any, parameter: inspect.Parameter) -> Any:
    """The annotation as an object; as text where its names are known to type checkers alone."""
    if not isinstance(parameter.annotation, str):
        return parameter.annotation
    while hasattr(function, "func"):
        function = function.func
    target = function if inspect.isroutine(function) else type(function).__call__
    try:
        found = inspect.get_annotations(target, eval_str=True)
    except Exception:  # noqa: BLE001 - another parameter's annotation may raise anything
        return parameter.annotation
    return found.get(parameter.name, parameter.annotation)


def _events_in(annotation: Any) -> list[type]:
    if isinstance(annotation, str):
        return [EVENTS[name] for name in re.findall(r"\w+", annotation) if name in EVENTS]
    if annotation in EVENTS.values():
        return [annotation]
    return [event for part in get_args(annotation) for event in _events_in(part)]


@dataclass(frozen=True, slots=True)
class _Around:
    """The hooks of a pipeline, each tuple in the order in which it fires."""

    before: tuple[Callable[..., Any], ...]
    after: tuple[Callable[..., Any], ...]
    look_up: LookUp

    async def attempt(self, call: Call, handle: Handler) -> tuple[ToolResult, bool | float]:
        """Run one attempt; True, or seconds, where a hook wants another one."""
        refusal: str | None = None
        failed: ToolResult | None = None
        if self.before:
            event = BeforeToolCallEvent(call, self.look_up)
            failed = await self._fire_before(event)
            call = event.prepared()
            refusal = _refusal(event.cancel_tool)
            call.context.mark("before hooks")
        started = time.perf_counter()
        if failed is not None:
            result = failed
        elif refusal is not None:
            result = error_result(call.use, CallRefusedError(refusal), context=call.context)
        else:
            result = await handle(call)
        if not self.after:
            return result, False
        seconds = time.perf_counter() - started
        ended = AfterToolCallEvent(call, result, duration=seconds, refusal=refusal)
        sound = await self._fire_after(ended, call)
        call.context.mark("after hooks")
        may_retry = sound and failed is None and refusal is None
        return ended.result, ended.retry if may_retry else False

    async def _fire_before(self, event: BeforeToolCallEvent) -> ToolResult | None:
        """Fire until one fails or refuses; the error result of the one that failed."""
        for hook in self.before:
            error = await _fire(hook, event)
            if error is not None:
                failure = _failure(hook, error, "before the tool ran")
                return error_result(event.tool_use, failure, context=event.context)
            if event.cancel_tool:
                return None
        return None

    async def _fire_after(self, event: AfterToolCallEvent, call: Call) -> bool:
        """Fire them all, also behind one that failed; whether none did."""
        sound = True
        for hook in self.after:
            try:
                error = await _fire(hook, event)
            except Interrupt as question:
                error = RuntimeError(f"asked '{question.name}' when the tool had run already")
            if error is not None:
                sound = False
                failure = _failure(hook, error, "after the tool had run")
                event.result = error_result(call.use, failure, context=call.context)
        return sound


async def _fire(hook: Callable[..., Any], event: Any) -> BaseException | None:
    """Call a hook; what it raised, but for questions and cancellation, which pass."""
    try:
        answer = hook(event)
        if hasattr(answer, "__await__"):
            await answer
    except (Interrupt, KeyboardInterrupt, GeneratorExit):
        raise
    except asyncio.CancelledError as error:
        if cancelled_from_outside():
            raise
        return error
    except BaseException as error:  # noqa: BLE001 - a hook may raise anything, as a tool may
        return error
    return None


def _failure(hook: Callable[..., Any], error: BaseException, when: str) -> HookFailedError:
    name = name_of(hook)
    message = f"the hook '{name}' failed {when}: {type(error).__name__}: {error}"
    failure = HookFailedError(message, hook=name).with_traceback(error.__traceback__)
    failure.__cause__ = error
    return failure


def _refusal(cancelled: bool | str) -> str | None:  # noqa: FBT001 - the field's own two kinds
    if cancelled is False:
        return None
    return cancelled if isinstance(cancelled, str) and cancelled else "the call was refused"
