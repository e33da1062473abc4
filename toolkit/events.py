"""The way of events: one at a time to an awaited sink, each producer waiting for its turn."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .types import Event, Sink, ToolContext

__all__ = ["LoopChannel", "stream"]

T = TypeVar("T")
LOOK_AGAIN = 0.5  # seconds after which a waiting thread looks whether its call has ended


class LoopChannel:
    """A lock round an awaited sink; one channel serves all calls of a batch.

    A delivery that has begun is always finished: a producer that is cancelled meanwhile waits for
    its end, so that no consumer sees half an event.
    """

    def __init__(self, sink: Sink) -> None:
        """Bind to the running loop."""
        self._sink = sink
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._closed = False

    def close(self) -> None:
        """Drop what comes from now on: the calls are over."""
        self._closed = True

    async def send(self, event: Event) -> None:
        """Deliver from the loop; returns once the sink has taken the event."""
        async with self._lock:
            if not self._closed:
                await _to_its_end(self._sink(event))

    async def progress(self, event: Event, context: ToolContext) -> None:
        """Deliver for a running call, whose deadline stands still meanwhile."""
        if context.cancelled.is_set():
            return
        context.wait_begins(self._loop.time())
        try:
            await self.send(event)
        finally:
            context.wait_ends(self._loop.time())

    def progress_from_thread(self, event: Event, context: ToolContext) -> None:
        """Deliver from a worker thread and wait; dropped once the call or the loop has ended."""
        if self._closed or context.cancelled.is_set():
            return
        sending = self.progress(event, context)
        if threading.get_ident() == self._thread:
            _at_once(sending)
            return
        try:
            delivery = asyncio.run_coroutine_threadsafe(sending, self._loop)
        except RuntimeError:  # the loop has ended
            sending.close()
            return
        while not delivery.done():
            try:
                delivery.result(timeout=LOOK_AGAIN)
            except TimeoutError:
                if context.cancelled.is_set() or self._loop.is_closed():
                    return


def _at_once(sending: Coroutine[Any, Any, None]) -> None:
    """Deliver on the loop's own thread, which can't wait: only to a sink that takes at once."""
    try:
        sending.send(None)
    except StopIteration:
        return
    sending.close()
    raise RuntimeError("report() can't wait on the event loop's thread: await context.emit(…)")


async def _to_its_end(delivery: Awaitable[None]) -> None:
    """Await a delivery; where the producer is cancelled in the middle, finish it first.

    A sink that gives a future has taken the event already: there is nothing to finish. One that
    never waits is done after its first step, and costs no task.
    """
    if isinstance(delivery, asyncio.Future) or not isinstance(delivery, Coroutine):
        await delivery
        return
    try:
        waits_for = delivery.send(None)
    except StopIteration:
        return
    task = asyncio.ensure_future(_rest(delivery, waits_for))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


async def _rest(delivery: Coroutine[Any, Any, None], waits_for: Any) -> None:
    await _Started(delivery, waits_for)


class _Started:
    """A coroutine that has taken its first step and waits for a future, awaited from there."""

    def __init__(self, coroutine: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self.coroutine = coroutine
        self.waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        yielded = self.waits_for
        while True:
            try:
                answer = yield yielded
            except BaseException as error:  # noqa: BLE001 - the coroutine may handle it
                step = functools.partial(self.coroutine.throw, error)
            else:
                step = functools.partial(self.coroutine.send, answer)
            try:
                yielded = step()
            except StopIteration:
                return


async def stream(run: Callable[[Sink], Awaitable[T]]) -> AsyncIterator[Event | T]:
    """Turn `run(sink)` into an iterator: its events, then its result; safe to leave early.

    In lock-step: the producer of an event waits until the consumer asks for the next one.
    """
    loop = asyncio.get_running_loop()
    slot: asyncio.Queue[Event | None] = asyncio.Queue()
    waiting: list[asyncio.Future[None]] = []
    gone = False

    def hand_over(event: Event) -> asyncio.Future[None]:
        taken: asyncio.Future[None] = loop.create_future()
        waiting.append(taken)
        slot.put_nowait(event)
        if gone:
            _release(waiting)
        return taken

    task = asyncio.ensure_future(run(hand_over))
    task.add_done_callback(lambda _: slot.put_nowait(None))
    try:
        while (event := await slot.get()) is not None:
            yield event
            _release(waiting[:1])
            del waiting[:1]
        yield await task
    finally:
        gone = True
        task.cancel()
        _release(waiting)  # a sink that passes events on would wait for a consumer for ever
        await asyncio.wait([task])


def _release(waiting: list[asyncio.Future[None]]) -> None:
    for taken in waiting:
        if not taken.done():
            taken.set_result(None)
