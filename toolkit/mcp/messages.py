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
    from collections.abc import Iterator
    from types import TracebackType

    from .process import Child

__all__ = ["ChildWriter", "read_messages"]

# JSON-RPC 2.0: -32700 is a text that is no JSON, -32603 an internal error.
_UNREADABLE = -32700
_DECODER = json.JSONDecoder()
_ID = re.compile(rb'"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")')


def read_messages(line: bytes) -> list[SessionMessage]:
    """Read one line: a message, or several in a batch or without line ends; none where it is stray.

    An answer that can't be read is still an answer: it becomes an error with its id, so that
    nobody waits for another.
    """
    text = line.strip().removeprefix(b"\xef\xbb\xbf")
    if not text:
        return []
    try:
        return [SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))]
    except ValueError:
        return _read_slowly(text)


def _read_slowly(text: bytes) -> list[SessionMessage]:
    start = text.find(b'{"jsonrpc"')
    if start > 0 and text[:1] not in b"{[":  # something was printed in front of it
        return read_messages(text[start:])
    try:
        values = list(_values(text.decode("utf-8", "replace")))
    except RecursionError:
        identity = _id_in(text)
        why = "the answer nests too deeply to be read"
        return [_refused(identity, why)] if _is_id(identity) else []
    except ValueError:
        return read_messages(text[start:]) if start > 0 else []
    read = (_from_object(value) for value in values if _is_message(value))
    return [message for message in read if message is not None]


def _values(text: str) -> Iterator[Any]:
    """The JSON values of a line, one behind the other; those of an array, which is a batch."""
    at = 0
    while at < len(text):
        value, at = _DECODER.raw_decode(text, at)
        yield from value if isinstance(value, list) else [value]
        while text[at : at + 1].isspace():
            at += 1


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0"


def _from_object(value: dict[str, Any]) -> SessionMessage | None:
    identity, method = _identity(value.get("id")), value.get("method")
    if not isinstance(method, str):
        return _answer(identity, value) if _is_id(identity) else None
    params = value.get("params") if isinstance(value.get("params"), dict) else None
    if _is_id(identity):
        request = JSONRPCRequest(jsonrpc="2.0", id=identity, method=method, params=params)
        return SessionMessage(request)
    return SessionMessage(JSONRPCNotification(jsonrpc="2.0", method=method, params=params))


def _identity(value: Any) -> Any:
    """The id; languages that know no integers send 1.0 for 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


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
