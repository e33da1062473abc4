"""How many calls of one tool may run at one time, whatever loops and executors they come from."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from ..types import Call, Handler, Middleware, Tool, ToolResult

__all__ = ["limits"]


def limits() -> Middleware:
    """Let at most the tool's own `max_concurrency` calls run; the others wait, first come first.

    A tool that says nothing costs nothing. Waiting counts against no deadline. A thread that its
    deadline has left behind no longer counts.
    """
    spare: dict[str, _Turnstile] = {}  # for tools that no dictionary takes as a key

    def limited(call: Call, handle: Handler) -> Awaitable[ToolResult]:
        most = getattr(call.tool, "max_concurrency", None)
        if call.tool is None or most is None:
            return handle(call)
        try:
            turnstile = _turnstile(call.tool)
        except TypeError:
            turnstile = spare.setdefault(call.use.name, _Turnstile())
        return _in_turn(turnstile, call, handle, most)

    return limited


async def _in_turn(turnstile: _Turnstile, call: Call, handle: Handler, most: int) -> ToolResult:
    await turnstile.enter(most)
    call.context.mark("wait for a turn")
    try:
        return await handle(call)
    finally:
        turnstile.leave()


class _Turnstile:
    """Counts those inside; threads and loops of any number may meet at it.

    `asyncio.Semaphore` belongs to one loop, but calls from Python may each bring a loop of their
    own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self, most: int) -> None:
        with self._lock:
            if self._inside < most and not self._waiting:
                self._inside += 1
                return
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            with self._lock:
                given = turn not in self._waiting
                if not given:
                    self._waiting.remove(turn)
            if given:  # the turn came when nobody wanted it any more
                self.leave()
            raise

    def leave(self) -> None:
        """Hand the turn to the next who waits, if anybody does."""
        with self._lock:
            while self._waiting:
                turn = self._waiting.popleft()
                try:
                    turn.get_loop().call_soon_threadsafe(_give, turn)
                except RuntimeError:  # its loop has ended
                    continue
                return
            self._inside -= 1


def _give(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


_turnstiles: WeakKeyDictionary[Any, _Turnstile] = WeakKeyDictionary()
_making = threading.Lock()


def _turnstile(tool: Tool) -> _Turnstile:
    """The one of this tool; tools that are equal (one method, got twice) share it."""
    with _making:
        found = _turnstiles.get(tool)
        if found is None:
            found = _turnstiles[tool] = _Turnstile()
        return found
