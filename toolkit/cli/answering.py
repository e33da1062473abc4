"""The questions of a batch: asked at the terminal, answered on the line, or saved for later."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoadError, UsageError
from ..formats.wire import dump
from ..pending import dump_batches, load_batches, lost_state
from ..threads import shared
from .console import hint, is_terminal, say
from .frame import expect_end, expect_no_end
from .reach import asker
from .statusline import STATUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..executor import ToolExecutor
    from ..types import Batch, Sink, ToolInterrupted, ToolUse

__all__ = ["Answers", "load", "save", "say_pending", "settled"]


class Answers:
    """What `--respond` gives: `NAME=VALUE` is text, `NAME:=JSON` any value.

    `ID/NAME=VALUE` answers the question of one tool use alone.
    """

    def __init__(self, words: Iterable[str] | None) -> None:
        self.given = dict(_answer(word) for word in words or ())

    def to(self, uses: Iterable[ToolUse]) -> dict[str, dict[str, Any]]:
        """The answers of each use, by its id."""
        return {use.tool_use_id: self._to(use) for use in uses} if self.given else {}

    def _to(self, use: ToolUse) -> dict[str, Any]:
        prefix = f"{use.tool_use_id}/"
        own = {
            name.removeprefix(prefix): value
            for name, value in self.given.items()
            if name.startswith(prefix)
        }
        return {**self.given, **own}


def _answer(word: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if not equals or not name.rstrip(":"):
        message = f"--respond takes NAME=VALUE, not '{word}'"
        raise UsageError(message, hint="--respond approve=yes, or --respond approve:=true for JSON")
    if not name.endswith(":"):
        return name, text
    try:
        return name[:-1], json.loads(text)
    except (ValueError, RecursionError):
        message = f"the value of --respond {name[:-1]} is no JSON: '{text}'"
        raise UsageError(message, hint=f"for text: --respond {name[:-1]}={text}") from None


async def settled(
    executor: ToolExecutor, batch: Batch, *, sink: Sink | None = None, limit: float | None = None
) -> Batch:
    """Ask a person at the terminal, where there is one, until nothing is open any more.

    `limit` is the frame's deadline in seconds: it stands still meanwhile, and begins again.
    """
    answering = asker()
    if answering is not None and not answering.asks:
        return batch
    while batch.pending and is_terminal(sys.stdin) and is_terminal(sys.stderr):
        expect_no_end()
        answers = await _asked(batch.pending)
        if answers is None:
            break
        if limit is not None:
            expect_end(limit)
        batch = await executor.resume(batch, answers, sink=sink)
    return batch


async def _asked(pending: Sequence[ToolInterrupted]) -> dict[str, dict[str, Any]] | None:
    """The answers that a person types; None where the input has ended."""
    answers: dict[str, dict[str, Any]] = {}
    for one in pending:
        for question in one.interrupts:
            say(f"'{one.use.name}' asks: {question.name}{_why(question.reason)}")
            with STATUS.away():
                sys.stderr.write("> ")
                sys.stderr.flush()
                line = await shared().run(sys.stdin.readline)
            if not line:
                return None
            answers.setdefault(one.use.tool_use_id, {})[question.name] = line.rstrip("\r\n")
    return answers


def _why(reason: Any) -> str:
    if reason is None:
        return ""
    return f" ({reason if isinstance(reason, str) else dump(reason)})"


def say_pending(pending: Sequence[ToolInterrupted], *, saved: str | None = None) -> None:
    """Tell what waits for an answer, and how it is given."""
    names: dict[str, None] = {}
    for one in pending:
        for question in one.interrupts:
            what = f"'{one.use.name}' ({one.use.tool_use_id}) waits for an answer"
            say(f"{what}: {question.name}{_why(question.reason)}")
            names[question.name] = None
    how = " ".join(f"--respond {shlex.quote(f'{name}=VALUE')}" for name in names)
    if saved is not None:
        say(f"saved to {saved}")
        hint(f"go on with --resume {shlex.quote(saved)} {how}")
    elif names:
        hint(f"answer with {how}, or keep it with --save-pending FILE")


def save(path: str, batches: Sequence[Batch], *, about: Mapping[str, Any]) -> None:
    """Write what waits for an answer to a file."""
    for key in lost_state(batches):
        say(f"the state '{key}' has no JSON form: it is not saved", kind="warning")
    try:
        Path(path).write_text(dump_batches(batches, about=about) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"can't write '{path}': {error.strerror}") from None


def load(path: str) -> tuple[list[Batch], dict[str, Any]]:
    """Read what `save` wrote; `LoadError` where the file is anything else."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LoadError(f"no such file: '{path}'", path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"can't read '{path}': {error}", path=path) from None
    return load_batches(text, path=path)
