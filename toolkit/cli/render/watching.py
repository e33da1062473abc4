"""A watch as a person or a program reads it: how it stands, then a block or line a save."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ...findings import Severity, shown_path
from ...formats.bedrock import result_json
from ...loading.collect import place_of
from ...registry import name_of
from ...watching import Called, Linted, Reloaded, Stood
from ..console import escaped, say, styled, write, write_line
from ..frame import data_stream
from .listing import signature
from .results import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...findings import Finding, Place, ToolChange
    from ...reload.watcher import ToolWatcher
    from ...watching import WatchEvent

__all__ = ["Blocks", "Lines"]


class Counts:
    """What a watch has seen, for the line that ends it."""

    def __init__(self) -> None:
        self.reloads = 0
        self.failed = 0
        self.started = time.monotonic()

    def take(self, event: WatchEvent) -> None:
        """Count an event."""
        if isinstance(event, Reloaded):
            self.reloads += 1
            self.failed += bool(event.report.failed)

    def __str__(self) -> str:
        """The line."""
        times = "once" if self.reloads == 1 else f"{self.reloads} times"
        failed = f", {self.failed} with failures" if self.failed else ""
        return f"reloaded {times}{failed} in {_span(time.monotonic() - self.started)}"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


class Blocks:
    """For a person: appended blocks, never a screen that is drawn again."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._missing: list[str] = []
        self._said_polling = False

    async def sink(self, event: WatchEvent) -> None:
        """Show an event."""
        self.counts.take(event)
        if isinstance(event, Stood):
            self._stood(event)
        elif isinstance(event, Reloaded):
            self._reloaded(event)
        elif isinstance(event, Linted):
            _linted(event)
        else:
            _called(event)

    def _stood(self, event: Stood) -> None:
        tools = event.registry.tools
        for tool in tools:
            spec, place = event.registry.spec_of(tool), place_of(tool)
            call = f"({signature(spec)})" if spec is not None else "has no valid spec"
            name = styled(escaped(name_of(tool)), style="bold", stream=data_stream())
            _line(f"  {name} {escaped(call)}", _where(place))
        for problem in event.problems:
            _problem(problem)
        count = "1 tool" if len(tools) == 1 else f"{len(tools)} tools"
        servers = event.kept.names if event.kept is not None else ()
        folders = ", ".join([*map(_shown, event.watcher.folders), *servers])
        where = f", watching {folders}" if folders else ""
        write(f"{count} in {event.milliseconds:.0f} ms{where} (Ctrl-C ends it)")
        for name in event.unknown:
            say(f"there is no tool '{name}' yet; waiting for it", kind="note")
        self._say_how(event.watcher)

    def _reloaded(self, event: Reloaded) -> None:
        report = event.report
        clock = time.strftime("%H:%M:%S")
        head = f"{clock} #{report.generation} {report.seconds * 1000:.0f} ms"
        nothing = "" if report else "  nothing changed for a model"
        write(f"\n{styled(head, style='dim', stream=data_stream())}{nothing}", raw=True)
        for server in report.restarted:
            write(f"  '{server}' is there again")
        for mark, changes in (("+", report.added), ("~", report.changed), ("-", report.removed)):
            for change in changes:
                _change(mark, change)
        for failure in report.failed:
            _problem(failure)
        stale = [state.name for state in event.tools if state.state == "stale"]
        if stale and report.failed:
            write(f"  the last good version stays: {', '.join(stale)}")
        self._say_how(event.watcher)

    def _say_how(self, watcher: ToolWatcher) -> None:
        missing = [_shown(path) for path in watcher.missing]
        for path in missing:
            if path not in self._missing:
                say(f"'{path}' is not there; waiting for it", kind="note")
        self._missing = missing
        if watcher.why_polling is not None and not self._said_polling:
            self._said_polling = True
            if watcher.why_polling != "asked for":
                say(f"polling instead of waiting for events: {watcher.why_polling}", kind="note")


def _change(mark: str, change: ToolChange) -> None:
    style = {"+": "ok", "~": "bold", "-": "dim"}[mark]
    name = styled(f"{mark} {escaped(change.name)}", style=style, stream=data_stream())
    _line(f"  {name}", _where(change.place))
    for line in change.diff:
        breaking = line.startswith("breaking: ")
        shown = escaped(line)
        shown = styled(shown, style="error", stream=data_stream()) if breaking else shown
        write(f"      {shown}", raw=True)


