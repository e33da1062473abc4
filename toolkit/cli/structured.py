"""Structured output on the command line: the tool of a type, and recorded answers against it."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..agent.structured import StructuredOutputTool, plain_json
from ..agent.texts import json_in, text_of
from ..config import find
from ..errors import InvalidInputError, LoadError, ToolkitError, UsageError
from ..formats import by_name
from ..formats.recordings import messages, shape_of, values
from ..formats.transcript import read_transcript
from ..targets import named_object
from ..types import Malformed
from .console import hint, say, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..types import ToolUse

__all__ = ["Answer", "answers_in", "check_files", "tool_of", "tools_of"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer: the object as JSON, or every fault as (path, words)."""

    where: str
    value: Any = None
    faults: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The machine form: `value` is null where there are faults."""
        faults = [{"path": path, "message": words} for path, words in self.faults]
        return {"id": self.where, "ok": not faults, "value": self.value, "faults": faults}


def tool_of(target: str) -> StructuredOutputTool:
    """The tool for the type, the JSON Schema, or the tool itself that a target names."""
    wanted = named_object(target, find())
    return wanted if isinstance(wanted, StructuredOutputTool) else StructuredOutputTool(wanted)


def tools_of(
    targets: Sequence[str] | None, *, pattern: str | None = None
) -> list[StructuredOutputTool]:
    """The tools of several targets, narrowed by a glob on their names."""
    if not targets:
        hint = "write FILE.py:NAME, MODULE:NAME or SCHEMA.json"
        raise UsageError("--structured needs a type", hint=hint)
    tools = [tool_of(target) for target in targets]
    return [tool for tool in tools if pattern is None or fnmatch.fnmatchcase(tool.name, pattern)]


async def check_files(target: str, files: Sequence[str], *, as_json: bool = False) -> int:
    """Write the objects that recorded answers hold, or say their faults; the exit code.

    `files` are paths, or `-`. Without `as_json` one answer is written as its object, several as
    an array of objects. A file that can't be read never hides the others.
    """
    if not files:
        raise UsageError(
            "missing argument 'FILE...'", hint="name a recorded answer, or - for stdin"
        )
    tool = tool_of(target)
    found: list[Answer] = []
    sound = True
    for file in files:
        try:
            found += answers_in(tool, _text(file), path="stdin" if file == "-" else file)
        except LoadError as error:
            if len(files) == 1:
                raise
            say(error.message, kind="error")
            hint(error.hint)
            sound = False
    _write(found, as_json=as_json)
    if not sound:
        return 3
    return 1 if any(each.faults for each in found) else 0


def _write(found: list[Answer], *, as_json: bool) -> None:
    if as_json:
        write_json([each.to_json() for each in found])
        return
    good = [each.value for each in found if not each.faults]
    if good:
        write_json(good[0] if len(found) == 1 else good)
    for each in found:
        for place, words in each.faults:
            say(f"{each.where}: {place or 'input'}: {words}", kind="error")


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise LoadError(f"can't read '{file}': {error.strerror}", path=file) from None
    except UnicodeDecodeError as error:
        raise LoadError(f"'{file}' is not UTF-8: {error.reason}", path=file) from None


def answers_in(tool: StructuredOutputTool, text: str, *, path: str) -> list[Answer]:
    """Every answer in a text: calls of the tool, else the JSON values themselves.

    A call may stand in a message, a request, an answer or a stream of any provider. A value may
    be the tool's input, or what would be wrapped in it; a message that holds it as text counts.
    Raises `LoadError` where there is none.
    """
    found, unread = values(text)
    if not found:
        why = unread[0].message if unread else "it is empty"
        raise LoadError(f"'{path}' holds no answer: {why}", path=path)
    uses, others = _calls(tool, text)
    if uses:
        return [_checked(tool, use.tool_use_id, use.input) for use in uses]
    answers = []
    for line, value in found:
        where = f"{path}:{line}"
        texts = list(_said(value))
        if texts:
            answers += [_checked(tool, where, each) for each in texts]
        elif not others:
            answers.append(_checked(tool, where, value))
    if not answers:
        called = ", ".join(f"'{name}'" for name in sorted(others))
        message = f"'{path}' holds no call of '{tool.name}', but of {called}"
        raise LoadError(message, hint=f"the answer to look at calls '{tool.name}'", path=path)
    return answers


def _calls(tool: StructuredOutputTool, text: str) -> tuple[list[ToolUse], set[str]]:
    """The calls of the tool, and the names of other tools that are called."""
    try:
        uses = read_transcript(text).uses
    except ToolkitError:
        return [], set()
    return [use for use in uses if use.name == tool.name], {use.name for use in uses}


def _said(value: Any) -> Iterator[Any]:
    """The JSON values that the assistant's messages hold as text."""
    for wire in messages(value):
        shape = shape_of(wire)
        if shape is None or wire.get("role") not in ("assistant", "model"):
            continue
        try:
            message = by_name(shape or "anthropic").room.read_message(wire)
        except ToolkitError:
            continue
        came = json_in(text_of(message))
        if came is not None:
            yield came[0]


def _checked(tool: StructuredOutputTool, where: str, came: Any) -> Answer:
    if isinstance(came, Malformed):
        return Answer(where, faults=(("", f"not a JSON object: {came.why}"),))
    try:
        value = tool.from_json(dict(came) if isinstance(came, Mapping) else came)
    except InvalidInputError as error:
        return Answer(where, faults=error.faults or (("", error.message),))
    return Answer(where, plain_json(value))
