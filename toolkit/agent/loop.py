"""The loop between a model and its tools: ask, run what it asks for, answer, until it ends."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from ..caller import ToolCaller
from ..errors import (
    AgentBusyError,
    AgentError,
    AgentInterruptedError,
    TurnLimitError,
)
from ..events import stream
from ..executor import ToolExecutor
from ..pairing import tool_uses
from ..registry import ToolRegistry
from ..schema.faults import short
from ..threads import run_to_end
from ..types import Content, Message, Text, ToolFinished
from .as_tool import AgentTool
from .legal import presentable, with_own_ids, without_open_turn
from .structured import StructuredOutputContext, StructuredOutputTool
from .turn import AgentResult, Run, Turn, refused

if TYPE_CHECKING:
    from ..types import Event, Sink, Tool, ToolInterrupted, ToolSpec
    from .models import Model

__all__ = ["Agent", "AgentResult"]

T = TypeVar("T")
Prompt: TypeAlias = str | Content | list[Content] | tuple[Content, ...]
Answers: TypeAlias = Mapping[str, Mapping[str, Any]]


class Agent:
    """A model with tools, and one conversation.

    `messages` is legal at every moment: a message that asks for tools joins it together with
    exactly one result for each use, whatever happened meanwhile. `tools` is anything that a
    registry takes, or a registry; an `executor` brings its own. `name` is what another agent
    calls this one by. `max_turns` bounds the model's answers to one prompt; `state` is the dict
    that every tool's context shares.
    """

    def __init__(  # noqa: PLR0913 - each a word of its own, and given by name
        self,
        tools: Any = (),
        *,
        model: Model,
        name: str = "agent",
        system: str | None = None,
        messages: Sequence[Message] = (),
        executor: ToolExecutor | None = None,
        state: dict[str, Any] | None = None,
        max_turns: int = 50,
    ) -> None:
        registry = tools if isinstance(tools, ToolRegistry) else None
        if registry is None:
            registry = executor.registry if executor is not None else ToolRegistry()
            registry.process_tools(tools)
        self.executor = executor or ToolExecutor(registry)
        self.registry = registry
        self.model = model
        self.name = name
        self.system = system
        self.messages, left = without_open_turn(messages)
        self.state: dict[str, Any] = {} if state is None else state
        self.max_turns = max_turns
        self._ids = {use.tool_use_id for message in messages for use in tool_uses(message)}
        self._paused = None if left is None else Run(turn=Turn(*left))
        self._busy = False

    @property
    def tool(self) -> ToolCaller:
        """`agent.tool.NAME(…)`: call a tool from Python; the conversation does not hear of it."""
        return ToolCaller(self.registry, executor=self.executor, agent=self)

    @property
    def pending(self) -> tuple[ToolInterrupted, ...]:
        """The questions that `resume` has to answer."""
        turn = self._paused.turn if self._paused is not None else None
        return turn.pending if turn is not None else ()

    @property
    def transcript(self) -> list[Message]:
        """The messages, with the turn that waits for a human and the results that it has so far.

        An agent made with these as its `messages` can be resumed in another process.
        """
        turn = self._paused.turn if self._paused is not None else None
        if turn is None:
            return list(self.messages)
        results = tuple(turn.results.values())
        return [*self.messages, turn.message, *([Message("user", results)] if results else [])]

    def __call__(
        self, prompt: Prompt, *, output: Any = None, sink: Sink | None = None
    ) -> AgentResult:
        """Run a prompt and wait; with or without a running loop."""
        context = None if output is None else StructuredOutputContext.of(output)
        result: AgentResult = run_to_end(lambda: self.call_async(prompt, output=context, sink=sink))
        return result

    async def call_async(
        self, prompt: Prompt, *, output: Any = None, sink: Sink | None = None
    ) -> AgentResult:
        """Run a prompt until the model ends its turn, or a tool asks a human.

        `output` is a type, a JSON Schema or a `StructuredOutputContext`: the run then ends with
        that object. `sink` receives the events of the tools. Questions left open by an earlier
        prompt are given up: their tools are answered as not run.
        """
        context = None if output is None else StructuredOutputContext.of(output)
        if context is not None:
            context.begin()
        with self._alone():
            self._give_up()
            self._record(Message("user", _parts(prompt)))
            return await self._finish(Run(context, sink))

    def resume(
        self, answers: Answers, *, output: Any = None, sink: Sink | None = None
    ) -> AgentResult:
        """Go on after an interrupt, and wait; arguments as for `resume_async`."""
        context = None if output is None else StructuredOutputContext.of(output)
        result: AgentResult = run_to_end(
            lambda: self.resume_async(answers, output=context, sink=sink)
        )
        return result

    async def resume_async(
        self, answers: Answers, *, output: Any = None, sink: Sink | None = None
    ) -> AgentResult:
        """Rerun the calls that wait, with the answers: tool use id -> name -> value.

        Earlier answers still hold; a call that asks again leaves the run open once more. `output`
        says what is wanted where the run was begun in another process.
        """
        with self._alone():
            run, self._paused = self._paused, None
            if run is None or run.turn is None:
                raise AgentError("nothing waits for an answer")
            for identity, given in answers.items():
                run.turn.answers.setdefault(identity, {}).update(given)
            if run.output is None and output is not None:
                run.output = StructuredOutputContext.of(output)
                run.output.begin()
            run.sink = sink or run.sink
            return await self._finish(run)

    def stream(self, prompt: Prompt, *, output: Any = None) -> AsyncIterator[Event | AgentResult]:
        """The events as they come, the AgentResult last; leaving early cancels the run."""
        return stream(lambda sink: self.call_async(prompt, output=output, sink=sink))

    @overload
    def structured_output(self, wanted: type[T], prompt: Prompt) -> T: ...
    @overload
    def structured_output(self, wanted: Any, prompt: Prompt) -> Any: ...
    def structured_output(self, wanted: Any, prompt: Prompt) -> Any:
        """Run a prompt that ends with an object, and wait for that object."""
        context = StructuredOutputContext.of(wanted)
        return run_to_end(lambda: self.structured_output_async(context, prompt))

    async def structured_output_async(self, wanted: Any, prompt: Prompt) -> Any:
        """Run a prompt that ends with an object of the wanted type.

        Raises `StructuredOutputException` where the model does not give one, and
        `AgentInterruptedError` where a tool asks a human first.
        """
        result = await self.call_async(prompt, output=StructuredOutputContext.of(wanted))
        if result.pending:
            message = "the object is not there yet: a tool waits for an answer"
            hint = "answer with agent.resume({tool_use_id: {name: value}}); its result has .output"
            raise AgentInterruptedError(message, hint=hint, pending=result.pending)
        return result.output

    def as_tool(self, *, name: str | None = None, description: str | None = None) -> Tool:
        """The agent as a tool of another one; each call is a conversation of its own."""
        return AgentTool(self, name=name or self.name, description=description)

    def fork(self, *, messages: Sequence[Message]) -> Agent:
        """An agent with the same model and tools, and a conversation of its own."""
        return Agent(
            self.registry,
            model=self.model,
            name=self.name,
            system=self.system,
            messages=messages,
            executor=self.executor,
            state=self.state,
            max_turns=self.max_turns,
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._busy:
            raise AgentBusyError("the agent runs already", hint="fork() one for each conversation")
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    async def _finish(self, run: Run) -> AgentResult:
        if run.output is None:
            return await self._turns(run)
        run.output.register(self.registry)
        try:
            return await self._turns(run)
        finally:
            run.output.cleanup()

    async def _turns(self, run: Run) -> AgentResult:
        """The loop itself; after an interrupt it begins with the turn that waits."""
        while True:
            turn, run.turn = run.turn or await self._ask(run), None
            await self._work(turn, run.sink)
            if turn.pending:
                run.turn, self._paused = turn, run
                return AgentResult(turn.message, run.turns, pending=turn.pending)
            if self._is_over(turn, run.output):
                value = run.output.value if run.output is not None else None
                return AgentResult(turn.message, run.turns, value)

    async def _ask(self, run: Run) -> Turn:
        if run.turns >= self.max_turns:
            why = f"the model did not end its turn within {self.max_turns} turns"
            raise TurnLimitError(why, hint="raise max_turns=", turns=run.turns)
        if not self.messages:
            raise AgentError("there is nothing to ask", hint="pass a prompt")
        choice = run.output.tool.name if run.output is not None and run.output.forced else None
        specs = self._specs(run.output)
        answer = self.model(tuple(self.messages), specs, choice, self.system)
        message = await answer if inspect.isawaitable(answer) else answer
        if not isinstance(message, Message) or message.role != "assistant":
            hint = "a model gives Message('assistant', …); FunctionModel makes one of a text"
            raise AgentError(
                f"the model answered with no message of its own: {short(message)}", hint=hint
            )
        run.turns += 1
        turn = Turn(with_own_ids(message, self._ids))
        for use in turn.uses if choice is not None else ():
            if use.name != choice:
                turn.results[use.tool_use_id] = refused(use, f"was not run: call '{choice}' alone")
        return turn

    def _specs(self, output: StructuredOutputContext | None) -> tuple[ToolSpec, ...]:
        """What the model is shown: without other runs' tools; a forced one is shown alone."""
        if output is not None and output.forced:
            return (output.tool.spec,)
        specs = map(self.registry.spec_of, _without_others(self.registry.tools, output))
        return tuple(spec for spec in specs if spec is not None)

    async def _work(self, turn: Turn, outer: Sink | None) -> None:
        """Run what waits, and record the turn once each of its uses has a result."""

        def sink(event: Event) -> Awaitable[None]:
            if isinstance(event, ToolFinished):
                turn.results[event.use.tool_use_id] = event.result
            return outer(event) if outer is not None else _taken()

        waiting, turn.pending = turn.waiting, ()
        try:
            batch = await self.executor.run_batch(
                waiting, sink=sink, state=self.state, agent=self, answers=turn.answers
            )
        except BaseException as error:
            self._close(turn, otherwise=f"did not finish: {type(error).__name__}")
            raise
        turn.pending = batch.pending
        for use, result in zip(waiting, batch.results, strict=True):
            if result is not None:
                turn.results[use.tool_use_id] = result
        if not turn.pending:
            self._close(turn, otherwise="was not run")

    def _is_over(self, turn: Turn, output: StructuredOutputContext | None) -> bool:
        if turn.uses:
            if output is not None:
                output.answered(turn.uses, turn.answer(otherwise="was not run"))
            return output is not None and output.done
        told = output.ended(turn.message) if output is not None else None
        if told is not None:
            self._record(Message("user", (Text(told),)))
        return told is None

    def _close(self, turn: Turn, *, otherwise: str) -> None:
        """Record a turn: the message and its results at once."""
        self._record(presentable(turn.message))
        self._record(Message("user", turn.answer(otherwise=otherwise)))

    def _give_up(self) -> None:
        """Answer what an earlier prompt left open."""
        paused, self._paused = self._paused, None
        if paused is not None and paused.turn is not None:
            self._close(paused.turn, otherwise="was not run: the conversation went on without it")

    def _record(self, message: Message) -> None:
        """Append to the conversation: nothing empty, and no role twice in a row."""
        said = tuple(part for part in message.content if not _is_blank(part))
        last = self.messages[-1] if self.messages else None
        if said and last is not None and last.role == message.role:
            self.messages[-1] = replace(last, content=last.content + said)
        elif said:
            self.messages.append(replace(message, content=said))


async def _taken() -> None:
    """Nobody listens."""


def _without_others(tools: list[Tool], own: StructuredOutputContext | None) -> Iterator[Tool]:
    """The tools without those that other runs on the same registry are forced to call."""
    for tool in tools:
        owner = tool.owner if isinstance(tool, StructuredOutputTool) else None
        if owner is None or owner is own:
            yield tool


def _is_blank(part: object) -> bool:
    return isinstance(part, Text) and not part.text.strip()


def _parts(prompt: Prompt) -> tuple[Content, ...]:
    if isinstance(prompt, str):
        return (Text(prompt),)
    return tuple(prompt) if isinstance(prompt, list | tuple) else (prompt,)
