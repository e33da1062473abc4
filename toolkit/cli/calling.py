"""One call from the command line: options, input, the run, and how it is told."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..arguments import Given, parse, parse_json, read_file
from ..config import find
from ..errors import DefinitionError, ToolTimeoutError, UsageError
from ..events import TAKEN, Taken
from ..executor import concurrent
from ..flags import flags_of, help_text
from ..schema.faults import closest, short
from ..types import Batch, ToolContext, ToolProgress, ToolUse
from . import frame
from .answering import Answers, load, save, say_pending, settled
from .children import children, end_children
from .console import say, write, write_line
from .pipeline import executor_for, hooks_of
from .reach import asker
from .render.progress import Bar, progress_sink
from .render.results import write_questions, write_result
from .session import opened_targets, report, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..config import Config
    from ..executor import ToolExecutor
    from ..targets import Opened
    from ..types import Event, Tool, ToolResult, ToolSpec

__all__ = ["CallOptions", "perform"]

MARGIN = 0.4  # seconds that the pipeline has to keep its own deadline before the frame's comes


class CallOptions:
    """The options before TOOL, and those found behind it once its flags are known."""

    def __init__(
        self,
        params: dict[str, Any],
        tail: list[str],
        again: Callable[[list[str]], dict[str, Any]],
    ) -> None:
        self.params = params
        self.tail = tail
        self.own_flags: dict[str, bool] = {}
        self.deadline: float | None = None
        self._again = again
        # a debugger and a stdin have to be known before the tool's flags are
        early = _early(tail)
        self.pdb = bool(params["pdb"]) or "--pdb" in tail
        self.reads_stdin = params["input_"] == "-" or early.get("--input") == "-"
        self.early_resume = early.get("--resume")

    def __getattr__(self, name: str) -> Any:
        try:
            return self.params[name]
        except KeyError:
            raise AttributeError(name) from None

    def take(self, given: Given) -> None:
        """Merge the options that stood behind TOOL; what is repeatable adds up."""
        for name, value in self._again(given.options).items():
            before = self.params[name]
            adds_up = isinstance(value, list) and isinstance(before, list)
            self.params[name] = before + value if adds_up else value

    @property
    def limit(self) -> float | None:
        """The deadline of the frame in seconds, behind the pipeline's own; None for none."""
        if self.deadline is None:
            return None
        turns = -(-(self.repeat or 1) // self.concurrency)
        return float(turns * (self.deadline + MARGIN))

    def timed_out(self, error: ToolTimeoutError) -> int:
        """Tell of a tool that blocked even the loop."""
        from ..results import error_result

        use = ToolUse("call-1", self.params["tool"] or "", {})
        seconds = error.seconds if self.deadline is None else self.deadline
        unit = "second" if seconds == 1 else "seconds"
        message = f"'{use.name}' timed out: no result within {seconds:g} {unit}"
        timeout = ToolTimeoutError(message, seconds=seconds)
        result = error_result(use, timeout, context=ToolContext(use))
        write_result(use, result, options=self)
        return 1


def _early(tail: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, word in enumerate(tail):
        name, equals, value = word.partition("=")
        if name in ("--input", "--resume"):
            found[name] = value if equals else "".join(tail[number + 1 : number + 2])
    return found


def perform(options: CallOptions) -> int:
    """Run the call in its frame, and give the exit code."""
    if options.pdb:
        return frame.run_on_main_thread(lambda: _call(options))
    return frame.run(lambda: _call(options))


async def _call(options: CallOptions) -> int:
    config = find()
    async with opened_targets(options.target, config=config) as opened:
        saved = None if options.resume is None else _saved(options.resume, options)
        tool = _wanted(saved.uses[0].name if saved else options.params["tool"], opened)
        spec = opened.registry.spec_of(tool)
        if spec is None:
            raise _invalid(tool, opened)
        if saved is None and options.early_resume and not _has_flag(spec, "--resume"):
            saved = _saved(options.early_resume, options)
        needed = spec if saved is None else replace(spec, input_schema={})
        whole = options.input_ is not None  # in front of TOOL
        given = parse(needed, options.tail, options=options.own_flags, elsewhere=whole)
        if given.wants_help:
            write(help_text(spec), raw=True)
            return 0
        for name in given.shadowed:
            say(f"{name} is the tool's own flag here; the toolkit's stands before TOOL")
        options.take(given)
        executor = _executor(options, opened, config)
        batch = saved or _new(ToolUse("call-1", spec.name, _input(options, given)))
        options.deadline = _deadline(options, tool)
        if options.limit is not None:
            frame.expect_end(options.limit)
        if options.repeat is not None and saved is None:
            from .repeating import repeat

            return await repeat(executor, batch.uses[0], tool=tool, options=options)
        return await _once(executor, batch, options)


def _new(use: ToolUse) -> Batch:
    return Batch((None,), uses=(use,))


def _has_flag(spec: ToolSpec, name: str) -> bool:
    return any(name in flag.names for flag in flags_of(spec.input_schema))


def _saved(path: str, options: CallOptions) -> Batch:
    """The one call of a file that `--save-pending` wrote."""
    batches, _ = load(path)
    if len(batches) != 1 or len(batches[0].uses) != 1:
        message = f"'{path}' holds more than one call"
        raise UsageError(message, hint=f"toolkit replay --resume {path}")
    name, wanted = batches[0].uses[0].name, options.params["tool"]
    if wanted is not None and wanted.replace("-", "_") != name.replace("-", "_"):
        raise UsageError(f"'{path}' holds a call of '{name}', not of '{wanted}'")
    return batches[0]


async def _once(executor: ToolExecutor, batch: Batch, options: CallOptions) -> int:
    steps: list[tuple[str, float]] | None = [] if options.trace else None
    state = _object(options.state, "--state") if options.state else dict(batch.state)
    given = Answers(options.respond).to(batch.uses)
    use = batch.uses[0]
    with Bar(use.name) as bar:
        bar.draws = bar.draws and not options.pdb  # a debugger has the terminal to itself
        sink = _jsonl_sink if options.jsonl else progress_sink(bar)
        if batch.results[0] is None:
            batch = await executor.resume(batch, given, sink=sink, state=state, steps=steps)
        if options.save_pending is None:
            batch = await settled(executor, batch, sink=sink, limit=options.limit)
        result = batch.results[0]
        bar.keep = result is None or result.status == "error"
    if result is None:
        return _waits(batch, options)
    if steps is not None:
        from .render.trace import write_trace

        write_trace(use, result, steps=steps)
    write_result(use, result, options=options)
    _tell_of_children(result)
    if result.exception is not None and options.pdb:
        _debug(result)
    answering = asker()
    if answering is not None and answering.unanswered:
        return 1
    return 0 if result.status == "success" else 1


def _tell_of_children(result: ToolResult) -> None:
    """End what a timed-out tool still runs; what another tool left running is only said."""
    if isinstance(result.exception, ToolTimeoutError):
        end_children(all_=False)
        return
    left = children()
    if left:
        say(f"the tool left processes running: {', '.join(map(str, left))}", kind="warning")


def _waits(batch: Batch, options: CallOptions) -> int:
    """Print what is asked, or save it; the call is not done."""
    if options.save_pending is not None:
        save(options.save_pending, [batch], about={"command": "call"})
    elif options.json_ or options.jsonl:
        write_questions(batch.pending[0], as_line=options.jsonl)
    say_pending(batch.pending, saved=options.save_pending)
    return 1


def _deadline(options: CallOptions, tool: Tool) -> float | None:
    """The seconds of the shorter of --timeout and the tool's own; a debugger has none."""
    own = getattr(tool, "timeout", None)
    given = [each for each in (options.timeout, own) if each is not None]
    return min(given) if given and not options.pdb else None


def _wanted(name: str, opened: Opened) -> Tool:
    """The tool of that name; failures of other targets are only said."""
    tool = opened.registry.find(name)
    if tool is not None:
        for failure in opened.failures:
            say(failure.message, kind="warning")
        for problem in opened.unloaded:
            say(problem.message, kind="warning")
        return tool
    if opened.failures or opened.unloaded or opened.unwell:
        report(opened)
    names = opened.registry.names
    meant = closest(name, names, most=1)
    advice = f"did you mean '{meant[0]}'?" if meant else f"known tools: {', '.join(names[:12])}"
    error = UsageError(f"there is no tool '{name}'", hint=advice)
    if opened.failures:
        raise opened.failures[0]
    raise error


def _invalid(tool: Tool, opened: Opened) -> DefinitionError:
    name = getattr(tool, "name", None) or tool.spec.name
    problem = next((p for p in reversed(opened.registry.problems) if p.tool == name), None)
    message = told(problem) if problem else f"'{name}' has no valid spec"
    return DefinitionError(message, hint=problem.hint if problem else None)


def _input(options: CallOptions, given: Given) -> dict[str, Any]:
    if options.input_ is None:
        return given.input
    if given.input:
        message = "--input is the whole input: it stands alone, without flags of the tool"
        raise UsageError(message)
    return _object(options.input_, "--input")


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise UsageError("can't read stdin: it is not UTF-8") from error


def _object(text: str, name: str) -> dict[str, Any]:
    """A JSON object given as it is, in a file (`@file`), or on stdin (`-`)."""
    if text == "-":
        text = _stdin()
    elif text.startswith("@"):
        text = read_file(text[1:])
    value = parse_json(text, name)
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be a JSON object, not {short(value)}")
    return value


def _executor(options: CallOptions, opened: Opened, config: Config) -> ToolExecutor:
    executor = executor_for(
        opened,
        hooks=hooks_of(config, options.hooks),
        strategy=concurrent(max_concurrency=options.concurrency),
        timeout=None if options.pdb else options.timeout,
    )
    if options.pdb:
        from ..threads import Inline

        executor.workers = Inline()
    return executor


def _debug(result: ToolResult) -> None:
    import pdb  # noqa: T100 - the debugger is what --pdb asks for

    error = result.exception
    if error is not None and error.__traceback__ is not None:
        say(f"{type(error).__name__}: {error}", kind="error")
        pdb.post_mortem(error.__traceback__)


def _jsonl_sink(event: Event) -> Taken:
    if isinstance(event, ToolProgress):
        line = {"event": "progress", "toolUseId": event.use.tool_use_id, "value": event.value}
        write_line(line)
    return TAKEN
