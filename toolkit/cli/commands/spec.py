"""`toolkit spec`: what a model sees, in the shape that an API wants."""

from __future__ import annotations

from typing import Any

import typer

from ...findings import Finding
from .. import frame
from ..options import Format, Json, Pattern, Targets

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("spec")(spec)


def spec(
    targets: Targets = None,
    *,
    pattern: Pattern = None,
    format_: Format = "toolspec",
    json_: Json = False,
) -> int:
    """Print the specs of tools as a JSON array, in definition order.

    \b
    toolkit spec mytools.py
    toolkit spec json:dumps --format openai
    """
    del json_  # the output is JSON either way
    frame.guard_streams()
    return frame.run(lambda: _spec(targets, pattern, format_))


async def _spec(targets: list[str] | None, pattern: str | None, format_: str) -> int:
    from ...formats import by_name
    from ..console import say, write_json
    from ..session import opened_targets, report, verdict

    shape = by_name(format_)
    async with opened_targets(targets, pattern=pattern) as opened:
        written: list[Any] = []
        lost: list[Finding] = []
        for one in opened.registry.specs():
            converted = shape.write_spec(one)
            lost += converted.findings
            written.append(converted.value)
        report(opened)
        for finding in lost:
            where = f"'{finding.tool}' {finding.place.pointer or ''}".strip()
            say(f"{where}: {finding.message}", kind="warning")
        write_json(written)
        return verdict(opened)
