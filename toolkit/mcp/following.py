"""What a server says of changes to its tools, gathered for a moment and then looked at once."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from ..types import ToolChange, ToolsChanged

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ..findings import Finding
    from ..types import Listing

__all__ = ["CHANGED", "Debounced", "difference"]

CHANGED = "notifications/tools/list_changed"
# Servers say the same several times over; what comes within this is one change.
_GATHER = 0.1


class Debounced:
    """Runs a look-again once for many requests that come close together."""

    def __init__(self, look: Callable[[], Awaitable[None]]) -> None:
        """`look` never runs twice at a time; a request during a look leads to another."""
        self._look = look
        self._task: asyncio.Task[None] | None = None
        self._asked = False

    def ask(self) -> None:
        """Ask for a look, soon."""
        self._asked = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while self._asked:
            await asyncio.sleep(_GATHER)
            self._asked = False
            await self._look()

    async def stop(self) -> None:
        """End the look that is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


def difference(
    before: Listing, after: Listing, *, failed: tuple[Finding, ...] = (), begun: float
) -> ToolsChanged:
    """Say what came, went and changed between two listings; `begun` is a `perf_counter`."""
    old, new = _raw(before), _raw(after)
    places = {tool.spec.name: getattr(tool, "place", None) for tool in after.tools}
    added = [name for name in new if name not in old]
    changed = [name for name in new if name in old and new[name] != old[name]]
    removed = [name for name in old if name not in new]
    return ToolsChanged(
        added=tuple(ToolChange(name, places.get(name)) for name in added),
        changed=tuple(ToolChange(name, places.get(name)) for name in changed),
        removed=tuple(ToolChange(name) for name in removed),
        failed=failed,
        seconds=time.perf_counter() - begun,
    )


def _raw(listing: Listing) -> Mapping[str, Any]:
    return {tool.spec.name: listing.raw.get(tool.spec.name) for tool in listing.tools}
