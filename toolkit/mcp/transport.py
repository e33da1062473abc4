"""How the bytes go: our own stdio transport, and streamable HTTP over a client that we watch."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from .process import Child
from .servers import Server, child_environment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

__all__ = ["Evidence", "HttpTransport", "StdioTransport", "Transport", "transport_for"]

_STRAY_KEPT = 20
_STRAY_WIDTH = 500
_BODY_KEPT = 2_000


@dataclass(slots=True)
class Evidence:
    """What a transport saw beside the protocol, for errors and findings.

    `stray` holds the first non-protocol lines of stdout and `strays` how many there were; `reply`
    is the last HTTP answer that was no success: status, headers and the beginning of its body.
    """

    exit_status: int | None = None
    stderr: str = ""
    stray: list[str] = field(default_factory=list)
    strays: int = 0
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer that was no success."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: str


class Transport(Protocol):
    """One way to a server; started once, and stopped by the task that started it."""

    async def start(self) -> None:
        """Start what has to be started; nothing of the SDK is needed for it."""

    def streams(self) -> contextlib.AbstractAsyncContextManager[tuple[Any, Any]]:
        """Give the SDK's pair of streams."""

    async def evidence(self) -> Evidence:
        """Say what was seen, having waited a moment for last words."""

    @property
    def gone(self) -> bool:
        """Whether the other side is known to have ended."""

    @property
    def unheard(self) -> bool:
        """Whether it is known that the other side has read nothing of what it was told."""

    async def ended(self) -> None:
        """Wait until the other side has ended by itself; for ever where nobody would know."""

    async def stop(self, *, well: bool) -> None:
        """End it within seconds; `well` gives a server that behaved the time to end by itself."""


class StdioTransport:
    """A child process that speaks lines of JSON-RPC."""

    def __init__(self, server: Server, *, on_log: Callable[[str], None] | None = None) -> None:
        """`on_log` gets each line of the server's stderr as it comes."""
        self.server = server
        self._on_log = on_log
        self._child: Child | None = None
        self._seen = Evidence()

    async def start(self) -> None:
        """Start the process; an OSError says why it could not be started."""
        env = child_environment(self.server)
        self._child = await Child.start(
            self.server.argv, env=env, cwd=self.server.cwd, on_log=self._on_log
        )

    @property
    def child(self) -> Child:
        """The process."""
        if self._child is None:
            raise RuntimeError("the transport has not been started")
        return self._child

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """Give the pair of streams over the child's pipes; lines that came already come first."""
        import anyio

        from .messages import ChildWriter, read_messages

        send, receive = anyio.create_memory_object_stream[Any](float("inf"))

        def take(line: bytes | None) -> None:
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                if line is None:
                    send.close()
                elif messages := read_messages(line):
                    for message in messages:
                        send.send_nowait(message)
                elif line.strip():
                    self._stray(line)

        self.child.listen(take)
        try:
            yield receive, ChildWriter(self.child)
        finally:
            self.child.listen(self._after)
            send.close()
            receive.close()

    @property
    def gone(self) -> bool:
        """Whether the process has ended or closed its stdout."""
        return self._child is None or self._child.ended.is_set()

    @property
    def unheard(self) -> bool:
        """Whether the process has not read the last that it was told."""
        return self._child is None or self._child.unheard

    def _after(self, line: bytes | None) -> None:
        """Drop what comes once nobody listens: the server must not block while it ends."""

    def _stray(self, line: bytes) -> None:
        self._seen.strays += 1
        if len(self._seen.stray) < _STRAY_KEPT:
            text = line[:_STRAY_WIDTH].decode("utf-8", "replace").rstrip("\r")
            self._seen.stray.append(text)

    async def evidence(self) -> Evidence:
        """Wait half a second at most for an exit status and the end of stderr."""
        if self._child is not None:
            if self._child.ended.is_set():
                await self._child.settle()
            self._seen.exit_status = self._child.status
            self._seen.stderr = self._child.log_tail()
        return self._seen

    async def ended(self) -> None:
        """Wait until the process has ended or closed its stdout."""
        await self.child.ended.wait()

    async def stop(self, *, well: bool) -> None:
        """Close stdin, terminate the group, kill it; three seconds at most."""
        if self._child is not None:
            await self._child.stop(grace=2.0 if well else 0.2)


class HttpTransport:
    """Streamable HTTP, or the older HTTP with SSE where the server is configured so."""

    def __init__(self, server: Server) -> None:
        """Nothing is sent before the streams are entered."""
        self.server = server
        self._seen = Evidence()

    async def start(self) -> None:
        """Do nothing: there is no process of ours."""

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """Give the SDK's streams over an HTTP client that notes every answer of no success."""
        from .http import http_streams

        async with http_streams(self.server, self._note) as pair:
            yield pair

    def _note(self, status: int, reason: str, headers: Mapping[str, str], body: bytes) -> None:
        if status < 300:  # noqa: PLR2004 - a success
            self._seen.reply = None
            return
        text = body[:_BODY_KEPT].decode("utf-8", "replace")
        self._seen.reply = Reply(status, reason, headers, _plain(text))

    @property
    def gone(self) -> bool:
        """Nobody knows before the next request."""
        return False

    @property
    def unheard(self) -> bool:
        """An HTTP server that answers has read."""
        return False

    async def evidence(self) -> Evidence:
        """Say what was seen."""
        return self._seen

    async def ended(self) -> None:
        """Wait for ever: only a request would tell."""
        await asyncio.Event().wait()

    async def stop(self, *, well: bool) -> None:
        """Do nothing: the streams have closed the connections."""


def _plain(body: str) -> str:
    """Return what a body says in one line: an error's own words, or HTML without its marks."""
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(body)
        if isinstance(value, dict):
            for key in ("error_description", "message", "detail", "error"):
                inner = value.get(key)
                inner = inner.get("message") if isinstance(inner, dict) else inner
                if isinstance(inner, str) and inner:
                    return inner
    return " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", body, flags=re.DOTALL).split())


def transport_for(server: Server, *, on_log: Callable[[str], None] | None = None) -> Transport:
    """Return the transport that the server needs."""
    if server.url is not None:
        return HttpTransport(server)
    return StdioTransport(server, on_log=on_log)
