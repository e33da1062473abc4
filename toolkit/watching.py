"""A folder that is watched: what there is, each reload, and the calls that are made again."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import importlib.machinery
import os
import shlex
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .arguments import parse
from .errors import CallRefusedError, ToolkitError, UsageError
from .executor import ToolExecutor
from .lint.loaded import subjects_of
from .lint.runner import lint
from .lint.settings import Settings, from_table
from .reaching import Reach
from .registry import ToolRegistry
from .reload.watcher import ToolWatcher
from .results import error_result
from .targets import is_server_word, open_targets, prepare_imports
from .threads import shared
from .types import ToolContext, ToolUse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from .config import Config
    from .findings import Finding
    from .keeping import Kept
    from .reload.reloader import ToolState
    from .types import Tool, ToolResult, ToolsChanged

__all__ = ["Called", "Linted", "Plan", "Reloaded", "Stood", "WatchSink", "planned", "watch"]


@dataclass(frozen=True, slots=True)
class Stood:
    """How everything stood when the watch began; `milliseconds` is what loading took.

    `unknown` are names that were asked for and that no tool has yet.
    """

    watcher: ToolWatcher
    registry: ToolRegistry
    problems: tuple[Finding, ...]
    milliseconds: float
    unknown: tuple[str, ...] = ()
    kept: Kept | None = None

    @property
    def tools(self) -> list[ToolState]:
        """How every tool stands, of files and of servers."""
        return _states(self.watcher, self.kept)


@dataclass(frozen=True, slots=True)
class Reloaded:
    """One batch, after the registry has changed."""

    report: ToolsChanged
    watcher: ToolWatcher
    kept: Kept | None = None

    @property
    def tools(self) -> list[ToolState]:
        """How every tool stands, of files and of servers."""
        return _states(self.watcher, self.kept)


def _states(watcher: ToolWatcher, kept: Kept | None) -> list[ToolState]:
    return [*watcher.tools, *(kept.tools if kept is not None else ())]


@dataclass(frozen=True, slots=True)
class Called:
    """A call that was made again: the line as typed, and how its text differs from the last one.

    `difference` is None for a first result; empty where nothing differs.
    """

    line: str
    use: ToolUse
    result: ToolResult
    milliseconds: float
    difference: tuple[str, ...] | None
    generation: int


@dataclass(frozen=True, slots=True)
class Linted:
    """What lint says of the tools that came or changed, as far as it is new.

    `mended` counts what it said of them before and says no more; `first` is the run at the start.
    """

    findings: tuple[Finding, ...]
    mended: int
    milliseconds: float
    generation: int
    first: bool = False


WatchEvent: TypeAlias = Stood | Reloaded | Linted | Called
WatchSink: TypeAlias = Callable[[WatchEvent], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to watch (`paths`), what is opened once (`others`), and which tools of it count.

    `servers` are kept open, as `reach` says. `hooks` stand around each of the `calls`.
    """

    config: Config
    lint: Settings
    paths: tuple[str, ...]
    others: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    reach: Reach = field(default_factory=Reach)
    names: tuple[str, ...] = ()
    pattern: str | None = None
    poll: bool = False
    calls: tuple[str, ...] = ()
    hooks: tuple[Callable[..., Any], ...] = ()
    destructive: bool = False
    timeout: float | None = None


def planned(targets: Sequence[str], config: Config) -> Plan:
    """Tell files and folders, which may not be there yet, from servers and from tools' names.

    Without a target it is the configured sources, else `./tools/`, there or not. A word that is
    nothing yet is a tool's name where there are default sources, else a folder to wait for.
    """
    prepare_imports(config)
    sources = [os.path.relpath(config.root / each) for each in config.sources] or ["tools"]
    has_sources = any(Path(source).exists() for source in sources)
    paths: list[str] = []
    others: list[str] = []
    names: list[str] = []
    servers = [target for target in targets if is_server_word(target)]
    for target in targets:
        path = _watchable(target, config)
        if target in servers:
            continue
        if path is not None:
            paths.append(path)
        elif _is_name(target):
            (names if has_sources else paths).append(target)
        else:
            others.append(target)
    if names and (paths or others or servers):
        message = f"'{names[0]}' is neither a file, a folder nor a module"
        raise UsageError(message, hint="a tool of the default sources is watched without others")
    if names or not targets:
        paths += sources
    settings = from_table(config.tables.get("lint", {}), path=str(config.path))
    return Plan(
        config, settings, tuple(paths), tuple(others), servers=tuple(servers), names=tuple(names)
    )


def _watchable(target: str, config: Config) -> str | None:
    """The path that a target stands for, where it is one of files that a person edits."""
    head, colon, rest = target.rpartition(":")
    if "://" in target or target.startswith(("mcp:", "cmd:")) or target.endswith(".json"):
        return None
    if Path(target).exists() or target.endswith(".py") or os.sep in target:
        return target
    if colon and head.endswith(".py"):
        return target
    origin = _origin(head if colon else target)
    if origin is None or not any(root in Path(origin).parents for root in config.import_roots()):
        return None
    return f"{origin}:{rest}" if colon else origin


def _origin(name: str) -> str | None:
    """The file of an importable module, found without running any of it; empty for built-in."""
    folders: list[str] | None = None
    spec = None
    for part in name.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, folders)
        if spec is None:
            return None
        folders = list(spec.submodule_search_locations or ())
    return (spec.origin or "") if spec is not None else None


