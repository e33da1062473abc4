"""What is written: data to stdout, everything said to a person to stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO

from .frame import data_stream
from .statusline import STATUS

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "escaped",
    "hide",
    "hint",
    "is_terminal",
    "plain",
    "say",
    "wants_colour",
    "write",
    "write_json",
    "write_line",
]

# C0 and C1 controls but for tab and newline, which a terminal would obey, and what nobody sees:
# zero-width signs, changes of direction, tags.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
COLOURS = {
    "error": "31",
    "warning": "33",
    "hint": "36",
    "note": "36",
    "dim": "2",
    "bold": "1",
    "ok": "32",
}


HIDDEN = "***"
_secrets: set[str] = set()


def hide(texts: Iterable[str]) -> None:
    """Show these texts no more, nor as they stand within JSON, whoever it is that says them."""
    for text in texts:
        _secrets.update((text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]))


def _masked(text: str) -> str:
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def escaped(text: str) -> str:
    """Text from a tool or server as data: control characters shown, never sent."""
    return CONTROLS.sub(lambda found: _spelled(ord(found[0])), text)


def plain(text: str) -> str:
    """Somebody's text as a person may see it: escaped, and without what is secret."""
    return escaped(_masked(text))


def _spelled(point: int) -> str:
    if point <= 0xFF:  # noqa: PLR2004 - the last with two digits
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"  # noqa: PLR2004


def is_terminal(stream: TextIO) -> bool:
    """Whether a person reads the stream as it is written."""
    try:
        return stream.isatty()
    except (ValueError, AttributeError):  # closed, or taken away by a tool
        return False


def wants_colour(stream: TextIO) -> bool:
    """`NO_COLOR` and `TERM=dumb` say no, `FORCE_COLOR` yes, else a terminal decides."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def styled(text: str, *, style: str, stream: TextIO) -> str:
    """The text in a style where the stream takes colours."""
    return f"\x1b[{COLOURS[style]}m{text}\x1b[0m" if wants_colour(stream) else text


def write(text: str, *, raw: bool = False) -> None:
    """Write a piece of data and a newline; on a terminal its control characters are shown."""
    _put(_masked(text), raw=raw)


def _put(text: str, *, raw: bool) -> None:
    stream = data_stream()
    shown = escaped(text) if is_terminal(stream) and not raw else text
    try:
        with STATUS.away():
            stream.write(shown if shown.endswith("\n") else f"{shown}\n")
            stream.flush()
    except BrokenPipeError:
        raise SystemExit(0) from None  # the reader has seen enough


def write_json(value: Any, *, indent: int | None = 2) -> None:
    """Write a JSON document, UTF-8, strict; without `indent` it is one line.

    What is secret is hidden in the values, not in the text, so that it stays a document.
    """
    shown = _masked_value(value) if _secrets else value
    _put(json.dumps(shown, ensure_ascii=False, indent=indent, allow_nan=False), raw=True)


def write_line(value: Any) -> None:
    """Write one event as a line of JSON; values that have no JSON form are made ready."""
    from ..formats.wire import json_ready

    write_json(json_ready(value), indent=None)


def _masked_value(value: Any) -> Any:
    if isinstance(value, str):
        return _masked(value)
    if isinstance(value, dict):
        return {_masked(str(key)): _masked_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked_value(item) for item in value]
    text = json.dumps(value)
    return value if _masked(text) == text else HIDDEN


def say(message: str, *, kind: str | None = None) -> None:
    """Tell a person something; `kind` is error, warning, note or hint."""
    prefix = f"{styled(f'{kind}:', style=kind, stream=sys.stderr)} " if kind else ""
    try:
        sys.stderr.write(f"{prefix}{plain(message)}\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # a tool closed it or took it away
        return


def hint(message: str | None) -> None:
    """Say what to do next, where there is something to say."""
    if message:
        say(message, kind="hint")
