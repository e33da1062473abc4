"""The nouns of the house: what a tool is, what is asked of it, and what it answers."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

from .content import Audio, Content, Document, Image, Json, Opaque, Resource, Text
from .errors import Interrupt
from .findings import ToolChange, ToolsChanged

if TYPE_CHECKING:
    from types import TracebackType

    from .findings import Finding
    from .threads import Inline, Workers

__all__ = [
    "TOOL_NAME",
    "Audio",
    "Batch",
    "Call",
    "Channel",
    "Content",
    "Document",
    "Event",
    "Handler",
    "Image",
    "Interrupt",
    "Json",
    "Listing",
    "Malformed",
    "Message",
    "Middleware",
    "Note",
    "Opaque",
    "Resource",
    "Sink",
    "Text",
    "Tool",
    "ToolChange",
    "ToolContext",
    "ToolFinished",
    "ToolInterrupted",
    "ToolProgress",
    "ToolProvider",
    "ToolResult",
    "ToolSpec",
    "ToolStarted",
    "ToolUse",
    "ToolsChanged",
]

JsonObject: TypeAlias = Mapping[str, Any]
_MAKING = threading.Lock()
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # the widest that every provider takes


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool; the schemas are JSON Schema, draft 2020-12."""

    name: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    title: str | None = None
    annotations: JsonObject = field(default_factory=dict)
    examples: tuple[JsonObject, ...] = ()
    meta: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Malformed:
    """An input that is no JSON object: the text as it came, and why it was refused."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One request of a model: `input` is a JSON object, or `Malformed` where none came."""

    tool_use_id: str
    name: str
    input: Any = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave: its content, and for the program `structured`, notes and the exception."""

    tool_use_id: str
    status: Literal["success", "error"]
    content: tuple[Content, ...] = ()
    structured: Any = None
    metadata: JsonObject = field(default_factory=dict)
    exception: BaseException | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The texts and JSON values of the content, a line each."""
        parts = []
        for part in self.content:
            if isinstance(part, Text):
                parts.append(part.text)
            elif isinstance(part, Json):
                parts.append(json.dumps(part.value, ensure_ascii=False))
        return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    content: tuple[Content | ToolUse | ToolResult, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a caller should know of a call that went through all the same.

    `kind` is "converted" (an argument was repaired) or "ignored" (it was not used).
    """

    kind: Literal["converted", "ignored"]
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A use is about to be looked up and run."""

    use: ToolUse


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """Something that a running tool reports."""

    use: ToolUse
    value: Any


@dataclass(frozen=True, slots=True)
class ToolInterrupted:
    """A use waits for answers."""

    use: ToolUse
    interrupts: tuple[Interrupt, ...]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A use has its result; `duration` is in seconds."""

    use: ToolUse
    result: ToolResult
    duration: float


Event: TypeAlias = ToolStarted | ToolProgress | ToolInterrupted | ToolFinished
Sink: TypeAlias = Callable[[Event], Awaitable[None]]


class Channel(Protocol):
    """Where the progress of a call goes: one event at a time, its producer waiting meanwhile."""

    async def progress(self, event: Event, context: ToolContext) -> None:
        """Deliver from the loop."""

    def progress_from_thread(self, event: Event, context: ToolContext) -> None:
        """Deliver from a worker thread, waiting; once the call has ended the event is dropped."""


_MAKING = threading.Lock()  # one event for each context, whoever asks first


class ToolContext:
    """What a running call knows of itself; a parameter annotated with it receives it."""

    __slots__ = (
        "_cancelled",
        "_channel",
        "_ended",
        "_waiting",
        "_waits_since",
        "agent",
        "answers",
        "notes",
        "state",
        "steps",
        "tool_use",
        "waited",
        "workers",
    )

    def __init__(
        self,
        tool_use: ToolUse,
        *,
        state: dict[str, Any] | None = None,
        agent: Any = None,
        channel: Channel | None = None,
        answers: Mapping[str, Any] | None = None,
        steps: list[tuple[str, float]] | None = None,
        workers: Workers | Inline | None = None,
    ) -> None:
        """`state` is the caller's own dict, shared by the calls of a batch."""
        self.tool_use = tool_use
        self.state: dict[str, Any] = {} if state is None else state
        self.agent = agent
        self.answers: Mapping[str, Any] = answers or {}
        self.notes: list[Note] = []
        self.steps = steps
        self._cancelled: threading.Event | None = None
        self._ended = False
        self.workers = workers
        self.waited = 0.0
        self._waiting = 0
        self._waits_since = 0.0
        self._channel = channel

    async def emit(self, value: Any) -> None:
        """Report progress from a coroutine; returns once the event has been taken."""
        if self._channel is not None:
            await self._channel.progress(ToolProgress(self.tool_use, value), self)

    def report(self, value: Any) -> None:
        """Report progress from a thread; returns once the event has been taken.

        Once the call has ended (its deadline passed, its loop closed) the value is dropped.
        """
        if self._channel is not None:
            self._channel.progress_from_thread(ToolProgress(self.tool_use, value), self)

    @property
    def cancelled(self) -> threading.Event:
        """Set once the call is over: at its deadline, cancelled, or with its result.

        Made when it is first asked for: most calls have nobody who asks.
        """
        with _MAKING:
            if self._cancelled is None:
                self._cancelled = threading.Event()
            if self._ended:
                self._cancelled.set()
            return self._cancelled

    @property
    def ended(self) -> bool:
        """Whether the call is over, so that nothing more is reported."""
        return self._ended or (self._cancelled is not None and self._cancelled.is_set())

    def end(self) -> None:
        """The call is over: whoever still runs can see it, and what is reported is dropped."""
        self._ended = True
        if self._cancelled is not None:
            self._cancelled.set()

    @property
    def waiting(self) -> bool:
        """Whether an event of this call waits for its consumer now."""
        return self._waiting > 0

    def wait_begins(self, now: float) -> None:
        """A producer starts to wait; `waited` (seconds) counts against no deadline."""
        if not self._waiting:
            self._waits_since = now
        self._waiting += 1

    def wait_ends(self, now: float) -> None:
        """A producer has waited."""
        self._waiting -= 1
        if not self._waiting:
            self.waited += now - self._waits_since

    def mark(self, step: str) -> None:
        """Note for a trace that a step of the pipeline has just ended."""
        if self.steps is not None:
            self.steps.append((step, time.perf_counter()))

    def again(self, tool_use: ToolUse) -> ToolContext:
        """Make the context of another attempt: the same surroundings, nothing noted yet."""
        return ToolContext(
            tool_use,
            state=self.state,
            agent=self.agent,
            channel=self._channel,
            answers=self.answers,
            steps=self.steps,
            workers=self.workers,
        )

    def interrupt(self, name: str, reason: Any = None) -> Any:
        """Ask a human: the answer if there is one already, else this attempt ends here."""
        if name in self.answers:
            return self.answers[name]
        raise Interrupt(name, reason)


@runtime_checkable
class Tool(Protocol):
    """Anything with a spec that can be invoked."""

    @property
    def spec(self) -> ToolSpec:
        """What a model is told."""

    async def invoke(self, use: ToolUse, context: ToolContext) -> Any:
        """Return any value or a ToolResult, or raise."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a provider offers; `raw` holds each tool as it came, by name, where that is known."""

    tools: tuple[Tool, ...]
    findings: tuple[Finding, ...] = ()
    raw: JsonObject = field(default_factory=dict)


@runtime_checkable
class ToolProvider(Protocol):
    """A source of tools that is opened and closed: a server, a folder."""

    async def __aenter__(self) -> Listing:
        """Open it; one failure in it never hides the rest."""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt in flight; `tool` is None where the name is not known."""

    tool: Tool | None
    use: ToolUse
    context: ToolContext
    attempt: int = 1

    def with_(self, **changes: Any) -> Call:
        """Return a copy with some fields replaced."""
        return replace(self, **changes)


Handler: TypeAlias = Callable[[Call], Awaitable[ToolResult]]
Middleware: TypeAlias = Callable[[Call, Handler], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a batch in the order of its uses, and the questions that keep it open.

    A use that waits for an answer has None in `results` and stands in `pending`; one that has
    None and stands not there was not begun. `answers` holds what was answered so far, by the id
    of the use and the name of the question; `state` is the caller's dict.
    """

    results: tuple[ToolResult | None, ...]
    pending: tuple[ToolInterrupted, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
