"""`toolkit call`: fake a tool use and run it through the real pipeline."""

from __future__ import annotations

from typing import Any

import typer

from ...errors import ToolTimeoutError, UsageError
from .. import frame, options
from ..line import options_of
from ..reach import FLAGS, calling

__all__ = ["register"]

# They decide the tool's flags, or how it is found.
BEFORE_ONLY = ("-t", "--target", "-k", *FLAGS)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("call", options_metavar="[OPTIONS]")(calling(call))


def call(
    ctx: typer.Context,
    *,
    tool: options.Tool = None,
    target: options.Target = None,
    input_: options.Input = None,
    timeout: options.Timeout = None,
    state: options.State = None,
    save: options.Save = None,
    format_: options.ResultFormat = None,
    hooks: options.Hooks = None,
    respond: options.Respond = None,
    save_pending: options.SavePending = None,
    resume: options.Resume = None,
    repeat: options.Repeat = None,
    concurrency: options.Concurrency = 1,
    destructive: options.Destructive = False,
    trace: options.Trace = False,
    pdb: options.Pdb = False,
    json_: options.Json = False,
    jsonl: options.Jsonl = False,
) -> int:
    """Call a tool as a model would, with its parameters as flags.

    \b
    toolkit call weather --city Tokyo
    toolkit call weather --help
    toolkit call -t mytools.py search query=cats limit:=5 --json
    """
    from ..calling import CallOptions, perform

    del target, input_, timeout, state, save, format_, repeat, concurrency
    del hooks, respond, save_pending
    del destructive, trace, pdb, json_, jsonl  # read from the context, merged with the tail's
    if tool is None and resume is None:
        raise UsageError("missing argument 'TOOL [--PARAM VALUE]...'", hint="toolkit call --help")
    chosen = CallOptions(dict(ctx.params), ctx.obj.tail, lambda words: _again(ctx, words))
    chosen.own_flags = _flags(ctx)
    for flag in BEFORE_ONLY:
        chosen.own_flags.pop(flag, None)
    if not chosen.pdb:
        frame.guard_streams(keep_stdin=chosen.reads_stdin)
    try:
        return perform(chosen)
    except ToolTimeoutError as error:
        return chosen.timed_out(error)


def _flags(ctx: Any) -> dict[str, bool]:
    return {**options_of(ctx.command), "--debug": False}


def _again(ctx: Any, words: list[str]) -> dict[str, Any]:
    """The options that stand behind TOOL, parsed by the same declarations."""
    tool = ctx.params["tool"]
    words = [word for word in words if word != "--debug"]
    named = [] if tool is None else [tool]
    again = ctx.command.make_context("call", [*words, *named], parent=ctx.parent)
    given = {
        name: value
        for name, value in again.params.items()
        if again.get_parameter_source(name).name == "COMMANDLINE" and name != "tool"
    }
    if given.get("target"):
        raise UsageError("-t stands before TOOL: it decides the tool's flags")
    return given
