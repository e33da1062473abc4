"""The deadlines of the requests under way, which stand still while somebody is asked something."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

__all__ = ["MOST_QUESTIONS", "Deadlines", "TooManyQuestionsError"]

# A server that is not content with any answer asks for ever; no sensible call asks this often.
MOST_QUESTIONS = 100


class TooManyQuestionsError(Exception):
    """A server asked more than MOST_QUESTIONS times in one request."""


@dataclass(slots=True, eq=False)
class _Running:
    clock: asyncio.Timeout
    seconds: float
    questions: int = 0


class Deadlines:
    """One for each request; all belong to one loop."""

    def __init__(self) -> None:
        """None runs yet."""
        self._running: list[_Running] = []
        self._thinking = 0

    @contextlib.asynccontextmanager
    async def within(self, seconds: float) -> AsyncIterator[Callable[[], None]]:
        """Bound what is done inside; gives what starts the time anew.

        A TimeoutError says that it passed, a TooManyQuestionsError that the server asked and asked.
        """
        clock = asyncio.timeout(seconds)
        running = _Running(clock, seconds)
        try:
            async with clock:
                self._running.append(running)
                self._wind(running)
                try:
                    yield lambda: self._wind(running)
                finally:
                    self._running.remove(running)
        except TimeoutError:
            if self._asked_too_often(running):
                raise TooManyQuestionsError from None
            raise

    @contextlib.contextmanager
    def thinking(self) -> Iterator[None]:
        """Let no time pass; a TooManyQuestionsError where that was asked for too often."""
        for one in self._running:
            one.questions += 1
        weary = [one for one in self._running if self._asked_too_often(one)]
        if weary:
            for one in weary:
                one.clock.reschedule(0)
            raise TooManyQuestionsError
        self._thinking += 1
        self._wind(*self._running)
        try:
            yield
        finally:
            self._thinking -= 1
            self._wind(*self._running)

    def _asked_too_often(self, one: _Running) -> bool:
        """Whether more was asked than requests under way could be in want of."""
        return one.questions > MOST_QUESTIONS * max(len(self._running), 1)

    def _wind(self, *running: _Running) -> None:
        now = asyncio.get_running_loop().time()
        for one in running:
            if one in self._running and not one.clock.expired():
                one.clock.reschedule(None if self._thinking else now + one.seconds)
