"""Lines of a server's stdout as messages of the protocol, and our messages as its lines."""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Any, Self, TypeGuard

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import (
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

if TYPE_CHECKING:
    from types import TracebackType

    from .process import Child

__all__ = ["ChildWriter", "read_line", "read_messages"]

# JSON-RPC 2.0: -32700 is a text that is no JSON, -32603 an internal error.
_UNREADABLE = -32700
_ID = re.compile(rb'"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")')


def read_messages(line: bytes) -> list[SessionMessage]:
    """Read a line: one message, or as many as a batch holds, which 2025-03-26 allows; else none."""
    message = read_line(line)
    if message is not None:
        return [message]
    if not line.lstrip().startswith(b"["):
        return []
    try:
        batch = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return []
    found = [_from_object(one) for one in batch if isinstance(one, dict) and "jsonrpc" in one]
    return [one for one in found if one is not None]


def read_line(line: bytes) -> SessionMessage | None:
    """Read one line; None where it is not of the protocol.

    An answer that can't be read is still an answer: it becomes an error with its id, so that
    nobody waits for another.
    """
    text = line.strip().removeprefix(b"\xef\xbb\xbf")
    if not text:
        return None
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError:
        return _read_slowly(text)


def _read_slowly(text: bytes) -> SessionMessage | None:
    start = text.find(b'{"jsonrpc"')
    if start > 0:  # something was printed in front of it, without a line end
        return read_line(text[start:])
    try:
        value = json.loads(text.decode("utf-8", "replace"))
    except RecursionError:
        identity = _id_in(text)
        why = "the answer nests too deeply to be read"
        return _refused(identity, why) if _is_id(identity) else None
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return None
    return _from_object(value)


def _from_object(value: dict[str, Any]) -> SessionMessage | None:
    identity, method = value.get("id"), value.get("method")
    if not isinstance(method, str):
        return _answer(identity, value) if _is_id(identity) else None
    params = value.get("params") if isinstance(value.get("params"), dict) else None
    if _is_id(identity):
        request = JSONRPCRequest(jsonrpc="2.0", id=identity, method=method, params=params)
        return SessionMessage(request)
    return SessionMessage(JSONRPCNotification(jsonrpc="2.0", method=method, params=params))


def _answer(identity: int | str, value: dict[str, Any]) -> SessionMessage:
    if isinstance(value.get("result"), dict):
        return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=identity, result=value["result"]))
    error = value.get("error")
    if isinstance(error, dict):
        code, message = error.get("code"), error.get("message")
        code = code if isinstance(code, int) else _UNREADABLE
        message = message if isinstance(message, str) and message else "it does not say what"
        data = ErrorData(code=code, message=message, data=error.get("data"))
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=identity, error=data))
    if isinstance(error, str) and error:
        return _refused(identity, error)
    if "result" in value:
        return _refused(identity, "the answer's 'result' is no object")
    return _refused(identity, "the answer has neither 'result' nor 'error'")


def _is_id(value: Any) -> TypeGuard[int | str]:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _id_in(text: bytes) -> Any:
    """Find the id of a message that can't be parsed, where ids stand: at its ends."""
    for part in (text[:300], text[-300:]):
        if found := _ID.search(part):
            with contextlib.suppress(ValueError):
                return json.loads(found[1])
    return None


def _refused(identity: int | str, why: str) -> SessionMessage:
    error = ErrorData(code=_UNREADABLE, message=why)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=identity, error=error))


class ChildWriter:
    """The SDK's write stream over a child's stdin."""

    def __init__(self, child: Child) -> None:
        """Closing the stream leaves the child's stdin to who stops it."""
        self._child = child

    async def send(self, item: SessionMessage) -> None:
        """Write one message as a line."""
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        try:
            await self._child.write(line.encode() + b"\n")
        except BrokenPipeError:
            raise anyio.BrokenResourceError from None

    async def aclose(self) -> None:
        """Do nothing; who started the child stops it."""

    async def __aenter__(self) -> Self:
        """Give itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing; who started the child stops it."""
