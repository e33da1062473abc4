"""`toolkit replay`: the tool uses of recorded conversations, run again."""

from __future__ import annotations

import typer

from .. import frame, options
from ..reach import calling

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(calling(replay))


def replay(
    ctx: typer.Context,
    files: options.Recordings = None,
    *,
    target: options.Target = None,
    pattern: options.Pattern = None,
    check: options.Check = False,
    compare: options.Compare = False,
    turn: options.Turn = None,
    ids: options.Ids = None,
    name_prefix: options.RecordedPrefix = None,
    format_: options.AnswerFormat = None,
    timeout: options.Timeout = None,
    executor: options.Strategy = "concurrent",
    destructive: options.Destructive = False,
    hooks: options.Hooks = None,
    respond: options.Respond = None,
    save_pending: options.SavePending = None,
    resume: options.Resume = None,
    structured: options.AnswersTo = None,
    trace: options.Trace = False,
    json_: options.Json = False,
    jsonl: options.Jsonl = False,
) -> int:
    """Run the tool uses of recorded messages, each as a model's own.

    FILE holds a message, a list, a request, an answer or JSON Lines of any provider.

    \b
    toolkit replay conversation.json -t mytools.py
    toolkit replay log.jsonl --check
    toolkit replay log.jsonl --compare --turn 3
    toolkit replay --structured models.py:Report answer.json
    """
    frame.guard_streams(keep_stdin="-" in (files or ()))
    if structured is not None:
        from ..structured import check_files

        return frame.run(lambda: check_files(structured, files or (), as_json=json_))
    from ..replaying import ReplayOptions, perform

    del target, pattern, check, compare, turn, ids, name_prefix, format_, timeout, executor
    del destructive, hooks, respond, save_pending, resume, trace, jsonl
    given = {name.rstrip("_"): value for name, value in ctx.params.items()}
    known = ReplayOptions.__dataclass_fields__  # --config and its kin are read elsewhere
    return perform(ReplayOptions(**{name: given[name] for name in known}))
