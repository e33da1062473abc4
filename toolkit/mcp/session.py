"""One session with one server, owned by one task: opened, listed, called and closed in time."""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ..errors import MCPConnectionClosedError, MCPError, MCPProtocolError, ToolTimeoutError
from ..threads import shared
from .deadlines import MOST_QUESTIONS, Deadlines, TooManyQuestionsError
from .failures import closed, explain, late
from .questions import Asked
from .tokens import TokenStore
from .transport import Transport, transport_for
from .wire import watched

if TYPE_CHECKING:
    from .protocol import Conversation
    from .questions import Answer
    from .servers import Server

__all__ = ["Limits", "Listener", "Session"]


Progress: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
# A server that ended this soon after it was asked for the newest era is asked once more without.
_SOON = 5.0
# What the end of a session may take: the ladder of a process is within it.
_LONGEST_END = 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Deadlines in seconds: to start and shake hands, to list everything, for one call."""

    start: float = 30.0
    list: float = 30.0
    call: float = 60.0


Question: TypeAlias = Callable[["Server", Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears what a server says beside its answers, and who answers what it asks.

    All are called with the server first. `wire` hears every message both ways; `notification`
    those of the server that have no answer. `elicit` (a form or a URL) and `sample` (a message of
    a model) get the wire's parameters and give the wire's result; a server is only told of those
    that are there. `roots` are the URIs of folders that a server may look into; `log_level` asks
    it for log messages, which come as notifications.
    """

    log: Callable[[Server, str], None] | None = None
    wire: Callable[[Server, Literal["in", "out"], dict[str, Any]], None] | None = None
    notification: Callable[[Server, str, Mapping[str, Any]], Awaitable[None]] | None = None
    elicit: Question | None = None
    sample: Question | None = None
    roots: tuple[str, ...] = ()
    log_level: str | None = None

    def of(self, server: Server) -> Heard:
        """Return the same, bound to one server."""
        log, wire, notification = self.log, self.wire, self.notification
        return Heard(
            None if log is None else partial(log, server),
            None if wire is None else partial(wire, server),
            None if notification is None else partial(notification, server),
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """A listener of one server."""

    log: Callable[[str], None] | None
    wire: Callable[[Literal["in", "out"], dict[str, Any]], None] | None
    notification: Callable[[str, Mapping[str, Any]], Awaitable[None]] | None


class Session:
    """An open conversation; every wait has a deadline and no process is left behind.

    All methods belong to the loop that opened it. Raised are MCPError and its kin, which name
    the server and the phase, and ToolTimeoutError for a call.
    """

    def __init__(
        self,
        server: Server,
        *,
        limits: Limits | None = None,
        listener: Listener | None = None,
        legacy: bool = False,
    ) -> None:
        """Nothing is started before `open`; `legacy` asks for no newer era than the handshake's."""
        store = TokenStore(server.url) if server.url is not None else None
        if store:
            server = replace(server, secrets=server.secrets | store.secrets)
        self.server = server
        self.limits = limits or Limits()
        self.identity: Mapping[str, Any] = {}
        self.times: dict[str, float] = {}
        self.tools: dict[str, Mapping[str, Any]] = {}
        self._listener = listener or Listener()
        self._heard = self._listener.of(server)
        self.transport: Transport = transport_for(server, on_log=self._heard.log)
        self._conversation: Conversation | None = None
        self._owner: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._legacy = legacy
        self._ending = False
        self._deadlines = Deadlines()

    async def open(self) -> Self:
        """Start the server and agree on a protocol, within `limits.start` seconds.

        Loading our own half of the protocol happens meanwhile and counts against no deadline.
        """
        begun = time.perf_counter()
        try:
            await self._begin()
        except TimeoutError:
            evidence = await self.transport.evidence()
            await self._end()
            raise late(
                self.server, "handshake", seconds=self.limits.start, evidence=evidence
            ) from None
        except BaseException:
            await self._end()
            raise
        ours = self.times["start"] + self.times["load"]
        self.times["handshake"] = max(time.perf_counter() - begun - ours, 0.0)
        return self

    async def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        left = await self._attempt(self.limits.start)
        if left is None:
            return
        crashed = self.server.url is None and loop.time() - begun < _SOON
        if not crashed or not isinstance(left, MCPConnectionClosedError) or self._legacy:
            raise left
        # Some older servers end when they are asked something that they do not know; one that has
        # not read the question ended for a reason of its own, and would end so again.
        if self.transport.unheard:
            raise left
        self._legacy = True
        await self._end()
        self.transport = transport_for(self.server, on_log=self._heard.log)
        again = await self._attempt(self.limits.start)
        if again is not None:
            raise again

    async def _attempt(self, seconds: float) -> MCPError | None:
        """Try to open; an error of the server is returned, a TimeoutError raised."""
        loop = asyncio.get_running_loop()
        talking: asyncio.Future[None] = loop.create_future()
        opened: asyncio.Future[MCPError | None] = loop.create_future()
        own = self._own(self.transport, talking, opened)
        self._owner = asyncio.create_task(own, name=f"mcp {self.server.name}")
        ready: set[asyncio.Future[Any]] = {talking, opened}
        await asyncio.wait(ready, return_when=asyncio.FIRST_COMPLETED)
        async with asyncio.timeout(seconds):
            return await asyncio.shield(opened)

    async def _own(
        self,
        transport: Transport,
        talking: asyncio.Future[None],
        opened: asyncio.Future[MCPError | None],
    ) -> None:
        """Own the conversation from its beginning to its end: what one task opens it must close."""
        phase, well, self._ending = "start", False, False
        try:
            begun = time.perf_counter()
            await transport.start()
            self.times["start"] = time.perf_counter() - begun
            phase = "handshake"
            begun = time.perf_counter()
            protocol = await _protocol()
            self.times["load"] = time.perf_counter() - begun
            talking.set_result(None)
            async with (
                transport.streams() as streams,
                protocol.conversation(
                    watched(streams, self._heard.wire), asked=self._asked()
                ) as conversation,
            ):
                await conversation.negotiate(legacy=self._legacy)
                await conversation.ask_for_logs()
                conversation.tools = self.tools
                self.identity = conversation.identity
                self._conversation = conversation
                opened.set_result(None)
                await self._until_closed(conversation)
                well = True
        except Exception as error:  # noqa: BLE001 - whatever it was, it becomes an MCPError
            if not opened.done():
                seen = await transport.evidence()
                opened.set_result(explain(error, self.server, phase=phase, evidence=seen))
        finally:
            self._conversation = None
            self._ending = True
            opened.cancel()
            await transport.stop(well=well)

    def _asked(self) -> Asked:
        """Who answers the server's questions; while a person thinks no deadline passes."""
        listener = self._listener

        def timeless(question: Question | None) -> Answer | None:
            if question is None:
                return None

            async def answer(params: Mapping[str, Any]) -> Mapping[str, Any]:
                with self._deadlines.thinking():
                    return await question(self.server, params)

            return answer

        return Asked(
            notification=self._heard.notification,
            elicit=timeless(listener.elicit),
            sample=timeless(listener.sample),
            roots=listener.roots,
            log_level=listener.log_level,
        )

    async def _until_closed(self, conversation: Conversation) -> None:
        heard = self._heard.notification
        if heard is None or not conversation.announces:
            await self._closing.wait()
            return
        listening = asyncio.create_task(conversation.listen(heard))
        try:
            await self._closing.wait()
        finally:
            listening.cancel()
            await asyncio.wait({listening})

    @property
    def alive(self) -> bool:
        """Whether a request may still be answered."""
        return self._conversation is not None and not self.transport.gone

    @property
    def conversation(self) -> Conversation:
        """The open conversation; an MCPConnectionClosedError once it has ended."""
        if self._conversation is None:
            raise MCPConnectionClosedError(
                f"The session with '{self.server.name}' is closed",
                server=self.server.name,
                kind="closed",
            )
        return self._conversation

    async def request(
        self,
        method: str,
        params: dict[str, Any],
        *,
        phase: str,
        seconds: float,
        on_progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Send one request; each progress message starts its deadline anew."""
        conversation, calls = self.conversation, phase == "call"
        try:
            async with self._deadlines.within(seconds) as again:

                async def progressed(told: Mapping[str, Any]) -> None:
                    again()
                    if on_progress is not None and told:  # nothing but a sign of life
                        await on_progress(told)

                return await conversation.request(
                    method, params, on_progress=progressed if on_progress or calls else None
                )
        except TooManyQuestionsError:
            raise MCPProtocolError(
                f"'{self.server.name}' asked more than {MOST_QUESTIONS} questions in one request",
                hint="An answer that it does not accept is asked for again: see --wire.",
                server=self.server.name,
                phase=phase,
                kind="questions",
            ) from None
        except TimeoutError:
            if phase == "call":
                raise ToolTimeoutError(
                    f"'{self.server.name}' did not answer within {seconds:g} s",
                    hint="Give --timeout SECONDS to wait longer.",
                    seconds=seconds,
                ) from None
            evidence = await self.transport.evidence()
            # A page of a list has what the pages before it left over: the whole was too long.
            whole = self.limits.list if phase == "list" else seconds
            raise late(self.server, phase, seconds=whole, evidence=evidence) from None
        except Exception as error:
            raise await self._explained(error, phase) from error

    async def lost(self) -> MCPError:
        """Wait until the other side has ended by itself, and say how."""
        await self.transport.ended()
        seen = await self.transport.evidence()
        return explain(ConnectionResetError(), self.server, phase="watch", evidence=seen)

    async def _explained(self, error: Exception, phase: str) -> MCPError:
        """Wait a moment for the end of a connection, which knows more than its last request."""
        if self._owner is not None and closed(error):
            await asyncio.wait({self._owner}, timeout=0.5)
        seen = await self.transport.evidence()
        return explain(error, self.server, phase=phase, evidence=seen)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        seconds: float | None = None,
        on_progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Call a tool by the server's own name; the result is the wire's own object."""
        params = {"name": name, "arguments": dict(arguments)}
        limit = self.limits.call if seconds is None else seconds
        return await self.request(
            "tools/call", params, phase="call", seconds=limit, on_progress=on_progress
        )

    async def close(self) -> None:
        """End the conversation and the server, within seconds."""
        self._closing.set()
        await self._end()

    async def _end(self) -> None:
        """Wait for the owner to clean up; it is told to hurry when nobody closed the session."""
        owner = self._owner
        if owner is None:
            return
        if not self._closing.is_set() and not self._ending:
            owner.cancel()
        try:
            await asyncio.wait({owner}, timeout=_LONGEST_END)
        finally:
            if not owner.done():  # a server that answers no farewell, or we were cancelled
                owner.cancel()
                await asyncio.wait({owner}, timeout=_LONGEST_END)

    async def __aenter__(self) -> Self:
        """Open it."""
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()


async def _protocol() -> Any:
    """Import what stands on the SDK in a thread: the server starts up meanwhile.

    A module that is still being imported stands in `sys.modules` already, so it is not looked for
    there.
    """
    name = f"{__package__}.protocol"
    return await shared().run(lambda: importlib.import_module(name))
