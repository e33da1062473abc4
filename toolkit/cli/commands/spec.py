"""`toolkit spec`: what a model sees, in the shape that an API wants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from .. import frame
from ..options import Exact, Format, Json, NamePrefix, Pattern, Strict, Structured, Targets, Tokens
from ..reach import reaching

if TYPE_CHECKING:
    from ...findings import Finding
    from ...formats import Format as Shape
    from ...types import ToolSpec

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("spec")(reaching(spec))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to print, and of which tools."""

    targets: list[str] | None
    pattern: str | None
    form: str
    strict: bool
    prefix: str
    tokens: bool
    exact: bool
    structured: bool
    as_json: bool


def spec(
    targets: Targets = None,
    *,
    pattern: Pattern = None,
    format_: Format = "toolspec",
    strict: Strict = False,
    name_prefix: NamePrefix = "",
    tokens: Tokens = False,
    exact: Exact = False,
    structured: Structured = False,
    json_: Json = False,
) -> int:
    """Print the specs of tools as a JSON array, in definition order.

    What the shape can't hold, or the API would refuse, is said on stderr; with --json as a line of
    JSON each. A tool that the API would refuse is left out.

    \b
    toolkit spec mytools.py
    toolkit spec json:dumps --format openai --strict
    toolkit spec tools/ --format anthropic --tokens
    toolkit spec models.py:Report --structured
    """
    frame.guard_streams()
    exact_tokens = tokens or exact
    wanted = Wanted(
        targets,
        pattern,
        format_,
        strict,
        name_prefix,
        exact_tokens,
        exact,
        structured,
        as_json=json_,
    )
    return frame.run(lambda: _spec(wanted))


async def _spec(wanted: Wanted) -> int:
    from ...errors import UsageError
    from ...formats import FORMATS, by_name
    from ..session import opened_targets, report, verdict

    shape = by_name(wanted.form)
    if wanted.strict and not shape.strict:
        known = ", ".join(name for name, one in FORMATS.items() if one.strict)
        raise UsageError(f"'{shape.name}' has no strict mode", hint=f"these have: {known}")
    if wanted.structured:
        from ..structured import tools_of

        specs = [tool.spec for tool in tools_of(wanted.targets, pattern=wanted.pattern)]
        return int(_print(_prefixed(specs, wanted), shape, wanted))
    async with opened_targets(wanted.targets, pattern=wanted.pattern) as opened:
        specs = opened.registry.specs()
        report(opened)
        refused = _print(_prefixed(specs, wanted), shape, wanted)
        return max(verdict(opened), int(refused))


def _prefixed(specs: list[ToolSpec], wanted: Wanted) -> list[ToolSpec]:
    return [replace(one, name=wanted.prefix + one.name) for one in specs]


def _print(specs: list[ToolSpec], shape: Shape, wanted: Wanted) -> bool:
    """Print what is taken, say what was lost; whether anything would be refused."""
    from ...formats.tokens import cost
    from ..console import write_json
    from ..render.costs import counter_of, write_costs
    from ..render.findings import say_findings

    written: list[tuple[ToolSpec, Any]] = []
    found: list[Finding] = []
    for one in specs:
        converted = shape.write_spec(one, strict=wanted.strict)
        found += converted.findings
        if not converted.refused:
            written.append((one, converted.value))
    request = shape.check_request([wire for _, wire in written], strict=wanted.strict)
    say_findings([*found, *request], as_json=wanted.as_json)
    if wanted.tokens:
        counter = counter_of(exact=wanted.exact)
        costs = [
            (one.name, cost(one, shape, strict=wanted.strict, counter=counter))
            for one, _ in written
        ]
        write_costs(costs, counter, form=shape.name, as_json=wanted.as_json)
    else:
        write_json([wire for _, wire in written])
    return any(one.severity == "error" for one in [*found, *request])
