"""Hints: those that contradict each other, the name, or what the description says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...findings import Severity
from ..deeds import destroys, only_reads, verb_of, writes
from ..rule import Fault, rule
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Using
    from ..subject import Subject

__all__: list[str] = []

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@rule(
    "A001 hint-contradiction",
    Severity.ERROR,
    bad=declared(annotations={"readOnlyHint": True, "destructiveHint": True}),
    good=declared(annotations={"readOnlyHint": True, "destructiveHint": False}),
    evidence="MCP 2026-07-28: destructiveHint means something only where readOnlyHint is false",
)
def hint_contradiction(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool says that it reads only, and that it destroys; or a hint is no boolean.

    A host that asks before destructive calls believes one of the two, and it may be the wrong one.
    """
    del using
    for name in _HINTS:
        value = tool.hints.get(name)
        if value is not None and not isinstance(value, bool):
            message = f"{name} must be true or false, not {value!r}"
            yield Fault(message, ("annotations", name))
    if tool.hints.get("readOnlyHint") is True and tool.hints.get("destructiveHint") is True:
        message = "a tool that reads only can't be destructive"
        yield Fault(message, ("annotations", "destructiveHint"), hint="decide for one of them")


@rule(
    "A002 hint-vs-name",
    Severity.WARNING,
    bad=declared(
        name="delete_forecast",
        description="Delete the forecast that is stored for a city.",
        annotations={"readOnlyHint": True},
    ),
    good=declared(
        name="delete_forecast",
        description="Delete the forecast that is stored for a city.",
        annotations={"readOnlyHint": False, "destructiveHint": True},
    ),
    evidence="MCP 2026-07-28: hosts decide by these hints whether to ask",
)
def hint_vs_name(tool: Subject, using: Using) -> Iterator[Fault]:
    """A hint says the opposite of what the name or the description does.

    A host lets a tool that “only reads” delete without asking. What only works on its own
    argument, or shows what would be done, reads.
    """
    del using
    reads, destructive = tool.hints.get("readOnlyHint"), tool.hints.get("destructiveHint")
    verb = verb_of(tool.words)
    if reads is True and (by := writes(tool.words, tool.text)):
        what = f"the name says '{verb}'" if by == "name" else "the description says otherwise"
        yield Fault(f"readOnlyHint is true, and {what}", ("annotations", "readOnlyHint"))
    elif destructive is False and reads is not True and (by := destroys(tool.words, tool.text)):
        what = f"the name says '{verb}'" if by == "name" else "the description says otherwise"
        yield Fault(f"destructiveHint is false, and {what}", ("annotations", "destructiveHint"))
    elif destructive is True and reads is not True and only_reads(tool.words, tool.text):
        message = f"destructiveHint is true, and the name says '{verb}'"
        yield Fault(message, ("annotations", "destructiveHint"))
