"""Servers that are watched: what they offer kept current in a registry, and started again."""

from __future__ import annotations

import fnmatch
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .findings import Place
from .loading.collect import place_of
from .mcp.client import MCPClient
from .registry import duplicate, problem
from .reload.reloader import ToolState

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from .findings import Finding, ToolChange, ToolsChanged
    from .reaching import Reach
    from .registry import ToolRegistry
    from .types import Listing

__all__ = ["Kept", "keep_servers"]


@dataclass(slots=True)
class Kept:
    """Open servers, and how their tools stand in the registry."""

    client: MCPClient
    registry: ToolRegistry
    told: Callable[[ToolsChanged], None]
    reasons: dict[str, Finding] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The servers' names."""
        return tuple(server.name for server in self.client.servers)

    @property
    def tools(self) -> list[ToolState]:
        """Every tool of theirs; stale where its server is not there at the moment."""
        states = []
        for tool in self.registry.tools:
            place = place_of(tool)
            if place.server in self.names:
                reason = self.reasons.get(place.server) if place.server in self._down else None
                stale = place.server in self._down
                states.append(
                    ToolState(tool.spec.name, place, "stale" if stale else "fresh", reason)
                )
        return states

    @property
    def _down(self) -> frozenset[str]:
        return self.client.down

    def heard(self, change: ToolsChanged, listing: Listing) -> None:
        """Tell of a change as far as it became one of the registry's."""
        for failure in change.failed:
            if failure.place.server is not None:
                self.reasons[failure.place.server] = failure
        kept: list[ToolChange] = []
        clashes: list[Finding] = []
        tools = {tool.spec.name: tool for tool in listing.tools}
        for each in change.added:
            holder = self.registry.find(each.name)
            if holder is None or place_of(holder).server == (each.place or Place()).server:
                kept.append(each)
                continue
            new = tools[each.name]
            error = duplicate(each.name, holder.spec.name, holder=holder, tool=new)
            clashes.append(problem("N001 duplicate-tool-name", error, tool=new))
        self.registry.problems += clashes
        self.told(replace(change, added=tuple(kept), failed=(*change.failed, *clashes)))


@asynccontextmanager
async def keep_servers(
    words: Sequence[str],
    registry: ToolRegistry,
    *,
    reach: Reach,
    pattern: str | None,
    told: Callable[[ToolsChanged], None],
) -> AsyncIterator[Kept]:
    """Open the servers that the words name, and keep the registry up with them.

    `told` hears what changed, was lost and is there again, on the caller's loop. One that can't
    be started among several is a problem, and is tried again; an `MCPError` where none can.
    """
    client = MCPClient(
        *(reach.server(word) for word in words),
        limits=reach.limits(),
        listener=reach.listener(),
        allowed=None if pattern is None else [re.compile(fnmatch.translate(pattern))],
        follow="always",
    )
    async with client as listing:
        registry.adopt_listing(listing)
        registry.follow(client)
        kept = Kept(client, registry, told)
        client.subscribe(kept.heard)
        yield kept
