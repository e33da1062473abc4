"""A result as a person, a program or another API's model reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...formats import by_name
from ...formats.bedrock import result_json
from ...formats.wire import dump, json_ready, stand_in
from ...types import (
    Content,
    Json,
    Resource,
    Text,
    ToolInterrupted,
    ToolResult,
    ToolUse,
)
from ..console import say, write, write_json, write_line
from .errors import user_frames

__all__ = ["shown", "text_of", "write_questions", "write_result"]


def write_result(use: ToolUse, result: ToolResult, *, options: Any) -> None:
    """Write the data to stdout by the options, and what only a person needs to stderr."""
    for note in result.metadata.get("notes", ()):
        say(f"{note['path']}: {note['message']}", kind="warning")
    if options.format_:
        shape = by_name(options.format_)
        write_json(json_ready(shape.write_result(use, result)))
    elif options.jsonl:
        write_line({"event": "result", **result_json(result)})
    elif options.json_:
        write_json(result_json(result))
    else:
        for part in result.content:
            write(text_of(part))
    error = result.exception
    if error is not None and not isinstance(error, (SystemExit,)):
        for frame in user_frames(error):
            say(frame)
    if options.save:  # what can't be written is no reason to show nothing
        from .saving import save_parts

        save_parts(result.content, Path(options.save))


def text_of(part: Content) -> str:
    """A part of a result as text; what is no text is named with its size."""
    match part:
        case Text(text):
            return text
        case Json(value):
            return dump(value)
        case Resource(text=str(text)):
            return text
    return stand_in(part)


def write_questions(waiting: ToolInterrupted, *, as_line: bool) -> None:
    """Write what a call asks as JSON: `{toolUseId, name, interrupts: [{name, reason}]}`."""
    facts = {
        "toolUseId": waiting.use.tool_use_id,
        "name": waiting.use.name,
        "interrupts": [{"name": one.name, "reason": one.reason} for one in waiting.interrupts],
    }
    if as_line:
        write_line({"event": "interrupt", **facts})
    else:
        write_json(json_ready(facts))


def shown(value: Any) -> str:
    """A progress value on one line."""
    return value if isinstance(value, str) else dump(value)
