"""The servers' loop on a daemon thread, for callers that are synchronous or on another loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import MCPConnectionClosedError

if TYPE_CHECKING:
    from .session import Progress
    from .tool import Link

__all__ = ["Background", "Crossing"]

T = TypeVar("T")
Made = Callable[[], Coroutine[Any, Any, T]]


class Background:
    """A loop on a thread of its own; every wait on it ends when it is stopped."""

    def __init__(self, name: str = "mcp") -> None:
        """`name` is the thread's."""
        self.loop = asyncio.new_event_loop()
        self._name = name
        self._thread: threading.Thread | None = None
        self._stopped: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._waiting: set[concurrent.futures.Future[Any]] = set()
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()

    def run(self, make: Made[T], *, seconds: float | None = None) -> T:
        """Run a coroutine there and wait for it here; a TimeoutError after `seconds`.

        An MCPConnectionClosedError says that the loop was stopped meanwhile.
        """
        running = self._submit(make)
        try:
            return running.result(seconds)
        except concurrent.futures.CancelledError:
            raise _closed() from None
        except TimeoutError:
            running.cancel()
            raise
        finally:
            self._forget(running)

    async def cross(self, make: Made[T]) -> T:
        """Run a coroutine there and await it on the caller's loop; cancelling it cancels both."""
        running = self._submit(make)
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            if running.cancelled() and self._stopped.done():
                raise _closed() from None
            raise
        finally:
            self._forget(running)

    def _submit(self, make: Made[T]) -> concurrent.futures.Future[T]:
        with self._lock:
            if self._stopped.done() or self._thread is None:
                raise _closed()
            running = asyncio.run_coroutine_threadsafe(make(), self.loop)
            self._waiting.add(running)
        return running

    def _forget(self, running: concurrent.futures.Future[Any]) -> None:
        with self._lock:
            self._waiting.discard(running)

    def stop(self, last: Made[None] | None = None, *, seconds: float = 10.0) -> None:
        """Run `last` there for at most `seconds`, end every wait, and stop the thread."""
        with self._lock:
            if self._stopped.done():
                return
            self._stopped.set_result(None)
            waiting = tuple(self._waiting)
        for one in waiting:
            one.cancel()
        if self._thread is None:
            self.loop.close()
            return
        try:
            if last is not None:
                asyncio.run_coroutine_threadsafe(last(), self.loop).result(seconds)
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(1.0)


def _closed() -> MCPConnectionClosedError:
    return MCPConnectionClosedError("The client has been closed", kind="closed", phase="call")


class Crossing:
    """A link that may be called from any loop: it crosses to the one that owns the session."""

    def __init__(self, background: Background, link: Link) -> None:
        """`link` belongs to the background's loop."""
        self._background = background
        self._link = link

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        seconds: float | None = None,
        on_progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Call a tool by the server's own name."""
        here = asyncio.get_running_loop()
        if here is self._background.loop:
            return await self._link.call(name, arguments, seconds=seconds, on_progress=on_progress)

        async def heard(told: Mapping[str, Any]) -> None:
            if on_progress is not None:
                telling: Any = on_progress(told)
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(telling, here))

        return await self._background.cross(
            lambda: self._link.call(
                name, arguments, seconds=seconds, on_progress=heard if on_progress else None
            )
        )
