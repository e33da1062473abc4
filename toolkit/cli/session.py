"""What the commands share: open the targets, and say what is wrong with them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..config import Config, find
from ..errors import MCPAuthError
from ..findings import Finding, Severity
from ..targets import Opened, open_targets
from .console import hint, say
from .reach import asked
from .render.errors import user_frames

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

__all__ = ["opened_targets", "report", "say_problem", "told", "verdict"]

STRAY = "M106"  # told in the end, when all of it has come


@asynccontextmanager
async def opened_targets(
    targets: Sequence[str] | None,
    *,
    pattern: str | None = None,
    config: Config | None = None,
) -> AsyncIterator[Opened]:
    """Open the targets of a command line under the configuration that holds here.

    What a server printed on its stdout is said in the end: much of it comes during calls.
    """
    words, holds = list(targets or ()), config or find()
    async with open_targets(words, holds, pattern=pattern, reach=asked()) as opened:
        yield opened
        for finding in await opened.reached.stray_output() if opened.reached else ():
            say_problem(finding)


def report(opened: Opened) -> None:
    """Say on stderr what could not be loaded and which tools are not well."""
    for failure in opened.failures:
        say(failure.message, kind="error")
        cause = vars(failure).get("cause")
        for shown in user_frames(cause) if cause is not None else ():
            say(shown)
        hint(failure.hint)
    for problem in opened.registry.problems:
        if problem.code != STRAY:
            say_problem(problem)


def say_problem(problem: Finding) -> None:
    """Say what is wrong, where, and what to do."""
    kind = {Severity.ERROR: "error", Severity.WARNING: "warning"}.get(problem.severity, "note")
    say(told(problem), kind=kind)
    if problem.code == "F001" and problem.cause is not None:
        cause = vars(problem.cause).get("cause")
        for shown in user_frames(cause) if cause is not None else ():
            say(shown)
    hint(problem.hint)


def told(problem: Finding) -> str:
    """What is wrong, with the tool and the place where the message itself names neither."""
    where, message = str(problem.place), problem.message
    if problem.tool and not any(f"{q}{problem.tool}{q}" in message for q in ("'", '"')):
        message = f"'{problem.tool}': {message}"
    return message if not where or where in message else f"{where}: {message}"


def verdict(opened: Opened) -> int:
    """3 where something could not be loaded, 4 where a server wants to know who asks, 1 or 0."""
    if any(not isinstance(each, MCPAuthError) for each in opened.failures) or opened.unloaded:
        return 3
    if opened.failures:
        return 4
    return 1 if opened.unwell else 0
