"""A server that stays reachable: its session, opened again when it has ended under us."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..errors import (
    MCPConnectionClosedError,
    MCPConnectionError,
    MCPError,
    MCPRequestError,
)
from .listing import Listed, list_everything, stray_output
from .session import Limits, Listener, Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..findings import Finding
    from .servers import Server
    from .session import Progress

__all__ = ["Connection"]

# Nothing tells that a server behind a URL has gone: it is asked this often, in seconds.
_ASK = 2.0
_NOT_FOUND = 404


class Connection:
    """One server, from `open` to `close`; all methods belong to the loop that opened it.

    When its process has died or its connection has broken, the next call starts it again. The
    call that was under way fails: whether it had an effect nobody knows.
    """

    def __init__(
        self, server: Server, *, limits: Limits | None = None, listener: Listener | None = None
    ) -> None:
        """Nothing is started before `open`."""
        self.server = server
        self.limits = limits or Limits()
        self.restarts = 0
        self._listener = listener
        self._session: Session | None = None
        self._closed = False
        self._opening = asyncio.Lock()

    @property
    def session(self) -> Session:
        """The present session; an MCPConnectionClosedError where there is none."""
        if self._session is None or self._closed:
            raise MCPConnectionClosedError(
                f"'{self.server.name}' is not open", server=self.server.name, kind="closed"
            )
        return self._session

    async def open(self) -> None:
        """Start the server and agree on a protocol."""
        self._session = await self._opened()

    @property
    def alive(self) -> bool:
        """Whether there is a session that may still answer."""
        return self._session is not None and not self._closed and self._session.alive

    async def lost(self) -> MCPError:
        """Wait until the server has ended, and say how; one behind a URL is asked now and then."""
        if self.server.url is None:
            return await self.session.lost()
        while True:
            await asyncio.sleep(_ASK)
            try:
                await self.list()
            except MCPError as error:
                await self.session.close()
                return error

    async def renew(self) -> None:
        """Have a session again, where there is none or the last one has ended."""
        if self._session is None:
            await self.open()
        else:
            await self._living()

    async def _opened(self) -> Session:
        # Which era a server speaks is known once it has been asked.
        before = self._session
        legacy = before is not None and before.identity.get("era") == "legacy"
        session = Session(self.server, limits=self.limits, listener=self._listener, legacy=legacy)
        if before is not None:
            session.tools.update(before.tools)  # how its tools are called is known
        return await session.open()

    async def list(self, kind: str = "tools") -> Listed:
        """List everything of a kind: tools, resources, templates or prompts."""
        session = await self._living()
        try:
            return await list_everything(session, kind)
        except MCPError as error:
            if not _forgotten(error):
                raise
            return await list_everything(await self._instead_of(session), kind)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        seconds: float | None = None,
        on_progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Call a tool by the server's own name; the result is the wire's own object."""
        session = await self._living()
        try:
            return await session.call(name, arguments, seconds=seconds, on_progress=on_progress)
        except MCPError as error:
            if not _forgotten(error):
                raise
        session = await self._instead_of(session)
        return await session.call(name, arguments, seconds=seconds, on_progress=on_progress)

    async def stray_output(self) -> tuple[Finding, ...]:
        """Say what the server printed on stdout that is not of the protocol."""
        return () if self._session is None else await stray_output(self._session)

    async def _living(self) -> Session:
        if self.session.alive:
            return self.session
        async with self._opening:
            if not self.session.alive:
                await self.session.close()
                self._session = await self._opened()
                self.restarts += 1
        return self.session

    async def _instead_of(self, session: Session) -> Session:
        """A new session in the place of one that the server no longer knows."""
        async with self._opening:
            if self.session is session:
                await session.close()
                self._session = await self._opened()
                self.restarts += 1
        return self.session

    async def close(self) -> None:
        """End the session and the server, within seconds; calls under way fail at once."""
        self._closed = True
        if self._session is not None:
            await self._session.close()


def _forgotten(error: MCPError) -> bool:
    """Whether the server knows the session no more: it has done nothing, and wants a new one.

    Streamable HTTP says so by a 404, with an error of JSON-RPC behind it or without.
    """
    if error.http_status != _NOT_FOUND:
        return False
    if isinstance(error, MCPRequestError):
        return "session" in (error.said or "").lower()
    return isinstance(error, MCPConnectionError) and error.kind == "http"
