"""What a hook is given: the call that is about to run, or that has run, and what it may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..types import (
    Audio,
    Document,
    Image,
    Json,
    Opaque,
    Resource,
    Text,
    Tool,
    ToolResult,
    ToolUse,
)

if TYPE_CHECKING:
    from ..types import Call, ToolContext

__all__ = ["AfterToolCallEvent", "BeforeToolCallEvent", "LookUp"]

LookUp: TypeAlias = Callable[[str], Tool | None]
CONTENT = (Text, Json, Image, Audio, Document, Resource, Opaque)


class BeforeToolCallEvent:
    """A call that is about to run; fired again for each attempt.

    A hook may set `tool_use` (another name is looked up again; the id stays), `selected_tool`
    (it then runs whatever the name), and `cancel_tool`: True, or the text of the refusal that the
    model reads. `attempt` counts from 1. Anything else that is set raises.
    """

    __slots__ = ("_call", "_cancel", "_chosen", "_look_up", "_tool", "_use")

    def __init__(self, call: Call, look_up: LookUp) -> None:
        self._call = call
        self._look_up = look_up
        self._tool = call.tool
        self._use: ToolUse | None = None  # copied when a hook first asks for it
        self._chosen = False
        self._cancel: bool | str = False

    @property
    def tool_use(self) -> ToolUse:
        """What the model asked for; its input is a copy, to be edited in place or replaced."""
        if self._use is None:
            use = self._call.use
            self._use = replace(use, input=_copied(use.input))
        return self._use

    @tool_use.setter
    def tool_use(self, use: ToolUse) -> None:
        if not isinstance(use, ToolUse):
            raise TypeError(f"tool_use must be a ToolUse, not {type(use).__name__}")
        if use.tool_use_id != self._call.use.tool_use_id:
            raise ValueError("tool_use must keep its tool_use_id: the result belongs to it")
        if not isinstance(use.name, str):
            raise TypeError(f"the name of tool_use must be a str, not {type(use.name).__name__}")
        before = self._use or self._call.use
        self._use = use
        if use.name != before.name and not self._chosen:
            self._tool = self._look_up(use.name)

    @property
    def selected_tool(self) -> Tool | None:
        """The tool that will run; None where no tool has the name."""
        return self._tool

    @selected_tool.setter
    def selected_tool(self, tool: Tool | None) -> None:
        if tool is not None and not isinstance(tool, Tool):
            raise TypeError(f"selected_tool must be a Tool or None, not {type(tool).__name__}")
        self._tool = tool
        self._chosen = True

    @property
    def cancel_tool(self) -> bool | str:
        """Whether the call is refused, and with which words."""
        return self._cancel

    @cancel_tool.setter
    def cancel_tool(self, refused: bool | str) -> None:
        if not isinstance(refused, bool | str):
            raise TypeError(f"cancel_tool must be a bool or a str, not {type(refused).__name__}")
        self._cancel = refused

    @property
    def context(self) -> ToolContext:
        """The call's context: `state`, `agent`, `answers`."""
        return self._call.context

    @property
    def attempt(self) -> int:
        """Which attempt this is, from 1."""
        return self._call.attempt

    def interrupt(self, name: str, reason: Any = None) -> Any:
        """Ask a human: the answer if there is one already, else the call waits for it here."""
        return self._call.context.interrupt(name, reason)

    def prepared(self) -> Call:
        """The call as the hooks want it."""
        if self._use is None and self._tool is self._call.tool:
            return self._call
        use = self._use or self._call.use
        self._call.context.tool_use = use
        return replace(self._call, use=use, tool=self._tool)


class AfterToolCallEvent:
    """A call that has ended, well or not; fired again for each attempt.

    A hook may set `result`, and `retry`: True, or the seconds to wait before the next attempt.
    `duration` is in seconds; `exception` is what the tool raised; `cancel_message` is the refusal
    of a Before hook, after which nothing is retried. Anything else that is set raises.
    """

    __slots__ = ("_call", "_duration", "_refusal", "_result", "_retry")

    def __init__(
        self, call: Call, result: ToolResult, *, duration: float, refusal: str | None = None
    ) -> None:
        self._call = call
        self._result = result
        self._duration = duration
        self._refusal = refusal
        self._retry: bool | float = False

    @property
    def tool_use(self) -> ToolUse:
        """What ran: the use as the Before hooks left it."""
        return self._call.use

    @property
    def selected_tool(self) -> Tool | None:
        """The tool that ran; None where no tool has the name."""
        return self._call.tool

    @property
    def context(self) -> ToolContext:
        """The call's context: `state`, `agent`, `answers`."""
        return self._call.context

    @property
    def attempt(self) -> int:
        """Which attempt this was, from 1."""
        return self._call.attempt

    @property
    def result(self) -> ToolResult:
        """What the model will read."""
        return self._result

    @result.setter
    def result(self, result: ToolResult) -> None:
        self._result = _checked(result)

    @property
    def retry(self) -> bool | float:
        """Whether the call runs again, and after how many seconds."""
        return self._retry

    @retry.setter
    def retry(self, again: bool | float) -> None:
        if not isinstance(again, bool | int | float):
            raise TypeError(f"retry must be a bool or seconds, not {type(again).__name__}")
        if not 0 <= again < float("inf"):
            raise ValueError(f"retry can't wait {again} seconds")
        self._retry = again if isinstance(again, bool) else float(again)

    @property
    def exception(self) -> BaseException | None:
        """What the tool raised."""
        return self._result.exception

    @property
    def duration(self) -> float:
        """How long the tool ran, in seconds."""
        return self._duration

    @property
    def cancel_message(self) -> str | None:
        """The words of a Before hook that refused the call."""
        return self._refusal


def _checked(result: Any) -> ToolResult:
    if not isinstance(result, ToolResult):
        raise TypeError(f"result must be a ToolResult, not {type(result).__name__}")
    if result.status not in ("success", "error"):
        raise ValueError(f"the status of a result is success or error, not {result.status!r}")
    content = result.content
    if not isinstance(content, list | tuple) or not all(isinstance(p, CONTENT) for p in content):
        raise TypeError("the content of a result is a tuple of Text, Json, Image …")
    return result if isinstance(content, tuple) else replace(result, content=tuple(content))


def _copied(value: Any) -> Any:
    """A copy of a JSON value; one that nests too deeply for that stays what it is."""
    try:
        return _copy(value)
    except RecursionError:
        return value


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value
