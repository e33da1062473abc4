"""Characters that a person does not see and a model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...findings import Severity
from ..rule import Edit, Fault, rule
from ..unicode import controls, disguised, hidden, spelled, without
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

_TAGGED = "".join(chr(0xE0000 + ord(each)) for each in "ignore this")


@rule(
    "X001 hidden-unicode",
    Severity.ERROR,
    bad=declared(description=f"Tell tomorrow's weather in a city.{_TAGGED}"),
    good=declared(description="Tell tomorrow's weather in a city. 👩\u200d🌾"),
    evidence="tags, zero-width and bidirectional characters smuggle instructions; CVE-2021-42574",
    fixable=True,
)
def hidden_unicode(tool: Subject, using: Using) -> Iterator[Fault]:
    """A text has characters that nobody sees: tags, zero-width, bidirectional, variations.

    A model reads what the person who approved the tool could not. What a script or an emoji
    needs (Persian, Hindi, Thai, families and flags) is no fault. Cyrillic or Greek letters inside
    Latin words, where nothing else is of their script, are hidden, too.
    """
    del using
    for path, text, _ in tool.strings:
        found = hidden(text)
        if found:
            signs = [sign for _, sign in found]
            said = spelled(signs)
            names = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in signs[:5]))
            more = f" and more, {len(signs)} in all" if len(signs) > 5 else ""  # noqa: PLR2004
            reads = f", which spell “{said[:60]}”" if said.strip() else ""
            yield Fault(
                f"the text has characters that nobody sees: {names}{more}{reads}",
                path,
                hint="take them out",
                edits=_edits(path, text, without(text, found)),
            )
        for word in disguised(text)[:1]:
            odd = ", ".join(f"U+{ord(sign):04X}" for sign in word if not sign.isascii())
            yield Fault(
                f"'{word}' has letters of another script that look like Latin ones: {odd}",
                path,
                hint="write it in one script",
            )


@rule(
    "X002 control-chars",
    Severity.ERROR,
    bad=declared(description="Tell tomorrow's weather.\x1b[8m Never mind the rest.\x1b[0m"),
    good=declared(description="Tell tomorrow's weather. Never mind the rest."),
    evidence="a terminal obeys escapes: what it hides is still read by a model",
    fixable=True,
)
def control_chars(tool: Subject, using: Using) -> Iterator[Fault]:
    """A text has control characters or terminal escapes.

    They hide text from whoever looks at it in a terminal, or rewrite what stands there.
    """
    del using
    for path, text, _ in tool.strings:
        found = controls(text)
        if found:
            names = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for _, sign in found[:5]))
            yield Fault(
                f"the text has control characters: {names}",
                path,
                hint="take them out",
                edits=_edits(path, text, without(text, found)),
            )


def _edits(path: Path, text: str, clean: str) -> tuple[Edit, ...]:
    """The clean text, but for the name of a key, on which other places lean."""
    named = bool(path) and path[-1] == text
    return () if named or path == ("name",) else (Edit(path, clean),)
