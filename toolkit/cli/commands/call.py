"""`toolkit call`: fake a tool use and run it through the real pipeline."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...errors import ToolTimeoutError, UsageError
from .. import frame
from ..options import Json

__all__ = ["register"]

BEFORE_ONLY = ("-t", "--target", "-k")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("call", options_metavar="[OPTIONS]")(call)


def call(
    ctx: typer.Context,
    tool: Annotated[
        str, typer.Argument(metavar="TOOL [--PARAM VALUE]...", help="The tool, then its flags.")
    ],
    target: Annotated[
        list[str] | None,
        typer.Option("-t", "--target", metavar="TARGET", help="Where the tool is (repeatable)."),
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help="The whole input: JSON, @file, or - (stdin)."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="SECONDS", min=0, help="An error result after this."),
    ] = None,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="JSON", help="What the context holds: JSON or @file."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="DIR", help="Write images and documents there."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help="The result as that API's model gets it."),
    ] = None,
    repeat: Annotated[
        int | None,
        typer.Option("--repeat", metavar="N", min=1, help="Call N times; a table of latencies."),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="M", min=1, help="Calls at one time.")
    ] = 1,
    *,
    destructive: Annotated[
        bool, typer.Option("--destructive", help="Allow repeating a destructive tool.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show the steps of the pipeline with their times.")
    ] = False,
    pdb: Annotated[
        bool, typer.Option("--pdb", help="On the main thread, no deadline; a debugger on errors.")
    ] = False,
    json_: Json = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="A JSON line for each event, the result last.")
    ] = False,
) -> int:
    """Call a tool as a model would, with its parameters as flags.

    toolkit call weather --city Tokyo

    toolkit call weather --help

    toolkit call -t mytools.py search query=cats limit:=5 --json
    """
    from ..calling import CallOptions, perform

    del tool, target, input_, timeout, state, save, format_, repeat, concurrency
    del destructive, trace, pdb, json_, jsonl  # read from the context, merged with the tail's
    options = CallOptions(dict(ctx.params), ctx.obj.tail, lambda words: _again(ctx, words))
    options.own_flags = _flags(ctx)
    for flag in BEFORE_ONLY:
        options.own_flags.pop(flag, None)
    if not options.pdb:
        frame.guard_streams(keep_stdin=options.reads_stdin)
    try:
        return perform(options)
    except ToolTimeoutError as error:
        return options.timed_out(error)


def _flags(ctx: Any) -> dict[str, bool]:
    from ..app import options_of

    return {**options_of(ctx.command), "--debug": False}


def _again(ctx: Any, words: list[str]) -> dict[str, Any]:
    """The options that stand behind TOOL, parsed by the same declarations."""
    tool = ctx.params["tool"]
    words = [word for word in words if word != "--debug"]
    again = ctx.command.make_context("call", [*words, tool], parent=ctx.parent)
    given = {
        name: value
        for name, value in again.params.items()
        if again.get_parameter_source(name).name == "COMMANDLINE" and name != "tool"
    }
    if given.get("target"):
        raise UsageError("-t stands before TOOL: it decides the tool's flags")
    return given
