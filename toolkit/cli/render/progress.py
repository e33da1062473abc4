"""How far something is: a bar on a terminal, a line for each message elsewhere."""

from __future__ import annotations

import asyncio
import functools
import math
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeGuard

from ...events import TAKEN, Taken
from ...types import ToolProgress
from ..console import plain, say
from ..statusline import STATUS, can_draw
from .results import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...types import Event

__all__ = ["Bar", "Measure", "measured", "progress_sink"]

TICK = 0.1  # seconds between two drawings: what is over sooner flashes no bar
WIDTH = 24  # signs that the bar itself takes
SHORT = 1e15  # numbers below it are written out


class Measure(NamedTuple):
    """How far a call is: `done` of `total` (None: nobody knows), in units of the tool's own."""

    done: float
    total: float | None
    message: str = ""

    @property
    def fraction(self) -> str:
        """`2/4`; a share of one as `50%`; `2` where nobody knows of how many."""
        if self.total is None:
            return _number(self.done)
        if self.total == 1:
            return f"{self.done:.0%}"
        return f"{_number(self.done)}/{_number(self.total)}"


def measured(value: Any) -> Measure | None:
    """Read a progress value of MCP's shape, `{progress, total?, message?}`; None for any other."""
    if not isinstance(value, dict) or not value.keys() <= {"progress", "total", "message"}:
        return None
    done, total, message = (value.get(name) for name in ("progress", "total", "message"))
    if not isinstance(message, str | None) or not _is_number(done):
        return None
    if total is not None and not _is_number(total):
        return None
    return Measure(float(done), float(total) if total and total > 0 else None, message or "")


def _is_number(value: Any) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that no float holds
        return False


def _number(value: float) -> str:
    if abs(value) >= SHORT:
        return f"{value:g}"
    return str(int(value)) if value == int(value) else f"{value:.2f}"


class Bar:
    """A bar on the status line of the terminal, drawn anew as time passes; elsewhere nothing.

    `show` is called on the loop. Left with `keep` the last state stays on the screen, else the
    bar is taken away: what it led to comes next.
    """

    def __init__(self, label: str) -> None:
        self.keep = False
        self.draws = can_draw()
        self._label = label
        self._latest: Measure | None = None
        self._drawing: _Drawing | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        keep = self.keep or kind is not None
        if keep:
            self._draw()
        STATUS.end(keep=keep)

    def show(self, measure: Measure) -> None:
        """Take how far it is now; it is drawn with the next tick."""
        self._latest = measure
        if self._drawing is None and self.draws:
            self._drawing = _Drawing(self._label)
            self._tick_later()

    def _tick_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _tick(self) -> None:
        self._draw()
        self._tick_later()

    def _draw(self) -> None:
        if self._drawing is not None and self._latest is not None:
            STATUS.draw(self._drawing.line(self._latest))


class _Drawing:
    """Makes the line of a bar; the library for it is loaded with the first."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._begun = time.monotonic()
        self._progress: Any = None

    def line(self, measure: Measure) -> str:
        if self._progress is None:
            self._load()
        progress = self._progress
        progress.update(
            self._task,
            completed=measure.done,
            total=measure.total,
            count=measure.fraction,
            message=" ".join(plain(measure.message).split()),
        )
        console = progress.console
        # a sign in the last column would begin the next line
        console.width = shutil.get_terminal_size().columns - 1
        with console.capture() as captured:
            console.print(progress.get_renderable(), end="", no_wrap=True, crop=True)
        return str(captured.get()).split("\n", 1)[0].rstrip()

    def _load(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.table import Column

        text = functools.partial(TextColumn, style="", markup=False)
        rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        self._progress = Progress(
            text("{task.description}"),
            BarColumn(WIDTH),
            text("{task.fields[count]}"),
            TimeElapsedColumn(),
            text("{task.fields[message]}", table_column=rest),
            console=Console(file=sys.stderr, highlight=False),
            auto_refresh=False,
            expand=True,
        )
        self._task = self._progress.add_task(self._label, total=None, count="", message="")
        self._progress.tasks[0].start_time = self._begun


def progress_sink(bar: Bar) -> Callable[[Event], Taken]:
    """The sink of one call: a value of MCP's shape moves the bar, any other is a line.

    Where there is no bar, every value is a line.
    """

    def sink(event: Event) -> Taken:
        if isinstance(event, ToolProgress):
            measure = measured(event.value) if bar.draws else None
            if measure is None:
                say(f"… {shown(event.value)}")
            else:
                bar.show(measure)
        return TAKEN

    return sink
