"""`toolkit lint`: what a model will misread and what a provider will refuse."""

from __future__ import annotations

import typer

from .. import frame, options
from ..reach import reaching

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("lint")(reaching(lint))


def lint(
    targets: options.Targets = None,
    *,
    pattern: options.Pattern = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    for_: options.For = None,
    name_prefix: options.NamePrefix = "",
    fail_on: options.FailOn = None,
    baseline: options.Baseline = None,
    write_baseline: options.WriteBaseline = None,
    fix: options.Fix = False,
    diff: options.Diff = False,
    output_format: options.OutputFormat = None,
    json_: options.Json = False,
) -> int:
    """Find what a model will misread and what a provider will refuse.

    \b
    toolkit lint
    toolkit lint mytools.py --for openai-strict,anthropic
    toolkit lint tools.json --output-format sarif
    toolkit explain S002
    """
    from ..linting import perform

    given = {
        "select": select,
        "ignore": ignore,
        "for": for_,
        "name-prefix": name_prefix or None,
        "fail-on": fail_on,
        "baseline": baseline,
    }
    output = {
        "form": "json" if json_ else output_format,
        "write_baseline": write_baseline,
        "fix": fix,
        "diff": diff,
    }
    frame.guard_streams()
    return frame.run(lambda: perform(targets or [], given, pattern=pattern, output=output))
