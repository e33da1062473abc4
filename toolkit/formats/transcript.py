"""Recorded conversations of any provider: the tool uses of every turn, and their results."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import LoadError
from ..findings import Finding, Place, Severity
from ..types import Malformed, Message, Opaque, ToolResult, ToolUse
from . import anthropic, by_name, openai_responses
from .gemini import NO_ID
from .recordings import messages, shape_of, values
from .streams import joined

__all__ = ["Transcript", "Turn", "read_transcript"]


@dataclass(frozen=True, slots=True)
class Turn:
    """The tool uses of one turn, and to each its recorded result, or None.

    `line` is where the message began in the text.
    """

    uses: tuple[ToolUse, ...]
    results: tuple[ToolResult | None, ...]
    line: int = 1


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was recorded: the format it was in, and the turns that used tools."""

    format: str
    turns: tuple[Turn, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """Every tool use, in order."""
        return tuple(use for turn in self.turns for use in turn.uses)


def read_transcript(text: str, *, path: str | None = None) -> Transcript:
    """Read one message, a list, a whole request or answer, a stream, or JSON Lines of these.

    Every use has an id: one that came without gets `no-id-1` and so on. A repeated id, a result
    without a use, a use without a result among others that have theirs, arguments that are no
    JSON object, and what a provider ran itself are findings. Raises LoadError where the text
    holds no message at all.
    """
    found, faults = values(text)
    reading = _Reading(path, findings=list(faults))
    flat = ((number, one) for number, (_, value) in enumerate(found) for one in messages(value))
    for number, group in itertools.groupby(joined(flat), key=lambda pair: pair[0]):
        line, value = found[number]
        pieces = [one for _, piece in group for one in messages(piece)]
        answer = isinstance(value, Mapping) and isinstance(value.get("output"), list)
        alone = pieces == [value] or (len(pieces) == 1 and not answer)
        reading.read(line, pieces, group=None if alone else number)
    if not reading.seen:
        where = faults[0] if faults else None
        raise LoadError(
            where.message if where else "there is no message in it",
            hint="give a message, a list, a request or an answer, or JSON Lines of these",
            path=path,
            line=where.place.line if where else None,
        )
    return reading.transcript()


@dataclass(slots=True)
class _Open:
    """A turn whose results may still come."""

    line: int
    group: Any
    uses: list[ToolUse] = field(default_factory=list)
    results: list[ToolResult | None] = field(default_factory=list)


class _Reading:
    """Messages on their way to turns."""

    def __init__(self, path: str | None, findings: list[Finding]) -> None:
        self.path = path
        self.findings = findings
        self.turns: list[_Open] = []
        self.waiting: dict[str, list[tuple[_Open, int]]] = {}
        self.ids: set[str] = set()
        self.formats: dict[str, int] = {}
        self.history: list[Message] = []
        self.missing = 0
        self.seen = 0
        self.other: list[int] = []

    def say(
        self, code: str, message: str, *, line: int, severity: Severity, tool: str = ""
    ) -> None:
        number, _, name = code.partition(" ")
        place = Place(path=self.path, line=line)
        self.findings.append(
            Finding(number, name, message, severity, tool=tool or None, place=place)
        )

    def read(self, line: int, pieces: Sequence[Any], *, group: int | None) -> None:
        """Read the messages of one value; what it repeats of the history is left out."""
        read: list[tuple[Mapping[str, Any], str, Message]] = []
        for wire in pieces:
            shape = shape_of(wire)
            if shape is None:
                self.other.append(line)
                continue
            self.seen += 1
            self.formats[shape] = self.formats.get(shape, 0) + bool(shape)
            read.append((wire, shape, _as_message(wire, shape)))
        known = 0
        if len(read) > 1:
            pairs = zip((message for _, _, message in read), self.history, strict=False)
            known = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        for wire, shape, message in read[known:]:
            self.history.append(message)
            identity = group if shape == "openai-responses" else wire.get("id")
            self.message(wire, message, group=(shape, identity), line=line)

    def message(
        self, wire: Mapping[str, Any], message: Message, *, group: tuple[str, Any], line: int
    ) -> None:
        results = [part for part in message.content if isinstance(part, ToolResult)]
        uses = [part for part in message.content if isinstance(part, ToolUse)]
        for part in message.content:
            if isinstance(part, Opaque) and (name := _provider_run(part)):
                text = f"'{name}' was run by the provider itself; it is skipped"
                self.say("F505 provider-run", text, line=line, severity=Severity.INFO, tool=name)
        for result in results:
            self.result(result, line)
        if uses:
            self.uses(uses, group=group, line=line)
        elif results or wire.get("role") == "user":
            self.closed()

    def closed(self) -> None:
        if self.turns:
            self.turns[-1].group = None

    def uses(self, uses: list[ToolUse], *, group: Any, line: int) -> None:
        last = self.turns[-1] if self.turns else None
        same = group[0] == "openai-responses" or group[1] is not None
        if last is None or not same or last.group != group:
            self.turns.append(_Open(line, group))
        turn = self.turns[-1]
        for use in uses:
            identified = self.identified(use, line=line, shape=group[0])
            self.waiting.setdefault(identified.tool_use_id, []).append((turn, len(turn.uses)))
            turn.uses.append(identified)
            turn.results.append(None)

    def identified(self, use: ToolUse, *, line: int, shape: str) -> ToolUse:
        if isinstance(use.input, Malformed):
            text = f"the input of '{use.name}' {use.input.why}"
            self.say(
                "F506 malformed-arguments",
                text,
                line=line,
                severity=Severity.WARNING,
                tool=use.name,
            )
        if not use.tool_use_id:
            self.missing += 1
            severity = Severity.INFO if shape == "gemini" else Severity.WARNING
            text = f"a use of '{use.name}' has no id; it is called {NO_ID}{self.missing} here"
            self.say("F502 missing-id", text, line=line, severity=severity, tool=use.name)
            return dataclasses.replace(use, tool_use_id=f"{NO_ID}{self.missing}")
        if use.tool_use_id in self.ids:
            text = f"the id '{use.tool_use_id}' is used again; both uses run"
            self.say("F503 repeated-id", text, line=line, severity=Severity.WARNING, tool=use.name)
        self.ids.add(use.tool_use_id)
        return use

    def result(self, result: ToolResult, line: int) -> None:
        place = self.place(result)
        if place is None:
            named = result.tool_use_id or result.metadata.get("name") or "without an id"
            text = f"a result ({named}) belongs to no use that waits for one"
            self.say("F504 orphan-result", text, line=line, severity=Severity.WARNING)
            return
        turn, at = place
        identity = turn.uses[at].tool_use_id
        turn.results[at] = dataclasses.replace(result, tool_use_id=identity, metadata={})

    def place(self, result: ToolResult) -> tuple[_Open, int] | None:
        waiting = self.waiting.get(result.tool_use_id)
        if waiting:
            return waiting.pop(0)
        if result.tool_use_id and "name" not in result.metadata:
            return None
        # Gemini: no id, so by name and order among those that wait in the last turn.
        turn = self.turns[-1] if self.turns else None
        named = result.metadata.get("name")
        for at, use in enumerate(turn.uses if turn else ()):
            if turn and turn.results[at] is None and use.name == named:
                self.waiting[use.tool_use_id].remove((turn, at))
                return turn, at
        return None

    def transcript(self) -> Transcript:
        recorded = any(one is not None for turn in self.turns for one in turn.results)
        for turn in self.turns if recorded else ():
            last = turn is self.turns[-1] and not any(turn.results)
            for use, result in zip(turn.uses, turn.results, strict=True):
                if result is None and not last:
                    text = f"the use '{use.tool_use_id}' of '{use.name}' has no recorded result"
                    self.say(
                        "F507 orphan-use",
                        text,
                        line=turn.line,
                        severity=Severity.INFO,
                        tool=use.name,
                    )
        if self.other:
            count = len(self.other)
            text = f"{count} value{'' if count == 1 else 's'} held no message"
            self.say("F508 no-message", text, line=self.other[0], severity=Severity.INFO)
        turns = (Turn(tuple(one.uses), tuple(one.results), one.line) for one in self.turns)
        name = max(self.formats, key=lambda key: self.formats[key], default="")
        return Transcript(name or "bedrock", tuple(turns), tuple(self.findings))


def _as_message(wire: Mapping[str, Any], shape: str) -> Message:
    """Read a message, or a bare block as the only one of its message."""
    use = "toolUse" in wire or str(wire.get("type", "")).endswith("tool_use")
    role = {"role": "model" if shape == "gemini" else "assistant" if use else "user"}
    if shape in ("anthropic", "bedrock") and "role" not in wire:
        wire = {**role, "content": [wire]}
    elif shape == "gemini":
        wire = {**role, **wire}
    message: Message = by_name(shape or "anthropic").room.read_message(wire)
    return message


def _provider_run(part: Opaque) -> str | None:
    """Name the call in a block that tells of one which the provider ran."""
    raw: Mapping[str, Any] = part.raw if isinstance(part.raw, Mapping) else {}
    kind = part.kind.rpartition(":")[2]
    if part.kind.startswith("anthropic:") and kind in anthropic.PROVIDER_RUN:
        return str(raw.get("name") or kind)
    if part.kind.startswith("openai-responses:item:") and kind in openai_responses.PROVIDER_RUN:
        return str(raw.get("name") or kind)
    if part.kind == "bedrock:toolUse":
        return str(raw.get("name") or kind)
    if part.kind in ("gemini:executableCode", "gemini:toolCall"):
        return kind
    return None
