"""Patterns that can't be read, or that take for ever."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...findings import Severity
from ..rule import Fault, rule
from .example import CITY, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

# ECMA-262 writes these otherwise than Python, or Python has no word for them.
_ECMA = (
    (Pattern(r"\(\?<(?![=!])"), "(?P<"),
    (Pattern(r"\\k<(\w+)>"), r"(?P=\1)"),
    (Pattern(r"\\[pP]\{[^}]*\}"), "x"),
    (Pattern(r"\\u\{[0-9A-Fa-f]+\}"), "x"),
    (Pattern(r"\\c[A-Za-z]"), "x"),
    (Pattern(r"\\[dDwWsS]-"), "x"),
    (Pattern(r"\[\^\]"), "."),
    (Pattern(r"\[\]"), "x"),
    (Pattern(r"\\/"), "/"),
)
_VARIABLE = "look-behind requires fixed-width"  # ECMA-262 has no such limit
_PYTHON = Pattern(r"\\[AZ]|\(\?P[<=]|\(\?[aiLmsux]+\)|\(\?\#")
# A repeated group whose whole body is one repeated thing: (a+)+, ([a-z]*)*, (\w+)+.
_NESTED = Pattern(r"\((?:\?:)?(?:\\?[^()\[\]\\|?*+]|\\.|\[[^\]]*\])[+*]\)(?:[+*]|\{\d+,\})")


def _patterns(tool: Subject) -> Iterator[tuple[Path, str]]:
    for part, (path, _, schema) in tool.all_spots:
        if not isinstance(schema, Mapping):
            continue
        if isinstance(schema.get("pattern"), str):
            yield (part, *path, "pattern"), schema["pattern"]
        keys = schema.get("patternProperties")
        for key in keys if isinstance(keys, Mapping) else ():
            yield (part, *path, "patternProperties", key), key


@rule(
    "S014 invalid-regex",
    Severity.ERROR,
    bad=taking({**CITY, "pattern": "^[A-Z"}),
    good=taking({**CITY, "pattern": "^[A-Z]"}),
    evidence="JSON Schema 2020-12, core 6.4: patterns are ECMA-262's",
)
def invalid_regex(tool: Subject, using: Using) -> Iterator[Fault]:
    """A pattern is no regular expression, or one in Python's dialect alone.

    A provider that compiles it refuses the tool; others check nothing by it.
    """
    del using
    for at, pattern in _patterns(tool):
        why = _fault_of(pattern)
        if why is not None:
            yield Fault(f"the pattern {pattern!r} is no regular expression: {why}", at)
        elif _PYTHON.search(pattern):
            found = _PYTHON.search(pattern)
            sign = found[0] if found else ""
            message = f"'{sign}' in a pattern is Python's own: ECMA-262 has no such thing"
            yield Fault(message, at, severity=Severity.WARNING)


def _fault_of(pattern: str) -> str | None:
    for ours, theirs in _ECMA:
        pattern = ours.sub(theirs, pattern)
    try:
        re.compile(pattern)
    except re.error as error:
        return None if _VARIABLE in str(error) else str(error)
    except (RecursionError, OverflowError):
        return "it is too large"
    return None


@rule(
    "X011 redos-pattern",
    Severity.WARNING,
    bad=taking({**CITY, "pattern": "^(\\w+)+$"}),
    good=taking({**CITY, "pattern": "^\\w+$"}),
    evidence="CWE-1333",
)
def redos_pattern(tool: Subject, using: Using) -> Iterator[Fault]:
    """A pattern repeats what repeats, so that checking one long value takes for ever.

    A model, or whoever speaks through it, chooses the value.
    """
    del using
    for at, pattern in _patterns(tool):
        found = _NESTED.search(pattern)
        if found:
            message = f"'{found[0]}' in the pattern takes time that doubles with each letter"
            yield Fault(message, at, hint="repeat it once")
