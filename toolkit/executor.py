"""One call's life, and a batch of them: `middleware(… (look-up, validate, run, wrap))`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .events import LoopChannel, stream
from .middleware import standard
from .middleware.guard import cancelled_from_outside
from .pairing import ready, unknown
from .pending import closed
from .results import error_result, from_value
from .threads import DEFAULT_LIMIT, Inline, Workers, shared
from .types import (
    Batch,
    Call,
    Event,
    Handler,
    Interrupt,
    Middleware,
    Sink,
    ToolContext,
    ToolFinished,
    ToolInterrupted,
    ToolResult,
    ToolStarted,
    ToolUse,
)

if TYPE_CHECKING:
    from .registry import ToolRegistry

__all__ = ["Strategy", "ToolExecutor", "concurrent", "sequential"]

Outcome: TypeAlias = ToolResult | ToolInterrupted
Steps: TypeAlias = list[tuple[str, float]]
Runner: TypeAlias = Callable[[ToolUse], Awaitable[Outcome]]
Strategy: TypeAlias = Callable[[Sequence[ToolUse], Runner], Awaitable[list[Outcome | None]]]


class _Settings(NamedTuple):
    """What the calls of one run share."""

    state: dict[str, Any]
    agent: Any
    answers: Mapping[str, Mapping[str, Any]] | None
    steps: Steps | Callable[[ToolUse], Steps] | None


def concurrent(*, max_concurrency: int | None = None) -> Strategy:
    """All calls of a batch at once, or at most `max_concurrency` at a time, in order."""
    if max_concurrency is not None and max_concurrency < 1:
        raise ValueError("max_concurrency must be at least 1: no call could ever run")

    async def strategy(uses: Sequence[ToolUse], run: Runner) -> list[Outcome | None]:
        if len(uses) == 1:
            return [await run(uses[0])]
        runner = run if max_concurrency is None else _limited(run, max_concurrency)
        tasks = [asyncio.ensure_future(runner(use)) for use in uses]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    return strategy


def _limited(run: Runner, most: int) -> Runner:
    turn = asyncio.Semaphore(most)

    async def runner(use: ToolUse) -> Outcome:
        async with turn:
            return await run(use)

    return runner


def sequential() -> Strategy:
    """One call after the other; a question stops it, and the rest of the batch waits (None)."""

    async def strategy(uses: Sequence[ToolUse], run: Runner) -> list[Outcome | None]:
        outcomes: list[Outcome | None] = []
        for use in uses:
            outcomes.append(await run(use))
            if isinstance(outcomes[-1], ToolInterrupted):
                break
        return outcomes + [None] * (len(uses) - len(outcomes))

    return strategy


class ToolExecutor:
    """Runs tool uses against a registry; no exception of a tool escapes it.

    `hooks` are functions whose first parameter is annotated with an event; `middleware` stands
    inside of them around each attempt, the first outermost; `timeout` is in seconds for each
    call whose tool sets none; `tracing` records more than the default does (see
    `toolkit.middleware.tracing`); `max_workers` bounds the threads of this executor.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        strategy: Strategy | None = None,
        hooks: Sequence[Callable[..., Any]] = (),
        middleware: Sequence[Middleware] = (),
        timeout: float | None = None,
        tracing: Middleware | None = None,
        max_workers: int | None = None,
    ) -> None:
        self.registry = registry
        self.strategy = strategy or concurrent()
        own = max_workers is not None and max_workers != DEFAULT_LIMIT
        self.workers: Workers | Inline = Workers(max_workers) if own and max_workers else shared()
        layers = standard(
            registry.get, hooks=hooks, middleware=middleware, timeout=timeout, tracing=tracing
        )
        self._handle: Handler = self._innermost
        for layer in reversed(layers):
            self._handle = _around(layer, self._handle)

    async def run(
        self,
        use: ToolUse,
        *,
        sink: Sink | None = None,
        state: dict[str, Any] | None = None,
        agent: Any = None,
        answers: Mapping[str, Mapping[str, Any]] | None = None,
        steps: Steps | Callable[[ToolUse], Steps] | None = None,
    ) -> ToolResult:
        """Run one use, which needs no strategy; options as `run_batch`.

        A question that nobody answers is an error.
        """
        channel = None if sink is None else LoopChannel(sink)
        settings = _Settings({} if state is None else state, agent, answers, steps)
        try:
            outcome = await self._one(use, channel, settings, owner=None)
        finally:
            if channel is not None:
                await channel.aclose()
        if isinstance(outcome, ToolResult):
            return outcome
        return closed(Batch((None,), (outcome,), (use,)))[0]

    async def run_batch(
        self,
        uses: Sequence[ToolUse],
        *,
        sink: Sink | None = None,
        state: dict[str, Any] | None = None,
        agent: Any = None,
        answers: Mapping[str, Mapping[str, Any]] | None = None,
        steps: Steps | Callable[[ToolUse], Steps] | None = None,
    ) -> Batch:
        """Run a batch: one result for each use, in order, whatever happens.

        `state` is shared by all calls; `answers` holds, for each tool use id, the answers to its
        questions by name; `steps` receives (step, time) marks of the pipeline, or gives for each
        use the list that does.
        """
        channel = None if sink is None else LoopChannel(sink)
        settings = _Settings({} if state is None else state, agent, answers, steps)
        owner = asyncio.current_task() if len(uses) > 1 else None

        def run_one(use: ToolUse) -> Awaitable[Outcome]:
            return self._one(use, channel, settings, owner=owner)

        try:
            outcomes = await self.strategy(uses, run_one) if uses else []
        finally:
            if channel is not None:
                await channel.aclose()
        results = tuple([one if isinstance(one, ToolResult) else None for one in outcomes])
        pending = tuple([one for one in outcomes if isinstance(one, ToolInterrupted)])
        return Batch(results, pending, tuple(uses), answers or {}, settings.state)

    async def resume(
        self, batch: Batch, answers: Mapping[str, Mapping[str, Any]], **options: Any
    ) -> Batch:
        """Go on with a batch: what has a result keeps it, the rest runs with the answers.

        `answers` and the options are those of `run_batch`; earlier answers still hold. A call
        that asked runs again from its start, and finds its answer where it asked.
        """
        known = {**batch.answers}
        for identity, given in answers.items():
            known[identity] = {**known.get(identity, {}), **given}
        left = [at for at, result in enumerate(batch.results) if result is None]
        options.setdefault("state", batch.state)
        more = await self.run_batch([batch.uses[at] for at in left], answers=known, **options)
        results = list(batch.results)
        for at, result in zip(left, more.results, strict=True):
            results[at] = result
        return replace(more, results=tuple(results), uses=batch.uses)

    def stream(self, uses: Sequence[ToolUse], **options: Any) -> AsyncIterator[Event | Batch]:
        """The events of a batch as they come, the Batch last; leaving early cancels its calls."""
        return stream(lambda sink: self.run_batch(uses, sink=sink, **options))

    async def _one(
        self,
        use: ToolUse,
        channel: LoopChannel | None,
        settings: _Settings,
        *,
        owner: asyncio.Task[Any] | None,
    ) -> Outcome:
        steps, answers = settings.steps, settings.answers
        context = ToolContext(
            use,
            state=settings.state,
            agent=settings.agent,
            channel=channel,
            answers=answers.get(use.tool_use_id) if answers else None,
            steps=steps(use) if callable(steps) else steps,
            workers=self.workers,
        )
        if channel is not None:
            await channel.send(ToolStarted(use))
        started = time.perf_counter()
        context.mark("start")
        tool = self.registry.get(use.name) if isinstance(use.name, str) else None
        context.mark("look up")
        try:
            result = await self._handled(Call(tool, use, context))
        except Interrupt as question:
            interrupted = ToolInterrupted(use, (question,))
            if channel is not None:
                await channel.send(interrupted)
            return interrupted
        except asyncio.CancelledError as error:
            context.end()
            if owner in (None, asyncio.current_task()) or owner.cancelling():
                raise
            result = error_result(use, error, context=context)  # a tool cancelled its own task
        if result.tool_use_id != use.tool_use_id:
            result = replace(result, tool_use_id=use.tool_use_id)
        if channel is not None:
            await channel.send(ToolFinished(use, result, time.perf_counter() - started))
        return result

    async def _handled(self, call: Call) -> ToolResult:
        """Whatever a layer does, a use has its result."""
        try:
            return await self._handle(call)
        except (Interrupt, KeyboardInterrupt):
            raise
        except asyncio.CancelledError as error:
            call.context.end()
            if cancelled_from_outside():
                raise
            return error_result(call.use, error, context=call.context)
        except Exception as error:  # noqa: BLE001 - a layer that fails costs no result
            return error_result(call.use, error, context=call.context)

    async def _innermost(self, call: Call) -> ToolResult:
        """Validate and run: the one place that makes content of values, and results of errors."""
        context, tool = call.context, call.tool
        try:
            use = ready(call.use, context, known=tool is not None)
            known = unknown(use.name, self.registry.names) if tool is None else tool
            value = await known.invoke(use, context)
            context.mark("run")
            structured = known.spec.output_schema is not None
            result = from_value(use, value, context=context, structured=structured)
        except (Interrupt, KeyboardInterrupt):
            raise
        except asyncio.CancelledError as error:
            if cancelled_from_outside():
                raise
            return _failed(call, error)
        except BaseException as error:  # noqa: BLE001 - whatever a tool raises is its result
            question = _question_in(error)
            if question is not None:
                raise question from None
            return _failed(call, _unwrapped(error))
        finally:
            context.end()  # whoever still reports, or looks, can see that it is over
        context.mark("wrap")
        return result


def _failed(call: Call, error: BaseException) -> ToolResult:
    call.context.mark(type(error).__name__)
    return error_result(call.use, error, context=call.context)


def _around(layer: Middleware, inner: Handler) -> Handler:
    return lambda call: layer(call, inner)


def _question_in(error: BaseException) -> Interrupt | None:
    """The first question of a group that a TaskGroup made, where it holds nothing else."""
    if not isinstance(error, BaseExceptionGroup) or error.split(Interrupt)[1] is not None:
        return None
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, Interrupt) else None


def _unwrapped(error: BaseException) -> BaseException:
    """The StopIteration that a coroutine can't raise and Python wraps in a RuntimeError."""
    cause = error.__cause__
    if isinstance(error, RuntimeError) and isinstance(cause, StopIteration | StopAsyncIteration):
        return cause
    return error
