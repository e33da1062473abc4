"""A replay from the command line: its options, the run turn by turn, and how it is told."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..config import find
from ..errors import ToolTimeoutError, UsageError
from ..events import TAKEN, Taken
from ..executor import concurrent, sequential
from ..pairing import refusal
from ..types import ToolFinished, ToolProgress
from . import frame
from .answering import Answers, load, save, say_pending, settled
from .console import say, write_line
from .pipeline import destructive_refused, executor_for, hooks_of
from .reach import asker
from .recorded import Replayed, chosen, read, resumed, saved_about, say_findings
from .render.progress import Bar, Measure, measured
from .render.replayed import (
    compared,
    write_answers,
    write_check,
    write_comparison,
    write_turn,
)
from .render.results import shown
from .session import opened_targets, report

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from ..executor import ToolExecutor
    from ..targets import Opened
    from ..types import Event

__all__ = ["ReplayOptions", "perform"]

MARGIN = 1.0  # seconds that the pipeline has to keep its own deadlines before the frame's comes
BEAT = 0.2  # seconds between two signs that the loop is alive
STRATEGIES = {"concurrent": concurrent, "sequential": sequential}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions:
    """What the line says; `files` are paths, or `-`."""

    files: Sequence[str] | None = None
    target: Sequence[str] | None = None
    pattern: str | None = None
    check: bool = False
    compare: bool = False
    turn: int | None = None
    ids: Sequence[str] | None = None
    name_prefix: str | None = None
    format: str | None = None
    timeout: float | None = None
    executor: str = "concurrent"
    destructive: bool = False
    hooks: Sequence[str] | None = None
    respond: Sequence[str] | None = None
    save_pending: str | None = None
    resume: str | None = None
    trace: bool = False
    json: bool = False
    jsonl: bool = False


def perform(options: ReplayOptions) -> int:
    """Read what is to be replayed, run it in a frame, and give the exit code."""
    _refuse_contradictions(options)
    answers = Answers(options.respond)
    if options.resume is not None:
        turns, sound = resumed(*load(options.resume)), True
    else:
        every, findings = read(options.files or ())
        if not every:  # what was skipped is said all the same
            say_findings(findings, every, narrowed=False)
        turns = chosen(every, turn=options.turn, ids=options.ids, prefix=options.name_prefix)
        narrowed = options.turn is not None or bool(options.ids)
        sound = say_findings(findings, turns, narrowed=narrowed)
    try:
        return frame.run(lambda: _replay(turns, options, answers, sound=sound))
    except ToolTimeoutError:
        return _cut_off(turns, options)


def _cut_off(turns: Sequence[Replayed], options: ReplayOptions) -> int:
    """Tell what there is when a tool has blocked the loop: a result for each use all the same."""
    for each in turns:
        each.cut_off(options.timeout or 0.0)
    _told(turns, options)
    return 1


def _refuse_contradictions(options: ReplayOptions) -> None:
    if options.format is not None:
        from ..formats import by_name

        if not by_name(options.format).messages:
            message = f"'{options.format}' has no shape for results, only for declarations"
            raise UsageError(message)
    if options.executor not in STRATEGIES:
        known = " or ".join(STRATEGIES)
        raise UsageError(f"--executor takes {known}, not '{options.executor}'")
    if options.check and options.compare:
        raise UsageError("--check runs nothing, so there is nothing to --compare")
    if options.resume is None and not options.files:
        raise UsageError("missing argument 'FILE...'", hint="toolkit replay --help")
    if options.resume is None:
        return
    narrowed = options.turn or options.ids or options.name_prefix
    if options.files or options.compare or options.check or narrowed:
        message = "--resume goes on with what was saved: no FILE, no choice, no other mode"
        raise UsageError(message, hint=f"toolkit replay --resume {options.resume}")


async def _replay(
    turns: list[Replayed], options: ReplayOptions, answers: Answers, *, sound: bool
) -> int:
    config = find()
    async with opened_targets(options.target, pattern=options.pattern, config=config) as opened:
        code = max(_say_targets(opened, turns), 0 if sound else 3)
        if options.check:
            well = _check(turns, opened, options)
        else:
            hooks = hooks_of(config, options.hooks)
            executor = executor_for(
                opened,
                hooks=hooks,
                strategy=STRATEGIES[options.executor](),
                timeout=options.timeout,
                middleware=[] if options.destructive else [destructive_refused],
            )
            well = await _run(turns, executor, options, answers)
    answering = asker()
    if answering is not None and answering.unanswered:
        well = False
    return max(code, 0 if well else 1)


def _say_targets(opened: Opened, turns: Sequence[Replayed]) -> int:
    """Tell of targets that failed (3 where one may hold a tool that is missing) and clashes (1)."""
    used = {use.name for each in turns for use in each.batch.uses}
    missing = used - set(opened.registry.names)
    if (opened.failures or opened.unloaded) and missing:
        report(opened)
        return 3
    for failure in opened.failures:
        say(failure.message, kind="warning")
    for problem in (*opened.unloaded, *opened.unwell):
        say(problem.message, kind="warning")
    return 1 if any(problem.code == "N001" for problem in opened.unwell) else 0


def _check(turns: Sequence[Replayed], opened: Opened, options: ReplayOptions) -> bool:
    """Look every use up and validate it; whether all would run."""
    registry = opened.registry
    refused = []
    for each in turns:
        for use in each.batch.uses:
            tool = registry.get(use.name) if isinstance(use.name, str) else None
            error = refusal(use, tool, names=registry.names)
            if error is not None:
                refused.append((each, use, error))
    write_check(turns, refused, options=options)
    return not refused


async def _run(
    turns: list[Replayed], executor: ToolExecutor, options: ReplayOptions, answers: Answers
) -> bool:
    """Run each turn as one batch, the turns one after the other; whether all is well."""
    state: dict[str, Any] = {}
    with Bar("replay") as bar:
        tally = _Tally(bar, sum(result is None for each in turns for result in each.batch.results))
        for each in turns:
            watch = _Watch(each, options, tally)
            async with _watched_loop(options.timeout):
                each.batch = await _run_turn(each, executor, watch, answers, state)
            if options.save_pending is None:
                each.batch = await settled(executor, each.batch, sink=watch.sink)
            watch.write_traces()
            if not (options.save_pending and each.batch.pending):
                _show(each, options, alone=len(turns) == 1)
    open_questions = [one for each in turns for one in each.batch.pending]
    if open_questions and options.save_pending is not None:
        save(options.save_pending, [each.batch for each in turns], about=saved_about(turns))
        say_pending(open_questions, saved=options.save_pending)
        return False
    say_pending(open_questions)
    return _told(turns, options)


@asynccontextmanager
async def _watched_loop(seconds: float | None) -> AsyncIterator[None]:
    """Where calls have a deadline, the loop has one too: it may not be blocked for longer."""

    async def beat(limit: float) -> None:
        while True:
            frame.expect_end(limit)
            await asyncio.sleep(BEAT)

    if seconds is None:
        yield
        return
    beating = asyncio.ensure_future(beat(seconds + MARGIN))
    try:
        yield
    finally:
        beating.cancel()
        frame.expect_no_end()


def _show(turn: Replayed, options: ReplayOptions, *, alone: bool) -> None:
    """Write the results of a turn for a person, once."""
    if not (turn.shown or options.json or options.jsonl or options.compare or options.format):
        write_turn(turn, alone=alone)
    turn.shown = True


async def _run_turn(
    turn: Replayed,
    executor: ToolExecutor,
    watch: _Watch,
    answers: Answers,
    state: dict[str, Any],
) -> Any:
    """The batch with its results; one that was saved keeps those that it has."""
    batch = turn.batch
    if all(result is not None for result in batch.results):
        return batch
    state.update(batch.state)
    given = answers.to(batch.uses)
    return await executor.resume(batch, given, sink=watch.sink, state=state, steps=watch.steps)


def _told(turns: Sequence[Replayed], options: ReplayOptions) -> bool:
    for each in turns:
        _show(each, options, alone=len(turns) == 1)
    failed = sum(result.status == "error" for each in turns for result in each.results)
    total = sum(len(each.uses) for each in turns)
    differences = compared(turns) if options.compare else []
    if options.compare:
        write_comparison(turns, differences, options=options)
    elif options.json or options.jsonl or options.format:
        write_answers(turns, options=options)
    say(f"{total} call{'' if total == 1 else 's'}, {failed} failed")
    return not failed and not differences


class _Tally:
    """How many calls of all turns are done, on the bar, and what the latest of them says."""

    def __init__(self, bar: Bar, total: int) -> None:
        self._bar = bar
        self._done = Measure(0, total)

    def count(self) -> None:
        """One more has finished."""
        self._done = self._done._replace(done=self._done.done + 1)
        self._bar.show(self._done)

    def progress(self, event: ToolProgress) -> None:
        """Show what a call says: beside the bar where it is a measure, else on a line."""
        who = f"{event.use.name} ({event.use.tool_use_id})"
        measure = measured(event.value) if self._bar.draws else None
        if measure is None:
            say(f"{who} … {shown(event.value)}")
            return
        self._done = self._done._replace(message=f"{who} {measure.fraction} {measure.message}")
        self._bar.show(self._done)


class _Watch:
    """Shows the progress of a turn, and keeps the steps of each of its calls."""

    def __init__(self, turn: Replayed, options: ReplayOptions, tally: _Tally) -> None:
        self.turn = turn
        self.options = options
        self._tally = tally
        self._steps: dict[int, list[tuple[str, float]]] = {}

    @property
    def steps(self) -> Any:
        """Where the executor notes the steps of a use, where they are wanted."""
        if not self.options.trace:
            return None
        return lambda use: self._steps.setdefault(id(use), [])

    def sink(self, event: Event) -> Taken:
        """Take an event: a line of JSON each, or progress as a person reads it."""
        if isinstance(event, ToolFinished):
            self.turn.finished[id(event.use)] = event.result
            self._tally.count()
        if self.options.jsonl:
            self._write_event(event)
        elif isinstance(event, ToolProgress):
            self._tally.progress(event)
        return TAKEN

    def _write_event(self, event: Event) -> None:
        from ..formats.bedrock import result_json

        line: dict[str, Any] = {"turn": self.turn.number, "toolUseId": event.use.tool_use_id}
        if isinstance(event, ToolProgress):
            write_line({"event": "progress", **line, "value": event.value})
        elif isinstance(event, ToolFinished):
            milliseconds = round(event.duration * 1000, 3)
            facts = {**result_json(event.result), "milliseconds": milliseconds}
            write_line({"event": "result", **line, **facts})

    def write_traces(self) -> None:
        """Show the steps of each call that has a result."""
        from .render.trace import write_trace

        for use, result in zip(self.turn.batch.uses, self.turn.results, strict=True):
            if id(use) in self._steps:
                write_trace(use, result, steps=self._steps[id(use)])
