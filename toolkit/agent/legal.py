"""What makes a conversation one that every provider takes."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING

from ..pairing import tool_uses
from ..types import TOOL_NAME, Message, ToolResult, ToolUse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..types import Content

__all__ = ["first_breach", "presentable", "with_own_ids", "without_open_turn"]

NAMELESS = "invalid_tool_name"


def first_breach(messages: Sequence[Message]) -> str | None:
    """The first thing that a provider would refuse, None for a legal conversation.

    Roles alternate, no message is empty, and each tool use of the assistant is answered by
    exactly one result, in order, in the message that follows.
    """
    for first, second in itertools.pairwise([*messages, None]):
        breach = _breach(first, second) if first is not None else None
        if breach is not None:
            return breach
    return None


def _breach(message: Message, following: Message | None) -> str | None:
    if not message.content:
        return f"a message of the {message.role} is empty"
    if following is not None and following.role == message.role:
        return f"two messages of the {message.role} in a row"
    asked = [use.tool_use_id for use in tool_uses(message)]
    if asked and message.role == "user":
        return f"the user asks for tools: {asked}"
    if len(set(asked)) < len(asked):
        return f"a tool use id stands twice: {asked}"
    if any(TOOL_NAME.fullmatch(use.name) is None for use in tool_uses(message)):
        return "a tool use has an illegal name"
    parts = following.content if following is not None else ()
    answered = [part.tool_use_id for part in parts if isinstance(part, ToolResult)]
    if message.role == "assistant" and asked != answered:
        return f"the uses {asked} are answered by {answered}"
    return None


def with_own_ids(message: Message, taken: set[str]) -> Message:
    """The message with an id of its own for each tool use; the ids are added to `taken`."""
    parts: list[Content | ToolUse | ToolResult] = []
    for part in message.content:
        if isinstance(part, ToolUse):
            base = part.tool_use_id or "use"
            names = itertools.chain([base], (f"{base}-{n}" for n in itertools.count(2)))
            own = next(name for name in names if name not in taken)
            taken.add(own)
            parts.append(
                part if own == part.tool_use_id else dataclasses.replace(part, tool_use_id=own)
            )
        else:
            parts.append(part)
    return dataclasses.replace(message, content=tuple(parts))


def without_open_turn(
    messages: Sequence[Message],
) -> tuple[list[Message], tuple[Message, dict[str, ToolResult]] | None]:
    """A conversation without a last turn that is not wholly answered, and that turn."""
    kept = list(messages)
    last = next((at for at in (-1, -2) if len(kept) >= -at and tool_uses(kept[at])), None)
    if last is None or first_breach(kept[last:]) is None:
        return kept, None
    parts = kept[-1].content if last < -1 else ()
    results = {part.tool_use_id: part for part in parts if isinstance(part, ToolResult)}
    if len(results) < len(parts):
        return kept, None  # something else was said meanwhile
    return kept[:last], (kept[last], results)


def presentable(message: Message) -> Message:
    """The message as it can be sent again: a use whose name no provider takes gets another."""
    parts = tuple(
        dataclasses.replace(part, name=NAMELESS)
        if isinstance(part, ToolUse) and not _is_legal(part.name)
        else part
        for part in message.content
    )
    return dataclasses.replace(message, content=parts)


def _is_legal(name: object) -> bool:
    return isinstance(name, str) and TOOL_NAME.fullmatch(name) is not None
