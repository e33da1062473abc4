"""The SDK's side of questions: its callbacks, and calls that take several turns."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mcp.client.session import ClientRequestContext, ClientSession
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_REQUEST,
    CreateMessageResult,
    ElicitResult,
    ErrorData,
    InputRequiredResult,
    ListRootsResult,
    Root,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .questions import Answer, Asked

__all__ = ["answers", "answers_of", "sdk_callbacks"]

# Seconds before a call that only wants to be made again is made again: at first, and at most.
_FIRST, _LONGEST = 0.05, 1.0


def sdk_callbacks(asked: Asked) -> dict[str, Any]:
    """Return the callbacks of a session for those questions that somebody answers."""
    found: dict[str, Any] = {}
    if asked.elicit is not None:
        found["elicitation_callback"] = _callback(asked.elicit, ElicitResult)
    if asked.sample is not None:
        found["sampling_callback"] = _callback(asked.sample, CreateMessageResult)
    if asked.roots:
        roots = ListRootsResult(roots=[Root(uri=uri) for uri in asked.roots])  # type: ignore[arg-type]

        async def _roots(context: Any) -> ListRootsResult:
            del context
            return roots

        found["list_roots_callback"] = _roots
    if asked.log_level is not None:
        found["log_level"] = asked.log_level
    return found


def _callback(answer: Answer, result: Any) -> Any:
    async def _answer(context: Any, params: Any) -> Any:
        del context
        wire = params.model_dump(by_alias=True, mode="json", exclude_none=True)
        return result.model_validate(dict(await answer(wire)))

    return _answer


async def answers(session: ClientSession, result: dict[str, Any], *, waits: int) -> dict[str, Any]:
    """Answer a result that asks for input: the parameters that the next turn adds.

    A result that asks nothing wants to be asked again a little later; `waits` is how often it did.
    """
    asked = _read(result)
    added: dict[str, Any] = {}
    if asked.request_state is not None:
        added["requestState"] = asked.request_state
    if not asked.input_requests:
        await asyncio.sleep(min(_FIRST * 2 ** min(waits, 10), _LONGEST))
        return added
    return {**added, "inputResponses": await _responses(session, asked)}


async def answers_of(session: ClientSession, requests: Mapping[str, Any]) -> dict[str, Any]:
    """Answer what a task asks: the response to each request, by its key."""
    wire = {"resultType": "input_required", "inputRequests": dict(requests)}
    return await _responses(session, _read(wire))


def _read(result: Mapping[str, Any]) -> InputRequiredResult:
    try:
        return InputRequiredResult.model_validate(result)
    except ValueError as error:  # the SDK's models say where and why, at length
        details: list[Any] = getattr(error, "errors", list)()
        where = ".".join(map(str, details[0]["loc"][:2])) if details else ""
        why = details[0]["msg"] if details else str(error)
        told = f"the server asks for input that nobody can read: {where or 'it'}: {why}"
        raise MCPError(INVALID_REQUEST, told) from None


async def _responses(session: ClientSession, asked: InputRequiredResult) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for key, request in (asked.input_requests or {}).items():
        context = ClientRequestContext(session=session, request_id=key)
        response = await session.dispatch_input_request(context, request)
        if isinstance(response, ErrorData):
            raise MCPError.from_error_data(response)
        responses[key] = response.model_dump(by_alias=True, mode="json", exclude_none=True)
    return responses
