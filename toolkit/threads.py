"""Run a blocking function on a daemon worker thread, with the caller's context.

`asyncio.to_thread` makes a timeout a lie: the process waits at exit for a thread that never
returns, and its pool is a handful of threads. These workers are daemons, are kept and reused,
grow to a stated limit, and one that was abandoned no longer counts.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import sys
import threading
import traceback
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DEFAULT_LIMIT", "Inline", "Workers", "run_to_end", "shared"]

DEFAULT_LIMIT = 256
T = TypeVar("T")


class _Job:
    """One function to run, and the future that waits for it."""

    __slots__ = ("abandoned", "context", "error", "function", "future", "loop", "value")

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.function = function
        self.context = contextvars.copy_context()
        self.loop = loop
        self.future: asyncio.Future[None] = loop.create_future()
        self.value: Any = None
        self.error: BaseException | None = None
        self.abandoned = False

    def run(self) -> None:
        try:
            self.value = self.context.run(self.function)
        except BaseException as raised:  # noqa: BLE001 - the caller gets it, whatever it is
            self.error = raised
        if getattr(_here, "is_fork", False):
            _end_fork(self.error)

    def deliver(self) -> None:
        try:
            self.loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:  # the loop has ended; nobody waits any more
            return

    def _deliver(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


class Workers:
    """Daemon threads that grow with the work to `limit`; the rest waits its turn, in order."""

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        """`limit` bounds the threads that work at one time, abandoned ones not counted."""
        self.limit = limit
        self._lock = threading.Lock()
        self._idle: list[SimpleQueue[_Job]] = []
        self._waiting: deque[_Job] = deque()
        self._busy = 0
        _every.add(self)

    @property
    def busy(self) -> int:
        """How many jobs run now, abandoned ones not counted."""
        return self._busy

    async def run(self, function: Callable[[], T]) -> T:
        """Run `function` on a worker; when the caller is cancelled the thread is abandoned."""
        job = _Job(function, asyncio.get_running_loop())
        self._submit(job)
        try:
            await job.future
        except asyncio.CancelledError:
            self._abandon(job)
            raise
        if job.error is not None:
            try:
                raise job.error
            finally:
                del job  # else the error would hold the frame that holds it
        return job.value  # type: ignore[no-any-return]

    def _submit(self, job: _Job) -> None:
        with self._lock:
            if self._busy >= self.limit:
                self._waiting.append(job)
                return
            self._busy += 1
            queue = self._idle.pop() if self._idle else None
        self._start(job, queue)

    def _start(self, job: _Job, queue: SimpleQueue[_Job] | None) -> None:
        if queue is None:
            queue = SimpleQueue()
            name = "toolkit-worker"
            thread = threading.Thread(target=self._work, args=(queue,), name=name, daemon=True)
            try:
                thread.start()
            except BaseException:  # the system gives no more threads
                with self._lock:
                    self._busy -= 1
                raise
        queue.put(job)

    def forget(self) -> None:
        """In a fork of the process there are none of these threads."""
        self._lock = threading.Lock()
        self._idle.clear()
        self._waiting.clear()
        self._busy = 0

    def step_aside(self) -> None:
        """The calling worker waits for another call: the work that waits gets its place."""
        with self._lock:
            successor = self._waiting.popleft() if self._waiting else None
            if successor is None:
                self._busy -= 1
        if successor is not None:
            self._start(successor, None)

    def step_back(self) -> None:
        """The calling worker goes on, whoever works meanwhile."""
        with self._lock:
            self._busy += 1

    def _abandon(self, job: _Job) -> None:
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                return
            if job.abandoned or (job.future.done() and not job.future.cancelled()):
                return
            job.abandoned = True
            successor = self._waiting.popleft() if self._waiting else None
            if successor is None:
                self._busy -= 1
        if successor is not None:
            self._start(successor, None)

    def _work(self, queue: SimpleQueue[_Job]) -> None:
        _here.workers = self
        while True:
            job: _Job | None = queue.get()
            while job is not None:
                job.run()
                following = self._next(job, queue)  # first: who is told may have the next job
                if following is _STOP:
                    return
                job.deliver()
                job = following

    def _next(self, done: _Job, queue: SimpleQueue[_Job]) -> Any:
        """What this thread does after `done`: the next job, wait (None), or end (_STOP)."""
        with self._lock:
            if done.abandoned:
                return _STOP
            done.abandoned = True  # finished: a late cancellation has nothing left to abandon
            if self._waiting and self._busy <= self.limit:
                return self._waiting.popleft()
            self._busy -= 1
            self._idle.append(queue)
            return None


class Inline:
    """Runs everything where it is called, for a debugger that needs one thread."""

    async def run(self, function: Callable[[], T]) -> T:
        """Call `function` here and now."""
        return function()


def _after_fork() -> None:
    for each in _every:
        each.forget()
    _here.is_fork = hasattr(_here, "workers")


def _end_fork(error: BaseException | None) -> NoReturn:
    """A tool has forked, and its child came back to where only the parent can go on."""
    code = error.code if isinstance(error, SystemExit) else int(error is not None)
    if error is not None and not isinstance(error, SystemExit):
        traceback.print_exception(error)
    sys.stdout.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


_STOP: Any = object()
_every: weakref.WeakSet[Workers] = weakref.WeakSet()
_here = threading.local()  # .workers: whose thread this is; .is_fork: it alone is left of them
_SHARED = Workers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def shared() -> Workers:
    """The workers of the process, for calls that bring none of their own."""
    return _SHARED


def run_to_end(main: Callable[[], Any]) -> Any:
    """Run a coroutine function to its end from synchronous code, also inside a running loop.

    Inside a running loop it gets a loop of its own on a worker thread, with the caller's
    context, and the calling thread waits.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run_aside(main)
    answer: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            answer.put((context.run(_run_on_own_loop, main), None))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            answer.put((None, error))

    threading.Thread(target=run, name="toolkit-call", daemon=True).start()
    value, error = answer.get()
    if error is not None:
        raise error
    return value


def _run_aside(main: Callable[[], Any]) -> Any:
    """Run on a loop of its own; a worker that waits here for other calls holds no place.

    Without this, as many tools as there are places, each waiting for a tool that it calls, would
    wait for ever.
    """
    workers: Workers | None = getattr(_here, "workers", None)
    if workers is None:
        return _run_on_own_loop(main)
    workers.step_aside()
    try:
        return _run_on_own_loop(main)
    finally:
        workers.step_back()


def _run_on_own_loop(main: Callable[[], Any]) -> Any:
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(_NoWait())
        return runner.run(main())


class _NoWait(ThreadPoolExecutor):
    """What `asyncio.to_thread` of a tool runs on: closing the loop waits for none of it."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - the signature is given
        super().shutdown(wait=False, cancel_futures=cancel_futures)
