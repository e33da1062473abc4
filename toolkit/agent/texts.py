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


def text_of(message: Message) -> str:
    """The texts of a message, a line each."""
    return "\n".join(part.text for part in message.content if isinstance(part, Text))


def json_in(text: str) -> tuple[Any] | None:
    """The one JSON value of a text: the whole, or its only code fence; None where there is none."""
    fenced = FENCE.findall(text)
    for candidate in (text, *(fenced if len(fenced) == 1 else ())):
        try:
            return (json.loads(candidate),)
        except (ValueError, RecursionError):
            continue
    return None
