"""What changed between two versions of a tool for its model, and whom it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from .compare import Difference, Effect, compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..types import ToolSpec

__all__ = ["Change", "Verdict", "diff"]

# The Model Context Protocol's hints: what holds without them, and what a client relies on.
HINTS = {
    "readOnlyHint": (False, True),
    "destructiveHint": (True, False),
    "idempotentHint": (False, True),
    "openWorldHint": (True, False),
}


class Verdict(StrEnum):
    """Whom a change breaks."""

    BREAKING = "breaking"  # a call that worked is refused, or a result is no longer as promised
    REVIEW = "review"  # every call still goes through, but a model may act otherwise
    COMPATIBLE = "compatible"  # whatever worked works


@dataclass(frozen=True, slots=True)
class Change:
    """One change: its code and name in the taxonomy, a line for a person, and the verdict.

    `pointer` leads to the place in the input schema; `side` is "input", "output" or "tool".
    """

    code: str
    name: str
    message: str
    verdict: Verdict
    pointer: str = "#"
    side: str = "tool"

    @property
    def breaking(self) -> bool:
        """Whether somebody who relied on the old version is let down."""
        return self.verdict is Verdict.BREAKING

    def __str__(self) -> str:
        """The line."""
        return self.message


def diff(old: ToolSpec, new: ToolSpec) -> tuple[Change, ...]:
    """Every change from one spec to another; none for equal ones.

    Inputs go from a caller to the tool, so what the new schema refuses breaks; results come back,
    so what the new schema adds breaks. A change that can't be judged is for review, never
    silently compatible.
    """
    return tuple(_changes(old, new))


def _changes(old: ToolSpec, new: ToolSpec) -> Iterator[Change]:
    if old.name != new.name:
        message = f"renamed from '{old.name}' to '{new.name}'"
        yield Change("B002", "tool-renamed", message, Verdict.BREAKING)
    yield from _words(old, new)
    for each in compare(old.input_schema, new.input_schema):
        yield _judged(each, side="input")
    yield from _outputs(old.output_schema, new.output_schema)
    yield from _hints(old.annotations, new.annotations)


def _words(old: ToolSpec, new: ToolSpec) -> Iterator[Change]:
    if old.description != new.description:
        if old.description.split() == new.description.split():
            message = "the description is laid out otherwise"
            yield Change("B181", "description-laid-out", message, Verdict.COMPATIBLE)
        else:
            message = f"description {_where_it_differs(old.description, new.description)}"
            yield Change("B180", "description-changed", message, Verdict.REVIEW)
    if old.title != new.title:
        message = f"title {old.title!r} → {new.title!r}"
        yield Change("B182", "title-changed", message, Verdict.COMPATIBLE)
    if old.examples != new.examples:
        yield Change("B182", "examples-changed", "the examples changed", Verdict.COMPATIBLE)


def _where_it_differs(old: str, new: str, *, room: int = 48) -> str:
    """The first line that differs, shortened round the place."""
    before, after = (" ".join(each.split()) for each in (old, new))
    at = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    start = max(0, at - room // 3)
    shown = []
    for text in (before, after):
        part = text[start : start + room]
        lead, rest = "…" if start else "", "…" if len(text) > start + room else ""
        shown.append(f"'{lead}{part}{rest}'")
    return " → ".join(shown)


def _outputs(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[Change]:
    if old is not None and new is None:
        message = "the result has no schema any more"
        yield Change("B170", "output-schema-removed", message, Verdict.BREAKING, side="output")
    elif old is None and new is not None:
        message = "the result has a schema"
        yield Change("B170", "output-schema-added", message, Verdict.COMPATIBLE, side="output")
    elif old is not None and new is not None:
        for each in compare(old, new):
            yield _judged(each, side="output")


def _judged(found: Difference, *, side: str) -> Change:
    breaks = Effect.NARROWED if side == "input" else Effect.WIDENED
    verdict = Verdict.COMPATIBLE
    if found.effect in (breaks, Effect.REPLACED):
        verdict = Verdict.BREAKING
    elif found.effect is Effect.UNKNOWN:
        verdict = Verdict.REVIEW
    message = found.message if side == "input" else f"result: {found.message}"
    return Change(found.code, found.name, message, verdict, found.pointer, side)


def _hints(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for hint, (default, safe) in HINTS.items():
        before, after = old.get(hint, default), new.get(hint, default)
        if before == after or (hint == "destructiveHint" and new.get("readOnlyHint") is True):
            continue
        message = f"{hint} {_said(before)} → {_said(after)}"
        if before == safe:
            yield Change("B190", "hint-reversed", message, Verdict.BREAKING)
        else:
            yield Change("B191", "hint-safer", message, Verdict.COMPATIBLE)
    for key in sorted((old.keys() | new.keys()) - HINTS.keys()):
        if old.get(key) != new.get(key):
            message = f"annotation '{key}' changed"
            yield Change("B182", "annotation-changed", message, Verdict.COMPATIBLE)


def _said(value: Any) -> str:
    return str(value).lower()
