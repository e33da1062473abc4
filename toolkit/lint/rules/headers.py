"""What the Model Context Protocol asks of a tool: headers, and what its versions know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ..rule import Fault, rule
from .example import CITY, declared, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

_KEY = "x-mcp-header"
_TOKEN = Pattern(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PRIMITIVE = frozenset({"string", "integer", "number", "boolean"})


@rule(
    "C501 m-x-mcp-header-invalid",
    Severity.ERROR,
    bad=taking({**CITY, _KEY: "City Name"}),
    good=taking({**CITY, _KEY: "City-Name"}),
    evidence="MCP 2026-07-28, streamable HTTP: a client must drop a tool with an invalid header",
    profiles=("mcp",),
)
def mcp_header(tool: Subject, using: Using) -> Iterator[Fault]:
    """An `x-mcp-header` is no token, stands twice, or on a value that is no single one.

    Over HTTP a client must leave out the whole tool.
    """
    del using
    seen: dict[str, Path] = {}
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping) or _KEY not in schema:
            continue
        message = _fault_of(schema[_KEY], schema, path)
        name = schema[_KEY].lower() if isinstance(schema[_KEY], str) else ""
        if message is None and name in seen:
            message = f"the header '{schema[_KEY]}' is given by another parameter too"
        seen.setdefault(name, path)
        if message is not None:
            yield Fault(message, ("inputSchema", *path, _KEY), profile="mcp")


def _fault_of(name: Any, schema: Mapping[str, Any], path: Path) -> str | None:
    if not isinstance(name, str) or _TOKEN.fullmatch(name) is None:
        return f"{name!r} is no name of a header: letters, digits and hyphens"
    if not path or any(step != "properties" for step in path[::2]):
        return "a header stands only on a property that is always at one place"
    kinds = schema.get("type")
    kinds = set(kinds if isinstance(kinds, list) else [kinds]) - {"null"}
    if not kinds <= _PRIMITIVE:
        return "a header holds a text, a number or a boolean"
    return None


@rule(
    "C502 m-version-feature",
    Severity.WARNING,
    bad=declared(outputSchema={"type": "array", "items": {"type": "string"}}),
    good=declared(outputSchema={"type": "object", "properties": {"days": {"type": "array"}}}),
    evidence="MCP 2026-07-28 (SEP-2106) against 2025-11-25",
    profiles=("mcp",),
)
def mcp_version(tool: Subject, using: Using) -> Iterator[Fault]:
    """A declaration has what not every version of the protocol knows.

    Clients of 2025-11-25 and older refuse an output that is no object, and combinators at the
    root; `execution` is gone since 2026-07-28.
    """
    del using
    output, given = tool.output_schema, tool.input_schema
    if isinstance(output, Mapping) and output.get("type") != "object":
        message = "clients before 2026-07-28 refuse an output that is no object"
        hint, error = "wrap it in an object", Severity.ERROR
        yield Fault(message, ("outputSchema",), hint=hint, severity=error, profile="mcp")
    for keyword in ("anyOf", "oneOf", "allOf", "not"):
        if isinstance(given, Mapping) and keyword in given:
            message = f"clients before 2026-07-28 refuse '{keyword}' at the root"
            yield Fault(message, ("inputSchema", keyword), profile="mcp")
    if "execution" in tool.extra:
        message = "'execution' is gone since 2026-07-28"
        yield Fault(message, ("execution",), severity=Severity.INFO, profile="mcp")
