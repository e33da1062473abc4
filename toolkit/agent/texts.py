"""What stands in a message as text: all of it, and the JSON value that a model wrote there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ..types import Text

if TYPE_CHECKING:
    from ..types import Message

__all__ = ["json_in", "text_of"]

FENCE = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
BRACKETS = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)


def text_of(message: Message) -> str:
    """The texts of a message, a line each."""
    return "\n".join(part.text for part in message.content if isinstance(part, Text))


def json_in(text: str) -> tuple[Any] | None:
    """The one JSON value of a text, None where there is none.

    The whole text, else the only code fence that holds JSON, else what stands between the first
    opening bracket and the last closing one.
    """
    whole = _read(text)
    if whole is not None:
        return whole
    fenced = [found for each in FENCE.findall(text) if (found := _read(each)) is not None]
    if fenced:
        return fenced[0] if len(fenced) == 1 else None
    bracketed = BRACKETS.search(text)
    return _read(bracketed[0]) if bracketed is not None else None


def _read(text: str) -> tuple[Any] | None:
    try:
        return (json.loads(text),)
    except (ValueError, RecursionError):
        return None
