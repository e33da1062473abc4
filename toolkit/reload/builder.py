"""Imports run on threads of their own, so that one that hangs is told of and holds up nothing."""

from __future__ import annotations

import ctypes
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..loading.units import Abandoned, Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..loading.finder import Finder

__all__ = ["Builder", "Hung"]

J = TypeVar("J")
MORE = 2.0  # how many times longer than it took a slow import is waited for the next time


@dataclass(frozen=True, slots=True)
class Hung:
    """The outcome of a job that has not ended within `seconds`."""

    seconds: float


@dataclass(slots=True)
class _Current(Generic[J]):
    """The job that a thread works on."""

    job: J
    attempt: Attempt
    started: float


@dataclass(slots=True)
class _Run(Generic[J]):
    """A thread that takes one job after the other, until it is done or abandoned."""

    jobs: deque[J]
    work: Callable[[J, Attempt], Any]
    outcomes: list[tuple[J, Any]] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    current: _Current[J] | None = None
    abandoned: bool = False
    ended: bool = False
    thread: int | None = None

    def run(self, on_late: Callable[[J, float], None]) -> None:
        """Work; `on_late` gets a job that ended after it was given up, and its seconds."""
        self.thread = threading.get_ident()
        while (current := self._next()) is not None:
            try:
                outcome = self.work(current.job, current.attempt)
            except BaseException as error:  # noqa: BLE001 - any way to fail is an outcome
                outcome = error
            with self.lock:
                if not self.abandoned:
                    self.outcomes.append((current.job, outcome))
                    continue
            if not self.ended:
                on_late(current.job, time.monotonic() - current.started)
            self.thread = None
            return
        self.done.set()

    def _next(self) -> _Current[J] | None:
        with self.lock:
            started = time.monotonic()
            job = self.jobs.popleft() if self.jobs else None
            self.current = _Current(job, Attempt(), started) if job is not None else None
            return self.current

    def abandon(self, current: _Current[J]) -> bool:
        """Take the jobs away from it, if it is still at this one."""
        with self.lock:
            self.abandoned = self.current is current
            return self.abandoned

    def end(self) -> None:
        """Have Python raise in the thread, which ends a loop that would burn the processor."""
        self.ended = True
        if self.thread is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.thread), ctypes.py_object(Abandoned)
            )


class Builder(Generic[J]):
    """Does jobs one after the other on a daemon thread, and never waits for one for ever.

    A job that takes longer than `patience` (seconds) is `Hung`. Where it ends after all,
    `on_late` hears of it (on its thread), and the next time it is given the time that it needs.
    """

    def __init__(
        self,
        work: Callable[[J, Attempt], Any],
        *,
        owner: Finder,
        patience: float,
        on_late: Callable[[J], None],
    ) -> None:
        self.patience = patience
        self._work = work
        self._owner = owner
        self._on_late = on_late
        self._needs: dict[J, float] = {}
        self._hanging: dict[J, _Run[J]] = {}

    def build(self, jobs: Iterable[J]) -> dict[J, Any]:
        """The outcome of each job: what `work` returned, what it raised, or `Hung`."""
        outcomes: dict[J, Any] = {}
        waiting = deque(jobs)
        for job in waiting:
            self._end(job)
        while waiting:
            run = _Run(waiting, self._work)
            threading.Thread(
                target=run.run, args=(self._late,), name="toolkit-reload", daemon=True
            ).start()
            hung = self._wait(run)
            outcomes.update(run.outcomes)
            if hung is not None:
                outcomes[hung.job] = Hung(self._limit(hung.job))
                self._hanging[hung.job] = run
            waiting = deque(run.jobs)
        return outcomes

    def close(self) -> None:
        """End whatever still hangs."""
        for job in list(self._hanging):
            self._end(job)

    def _end(self, job: J) -> None:
        run = self._hanging.pop(job, None)
        if run is not None:
            run.end()

    def _limit(self, job: J) -> float:
        return max(self.patience, self._needs.get(job, 0.0))

    def _wait(self, run: _Run[J]) -> _Current[J] | None:
        """Wait for the end, or for a job that takes too long."""
        left = self.patience
        while not run.done.wait(left):
            current = run.current
            if current is None:
                continue
            left = current.started + self._limit(current.job) - time.monotonic()
            if left <= 0 and run.abandon(current):
                self._owner.abandon(current.attempt)
                return current
            left = max(left, 0.001)
        return None

    def _late(self, job: J, seconds: float) -> None:
        self._hanging.pop(job, None)
        self._needs[job] = seconds * MORE + self.patience
        self._on_late(job)
