"""`toolkit watch`: every tool of a folder kept current, and what each save changes for a model."""

from __future__ import annotations

import shlex
from dataclasses import replace

import typer

from ...errors import UsageError
from .. import frame
from ..options import Again, Destructive, Hooks, Jsonl, Pattern, Poll, Targets, Timeout
from ..reach import asked, reaching

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch")(reaching(watch))


def watch(
    targets: Targets = None,
    *,
    pattern: Pattern = None,
    call: Again = None,
    timeout: Timeout = None,
    hooks: Hooks = None,
    destructive: Destructive = False,
    poll: Poll = False,
    jsonl: Jsonl = False,
) -> int:
    """Keep tools current while you edit them, and say what each save changes for a model.

    \b
    toolkit watch
    toolkit watch tools/ --call 'weather --city Tokyo'
    toolkit watch mytools.py --jsonl
    toolkit watch mcp:docs tools/
    """
    from ...config import find
    from ...watching import planned, watch
    from ..console import say
    from ..pipeline import hooks_of
    from ..render.watching import Blocks, Lines

    frame.guard_streams()
    config = find()
    plan = replace(
        planned(asked().targets(targets or []), config),
        reach=replace(asked(), seconds=None),  # the timeout is a call's
        pattern=pattern,
        calls=tuple(_readable(line) for line in call or ()),
        timeout=timeout,
        hooks=tuple(hooks_of(config, hooks)) if call else (),
        destructive=destructive,
        poll=poll,
    )
    shown = Lines() if jsonl else Blocks()
    try:
        frame.run(lambda: watch(plan, shown.sink))
    except frame.Terminated as end:
        say(str(shown.counts))
        return end.exit_code
    return 0


def _readable(line: str) -> str:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--call {line!r} can't be read: {error}") from None
    if not words:
        raise UsageError("--call names no tool", hint="--call 'weather --city Tokyo'")
    return line
