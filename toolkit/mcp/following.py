"""What a server says of changes to its tools, gathered for a moment and then looked at once."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import ToolkitError
from ..types import ToolChange, ToolsChanged

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ..findings import Finding, Place
    from ..types import Listing, ToolSpec

__all__ = ["CHANGED", "Debounced", "difference"]

# What says that the tools are to be looked at: that they changed, or that from now on it is told.
CHANGED = ("notifications/tools/list_changed", "notifications/subscriptions/acknowledged")
# Servers say the same several times over; what comes within this is one change. One that says so
# because it was looked at would be looked at for ever: it is, but ever more slowly.
_GATHER, _MOST = 0.1, 5.0
# Seconds without a request after which the next is a new story.
_QUIET = 1.0


class Debounced:
    """Runs a look-again once for many requests that come close together."""

    def __init__(self, look: Callable[[], Awaitable[None]]) -> None:
        """`look` never runs twice at a time; a request during a look leads to another."""
        self._look = look
        self._task: asyncio.Task[None] | None = None
        self._asked = False
        self._pause, self._looked = _GATHER, -math.inf

    def ask(self) -> None:
        """Ask for a look, soon; the more often that is done, the later."""
        self._asked = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        while self._asked:
            soon = clock() - self._looked < _QUIET
            self._pause = min(self._pause * 2, _MOST) if soon else _GATHER
            await asyncio.sleep(self._pause)
            self._asked = False
            await self._look()
            self._looked = clock()

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
    both = (*before.tools, *after.tools)
    places = {tool.spec.name: getattr(tool, "place", None) for tool in both}
    specs = [{tool.spec.name: tool.spec for tool in one.tools} for one in (before, after)]
    added = [name for name in new if name not in old]
    changed = [name for name in new if name in old and new[name] != old[name]]
    removed = [name for name in old if name not in new]
    return ToolsChanged(
        added=tuple(ToolChange(name, places.get(name)) for name in added),
        changed=tuple(
            _change(specs[0][name], specs[1][name], places.get(name)) for name in changed
        ),
        removed=tuple(ToolChange(name, places.get(name)) for name in removed),
        failed=failed,
        seconds=time.perf_counter() - begun,
    )


def _change(old: ToolSpec, new: ToolSpec, place: Place | None) -> ToolChange:
    from ..schema.check import normalise  # the reading of schemas costs what a call need not pay
    from ..schema.diff import diff

    try:
        old, new = (
            replace(one, input_schema=normalise(one.input_schema, tool=one.name))
            for one in (old, new)
        )
        found = diff(old, new)
    except ToolkitError as error:  # a schema that is none; the registry refuses it with its reason
        return ToolChange(new.name, place, (f"breaking: {error.message}",), breaking=True)
    lines = [f"breaking: {each}" if each.breaking else str(each) for each in found]
    breaking = any(each.breaking for each in found)
    return ToolChange(new.name, place, tuple(lines), breaking)


def _raw(listing: Listing) -> Mapping[str, Any]:
    return {tool.spec.name: listing.raw.get(tool.spec.name) for tool in listing.tools}
