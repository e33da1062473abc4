"""MCP servers as a provider of tools, for programs: opened together, filtered, named, closed."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ..errors import MCPConnectionClosedError, MCPConnectionError, MCPError, UsageError
from ..findings import Finding
from ..types import Listing, Tool, ToolContext, ToolResult, ToolsChanged, ToolUse
from .background import Background, Crossing
from .connection import Connection
from .following import CHANGED, Debounced, difference
from .listing import found
from .names import alias
from .reviving import revive
from .servers import Server, from_argv, from_word
from .session import Limits, Listener
from .tool import RemoteTool, tools_of

if TYPE_CHECKING:
    from types import TracebackType

    from .tool import Link

__all__ = ["MCPClient"]

_GONE = (MCPConnectionError, MCPConnectionClosedError)
Source: TypeAlias = Server | str | Sequence[str]
Subscriber: TypeAlias = Callable[[ToolsChanged, Listing], Any]
Pick: TypeAlias = str | re.Pattern[str] | Callable[[Mapping[str, Any]], bool]


class MCPClient:
    """Tools of one or several servers.

    A server is a `Server`, a URL, `cmd:COMMAND ARG…`, or the list of a command's words. As an
    asynchronous context manager it gives a `Listing` and lives on the caller's loop; as a plain
    one (or by `start` and `stop`) it lives on a thread of its own, and its `*_sync` methods and
    tools may be used from anywhere.

    `prefix` stands in front of our names with `_`; `names` gives one tool (by the server's own
    name) another. `allowed` and `rejected` pick by own names: exact texts, compiled patterns that
    match the whole name, or functions of the tool as it was listed. `limits` are the deadlines.
    """

    def __init__(
        self,
        *servers: Source,
        prefix: str | None = None,
        names: Mapping[str, str] | None = None,
        allowed: Iterable[Pick] | None = None,
        rejected: Iterable[Pick] = (),
        limits: Limits | None = None,
        listener: Listener | None = None,
        follow: bool | Literal["always"] = True,
    ) -> None:
        """Nothing is started before the client is entered; `follow` keeps its listing true.

        With "always" a server is started again as soon as it has ended; subscribers hear both.
        """
        if not servers:
            raise UsageError("MCPClient needs a server", hint="Give a URL or a command.")
        self.servers = tuple(_described(one) for one in servers)
        self.limits = limits or Limits()
        self.listing = Listing(())
        self._prefix, self._names = prefix, dict(names or {})
        self._allowed = None if allowed is None else tuple(allowed)
        self._rejected = tuple(rejected)
        self._listener, self._follow = listener or Listener(), bool(follow)
        self._subscribers: list[Subscriber] = []
        self._entered = asyncio.Event()
        self._again = Debounced(self._look_again)
        self._revive = follow == "always"
        self._reviving: list[asyncio.Task[None]] = []
        self._open: list[Connection] = []
        self._listings: dict[Connection, Listing] = {}
        self._background: Background | None = None

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` with what a server changed and the whole new listing.

        It is called on the client's own loop; returns what ends that.
        """
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    async def __aenter__(self) -> Listing:
        """Open all servers together and list their tools.

        One that fails is a finding, whose `cause` is its error; when all fail the first is raised.
        """
        answers = await asyncio.gather(*(self._opened(server) for server in self.servers))
        failures = [answer for answer in answers if isinstance(answer, MCPError)]
        if len(failures) == len(answers):
            await self.__aexit__(None, None, None)
            raise failures[0]
        parts = [
            _failed(answer, server) if isinstance(answer, MCPError) else answer
            for server, answer in zip(self.servers, answers, strict=True)
        ]
        self.listing = _merged(parts)
        self._entered.set()
        return self.listing

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all servers together."""
        self._entered.clear()
        await self._again.stop()
        reviving, self._reviving = self._reviving, []
        for task in reviving:
            task.cancel()
        await asyncio.gather(*reviving, return_exceptions=True)
        connections, self._open = self._open, []
        await asyncio.gather(*(one.close() for one in connections))

    async def _opened(self, server: Server) -> Listing | MCPError:
        listener = self._listener
        if self._follow:
            listener = replace(listener, notification=self._heard)
        connection = Connection(server, limits=self.limits, listener=listener)
        self._open.append(connection)
        try:
            await connection.open()
            listing = self._listings[connection] = await self._listed(connection)
        except MCPError as error:
            if self._revive:
                self._keep(connection, failed=error)
            else:
                await connection.close()
            return error
        if self._revive:
            self._keep(connection)
        return listing

    def _keep(self, connection: Connection, *, failed: MCPError | None = None) -> None:
        server = connection.server

        def lost(error: MCPError) -> None:
            self._tell(ToolsChanged(failed=_failed(error, server).findings))

        async def back() -> None:
            await self._look_again((server.name,))

        coroutine = revive(connection, lost=lost, back=back, failed=failed)
        self._reviving.append(asyncio.create_task(coroutine, name=f"revive {server.name}"))

    @property
    def down(self) -> frozenset[str]:
        """The names of the servers that are not there at the moment."""
        return frozenset(one.server.name for one in self._open if not one.alive)

    async def _heard(self, server: Server, method: str, params: Mapping[str, Any]) -> None:
        if method in CHANGED:
            self._again.ask()
        if self._listener.notification is not None:
            await self._listener.notification(server, method, params)

    async def _look_again(self, restarted: tuple[str, ...] = ()) -> None:
        """List every server's tools anew; one that fails keeps the tools that it had."""
        await self._entered.wait()  # only then there is something to compare with
        begun, failed = time.perf_counter(), list[Finding]()
        for connection in self._open:
            if not connection.alive:
                continue
            try:
                self._listings[connection] = await self._listed(connection)
            except MCPError as error:
                if not self._revive or not isinstance(error, _GONE):  # else that is told anyway
                    failed += _failed(error, connection.server).findings
        listings = [self._listings[one] for one in self._open if one in self._listings]
        before, self.listing = self.listing, _merged(listings)
        change = difference(before, self.listing, failed=tuple(failed), begun=begun)
        self._tell(replace(change, restarted=restarted))

    def _tell(self, change: ToolsChanged) -> None:
        for subscriber in list(self._subscribers) if change else ():
            subscriber(change, self.listing)

    async def _listed(self, connection: Connection) -> Listing:
        server, listed = connection.server, await connection.list()
        link: Link = connection
        if self._background is not None:
            link = Crossing(self._background, connection)
        kept = [item for item in listed.items if self._wanted(item)]
        listing = tools_of(kept, link=link, server=server.name, prefix=self._prefix)
        tools = tuple(self._named(tool) for tool in listing.tools)
        stray = await connection.stray_output()
        findings = (*listed.findings, *listing.findings, *stray)
        return Listing(tools, findings, {tool.spec.name: _raw(tool) for tool in tools})

    def _named(self, tool: Tool) -> Tool:
        if isinstance(tool, RemoteTool) and tool.own_name in self._names:
            return tool.renamed(self._names[tool.own_name])
        return tool

    def _wanted(self, item: Mapping[str, Any]) -> bool:
        if any(_picks(pick, item) for pick in self._rejected):
            return False
        return self._allowed is None or any(_picks(pick, item) for pick in self._allowed)

    async def stray_output(self) -> tuple[Finding, ...]:
        """Say what the servers printed on stdout, until now, that is not of the protocol."""
        found = [await connection.stray_output() for connection in self._open]
        return tuple(finding for one in found for finding in one)

    def start(self) -> Self:
        """Open the servers on a thread of their own."""
        if self._background is not None:
            return self
        background = Background()
        background.start()
        self._background = background
        try:
            background.run(self.__aenter__)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close the servers and the thread; calls under way end at once with an error."""
        background, self._background = self._background, None
        if background is not None:
            background.stop(lambda: self.__aexit__(None, None, None))

    def __enter__(self) -> Self:
        """Open the servers on a thread of their own."""
        return self.start()

    def __exit__(self, *_: object) -> None:
        """Close them."""
        self.stop()

    def list_tools_sync(self) -> tuple[Tool, ...]:
        """Return the tools that were listed when the client was started."""
        return self.listing.tools

    def call_tool_sync(
        self, tool_use_id: str, name: str, *, arguments: Mapping[str, Any] | None = None
    ) -> ToolResult:
        """Call a tool by our name for it and wait; every failure becomes an error result."""
        tool = next((one for one in self.listing.tools if one.spec.name == name), None)
        if tool is None or self._background is None:
            raise UsageError(f"There is no tool '{name}' here", hint="See list_tools_sync().")
        use = ToolUse(tool_use_id, name, dict(arguments or {}))
        result: ToolResult = self._background.run(lambda: tool.invoke(use, ToolContext(use)))
        return result


def _described(source: Source) -> Server:
    if isinstance(source, Server):
        return source
    return from_word(source) if isinstance(source, str) else from_argv(source)


def _picks(pick: Pick, item: Mapping[str, Any]) -> bool:
    name = item.get("name")
    if callable(pick):
        return bool(pick(item))
    if not isinstance(name, str):
        return False
    return pick == name if isinstance(pick, str) else pick.fullmatch(name) is not None


def _failed(error: MCPError, server: Server) -> Listing:
    finding = found(
        "M100 unreachable-server", error.message, server=server.name, hint=error.hint, cause=error
    )
    return Listing((), (finding,))


def _raw(tool: Tool) -> Mapping[str, Any]:
    return tool.raw if isinstance(tool, RemoteTool) else {}


def _merged(listings: Sequence[Listing]) -> Listing:
    """Put listings together; a name that an earlier server has gets an alias."""
    tools: list[Tool] = []
    findings: list[Finding] = []
    taken: set[str] = set()
    for listing in listings:
        findings += listing.findings
        for tool in listing.tools:
            name = tool.spec.name
            if name.replace("-", "_") in taken and isinstance(tool, RemoteTool):
                tool = tool.renamed(alias(name, f"{tool.server}/{tool.own_name}"))  # noqa: PLW2901
            taken.add(tool.spec.name.replace("-", "_"))
            tools.append(tool)
    return Listing(tuple(tools), tuple(findings), {one.spec.name: _raw(one) for one in tools})
