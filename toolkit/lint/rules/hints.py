"""Hints: those that contradict each other, or the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...findings import Severity
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


_WRITES = frozenset(
    [
        "append",
        "clear",
        "create",
        "delete",
        "destroy",
        "drop",
        "edit",
        "erase",
        "insert",
        "install",
        "kill",
        "modify",
        "move",
        "overwrite",
        "patch",
        "purge",
        "remove",
        "rename",
        "replace",
        "save",
        "send",
        "set",
        "terminate",
        "truncate",
        "uninstall",
        "update",
        "upload",
        "upsert",
        "wipe",
        "write",
    ]
)
# Words that are a noun as often, as in book_details: the description has to begin with one, too.
_WRITES_OR_NAMES = frozenset(
    [
        "add",
        "approve",
        "archive",
        "assign",
        "ban",
        "block",
        "book",
        "buy",
        "cancel",
        "charge",
        "commit",
        "deploy",
        "deposit",
        "disable",
        "email",
        "enable",
        "grant",
        "invite",
        "lock",
        "mail",
        "merge",
        "migrate",
        "notify",
        "order",
        "pay",
        "post",
        "publish",
        "purchase",
        "push",
        "reboot",
        "refund",
        "register",
        "reply",
        "reschedule",
        "reserve",
        "reset",
        "restart",
        "restore",
        "revoke",
        "rollback",
        "rotate",
        "schedule",
        "share",
        "submit",
        "transfer",
        "unlock",
        "upgrade",
        "withdraw",
    ]
)
_BEGINS = re.compile(
    r"\s*(?P<verb>[A-Za-z]+?)(?:e?s)?\s+(?:an?|the|this|one|all|some|every|new|several|[a-z]+'s)\s"
)
_DESTROYS = frozenset(
    [
        "delete",
        "destroy",
        "drop",
        "erase",
        "kill",
        "purge",
        "remove",
        "truncate",
        "uninstall",
        "wipe",
    ]
)
_READS = frozenset(["describe", "find", "get", "list", "lookup", "read", "search", "show"])
_SAYS_DESTROYS = re.compile(
    r"\b(?:permanently|irreversibly)\s+(?:delet|remov|eras|destroy|wip|drop|purg)|"
    r"^\s*(?:delete|remove|erase|destroy|drop|purge|wipe)s?\b",
    re.IGNORECASE,
)
_SAYS_NOT = re.compile(r"\b(?:never|not|n't|without|no longer|dry[- ]run|preview)\b", re.IGNORECASE)


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

    A host lets a tool that “only reads” delete without asking.
    """
    del using
    first = tool.words[0] if tool.words else ""
    reads, destroys = tool.hints.get("readOnlyHint"), tool.hints.get("destructiveHint")
    says = _SAYS_DESTROYS.search(tool.text) and not _SAYS_NOT.search(tool.text)
    writes = first in _WRITES or (first in _WRITES_OR_NAMES and _begins_with_writing(tool.text))
    if reads is True and (writes or says):
        what = f"the name says '{first}'" if writes else "the description says otherwise"
        yield Fault(f"readOnlyHint is true, and {what}", ("annotations", "readOnlyHint"))
    elif destroys is False and reads is not True and (first in _DESTROYS or says):
        what = (
            f"the name says '{first}'" if first in _DESTROYS else "the description says otherwise"
        )
        yield Fault(f"destructiveHint is false, and {what}", ("annotations", "destructiveHint"))
    elif destroys is True and reads is not True and _only_reads(tool) and not says:
        message = f"destructiveHint is true, and the name says '{first}'"
        yield Fault(message, ("annotations", "destructiveHint"))


def _begins_with_writing(text: str) -> bool:
    """Whether it says first what is done to something: “Cancels an order”, “Move the mail”."""
    found = _BEGINS.match(text)
    verb = found["verb"].lower() if found else ""
    either = _WRITES | _WRITES_OR_NAMES
    return verb in either or f"{verb}e" in either


def _only_reads(tool: Subject) -> bool:
    """Whether the name begins with a word for reading, and none in it is one for writing."""
    rest = set(tool.words) & (_WRITES | _WRITES_OR_NAMES)
    return tool.words[:1] != () and tool.words[0] in _READS and not rest
