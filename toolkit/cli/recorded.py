"""Recorded conversations as turns that can run again: read from files, narrowed, gone on with."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoadError, ToolkitError, ToolTimeoutError, UsageError
from ..findings import Finding, Place, Severity
from ..formats.transcript import read_transcript
from ..pending import closed
from ..results import error_result
from ..schema.faults import closest
from ..types import Batch, ToolContext, ToolUse
from .console import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..formats.transcript import Transcript
    from ..types import ToolResult

MOST = 5  # findings of one kind that a person is told in full
__all__ = ["Replayed", "chosen", "read", "resumed", "saved_about", "say_findings"]


@dataclass(slots=True)
class Replayed:
    """A turn of a file: its uses as they were recorded, and the batch that runs them again.

    `batch` has no results yet until it has run; its uses have the names of the tools here.
    """

    path: str | None
    number: int
    format: str
    uses: tuple[ToolUse, ...]
    recorded: tuple[ToolResult | None, ...]
    batch: Batch
    line: int = 1
    finished: dict[int, ToolResult] = field(default_factory=dict)
    shown: bool = False

    def cut_off(self, seconds: float) -> None:
        """Close the batch as it stands: a tool has blocked the loop for so long, nothing goes on.

        What had finished keeps its result (`finished`, by the identity of the use).
        """
        results = tuple(
            known or self.finished.get(id(use)) or _blocked(use, seconds)
            for use, known in zip(self.batch.uses, self.batch.results, strict=True)
        )
        self.batch = replace(self.batch, results=results, pending=())

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """One for each use, in order."""
        return closed(self.batch)

    @property
    def pairs(self) -> list[tuple[ToolUse, ToolResult]]:
        """Each use as it was recorded, and its result."""
        return list(zip(self.uses, self.results, strict=True))


def _blocked(use: ToolUse, seconds: float) -> ToolResult:
    why = f"'{use.name}' timed out: a tool blocked the event loop for {seconds:g} seconds"
    error = ToolTimeoutError(why, seconds=seconds)
    return error_result(use, error, context=ToolContext(use))


def read(files: Sequence[str]) -> tuple[list[Replayed], list[Finding]]:
    """The turns of all files, and what their reader found.

    A file that can't be read is an error among the findings, and hides no other; it raises where
    it is the only one.
    """
    turns: list[Replayed] = []
    findings: list[Finding] = []
    for file in files:
        try:
            transcript = read_transcript(_text(file), path=_shown(file))
        except ToolkitError as error:
            if len(files) == 1:
                raise _named(error, _shown(file)) from error
            place = Place(_shown(file))
            findings.append(Finding("F500", "not-readable", error.message, place=place))
            continue
        findings += [_placed(each, _shown(file)) for each in transcript.findings]
        turns += _turns(transcript, file)
    return turns, findings


def _named(error: ToolkitError, file: str) -> ToolkitError:
    """The error with the file that it is about, where it does not say so itself."""
    if f"'{file}'" in error.message:
        return error
    where = {key: vars(error).get(key) for key in ("path", "line")}
    return LoadError(f"{file}: {error.message}", hint=error.hint, **where)


def _placed(finding: Finding, path: str) -> Finding:
    return replace(finding, place=replace(finding.place, path=finding.place.path or path))


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise LoadError(f"no such file: '{file}'", path=file) from None
    except UnicodeDecodeError as error:
        raise LoadError(f"'{file}' is not UTF-8: {error.reason}", path=file) from None
    except OSError as error:
        raise LoadError(f"can't read '{file}': {error.strerror}", path=file) from None


def _shown(file: str) -> str:
    return "stdin" if file == "-" else file


def say_findings(findings: Sequence[Finding], turns: Sequence[Replayed], *, narrowed: bool) -> bool:
    """Say what the reader found, of each kind the first few; whether none is an error.

    Where the turns are narrowed, only what concerns them is said, and errors.
    """
    lines = {(each.path, each.line) for each in turns}
    said: Counter[tuple[str, str]] = Counter()
    for one in findings:
        is_error = one.severity is Severity.ERROR
        if narrowed and not is_error and (one.place.path, one.place.line) not in lines:
            continue
        said[one.code, one.name] += 1
        if said[one.code, one.name] <= MOST:
            kind = {Severity.ERROR: "error", Severity.WARNING: "warning"}.get(one.severity)
            say(f"{one.place}: {one.message}", kind=kind)
    for (code, name), count in said.items():
        if count > MOST:
            say(f"and {count - MOST} more: {name} ({code})")
    return all(one.severity is not Severity.ERROR for one in findings)


def _turns(transcript: Transcript, file: str) -> list[Replayed]:
    return [
        Replayed(
            path=_shown(file),
            number=number,
            format=transcript.format,
            uses=turn.uses,
            recorded=turn.results,
            batch=Batch((None,) * len(turn.uses), uses=turn.uses),
            line=turn.line,
        )
        for number, turn in enumerate(transcript.turns, 1)
    ]


def chosen(
    turns: Sequence[Replayed],
    *,
    turn: int | None = None,
    ids: Sequence[str] | None = None,
    prefix: str | None = None,
) -> list[Replayed]:
    """The turns that are asked for, with the uses that are, under the names of the tools here.

    Raises `UsageError` for a turn or an id that is not there, and for a prefix that no name has.
    """
    if not turns:
        raise LoadError("there is no tool use in it that could be run")
    kept = [each for each in turns if turn is None or each.number == turn]
    if not kept:
        most = max(each.number for each in turns)
        raise UsageError(f"there is no turn {turn}", hint=f"the turns with tool uses: 1 to {most}")
    if ids:
        kept = _with_ids(kept, ids)
    if prefix is None:
        return kept
    if not any(use.name.startswith(prefix) for each in kept for use in each.uses):
        names = sorted({use.name for each in kept for use in each.uses})
        message = f"no recorded name begins with '{prefix}'"
        raise UsageError(message, hint=f"the names: {', '.join(names[:8])}")
    return [_renamed(each, prefix) for each in kept]


def _with_ids(turns: Sequence[Replayed], ids: Sequence[str]) -> list[Replayed]:
    known = [use.tool_use_id for each in turns for use in each.uses]
    for identity in ids:
        if identity not in known:
            meant = closest(identity, known, most=1)
            advice = (
                f"did you mean '{meant[0]}'?"
                if meant
                else f"the ids: {', '.join(list(dict.fromkeys(known))[:8])}"
            )
            raise UsageError(f"there is no tool use '{identity}'", hint=advice)
    narrowed = []
    for each in turns:
        at = [n for n, use in enumerate(each.uses) if use.tool_use_id in ids]
        uses = tuple(each.uses[n] for n in at)
        recorded = tuple(each.recorded[n] for n in at)
        if uses:
            batch = Batch((None,) * len(uses), uses=uses)
            narrowed.append(replace(each, uses=uses, recorded=recorded, batch=batch))
    return narrowed


def _renamed(turn: Replayed, prefix: str) -> Replayed:
    uses = tuple(replace(use, name=use.name.removeprefix(prefix)) for use in turn.uses)
    return replace(turn, batch=replace(turn.batch, uses=uses))


def saved_about(turns: Sequence[Replayed]) -> dict[str, Any]:
    """What a saved replay has to know beside its batches."""
    return {
        "command": "replay",
        "turns": [
            {
                "path": each.path,
                "turn": each.number,
                "format": each.format,
                "line": each.line,
                "names": [use.name for use in each.uses],
            }
            for each in turns
        ],
    }


def resumed(batches: Sequence[Batch], about: dict[str, Any]) -> list[Replayed]:
    """The turns of a saved replay; one that `call` saved is a turn too."""
    told = about.get("turns") or [{} for _ in batches]
    try:
        return [_again(each, facts) for each, facts in zip(batches, told, strict=True)]
    except (ValueError, TypeError, AttributeError) as error:
        raise LoadError("what was saved does not fit together", cause=error) from error


def _again(batch: Batch, facts: dict[str, Any]) -> Replayed:
    names = facts.get("names") or [use.name for use in batch.uses]
    return Replayed(
        path=facts.get("path"),
        number=int(facts.get("turn") or 1),
        format=str(facts.get("format") or "bedrock"),
        uses=tuple(replace(use, name=n) for use, n in zip(batch.uses, names, strict=True)),
        recorded=(None,) * len(batch.uses),
        batch=batch,
        line=int(facts.get("line") or 1),
    )
