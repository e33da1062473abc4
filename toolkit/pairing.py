"""Tool uses out of a message, each of them ready to be answered by exactly one result."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from .errors import InvalidInputError, UnknownToolError
from .schema.faults import short
from .types import TOOL_NAME, Malformed, Message, Note, ToolContext, ToolUse

__all__ = ["ready", "tool_uses"]


def tool_uses(message: Message) -> tuple[ToolUse, ...]:
    """The tool uses of a message, in order, repeated ids and all."""
    return tuple(part for part in message.content if isinstance(part, ToolUse))


def ready(use: ToolUse, context: ToolContext) -> ToolUse:
    """The use with an input that is an object; what is none is an error, and never `{}`.

    No input, null and empty text mean `{}`; a JSON text of an object is parsed, and noted.
    """
    if not isinstance(use.name, str) or TOOL_NAME.fullmatch(use.name) is None:
        shown = short(use.name)
        message = f"{shown} is no legal tool name: 1 to 64 letters, digits, '_' or '-'"
        raise UnknownToolError(message, name=use.name)
    if isinstance(use.input, dict):
        return use
    if use.input is None or use.input == "":
        return replace(use, input={})
    if isinstance(use.input, Malformed):
        raise InvalidInputError(f"input: not a JSON object: {use.input.why}", tool=use.name)
    if isinstance(use.input, str):
        return replace(use, input=_parsed(use.input, use.name, context))
    raise InvalidInputError(f"input: expected an object, got {short(use.input)}", tool=use.name)


def _parsed(text: str, tool: str, context: ToolContext) -> dict[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except RecursionError:
        raise InvalidInputError("input: nested too deeply", tool=tool) from None
    except ValueError as error:
        raise InvalidInputError(f"input: not a JSON object: {error}", tool=tool) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInputError(f"input: expected an object, got {short(value)}", tool=tool)
    context.notes.append(Note("converted", "input", "JSON text was parsed"))
    return value
