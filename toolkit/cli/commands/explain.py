"""`toolkit explain`: why a rule is one, with a bad and a good example."""

from __future__ import annotations

import typer

from .. import options

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)


def explain(
    codes: options.Codes = None, *, all_: options.All = False, json_: options.Json = False
) -> int:
    """Explain a rule of lint: what it finds, why that is bad, an example of each.

    \b
    toolkit explain S002
    toolkit explain root-not-object
    toolkit explain --all --json
    """
    from ...errors import UsageError
    from ...lint.rules import every
    from ...lint.settings import codes_of
    from ..console import write_json
    from ..render.rules import write_list, write_rule

    rules = every()
    if not codes and not all_:
        raise UsageError("which rule?", hint="toolkit explain S002, or --all for the list")
    chosen = rules if all_ else {code: rules[code] for code in sorted(codes_of(codes or []))}
    if json_:
        found = [each.to_json() for each in chosen.values()]
        write_json(found[0] if len(found) == 1 and not all_ else found)
    elif all_ or len(chosen) > 1:
        write_list(list(chosen.values()))
    else:
        write_rule(next(iter(chosen.values())))
    return 0
