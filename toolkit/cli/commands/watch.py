"""`toolkit watch`: every tool of a folder kept current, and what each save changes for a model."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from ...errors import UsageError
from .. import frame
from ..options import Again, Destructive, Jsonl, Lint, Pattern, Poll, Targets, Timeout

if TYPE_CHECKING:
    from ...config import Config
    from ...lint.settings import Settings

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch")(watch)


def watch(
    targets: Targets = None,
    *,
    pattern: Pattern = None,
    call: Again = None,
    timeout: Timeout = None,
    destructive: Destructive = False,
    poll: Poll = False,
    lint: Lint = False,
    jsonl: Jsonl = False,
) -> int:
    """Keep tools current while you edit them, and say what each save changes for a model.

    \b
    toolkit watch
    toolkit watch tools/ --call 'weather --city Tokyo'
    toolkit watch mytools.py --lint --jsonl
    """
    from ...config import find
    from ...watching import planned, watch
    from ..console import say
    from ..render.watching import Blocks, Lines

    frame.guard_streams()
    config = find()
    plan = replace(
        planned(targets or [], config),
        pattern=pattern,
        calls=tuple(_readable(line) for line in call or ()),
        timeout=timeout,
        destructive=destructive,
        poll=poll,
        lint=_settings(config) if lint else None,
    )
    shown = Lines() if jsonl else Blocks()
    try:
        frame.run(lambda: watch(plan, shown.sink))
    except frame.Terminated as end:
        say(str(shown.counts))
        return end.exit_code
    return 0


def _settings(config: Config) -> Settings:
    from ...lint.settings import from_table

    return from_table(config.tables.get("lint", {}), path=str(config.path))


def _readable(line: str) -> str:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--call {line!r} can't be read: {error}") from None
    if not words:
        raise UsageError("--call names no tool", hint="--call 'weather --city Tokyo'")
    return line
