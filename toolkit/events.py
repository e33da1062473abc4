"""The way of events: one at a time to an awaited sink, each producer waiting for its turn."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .types import Event, Sink, ToolContext

__all__ = ["TAKEN", "LoopChannel", "Taken", "stream"]

T = TypeVar("T")
LOOK_AGAIN = 0.5  # seconds after which a waiting thread looks whether its call has ended


class Taken:
    """What a sink that is a plain function gives back: the event has been taken already."""

    def __await__(self) -> Generator[Any, Any, None]:
        return
        yield


TAKEN = Taken()


class LoopChannel:
    """A lock round an awaited sink; one channel serves all calls of a batch.

    A delivery that has begun is always finished: a producer that is cancelled meanwhile waits for
    its end, so that no consumer sees half an event. A sink that gives back a future keeps a queue
    of its own: events go to it in their order, and each producer waits for its own to be taken.
    """

    def __init__(self, sink: Sink) -> None:
        """Bind to the running loop."""
        self._sink = sink
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._closed = False
        self._early: deque[Event] = deque()  # reported on the loop's own thread, not yet taken
        self._apart: set[asyncio.Task[Any]] = set()  # deliveries beside the calls' own tasks

    async def aclose(self) -> None:
        """Drop what comes from now on: the calls are over, and no delivery is left running."""
        self._closed = True
        for task in self._apart:
            task.cancel()
        if self._apart:
            await asyncio.wait(self._apart)

    async def send(self, event: Event) -> None:
        """Deliver from the loop; returns once the sink has taken the event."""
        queued: asyncio.Future[None] | None = None
        async with self._lock:
            await self._flush()
            if not self._closed:
                queued = await _to_its_end(self._sink(event))
        if queued is not None:
            await queued

    async def progress(self, event: Event, context: ToolContext) -> None:
        """Deliver for a running call, whose deadline stands still meanwhile."""
        if self._closed or context.ended:
            return
        queued: asyncio.Future[None] | None = None
        context.wait_begins(self._loop.time())
        try:
            async with self._lock:
                await self._flush()
                if not self._closed and not context.ended:
                    queued = await _to_its_end(self._sink(event))
            if queued is not None:
                await queued
        finally:
            context.wait_ends(self._loop.time())

    def progress_from_thread(self, event: Event, context: ToolContext) -> None:
        """Deliver from a worker thread and wait; dropped once the call or the loop has ended.

        On the loop's own thread, which can't wait, the event is taken at once where the sink is
        a plain function, else in its turn: before any later one.
        """
        if self._closed or context.ended:
            return
        if threading.get_ident() == self._thread:
            self._report_on_loop(event)
            return
        sending = self._from_thread(event, context)
        try:
            delivery = asyncio.run_coroutine_threadsafe(sending, self._loop)
        except RuntimeError:  # the loop has ended
            sending.close()
            return
        while not delivery.done():
            try:
                delivery.result(timeout=LOOK_AGAIN)
            except concurrent.futures.CancelledError:  # the call has ended
                return
            except TimeoutError:
                if context.ended or self._loop.is_closed():
                    return

    async def _from_thread(self, event: Event, context: ToolContext) -> None:
        task: Any = asyncio.current_task()
        self._apart.add(task)
        try:
            await self.progress(event, context)
        finally:
            self._apart.discard(task)

    def _report_on_loop(self, event: Event) -> None:
        free = not self._early and not self._lock.locked()
        if free and not iscoroutinefunction(self._sink):
            taking = self._sink(event)
            if isinstance(taking, Coroutine):
                self._beside(taking)
            return
        self._early.append(event)
        self._beside(self._flush_in_turn())

    def _beside(self, delivery: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(delivery)
        self._apart.add(task)
        task.add_done_callback(self._apart.discard)

    async def _flush_in_turn(self) -> None:
        async with self._lock:
            await self._flush()

    async def _flush(self) -> None:
        while self._early and not self._closed:
            await _to_its_end(self._sink(self._early.popleft()))


async def _to_its_end(delivery: Awaitable[None]) -> asyncio.Future[None] | None:
    """Await a delivery; where the producer is cancelled in the middle, finish it first.

    A sink that is a plain function has taken the event already, and gives what there is to wait
    for. A future is given back: the event stands in a queue in its place, and its producer alone
    waits until it is taken. A coroutine gets a task of its own from its first step on: it may have
    deadlines and groups of tasks in it, which belong to the task that they begin in.
    """
    if isinstance(delivery, asyncio.Future):
        return delivery
    if not isinstance(delivery, Coroutine):
        await delivery
        return None
    task = asyncio.ensure_future(delivery)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:  # once more: the event is still delivered whole
                continue
        _ = task.cancelled() or task.exception()  # the cancellation is what is told
        raise
    return None


async def stream(run: Callable[[Sink], Awaitable[T]]) -> AsyncIterator[Event | T]:
    """Turn `run(sink)` into an iterator: its events, then its result; safe to leave early.

    In lock-step: the producer of an event waits until the consumer asks for the next one.
    """
    loop = asyncio.get_running_loop()
    slot: asyncio.Queue[tuple[Event, asyncio.Future[None]] | None] = asyncio.Queue()
    handed: tuple[Event, asyncio.Future[None]] | None = None
    gone = False

    def hand_over(event: Event) -> asyncio.Future[None]:
        taken: asyncio.Future[None] = loop.create_future()
        if gone:
            taken.set_result(None)
        else:
            slot.put_nowait((event, taken))
        return taken

    task = asyncio.ensure_future(run(hand_over))
    task.add_done_callback(lambda _: slot.put_nowait(None))
    try:
        while (handed := await slot.get()) is not None:
            yield handed[0]
            _release(handed)
        yield await task
    finally:
        gone = True
        task.cancel()
        _release(handed)
        while not slot.empty():  # a sink that passes events on would wait for a consumer for ever
            _release(slot.get_nowait())
        await asyncio.wait([task])
        _ = task.cancelled() or task.exception()  # left early: nobody asks any more


def _release(handed: tuple[Event, asyncio.Future[None]] | None) -> None:
    if handed is not None and not handed[1].done():
        handed[1].set_result(None)
