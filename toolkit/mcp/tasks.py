"""Calls that a server answers with a task: asked after until it is done, fetched, or cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR

__all__ = ["EXTENSION", "Ask", "handed", "is_handle", "may_be_task", "wants_task", "watched"]

# The extension of 2026-07-28, under which a server may answer any call with a task.
EXTENSION = "io.modelcontextprotocol/tasks"

# Milliseconds between two questions, where the server names none, and what is sensible.
_POLL, _LEAST, _MOST = 500, 20, 10_000
# What a cancelled call still gives the server to hear of it, in seconds; and to name its task.
_FAREWELL, _LAST_CHANCE = 1.0, 0.1
# JSON-RPC code of a call that was cancelled, as the older form's servers give it.
_CANCELLED = -32000

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
Answers: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
Heard: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]


def wants_task(capabilities: Any, tool: Mapping[str, Any] | None) -> bool:
    """Whether a tool of the older form must be called as a task: both it and its server say so.

    One that only may be is called as any other: its progress is heard, and nothing is asked twice.
    """
    execution = (tool or {}).get("execution")
    required = isinstance(execution, Mapping) and execution.get("taskSupport") == "required"
    requests = getattr(getattr(capabilities, "tasks", None), "requests", None)
    call = getattr(getattr(requests, "tools", None), "call", None)
    return required and call is not None


def may_be_task(capabilities: Any) -> bool:
    """Whether a server of the newer era may answer any call with a task."""
    return EXTENSION in (getattr(capabilities, "extensions", None) or {})


def is_handle(result: Mapping[str, Any], *, modern: bool) -> bool:
    """Whether a call was answered with a task instead of a result."""
    if modern:
        return result.get("resultType") == "task"
    return isinstance(result.get("task"), Mapping)


async def handed(ask: Ask, asking: Awaitable[dict[str, Any]], *, modern: bool) -> dict[str, Any]:
    """Await the answer to a call that may be a task; one that nobody will wait for is cancelled.

    A task is there from the server's answer on. So a call that is given up just then waits for
    that answer a moment longer: it could not be cancelled without the task's name.
    """
    answer = asyncio.ensure_future(asking)
    try:
        return await asyncio.shield(answer)
    except asyncio.CancelledError:
        await asyncio.wait({answer}, timeout=_LAST_CHANCE)
        if not answer.done():
            answer.cancel()
            await asyncio.wait({answer})
        elif not answer.cancelled() and answer.exception() is None:
            result = answer.result()
            if is_handle(result, modern=modern):
                await _cancel(ask, _identity(result if modern else result["task"]))
        raise


async def _cancel(ask: Ask, identity: dict[str, str]) -> None:
    with contextlib.suppress(MCPError, TimeoutError):
        async with asyncio.timeout(_FAREWELL):
            await ask("tasks/cancel", dict(identity))


def _identity(task: Mapping[str, Any]) -> dict[str, str]:
    identity = task.get("taskId")
    if not isinstance(identity, str):
        raise MCPError(INTERNAL_ERROR, "the server answered with a task that has no 'taskId'")
    return {"taskId": identity}


async def watched(
    ask: Ask,
    handle: Mapping[str, Any],
    *,
    modern: bool,
    heard: Heard | None,
    answers: Answers,
) -> dict[str, Any]:
    """Ask after a task until it has ended, and return its result; an MCPError where it failed.

    `heard` gets what the server says of it on the way. A task that nobody waits for any more is
    cancelled.
    """
    task = handle if modern else handle["task"]
    identity = _identity(task)
    try:
        if modern:
            return await _modern(ask, task, identity, heard=heard, answers=answers)
        return await _legacy(ask, task, identity, heard=heard)
    except asyncio.CancelledError:
        await _cancel(ask, identity)
        raise


async def _modern(
    ask: Ask,
    task: Mapping[str, Any],
    identity: dict[str, str],
    *,
    heard: Heard | None,
    answers: Answers,
) -> dict[str, Any]:
    answered: set[str] = set()
    said = await _told(task, None, heard=heard)
    while True:
        if task.get("status") == "working":
            await asyncio.sleep(_pause(task.get("pollIntervalMs")))
        task = await ask("tasks/get", dict(identity))
        said = await _told(task, said, heard=heard)
        status = task.get("status")
        if status == "completed" and isinstance(task.get("result"), dict):
            return dict(task["result"])
        if status == "input_required":
            asked = task.get("inputRequests")
            asked = asked if isinstance(asked, Mapping) else {}
            new = {key: each for key, each in asked.items() if key not in answered}
            if new:
                answered |= new.keys()
                responses = await answers(new)
                await ask("tasks/update", {**identity, "inputResponses": dict(responses)})
            else:
                await asyncio.sleep(_pause(task.get("pollIntervalMs")))
        elif status != "working":
            raise _ended(task)


async def _legacy(
    ask: Ask, task: Mapping[str, Any], identity: dict[str, str], *, heard: Heard | None
) -> dict[str, Any]:
    said = await _told(task, None, heard=heard)
    result: asyncio.Future[dict[str, Any]] | None = None
    try:
        while task.get("status") in ("working", "input_required"):
            if task.get("status") == "input_required" and result is None:
                # What a task asks comes while its result is waited for.
                result = asyncio.ensure_future(ask("tasks/result", dict(identity)))
            pause = _pause(task.get("pollInterval"))
            if result is None:
                await asyncio.sleep(pause)
            elif (await asyncio.wait({result}, timeout=pause))[0]:
                return await result
            task = await ask("tasks/get", dict(identity))
            said = await _told(task, said, heard=heard)
        if task.get("status") not in ("completed", "failed"):
            raise _ended(task)
        return await (result or ask("tasks/result", dict(identity)))
    finally:
        if result is not None:
            result.cancel()
            await asyncio.gather(result, return_exceptions=True)


def _pause(milliseconds: Any) -> float:
    known = isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool)
    if not known or milliseconds != milliseconds:  # noqa: PLR0124 - NaN alone is not itself
        return _POLL / 1000
    return float(min(max(milliseconds, _LEAST), _MOST)) / 1000


async def _told(task: Mapping[str, Any], before: str | None, *, heard: Heard | None) -> str | None:
    """Pass on what the server says of its task, each thing once; every answer is a sign of life."""
    said = task.get("statusMessage")
    said = said if isinstance(said, str) else None
    if heard is not None:
        await heard({"message": said} if said is not None and said != before else {})
    return said


def _ended(task: Mapping[str, Any]) -> MCPError:
    error, said, status = task.get("error"), task.get("statusMessage"), task.get("status")
    if status == "failed" and isinstance(error, Mapping):
        code = error.get("code")
        code = code if isinstance(code, int) else INTERNAL_ERROR
        return MCPError(code, str(error.get("message") or said), error.get("data"))
    told = f": {said}" if said else ""
    if status == "cancelled":
        return MCPError(_CANCELLED, f"the task was cancelled{told}")
    return MCPError(INTERNAL_ERROR, f"the task is '{status}', and has no result{told}")
