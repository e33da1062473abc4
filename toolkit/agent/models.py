"""What plays the model: the protocol, and models of a script, of a function, and an echo."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

from ..errors import ScriptError
from ..pairing import tool_uses
from ..schema.instance import instance_of
from ..threads import shared
from ..types import Content, Message, Text, ToolResult, ToolUse
from .legal import first_breach
from .texts import text_of

if TYPE_CHECKING:
    from types import TracebackType

    from ..types import ToolSpec

__all__ = ["Asked", "EchoModel", "FunctionModel", "Model", "ScriptedModel", "Step", "answer_of"]

Part: TypeAlias = Content | ToolUse
Answer: TypeAlias = Message | str | Part | Sequence[Part]


class Model(Protocol):
    """Anything that answers a conversation.

    `tool_choice` names the tool that must be called, None where the model may choose; the answer
    is a message of the assistant, whose tool uses ask for tools and whose absence ends the turn.
    """

    def __call__(
        self,
        messages: Sequence[Message],
        tool_specs: Sequence[ToolSpec],
        tool_choice: str | None,
        system: str | None,
        /,
    ) -> Awaitable[Message]:
        """Answer."""


def answer_of(answer: Any) -> Message:
    """A text, a tool use, or a list of such parts as the assistant's message."""
    if isinstance(answer, Message):
        return answer
    if isinstance(answer, str):
        return Message("assistant", (Text(answer),))
    parts = tuple(answer) if isinstance(answer, list | tuple) else (answer,)
    return Message("assistant", tuple(Text(p) if isinstance(p, str) else p for p in parts))


class FunctionModel:
    """A function plays the model.

    It takes as many of (messages, tool_specs, tool_choice, system) as it has positional
    parameters, and gives a message, a text, a tool use, or a list of such parts. A plain function
    runs on a worker thread, so that one that waits holds nobody up.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._takes = _positional(function)
        inner = function if inspect.isroutine(function) else type(function).__call__
        self._is_async = inspect.iscoroutinefunction(inner)

    async def __call__(
        self,
        messages: Sequence[Message],
        tool_specs: Sequence[ToolSpec],
        tool_choice: str | None,
        system: str | None,
        /,
    ) -> Message:
        """Call the function with what it takes."""
        given = (messages, tool_specs, tool_choice, system)[: self._takes]
        if self._is_async:
            return answer_of(await self._function(*given))
        answer = await shared().run(lambda: self._function(*given))
        return answer_of(await answer if inspect.isawaitable(answer) else answer)


def _positional(function: Callable[..., Any]) -> int:
    parameters = inspect.signature(function).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return 4
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in kinds for each in parameters)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a scripted model; `new` are the messages that it had not seen before."""

    new: tuple[Message, ...]
    tool_specs: tuple[ToolSpec, ...]
    tool_choice: str | None
    system: str | None

    @property
    def tools(self) -> list[str]:
        """The names of the tools that were shown."""
        return [spec.name for spec in self.tool_specs]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a script, and what must hold of the question; None checks nothing.

    `says` must stand in the text or the results of the last message; `tools` are the names shown,
    in any order; `choice` is the forced tool, "" for none; `check` may assert anything.
    """

    answer: Answer | BaseException
    says: str | None = None
    tools: Sequence[str] | None = None
    choice: str | None = None
    check: Callable[[Asked], object] | None = None


@dataclass
class ScriptedModel:
    """Plays messages in order, and checks what it is asked.

    A question that the script does not expect, or messages that a provider would refuse, raise
    `ScriptError`; so does leaving the `with` block, or `finish()`, while a step is left, or after
    a question was wrong even if somebody caught that error.
    """

    steps: Sequence[Any]
    asked: list[Asked] = field(default_factory=list)
    _seen: int = 0
    _wrong: BaseException | None = None

    async def __call__(
        self,
        messages: Sequence[Message],
        tool_specs: Sequence[ToolSpec],
        tool_choice: str | None,
        system: str | None,
        /,
    ) -> Message:
        """Play the next step."""
        start = self._seen if len(messages) >= self._seen else 0
        asked = Asked(tuple(messages[start:]), tuple(tool_specs), tool_choice, system)
        self.asked.append(asked)
        self._seen = len(messages)
        try:
            step = self._step()
            _check_legal(messages[max(0, start - 1) :], number=len(self.asked))
            _check(step, asked, messages)
        except BaseException as error:
            self._wrong = self._wrong or error
            raise
        if isinstance(step.answer, BaseException):
            raise step.answer
        return answer_of(step.answer)

    def _step(self) -> Step:
        number = len(self.asked)
        if number > len(self.steps):
            raise ScriptError(f"question {number} is not in the script of {len(self.steps)} steps")
        step = self.steps[number - 1]
        return step if isinstance(step, Step) else Step(step)

    def finish(self) -> None:
        """Raise where a question was wrong or a step is left."""
        if self._wrong is not None:
            raise self._wrong
        left = len(self.steps) - len(self.asked)
        if left > 0:
            raise ScriptError(f"{left} of {len(self.steps)} steps were never asked for")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish, unless something else went wrong before."""
        if error is None:
            self.finish()


def _check_legal(messages: Sequence[Message], *, number: int) -> None:
    breach = first_breach(messages)
    if breach is not None:
        raise ScriptError(f"question {number} is not legal: {breach}")


def _check(step: Step, asked: Asked, messages: Sequence[Message]) -> None:
    if step.says is not None:
        said = _said(messages[-1]) if messages else ""
        if step.says not in said:
            raise ScriptError(f"the last message should say {step.says!r}, but says {said!r}")
    if step.tools is not None and sorted(step.tools) != sorted(asked.tools):
        raise ScriptError(f"the tools {list(step.tools)} were expected, but {asked.tools} shown")
    if step.choice is not None and step.choice != (asked.tool_choice or ""):
        raise ScriptError(f"the choice {step.choice!r} was expected, not {asked.tool_choice!r}")
    if step.check is not None:
        step.check(asked)


def _said(message: Message) -> str:
    results = [part.text for part in message.content if isinstance(part, ToolResult)]
    return "\n".join([*results, text_of(message)]).strip()


class EchoModel:
    """Calls every tool once, with arguments made from its schema, then says what came back.

    A tool's first example is used where it has one. A forced tool is called again.
    """

    async def __call__(
        self,
        messages: Sequence[Message],
        tool_specs: Sequence[ToolSpec],
        tool_choice: str | None,
        system: str | None,
        /,
    ) -> Message:
        """Call what has not been called."""
        del system  # an echo heeds nobody
        used = {use.name for message in messages for use in tool_uses(message)}
        wanted = [
            spec
            for spec in tool_specs
            if spec.name == tool_choice or (tool_choice is None and spec.name not in used)
        ]
        if not wanted:
            return answer_of((_said(messages[-1]) if messages else "") or "nothing to echo")
        count = sum(len(tool_uses(message)) for message in messages)
        return Message(
            "assistant",
            tuple(
                ToolUse(f"echo-{number}", spec.name, _arguments(spec))
                for number, spec in enumerate(wanted, count + 1)
            ),
        )


def _arguments(spec: ToolSpec) -> dict[str, Any]:
    return dict(spec.examples[0]) if spec.examples else dict(instance_of(spec.input_schema))
