"""A replay as a person or a program reads it: results, refusals, differences."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import ToolkitError
from ...formats import by_name
from ...formats.bedrock import result_json
from ...formats.wire import json_ready
from ...types import Content, Json, Text, ToolResult
from ..console import say, write, write_json, write_line
from .errors import user_frames
from .results import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...types import ToolUse
    from ..recorded import Replayed

__all__ = [
    "Difference",
    "compared",
    "write_answers",
    "write_check",
    "write_comparison",
    "write_turn",
]

MOST = 40  # lines of one difference that a person is shown


def write_turn(turn: Replayed, *, alone: bool) -> None:
    """Write each result of a turn: a line that says which, then its content."""
    if not alone:
        write(f"{_where(turn)}")
    for use, result in turn.pairs:
        write(f"{use.tool_use_id} {use.name}: {result.status}")
        for part in result.content:
            write(text_of(part))
        for frame in user_frames(result.exception) if result.exception is not None else ():
            say(frame)
        for note in result.metadata.get("notes", ()):
            say(f"{use.tool_use_id}: {note['path']}: {note['message']}", kind="warning")


def _where(turn: Replayed) -> str:
    return f"{turn.path or 'saved'}:{turn.line} turn {turn.number}"


def write_answers(turns: Sequence[Replayed], *, options: Any) -> None:
    """Write the message that answers a turn in its own format, or an array for several turns."""
    answers = []
    for each in turns:
        shape = by_name(options.format or each.format)
        answers.append(json_ready(shape.room.write_results(each.pairs)))
    if options.jsonl:
        for each, answer in zip(turns, answers, strict=True):
            write_line({"event": "message", "turn": each.number, "message": answer})
    else:
        write_json(answers[0] if len(answers) == 1 else answers)


def write_check(
    turns: Sequence[Replayed],
    refused: Sequence[tuple[Replayed, ToolUse, BaseException]],
    *,
    options: Any,
) -> None:
    """Write which recorded calls would be refused now, and why."""
    total = sum(len(each.uses) for each in turns)
    if options.json or options.jsonl:
        found = [{**_facts(turn, use), "message": _why(error)} for turn, use, error in refused]
        write_json({"calls": total, "refused": found}, indent=None if options.jsonl else 2)
        return
    for turn, use, error in refused:
        write(f"{_where(turn)}: {use.name} ({use.tool_use_id}): {_why(error)}")
    calls = "recorded call" if total == 1 else "recorded calls"
    write(f"{len(refused)} of {total} {calls} would now be refused")


def _facts(turn: Replayed, use: ToolUse) -> dict[str, Any]:
    return {
        "path": turn.path,
        "line": turn.line,
        "turn": turn.number,
        "toolUseId": use.tool_use_id,
        "name": use.name,
    }


def _why(error: BaseException) -> str:
    if isinstance(error, ToolkitError):
        return error.message
    return f"{type(error).__name__}: {error}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A use whose result is not what was recorded, both as its format would hold them."""

    turn: Replayed
    use: ToolUse
    recorded: ToolResult
    now: ToolResult

    def to_json(self) -> dict[str, Any]:
        """The machine form."""
        both = {"recorded": result_json(self.recorded), "now": result_json(self.now)}
        return {**_facts(self.turn, self.use), **both}


def compared(turns: Sequence[Replayed]) -> list[Difference]:
    """What differs from the recorded results; texts that are JSON are compared as values.

    A result is first written in the format of the recording and read again, so that what the
    format can't hold is no difference.
    """
    found = []
    for each in turns:
        room = by_name(each.format).room
        for (use, result), recorded in zip(each.pairs, each.recorded, strict=True):
            if recorded is None:
                continue
            now = _as_held(room, use, result)
            if _essence(now) != _essence(recorded):
                found.append(Difference(each, use, recorded, now))
    return found


def _as_held(room: Any, use: ToolUse, result: ToolResult) -> ToolResult:
    written = room.write_results([(use, result)])
    for wire in written if isinstance(written, list) else [written]:
        for part in room.read_message(wire).content:
            if isinstance(part, ToolResult):
                return replace(part, tool_use_id=use.tool_use_id, metadata={})
    return result


def _essence(result: ToolResult) -> tuple[Any, ...]:
    return (result.status, *(_value(part) for part in result.content))


def _value(part: Content) -> Any:
    if isinstance(part, Json):
        return "json", json.dumps(part.value, sort_keys=True)
    if not isinstance(part, Text):
        return part
    try:
        return "json", json.dumps(json.loads(part.text), sort_keys=True)
    except (ValueError, RecursionError):
        return part


def write_comparison(
    turns: Sequence[Replayed], differences: Sequence[Difference], *, options: Any
) -> None:
    """Write what differs from the recorded results."""
    total = sum(len(each.uses) for each in turns)
    known = sum(result is not None for each in turns for result in each.recorded)
    if options.json or options.jsonl:
        found = [each.to_json() for each in differences]
        facts = {"calls": total, "compared": known, "differences": found}
        write_json(facts, indent=None if options.jsonl else 2)
        return
    for each in differences:
        write(f"{_where(each.turn)}: {each.use.name} ({each.use.tool_use_id})")
        for line in _diff(each):
            write(f"  {line}")
    write(f"{len(differences)} of {known} recorded results differ")
    if known < total:
        say(f"{total - known} of {total} calls have no recorded result")


def _diff(difference: Difference) -> list[str]:
    before, after = (_lines(each) for each in (difference.recorded, difference.now))
    lines = list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:]
    lines = [line for line in lines if not line.startswith("@@")]
    if len(lines) <= MOST:
        return lines
    return [*lines[:MOST], f"… and {len(lines) - MOST} more lines"]


def _lines(result: ToolResult) -> list[str]:
    lines: list[str] = ["error"] if result.status == "error" else []
    for part in result.content:
        lines += text_of(part).splitlines()
    return lines
