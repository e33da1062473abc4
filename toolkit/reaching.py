"""MCP servers named as TARGETs: started together, adopted in order, closed with the command."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ConfigError, LoadError
from .findings import Severity

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from .findings import Finding
    from .mcp.client import MCPClient
    from .mcp.servers import Server
    from .mcp.session import Limits, Listener
    from .registry import ToolRegistry
    from .types import Listing

__all__ = ["Reach", "Reached"]

# The command behind `--` as a target among the others.
COMMAND = "--"


@dataclass(frozen=True, slots=True)
class Reach:
    """How servers are reached: what the command line says of them.

    `env` are `K` or `K=V`, `headers` are `N: V`, `config` are files, `seconds` bounds every
    phase, `command` is what stands behind `--`; `log` hears their stderr, `wire` every message,
    `notification` what has no answer; `elicit` answers questions, `roots` are folders that they
    may look into; `known` hears of each server before it is reached.
    """

    env: tuple[str, ...] = ()
    inherit_env: bool = False
    headers: tuple[str, ...] = ()
    bearer_env: str | None = None
    config: tuple[str, ...] = ()
    seconds: float | None = None
    command: tuple[str, ...] = ()
    log: Callable[[Server, str], None] | None = None
    wire: Callable[[Server, Any, dict[str, Any]], None] | None = None
    elicit: Callable[[Server, Mapping[str, Any]], Awaitable[Mapping[str, Any]]] | None = None
    roots: tuple[str, ...] = ()
    log_level: str | None = None
    known: Callable[[Server], None] | None = None
    notification: Callable[[Server, str, Mapping[str, Any]], Awaitable[None]] | None = None

    def targets(self, words: Sequence[str]) -> list[str]:
        """Return the targets, the command behind `--` as the last."""
        return [*words, COMMAND] if self.command else list(words)

    def server(self, word: str) -> Server:
        """Describe the server that a word names; a LoadError where no such one is configured."""
        server = self._described(word)
        if self.known is not None:
            self.known(server)
        return server

    def _described(self, word: str) -> Server:
        from .mcp.configuration import find_server
        from .mcp.servers import Options, from_argv, from_word

        options = Options(self.env, self.inherit_env, self.headers, self.bearer_env)
        if word == COMMAND:
            return options.apply(from_argv(self.command))
        if not word.startswith("mcp:"):
            return options.apply(from_word(word))
        files = [Path(one) for one in self.config]
        try:
            return options.apply(find_server(word.removeprefix("mcp:"), given=files))
        except ConfigError as error:
            raise LoadError(error.message, hint=error.hint, path=error.path) from error

    def limits(self) -> Limits:
        """Return the deadlines: the given one for every phase, else the usual ones."""
        from .mcp.session import Limits

        if self.seconds is None:
            return Limits()
        return Limits(start=self.seconds, list=self.seconds, call=self.seconds)

    def listener(self) -> Listener:
        """Return who hears what the servers say."""
        from .mcp.session import Listener

        return Listener(
            log=self.log,
            wire=self.wire,
            notification=self.notification,
            elicit=self.elicit,
            roots=tuple(Path(one).resolve().as_uri() for one in self.roots),
            log_level=self.log_level,
        )


class Reached:
    """Servers that are opened together; each is waited for when its turn comes."""

    def __init__(self, reach: Reach) -> None:
        """Nothing is started before `begin`."""
        self._reach = reach
        self._clients: list[MCPClient] = []
        self._opening: dict[str, asyncio.Task[Listing]] = {}

    def begin(self, words: Sequence[str]) -> None:
        """Start every server that the words name; what is wrong with one is raised in its turn."""
        for word in words:
            if word not in self._opening:
                self._opening[word] = asyncio.create_task(self._open(word))

    async def _open(self, word: str) -> Listing:
        from .mcp.client import MCPClient

        client = MCPClient(
            self._reach.server(word),
            limits=self._reach.limits(),
            listener=self._reach.listener(),
            follow=False,
        )
        self._clients.append(client)
        return await client.__aenter__()

    async def adopt(self, word: str, registry: ToolRegistry) -> None:
        """Wait for one server and register its tools; a name that is taken becomes an alias."""
        listing = await self._opening[word]
        registry.problems += listing.findings
        for tool in listing.tools:
            registry.adopt(_beside(tool, registry))

    async def stray_output(self) -> list[Finding]:
        """Say which servers print on stdout what is not of the protocol."""
        found: list[Finding] = []
        for client in self._clients:
            found += await client.stray_output()
        return found

    async def close(self) -> None:
        """Close every server, also those that are still being opened."""
        for task in self._opening.values():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*(one.__aexit__(None, None, None) for one in self._clients))


def _beside(tool: Any, registry: ToolRegistry) -> Any:
    from .mcp.listing import found
    from .mcp.names import alias

    name = tool.spec.name
    if registry.find(name) is None:
        return tool
    other = alias(name, f"{tool.server}/{tool.own_name}")
    registry.problems.append(
        found(
            "M108 aliased-name",
            f"'{name}' of '{tool.server}' is called '{other}' here: the name is taken",
            server=tool.server,
            severity=Severity.WARNING,
            tool=other,
        )
    )
    return tool.renamed(other)