def _is_name(target: str) -> bool:
    return not any(sign in target for sign in "/\\:.") and _origin(target) is None


async def watch(plan: Plan, sink: WatchSink) -> None:
    """Watch until cancelled; `sink` gets how everything stood, then each event, one at a time."""
    loop = asyncio.get_running_loop()
    reports: asyncio.Queue[ToolsChanged] = asyncio.Queue()

    def heard(report: ToolsChanged) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(reports.put_nowait, report)

    async with _registry(plan) as registry, _servers(plan, registry, reports) as kept:
        watcher = ToolWatcher(
            registry,
            *plan.paths,
            on_report=heard,
            pattern=plan.pattern,
            names=plan.names,
            poll=plan.poll,
        )
        calls = _Calls(plan, registry, watcher, sink, kept)
        started = time.perf_counter()
        await shared().run(watcher.start)  # what a file does when it is imported holds nothing up
        try:
            taken = (time.perf_counter() - started) * 1000
            unknown = tuple(name for name in plan.names if registry.find(name) is None)
            await sink(Stood(watcher, registry, tuple(registry.problems), taken, unknown, kept))
            linter = _Linter(plan.lint, registry)
            calls.generation = latest = watcher.generation
            await linter.tell(registry.names, latest, sink=sink, first=True)
            while True:
                async with calls.running():
                    report = await reports.get()
                calls.generation = latest = max(
                    report.generation, latest + 1
                )  # a server's change has no number
                report = replace(report, generation=latest)
                await sink(Reloaded(report, watcher, kept))
                names = [each.name for each in (*report.added, *report.changed)]
                await linter.tell(names, report.generation, sink=sink)
        finally:
            watcher.stop()


@asynccontextmanager
async def _registry(plan: Plan) -> AsyncIterator[ToolRegistry]:
    if not plan.others:
        yield ToolRegistry()
        return
    async with open_targets(plan.others, plan.config, pattern=plan.pattern) as opened:
        if opened.failures:
            raise opened.failures[0]
        yield opened.registry


@asynccontextmanager
async def _servers(
    plan: Plan, registry: ToolRegistry, reports: asyncio.Queue[ToolsChanged]
) -> AsyncIterator[Kept | None]:
    if not plan.servers:
        yield None
        return
    from .keeping import keep_servers

    told = reports.put_nowait
    async with keep_servers(
        plan.servers, registry, reach=plan.reach, pattern=plan.pattern, told=told
    ) as kept:
        yield kept


@dataclass(slots=True)
class _Linter:
    """Judges what came or changed, and remembers what was said of each tool."""

    settings: Settings
    registry: ToolRegistry
    said: dict[str, set[str | None]] = field(default_factory=dict)

    async def tell(
        self, names: Sequence[str], generation: int, *, sink: WatchSink, first: bool = False
    ) -> None:
        """Give `sink` what is new to say of these tools; nothing where nothing is."""
        started = time.perf_counter()
        tools = [tool for name in names if (tool := self.registry.get(name)) is not None]
        found = lint(subjects_of(tools), self.settings).findings
        before = {print_ for name in names for print_ in self.said.get(name, ())}
        self.said |= {n: {each.fingerprint for each in found if each.tool == n} for n in names}
        now = {each.fingerprint for each in found}
        new = tuple(each for each in found if each.fingerprint not in before)
        taken = (time.perf_counter() - started) * 1000
        if new or before - now:
            await sink(Linted(new, len(before - now), taken, generation, first))


@dataclass(slots=True)
class _Calls:
    """The calls that are made after each reload; a save ends those that still run."""

    plan: Plan
    registry: ToolRegistry
    watcher: ToolWatcher
    sink: WatchSink
    kept: Kept | None = None
    generation: int = 0
    last: dict[str, str] = field(default_factory=dict)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.ensure_future(self._all())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    async def _all(self) -> None:
        for line in self.plan.calls:
            await self._one(line)

    async def _one(self, line: str) -> None:
        started = time.perf_counter()
        name, *words = shlex.split(line)
        tool = self.registry.find(name)
        stale = {state.name for state in _states(self.watcher, self.kept) if state.state == "stale"}
        if tool is None or tool.spec.name in stale:
            return  # the report has told why
        use = ToolUse("watch-1", tool.spec.name)
        try:
            use = ToolUse("watch-1", tool.spec.name, self._input(tool, words))
            executor = ToolExecutor(self.registry, hooks=self.plan.hooks, timeout=self.plan.timeout)
            result = await executor.run(use)
        except ToolkitError as error:
            result = error_result(use, error, context=ToolContext(use))
        before, self.last[line] = self.last.get(line), result.text
        difference = None if before is None else _difference(before, result.text)
        taken = (time.perf_counter() - started) * 1000
        await self.sink(Called(line, use, result, taken, difference, self.generation))

    def _input(self, tool: Tool, words: list[str]) -> dict[str, object]:
        if tool.spec.annotations.get("destructiveHint") and not self.plan.destructive:
            message = f"'{tool.spec.name}' declares itself destructive, so it is not called again"
            raise CallRefusedError(message, hint="--destructive calls it all the same")
        return dict(parse(tool.spec, words).input)


def _difference(before: str, after: str) -> tuple[str, ...]:
    """The lines that went and came, with a `-` or `+` before them."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))
