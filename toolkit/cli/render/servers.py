"""MCP servers as a person reads them: tools as signatures, identity, where they are configured."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...findings import shown_path
from ...mcp.tool import RemoteTool
from ..console import escaped, say, styled, write
from ..frame import data_stream
from .listing import signature

if TYPE_CHECKING:
    from ...mcp.configuration import Configured
    from ...types import Tool, ToolSpec
    from ..looking import Seen

__all__ = ["write_configured", "write_info", "write_listing"]

LONGEST_NAME = 80  # of a name that is not ours, as it is shown
HINTS = {
    "readOnlyHint": "read-only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open world",
}


def write_listing(seen: Seen) -> None:
    """One server: a line about it, then each tool with its first line and hints."""
    if seen.error is not None:
        return
    write(_bold(escaped(seen.name)) + _dim(f"  {_about(seen)}"), raw=True)
    for tool in seen.tools:
        spec = seen.registry.spec_of(tool)
        if spec is not None:
            _write_tool(tool, spec)
    _write_more(seen)


def _write_more(seen: Seen) -> None:
    """Resources, templates and prompts, a line each."""
    for kind, items in seen.more.items():
        write(_dim(f"  {kind}: {len(items)}"), raw=True)
        for item in items:
            name = item.get("uri") or item.get("uriTemplate") or item.get("name")
            listed = item.get("arguments")
            parts = listed if isinstance(listed, list) else []
            takes = ", ".join(map(_argument, parts))
            shown = f"{name}({takes})" if kind == "prompts" else str(name)
            about = item.get("description") or item.get("title") or item.get("name") or ""
            first = next(iter(str(about).strip().splitlines()), "")
            write(f"  {_bold(escaped(shown))}\n      {escaped(first)}", raw=True)


def _argument(argument: Any) -> str:
    if not isinstance(argument, Mapping):
        return "?"
    return f"{argument.get('name')}{'' if argument.get('required') is True else '?'}"


def _write_tool(tool: Tool, spec: ToolSpec) -> None:
    own = tool.own_name if isinstance(tool, RemoteTool) else spec.name
    name = _bold(escaped(spec.name)) + escaped(f"({signature(spec)})")
    if own != spec.name:
        shown = own if len(own) <= LONGEST_NAME else f"{own[:LONGEST_NAME]}…"
        name += _dim(f"  (its own name: {escaped(shown)})")
    write(f"  {name}", raw=True)
    first = next(iter(spec.description.strip().splitlines()), "")
    hints = [word for key, word in HINTS.items() if spec.annotations.get(key) is True]
    told = f"  [{', '.join(hints)}]" if hints else ""
    if first or told:
        write(f"      {escaped(first)}{_dim(told)}", raw=True)


def _about(seen: Seen) -> str:
    """`everything 2.0.0, protocol 2025-11-25, 13 tools, 0.81 s`."""
    info = seen.identity.get("serverInfo")
    parts = []
    if isinstance(info, Mapping):
        parts.append(escaped(f"{info.get('name', '')} {info.get('version', '')}".strip()))
    parts.append(f"protocol {seen.identity.get('protocolVersion')}")
    count = len(seen.items)
    parts.append(f"{count:,} tool{'' if count == 1 else 's'}")
    parts.append(f"{sum(seen.times.values()):.2f} s")
    return ", ".join(parts)


def write_info(seen: Seen) -> None:
    """One server: identity, protocol, capabilities, instructions, times."""
    if seen.error is not None:
        return
    write(_bold(escaped(seen.name)), raw=True)
    identity = seen.identity
    info = identity.get("serverInfo") or {}
    rows = {"target": seen.target}
    facts = ("name", "title", "version", "websiteUrl")
    rows |= {key: str(info[key]) for key in facts if key in info}
    era = "2026 era, stateless" if identity.get("era") == "modern" else "handshake era"
    rows["protocol"] = f"{identity.get('protocolVersion')} ({era})"
    rows["capabilities"] = _capabilities(identity.get("capabilities") or {}) or "none"
    rows["tools"] = f"{len(seen.items):,}"
    rows["times"] = ", ".join(f"{name} {took:.3f} s" for name, took in seen.times.items())
    for key, value in rows.items():
        write(f"  {key:<12} {escaped(value)}", raw=True)
    if identity.get("instructions"):
        write(f"  {'instructions':<12}", raw=True)
        write(textwrap.indent(escaped(str(identity["instructions"])), "    "), raw=True)


def _capabilities(capabilities: Mapping[str, Any]) -> str:
    """`tools (listChanged), logging`."""
    parts = []
    for name, details in capabilities.items():
        flags = details.items() if isinstance(details, Mapping) else ()
        on = [key for key, value in flags if value]
        parts.append(f"{name} ({', '.join(on)})" if on else name)
    return ", ".join(parts)


def write_configured(entries: Sequence[Configured]) -> None:
    """Each configured server, how it is reached, and the file that names it."""
    if not entries:
        say("no MCP server is configured; looked into .mcp.json and the files of the usual hosts")
        return
    width = max(len(one.name) for one in entries)
    for one in entries:
        state = "disabled" if one.disabled else one.transport
        place = _dim(escaped(shown_path(str(one.path)) or ""))
        write(f"{_bold(escaped(one.name.ljust(width)))}  {state:<8}  {place}", raw=True)


def _bold(text: str) -> str:
    return styled(text, style="bold", stream=data_stream())


def _dim(text: str) -> str:
    return styled(text, style="dim", stream=data_stream()) if text else ""
