"""TARGETs as they are typed, opened as one registry and closed after the command's work."""

from __future__ import annotations

import asyncio
import fnmatch
import json
import os
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import LoadError, ToolkitError, UsageError
from .loading.collect import collect
from .loading.finder import finder
from .loading.objects import object_of
from .registry import ToolRegistry
from .schema.faults import closest
from .threads import shared

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from .config import Config
    from .findings import Finding
    from .reaching import Reach, Reached

__all__ = ["Opened", "is_server_word", "named_object", "open_targets"]


@dataclass(slots=True)
class Opened:
    """An open registry, and the targets that could not be loaded or reached."""

    registry: ToolRegistry
    failures: list[ToolkitError] = field(default_factory=list)
    reached: Reached | None = None

    @property
    def unloaded(self) -> list[Finding]:
        """The files among many that could not be loaded."""
        return [each for each in self.registry.problems if each.code == "F001"]

    @property
    def unwell(self) -> list[Finding]:
        """Errors of single tools: clashes, illegal names, invalid specs."""
        return [
            each
            for each in self.registry.problems
            if each.code != "F001" and each.severity == "error"
        ]


@asynccontextmanager
async def open_targets(
    targets: Sequence[str],
    config: Config,
    *,
    pattern: str | None = None,
    reach: Reach | None = None,
) -> AsyncIterator[Opened]:
    """Open every target; a failure of one never hides the others.

    No target means the configured sources, else `./tools/`. A word that is neither a path nor a
    module is the name of a tool in these. `pattern` narrows the tools by a glob on their names.
    Servers are started together before anything else is loaded; `reach` says how.
    Raises `LoadError` where nothing at all came of it.
    """
    prepare_imports(config)
    opened = Opened(ToolRegistry())
    wanted: list[str] = []
    targets = targets if reach is None else reach.targets(targets)
    async with AsyncExitStack() as stack:
        opened.reached = _begin_servers(targets, reach, stack)
        for target in targets or default_sources(config):
            try:
                await _open_one(target, opened)
            except LoadError as error:
                if targets and _is_word(target) and not _names_a_file(error):
                    wanted.append(target)
                else:
                    opened.failures.append(error)
            except ToolkitError as error:
                opened.failures.append(error)
        if wanted:
            await _open_defaults(wanted, opened, config)
        if pattern is not None:
            _narrow(opened.registry, pattern)
        _refuse_nothing(opened, targets, pattern)
        yield opened


def named_object(target: str, config: Config) -> Any:
    """The one object that a target names, as it stands: a class stays a class.

    A `.json` file is the JSON value that it holds. Raises `LoadError`.
    """
    prepare_imports(config)
    path = Path(target)
    if path.suffix != ".json":
        return object_of(target)
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise LoadError(f"can't read '{target}': {error.strerror}", path=target) from error
    except (ValueError, RecursionError) as error:
        raise LoadError(f"'{target}' is no JSON: {error}", path=target) from error


def prepare_imports(config: Config) -> None:
    """Put the project's folders on the import path, and tell the finder that they are ours."""
    roots = config.import_roots()
    for folder in reversed(roots):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    finder.roots = roots


def default_sources(config: Config) -> list[str]:
    """The configured sources, else `./tools/`; `UsageError` saying what to write without them."""
    if config.sources:
        return [os.path.relpath(config.root / each) for each in config.sources]
    if Path("tools").is_dir():
        return ["tools"]
    raise UsageError(
        "no target given, and there is no './tools/' folder",
        hint='name a file (toolkit … mytools.py), or set sources = ["mytools"] in [tool.toolkit]',
    )


def _begin_servers(
    targets: Sequence[str], reach: Reach | None, stack: AsyncExitStack
) -> Reached | None:
    if not any(map(is_server_word, targets)):
        return None
    from .reaching import Reach, Reached

    reached = Reached(reach or Reach())
    stack.push_async_callback(reached.close)
    reached.begin([each for each in targets if is_server_word(each)])
    return reached


def is_server_word(word: str) -> bool:
    """Whether a TARGET is a server's: `cmd:…`, `mcp:NAME`, an http(s) URL, or what follows `--`."""
    return word == "--" or word.startswith(("cmd:", "mcp:", "http://", "https://"))


async def _open_one(target: str, opened: Opened) -> None:
    if opened.reached is not None and is_server_word(target):
        await opened.reached.adopt(target, opened.registry)
    else:
        await _load(target, opened.registry)


async def _load(target: str, registry: ToolRegistry) -> None:
    """Collect on a worker: a module that runs a loop of its own while it is imported can."""
    await shared().run(partial(_with_loop, asyncio.get_running_loop(), target, registry))


def _with_loop(loop: asyncio.AbstractEventLoop, target: str, registry: ToolRegistry) -> None:
    asyncio.set_event_loop(loop)  # for modules that ask for the current one
    try:
        _collect(target, registry)
    finally:
        asyncio.set_event_loop(None)


def _collect(target: str, registry: ToolRegistry) -> None:
    tools, problems = collect(target)
    registry.problems += problems
    for tool in tools:
        registry.adopt(tool)
    if not tools and not problems and not _is_folder(target):
        hint = "decorate a function with @tool, or name one: FILE.py:function"
        raise LoadError(f"'{target}' defines no tools", hint=hint, path=target)


async def _open_defaults(wanted: Sequence[str], opened: Opened, config: Config) -> None:
    """Take words as names of tools in the default sources."""
    known = ToolRegistry()
    try:
        sources = default_sources(config)
    except UsageError:
        sources = []
    for source in sources:
        await _load(source, known)
    for word in wanted:
        tool = known.find(word)
        if tool is None:
            opened.failures.append(_no_such_word(word, known))
        else:
            opened.registry.adopt(tool)


def _no_such_word(word: str, known: ToolRegistry) -> LoadError:
    message = f"there is no file, module or tool '{word}'"
    meant = closest(word, [*known.names, *os.listdir()], most=1)  # noqa: PTH208
    return LoadError(message, hint=f"did you mean '{meant[0]}'?" if meant else None, path=word)


def _is_folder(target: str) -> bool:
    return Path(target).is_dir()


def _is_word(target: str) -> bool:
    return not any(sign in target for sign in "/\\:") and not target.endswith((".py", ".json"))


def _names_a_file(error: LoadError) -> bool:
    return error.path is not None or error.line is not None


def _narrow(registry: ToolRegistry, pattern: str) -> None:
    for name in registry.names:
        if not fnmatch.fnmatchcase(name, pattern):
            registry.unregister(name)


def _refuse_nothing(opened: Opened, targets: Sequence[str], pattern: str | None) -> None:
    registry = opened.registry
    if len(registry) or opened.unwell:
        return
    if opened.failures and len(opened.failures) == 1 and not registry.problems:
        raise opened.failures[0]
    if opened.failures or registry.problems:
        return
    if pattern is not None:
        raise LoadError(f"no tool's name matches '{pattern}'", hint="toolkit list shows the names")
    where = ", ".join(f"'{each}'" for each in targets) or "the default sources"
    raise LoadError(f"no tools in {where}", hint="decorate a function with @tool")
