"""A look at MCP servers: several side by side in time, one's failure never hiding another's."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import MCPAuthError, MCPError, ToolkitError, UsageError
from ..mcp.configuration import Configured, Sources, standard_files
from ..mcp.connection import Connection
from ..mcp.tool import RemoteTool, tools_of
from ..registry import ToolRegistry
from ..targets import is_server_word
from .console import write_json
from .render.servers import write_configured, write_info, write_listing
from .session import say_problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..findings import Finding
    from ..mcp.servers import Server
    from ..reaching import Reach
    from ..types import Tool

__all__ = ["Asking", "Seen", "list_servers", "show_servers"]


# What is listed beside the tools, and its key on the wire.
WIRE = {"resources": "resources", "templates": "resourceTemplates", "prompts": "prompts"}


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of a listing: every configured server, what beside tools, and the form."""

    every: bool = False
    resources: bool = False
    prompts: bool = False
    as_json: bool = False

    @property
    def kinds(self) -> list[str]:
        """The kinds of things to list beside the tools."""
        found = ["resources", "templates"] if self.resources else []
        return [*found, "prompts"] if self.prompts else found


@dataclass(slots=True)
class Seen:
    """What one server showed, or the error that it ended in; times are in seconds."""

    name: str
    target: str
    identity: Mapping[str, Any] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    items: tuple[Mapping[str, Any], ...] = ()
    more: dict[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    registry: ToolRegistry = field(default_factory=ToolRegistry)
    error: ToolkitError | None = None

    @property
    def findings(self) -> Sequence[Finding]:
        """What was found wrong with it and its tools."""
        return self.registry.problems

    @property
    def tools(self) -> list[Tool]:
        """Its usable tools."""
        return [tool for tool in self.registry.tools if self.registry.spec_of(tool) is not None]

    def to_json(self) -> dict[str, Any]:
        """The machine form, by the wire's own names."""
        tools = [_item(tool) for tool in self.tools]
        return {
            "name": self.name,
            "target": self.target,
            "protocolVersion": self.identity.get("protocolVersion"),
            "serverInfo": self.identity.get("serverInfo"),
            "tools": tools,
            **{WIRE[kind]: list(items) for kind, items in self.more.items()},
            "findings": [finding.to_json() for finding in self.findings],
            "error": None if self.error is None else _error(self.error),
        }

    def info_json(self) -> dict[str, Any]:
        """The machine form of what a server is."""
        return {
            "name": self.name,
            "target": self.target,
            **self.identity,
            "tools": len(self.items),
            "seconds": {phase: round(took, 4) for phase, took in self.times.items()},
            "findings": [finding.to_json() for finding in self.findings],
            "error": None if self.error is None else _error(self.error),
        }


def _item(tool: Tool) -> dict[str, Any]:
    raw = dict(tool.raw) if isinstance(tool, RemoteTool) else {"name": tool.spec.name}
    return raw if raw["name"] == tool.spec.name else {**raw, "alias": tool.spec.name}


def _error(error: ToolkitError) -> dict[str, Any]:
    facts = error if isinstance(error, MCPError) else MCPError("", kind="configuration")
    return {
        "kind": facts.kind,
        "phase": facts.phase,
        "message": error.message,
        "exitStatus": facts.exit_status,
        "httpStatus": facts.http_status,
        "stderr": facts.stderr,
    }


async def list_servers(words: Sequence[str], reach: Reach, *, asking: Asking) -> int:
    """Print the tools of each server; without any, where the configured servers stand."""
    targets = reach.targets(words)
    if not targets and not asking.every:
        return _configured(reach, as_json=asking.as_json)
    if asking.every:
        sources = _sources(reach)
        for problem in sources.problems:
            say_problem(problem)
        targets += [f"mcp:{one.name}" for one in sources.entries if not one.disabled]
    seen = await _look_at(targets, reach, kinds=asking.kinds)
    if asking.as_json:
        write_json({"servers": [one.to_json() for one in seen]})
    else:
        for one in seen:
            write_listing(one)
    return _told(seen)


async def show_servers(words: Sequence[str], reach: Reach, *, as_json: bool) -> int:
    """Print what each server says of itself."""
    targets = reach.targets(words)
    if not targets:
        raise UsageError(
            "no server given", hint="name a URL, mcp:NAME, 'cmd:COMMAND ARG…', or -- COMMAND"
        )
    seen = await _look_at(targets, reach)
    if as_json:
        write_json({"servers": [one.info_json() for one in seen]})
    else:
        for one in seen:
            write_info(one)
    return _told(seen)


async def _look_at(
    targets: Sequence[str], reach: Reach, *, kinds: Sequence[str] = ()
) -> list[Seen]:
    words = [word if is_server_word(word) else f"mcp:{word}" for word in targets]
    return await asyncio.gather(*(_look(word, reach, kinds=kinds) for word in dict.fromkeys(words)))


async def _look(word: str, reach: Reach, *, kinds: Sequence[str]) -> Seen:
    try:
        server = reach.server(word)
    except UsageError:
        raise
    except ToolkitError as error:
        return Seen(word.removeprefix("mcp:"), word, error=error)
    seen = Seen(server.name, server.target if word != "--" else server.shown)
    connection = Connection(server, limits=reach.limits(), listener=reach.listener())
    try:
        await _fill(seen, connection, server)
        for kind in kinds:
            listed = await connection.list(kind)
            seen.more[kind] = listed.items
            seen.registry.problems += listed.findings
    except ToolkitError as error:
        seen.error = error
    finally:
        await connection.close()
        seen.registry.problems += await connection.stray_output()
    return seen


async def _fill(seen: Seen, connection: Connection, server: Server) -> None:
    await connection.open()
    seen.identity = connection.session.identity
    seen.times = connection.session.times
    begun = time.perf_counter()
    listed = await connection.list()
    seen.times["list"] = time.perf_counter() - begun
    seen.items = listed.items
    seen.registry.problems += listed.findings
    seen.registry.adopt_listing(tools_of(listed.items, link=connection, server=server.name))
    seen.registry.specs()  # what is wrong with schemas is found when they are asked for


def _told(seen: Sequence[Seen]) -> int:
    """Say what is wrong with each on stderr; the exit code by the contract."""
    for one in seen:
        for finding in one.findings:
            if finding.severity != "info":  # an alias stands beside its tool
                say_problem(finding)
        if one.error is not None:
            _say_error(one.error)
    errors = [one.error for one in seen if one.error is not None]
    if any(not isinstance(error, MCPAuthError) for error in errors):
        return 3
    if errors:
        return 4
    return 1 if any(f.severity == "error" for one in seen for f in one.findings) else 0


def _say_error(error: ToolkitError) -> None:
    from .console import hint, say

    say(error.message, kind="error")
    tail = error.stderr.splitlines() if isinstance(error, MCPError) and error.stderr else []
    for line in tail[-10:] if len(tail) > 1 else ():
        say(f"  | {line}")
    hint(error.hint)


def _sources(reach: Reach) -> Sources:
    return Sources.read([*map(Path, reach.config), *standard_files()])


def _configured(reach: Reach, *, as_json: bool) -> int:
    sources = _sources(reach)
    for problem in sources.problems:
        say_problem(problem)
    if as_json:
        write_json({"servers": [_entry(one) for one in sources.entries]})
    else:
        write_configured(sources.entries)
    return 3 if sources.problems else 0


def _entry(one: Configured) -> dict[str, Any]:
    return {
        "name": one.name,
        "target": f"mcp:{one.name}",
        "path": str(one.path),
        "transport": one.transport,
        "disabled": one.disabled,
    }
