"""The command line as typed, split before typer sees it: it would drop a `--`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Line", "options_of", "split"]


@dataclass(slots=True)
class Line:
    """The words for typer, those behind a call's TOOL, and a server's command behind `--`."""

    words: list[str]
    tail: list[str] = field(default_factory=list)
    server: list[str] = field(default_factory=list)
    debug: bool = False


def options_of(command: Any) -> dict[str, bool]:
    """The flags of a typer command, each with whether it takes a value."""
    return {
        name: not parameter.is_flag
        for parameter in command.params
        if getattr(parameter, "is_flag", None) is not None
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def split(argv: Sequence[str], call_options: Mapping[str, bool]) -> Line:
    """Split at `--`, then, for `call`, behind TOOL: the first word that belongs to no option.

    `call_options` are the flags of `call`, each with whether it takes a value.
    """
    words, server = list(argv), []
    if "--" in words:
        at = words.index("--")
        words, server = words[:at], words[at + 1 :]
    tail: list[str] = []
    if "call" in words[:2]:
        start = words.index("call") + 1
        tool = _first_free(words, start, call_options)
        words, tail = words[: tool + 1], words[tool + 1 :]
    debug = "--debug" in words
    return Line([word for word in words if word != "--debug"], tail, server, debug)


def _first_free(words: Sequence[str], start: int, options: Mapping[str, bool]) -> int:
    at = start
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        takes_value = options.get(words[at], False) and "=" not in words[at]
        at += 2 if takes_value else 1
    return at
