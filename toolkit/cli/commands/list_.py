"""`toolkit list`: the tools at a glance."""

from __future__ import annotations

import typer

from .. import frame
from ..options import Json, Pattern, Targets, Tokens
from ..reach import reaching

__all__ = ["register"]

PRICED_AS = "openai"  # the shape whose declarations are counted: most hosts speak it


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(reaching(list_))


def list_(
    targets: Targets = None,
    *,
    pattern: Pattern = None,
    tokens: Tokens = False,
    json_: Json = False,
) -> int:
    """List tools: name, parameters, first line, place.

    \b
    toolkit list
    toolkit list tools/ -k 'get_*' --json
    """
    frame.guard_streams()
    return frame.run(lambda: _list(targets, pattern, tokens=tokens, as_json=json_))


async def _list(
    targets: list[str] | None, pattern: str | None, *, tokens: bool, as_json: bool
) -> int:
    from ...formats import by_name
    from ..console import write_json
    from ..render.listing import rows, write_table
    from ..session import opened_targets, report, verdict

    price = None
    if tokens:
        from ...formats.tokens import cost

        shape = by_name(PRICED_AS)
        price = lambda spec: cost(spec, shape)  # noqa: E731 - one expression
    async with opened_targets(targets, pattern=pattern) as opened:
        found = rows(opened.registry, price=price)
        report(opened)
        if as_json:
            write_json([row.to_json() for row in found])
        else:
            write_table(found)
        return verdict(opened)