def _problem(problem: Finding) -> None:
    mark = styled("!", style="error", stream=data_stream())
    where = str(problem.place)
    message = problem.message if where in problem.message else f"{where}: {problem.message}"
    write(f"  {mark} {escaped(message)}", raw=True)
    if problem.hint:
        write(f"      {problem.hint}")


def _linted(event: Linted) -> None:
    """At the start a count, for the whole list is another command's; then each new finding."""
    if event.first:
        count = "1 finding" if len(event.findings) == 1 else f"{len(event.findings)} findings"
        write(f"{count} of lint: toolkit lint shows {'it' if count[:2] == '1 ' else 'them'}")
        return
    for each in event.findings:
        style = "error" if each.severity is Severity.ERROR else "warning"
        mark = styled(each.code, style=style, stream=data_stream())
        _line(f"  {mark} {escaped(each.message)}", _where(each.place))
        if each.hint:
            write(f"      {each.hint}")
    if event.mended:
        write(f"  lint: {event.mended} mended")


def _called(event: Called) -> None:
    style = "ok" if event.result.status == "success" else "error"
    head = styled(f"> {escaped(event.line)}", style=style, stream=data_stream())
    write(f"  {head}  {event.milliseconds:.0f} ms{_compared(event.difference)}", raw=True)
    if event.difference:
        for line in event.difference:
            write(f"      {line}")
        return
    if event.difference is None:
        for part in event.result.content:
            for line in text_of(part).splitlines():
                write(f"      {line}")


def _compared(difference: Sequence[str] | None) -> str:
    if difference is None:
        return ""
    return "  differs" if difference else "  same result"


def _line(left: str, right: str) -> None:
    dim = styled(escaped(right), style="dim", stream=data_stream())
    write(f"{left}  {dim}" if right else left, raw=True)


def _where(place: Place | None) -> str:
    if place is None or place.path is None:
        return (place.server or "") if place is not None else ""
    return f"{shown_path(place.path)}:{place.line}" if place.line else str(shown_path(place.path))


def _shown(path: Any) -> str:
    shown = str(shown_path(str(path)))
    return "./" if shown == "." else shown


class Lines:
    """For a program: a JSON line for each event, as the contract has it."""

    def __init__(self) -> None:
        self.counts = Counts()

    async def sink(self, event: WatchEvent) -> None:
        """Write an event."""
        self.counts.take(event)
        write_line(to_json(event))


def to_json(event: WatchEvent) -> dict[str, Any]:
    """The machine form of an event."""
    if isinstance(event, Called):
        return {
            "event": "call",
            "generation": event.generation,
            "ms": round(event.milliseconds, 3),
            "call": event.line,
            "result": result_json(event.result),
            "difference": None if event.difference is None else list(event.difference),
        }
    if isinstance(event, Linted):
        return {
            "event": "lint",
            "generation": event.generation,
            "ms": round(event.milliseconds, 3),
            "findings": [each.to_json() for each in event.findings],
            "mended": event.mended,
        }
    if isinstance(event, Stood):
        generation, taken = event.watcher.generation, event.milliseconds
        restarted: dict[str, Any] = {}
        failed = [*event.watcher.failures]
        changes: dict[str, Any] = {"added": [], "changed": [], "removed": []}
    else:
        report = event.report
        generation, taken, failed = report.generation, report.seconds * 1000, [*report.failed]
        restarted = {"restarted": [*report.restarted]} if report.restarted else {}
        changes = {
            "added": [_brief(each) for each in report.added],
            "changed": [
                {**_brief(each), "breaking": each.breaking, "diff": list(each.diff)}
                for each in report.changed
            ],
            "removed": [_brief(each) for each in report.removed],
        }
    return {
        "event": "state" if isinstance(event, Stood) else "reload",
        "generation": generation,
        "ms": round(taken, 3),
        **changes,
        "failed": _failures(failed),
        **restarted,
        "tools": [
            {"name": name, **_place(place), "state": state} for name, place, state, _ in event.tools
        ],
    }


def _brief(change: ToolChange) -> dict[str, Any]:
    return {"name": change.name, **_place(change.place)}


def _place(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {"path": None, "line": None}
    found = {"path": shown_path(place.path), "line": place.line}
    return found if place.server is None else {**found, "server": place.server}


def _failures(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [{**_place(each.place), "message": each.message} for each in findings]
