"""One turn of a model, one prompt on its way, and how a run ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import CallRefusedError
from ..pairing import tool_uses
from ..results import error_result
from ..types import Message, ToolContext, ToolResult
from .texts import text_of

if TYPE_CHECKING:
    from ..types import Sink, ToolInterrupted, ToolUse
    from .structured import StructuredOutputContext

__all__ = ["AgentResult", "Run", "Turn", "refused"]


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How a run ended: the model's last message, or the questions that keep it open.

    `output` is the object of a structured output; `turns` counts the model's answers.
    """

    message: Message
    turns: int
    output: Any = None
    pending: tuple[ToolInterrupted, ...] = ()

    def __str__(self) -> str:
        """The text of the message."""
        return text_of(self.message)


@dataclass(slots=True)
class Turn:
    """A message of the model; results and answers that there are so far, by use id."""

    message: Message
    results: dict[str, ToolResult] = field(default_factory=dict)
    pending: tuple[ToolInterrupted, ...] = ()
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """What the model asks for, in order."""
        return tool_uses(self.message)

    @property
    def waiting(self) -> list[ToolUse]:
        """The uses that have no result yet."""
        return [use for use in self.uses if use.tool_use_id not in self.results]

    def answer(self, *, otherwise: str) -> tuple[ToolResult, ...]:
        """One result for each use; an error that says why where there is none."""
        for use in self.waiting:
            self.results[use.tool_use_id] = refused(use, otherwise)
        return tuple(self.results[use.tool_use_id] for use in self.uses)


@dataclass(slots=True)
class Run:
    """One prompt on its way; `turn` is the one that waits for a human."""

    output: StructuredOutputContext | None = None
    sink: Sink | None = None
    turns: int = 0
    turn: Turn | None = None


def refused(use: ToolUse, why: str) -> ToolResult:
    """The result of a use that was not run, or did not finish."""
    return error_result(use, CallRefusedError(f"'{use.name}' {why}"), context=ToolContext(use))
