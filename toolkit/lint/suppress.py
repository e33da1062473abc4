"""Suppressions beside the code: `# toolkit: ignore[S016, D006] why`, on a function or parameter."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..findings import Finding, Place, Severity, shown_path
from .rule import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .subject import Subject
from .pattern import Pattern

__all__ = ["Suppressions"]

_COMMENT = Pattern(r"#\s*toolkit:\s*ignore(?:\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)


@dataclass(slots=True)
class _Comment:
    """One comment: for these codes (all where it names none), on these lines of a tool."""

    codes: tuple[str, ...]
    place: Place
    tool: str
    parameter: str | None = None
    used: set[str] = field(default_factory=set)

    def holds(self, finding: Finding) -> bool:
        """Whether it is about a finding; then it was of use."""
        if finding.tool != self.tool or finding.place.path != self.place.path:
            return False
        if self.parameter is not None and not _is_about(finding, self.parameter):
            return False
        wanted = {finding.code, finding.name}
        hit = [code for code in self.codes if wanted & {code.upper(), code.lower()}]
        if self.codes and not hit:
            return False
        self.used.update(hit or ("*",))
        return True


def _is_about(finding: Finding, parameter: str) -> bool:
    step = parameter.replace("~", "~0").replace("/", "~1")
    start = f"/inputSchema/properties/{step}"
    pointer = finding.place.pointer or ""
    return pointer == start or pointer.startswith(f"{start}/")


class Suppressions:
    """The comments and `_meta` entries of a set of tools; which of them were of use is noted."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self._comments = [each for one in subjects for each in _comments_of(one)]

    def hold(self, finding: Finding) -> bool:
        """Whether a finding is suppressed."""
        return any(each.holds(finding) for each in self._comments)  # all of them are of use

    def unused(self, selected: frozenset[str]) -> Iterable[Finding]:
        """Z001 and Z002: codes that suppress nothing, and codes that do not exist."""
        names = {each.name: code for code, each in RULES.items()}
        for comment in self._comments:
            for code in comment.codes or ("*",):
                known = names.get(code.lower(), code.upper())
                if code != "*" and known not in RULES:
                    message = f"the suppression names '{code}', which is no rule"
                    yield _said("Z002 unknown-code", message, comment)
                elif code not in comment.used and (code == "*" or known in selected):
                    what = "anything" if code == "*" else f"'{code}'"
                    message = f"the suppression of {what} suppresses nothing"
                    yield _said("Z001 unused-suppression", message, comment)


def _said(label: str, message: str, comment: _Comment) -> Finding:
    code, _, name = label.partition(" ")
    return Finding(
        code,
        name,
        message,
        Severity.WARNING,
        hint="take it out",
        tool=comment.tool,
        place=comment.place,
    )


def _comments_of(subject: Subject) -> Iterable[_Comment]:
    if subject.ignored:
        path = shown_path(subject.place.path)
        place = Place(path, pointer=f"{subject.pointer}/_meta", server=subject.place.server)
        yield _Comment(subject.ignored, place, subject.label)
    source = subject.source
    if source is None or "toolkit:" not in (text := "\n".join(_lines_of(subject))).lower():
        return
    first = max(source.first_line - 1, 1)
    by_line = {span.line: name for name, span in source.parameters.items()}
    for line, column, comment in _read(text):
        found = _COMMENT.match(comment)
        number = line + first - 1
        if found is None or (number < source.first_line and not _alone(source.lines[number - 1])):
            continue
        codes = tuple(each for each in re.split(r"[,\s]+", found["codes"] or "") if each)
        place = Place(shown_path(subject.place.path), number, column + 1)
        parameter = by_line.get(number) if number != source.node.lineno else None
        yield _Comment(codes, place, subject.label, parameter)


def _alone(line: str) -> bool:
    return line.lstrip().startswith("#")


def _lines_of(subject: Subject) -> list[str]:
    """From the line above the first decorator to the one before the body's second statement."""
    source = subject.source
    assert source is not None  # noqa: S101 - the caller has looked
    first = max(source.first_line - 1, 1)
    last = max(source.end_of_signature, max(source.docstring_lines, default=0))
    return source.lines[first - 1 : last]


def _read(text: str) -> Iterable[tuple[int, int, str]]:
    """The comments of a piece of Python, never what looks like one in a string."""
    found: list[tuple[int, int, str]] = []
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        found.extend((*one.start, one.string) for one in tokens if one.type == tokenize.COMMENT)
    except (tokenize.TokenError, IndentationError):
        pass  # a piece of a file may end anywhere; what came before it counts
    return found
