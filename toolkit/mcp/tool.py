"""A remote tool as a tool like any other: its name is ours, the server hears its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import DefinitionError, InvalidInputError, MCPRequestError
from ..findings import Finding, Place, Severity
from ..formats.mcp import read_result, read_spec
from ..formats.wire import dump, json_ready
from ..types import Listing, Text, ToolResult, ToolSpec
from .listing import found
from .names import local_names

if TYPE_CHECKING:
    from ..types import ToolContext, ToolUse
    from .session import Progress

__all__ = ["Link", "RemoteTool", "tools_of"]

Faults = list[tuple[str, str]]
# JSON-RPC code of a server that wants the user to open a page first.
_URL_ELICITATION = -32042
MOST_SHOWN = 1_000  # characters of an error's data that a model is told


class Link(Protocol):
    """A way to a server that answers calls, for as long as it is open."""

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        seconds: float | None = None,
        on_progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Call a tool by the server's own name."""


class RemoteTool:
    """One tool of a server, under a name of ours.

    `own_name` is what the server hears; `raw` is the tool as the server lists it.
    """

    def __init__(
        self,
        spec: ToolSpec,
        raw: Mapping[str, Any],
        *,
        link: Link,
        server: str,
        idle_timeout: float | None = None,
    ) -> None:
        """`idle_timeout` is in seconds, the session's own where None; progress starts it anew."""
        self.spec = spec
        self.raw = raw
        self.server = server
        self.own_name = str(raw["name"])
        self.idle_timeout = idle_timeout
        self._link = link

    def renamed(self, name: str) -> RemoteTool:
        """Return the same tool under another name of ours."""
        return RemoteTool(
            replace(self.spec, name=name),
            self.raw,
            link=self._link,
            server=self.server,
            idle_timeout=self.idle_timeout,
        )

    @property
    def place(self) -> Place:
        """Where it comes from."""
        return Place(server=self.server)

    def __repr__(self) -> str:
        """Name it and its server."""
        return f"<RemoteTool {self.spec.name} of {self.server}>"

    @cached_property
    def _input_faults(self) -> Callable[[Any], Faults]:
        return _checker(self.raw.get("inputSchema"))

    @cached_property
    def _output_faults(self) -> Callable[[Any], Faults]:
        return _checker(self.spec.output_schema)

    async def invoke(self, use: ToolUse, context: ToolContext) -> ToolResult:
        """Check the input against the server's own schema, call, and check what it promised."""
        arguments = use.input if isinstance(use.input, Mapping) else {}
        faults = self._input_faults(arguments)
        if faults:
            told = "; ".join(f"{path}: {what}" if path else what for path, what in faults)
            raise InvalidInputError(
                f"The input of '{self.spec.name}' does not fit: {told}", faults=tuple(faults)
            )
        async with _relay(context) as progress:
            try:
                wire = await self._link.call(
                    self.own_name,
                    json_ready(arguments),
                    seconds=self.idle_timeout,
                    on_progress=progress,
                )
            except MCPRequestError as error:
                return _refused(error, use.tool_use_id)
        result = read_result(wire, use.tool_use_id)
        return self._checked(result)

    def _checked(self, result: ToolResult) -> ToolResult:
        """Hold a success to the output schema; what came stays in the result, behind the fault."""
        if self.spec.output_schema is None or result.status == "error":
            return result
        if result.structured is None:
            told = "returned no structured content, though it declares an output schema"
        else:
            faults = self._output_faults(result.structured)
            if not faults:
                return result
            told = "broke its own output schema: "
            told += "; ".join(f"{path}: {what}" if path else what for path, what in faults)
        text = Text(f"Error: '{self.spec.name}' {told}")
        return replace(result, status="error", content=(text, *result.content))


def _checker(schema: Any) -> Callable[[Any], Faults]:
    if not isinstance(schema, Mapping):
        return lambda _: []
    from ..schema.check import checker

    return checker(schema)


@contextlib.asynccontextmanager
async def _relay(context: ToolContext) -> Any:
    """Pass progress on in order, one at a time, and all of it before the result."""
    waiting: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()

    async def heard(told: Mapping[str, Any]) -> None:
        waiting.put_nowait(told)

    async def pass_on() -> None:
        while (value := await waiting.get()) is not None:
            await context.emit(value)

    relay = asyncio.create_task(pass_on())
    try:
        yield heard
        waiting.put_nowait(None)
        await relay
    finally:
        relay.cancel()


def _refused(error: MCPRequestError, tool_use_id: str) -> ToolResult:
    """Turn an error of the protocol into an error result that keeps its code and data."""
    text = f"Error: {error.said or error.message}"
    told = {"code": error.code, "message": error.said}
    if error.data is not None:
        told["data"] = error.data
        shown = dump(error.data)
        if error.code == _URL_ELICITATION or (error.data and len(shown) <= MOST_SHOWN):
            text = f"{text}\n{shown}"
    return ToolResult(
        tool_use_id, "error", (Text(text),), metadata={"error": told}, exception=error
    )


def tools_of(
    items: Sequence[Mapping[str, Any]],
    *,
    link: Link,
    server: str,
    prefix: str | None = None,
    idle_timeout: float | None = None,
) -> Listing:
    """Make tools of what a server lists; one that is malformed is a finding and hides no other.

    Schemas are kept as they came: a registry normalises and checks them.
    """
    specs: list[tuple[ToolSpec, Mapping[str, Any]]] = []
    findings: list[Finding] = []
    for item in items:
        try:
            converted = read_spec(item)
        except DefinitionError as error:
            name = item.get("name") if isinstance(item.get("name"), str) else None
            findings.append(_unusable(error, name, server))
            continue
        specs.append((converted.value, item))
        said = converted.findings
        findings += [replace(one, place=replace(one.place, server=server)) for one in said]
    names = local_names((spec.name for spec, _ in specs), prefix=prefix)
    tools: list[RemoteTool] = []
    for spec, item in specs:
        local = names[spec.name]
        if local != (f"{prefix}_{spec.name}" if prefix else spec.name):
            findings.append(_aliased(spec.name, local, server))
        named = replace(spec, name=local)
        tools.append(RemoteTool(named, item, link=link, server=server, idle_timeout=idle_timeout))
    raw = {tool.spec.name: tool.raw for tool in tools}
    return Listing(tuple(tools), tuple(findings), raw)


def _unusable(error: DefinitionError, tool: str | None, server: str) -> Finding:
    return found(
        "M107 unusable-tool", error.message, server=server, tool=tool, hint=error.hint, cause=error
    )


def _aliased(own: str, local: str, server: str) -> Finding:
    return found(
        "M108 aliased-name",
        f"'{own}' is called '{local}' here: a model could not call it by its own name",
        server=server,
        severity=Severity.INFO,
        tool=local,
    )
