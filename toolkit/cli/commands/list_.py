"""`toolkit list`: the tools at a glance."""

from __future__ import annotations

import typer

from .. import frame
from ..options import Json, Pattern, Targets

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_)


def list_(targets: Targets = None, *, pattern: Pattern = None, json_: Json = False) -> int:
    """List tools: name, parameters, first line, place.

    \b
    toolkit list
    toolkit list tools/ -k 'get_*' --json
    """
    frame.guard_streams()
    return frame.run(lambda: _list(targets, pattern, as_json=json_))


async def _list(targets: list[str] | None, pattern: str | None, *, as_json: bool) -> int:
    from ..console import write_json
    from ..render.listing import rows, write_table
    from ..session import opened_targets, report, verdict

    async with opened_targets(targets, pattern=pattern) as opened:
        found = rows(opened.registry)
        report(opened)
        if as_json:
            write_json([row.to_json() for row in found])
        else:
            write_table(found)
        return verdict(opened)
