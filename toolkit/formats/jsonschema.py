"""Plain JSON Schema: one schema a tool, its name as `title`, for any program that reads schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import DefinitionError, UsageError
from ..findings import Finding, Severity
from ..types import ToolResult, ToolSpec, ToolUse
from .wire import Converted, finding, json_ready

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["DIALECT", "read_spec", "write_result", "write_results", "write_spec"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def write_spec(spec: ToolSpec) -> Converted[dict[str, Any]]:
    """Write the input schema with `$schema`, the tool's name as `title`, and its description."""
    schema = json_ready(spec.input_schema)
    found = list(_said(spec))
    if not isinstance(schema, dict):
        text = "the input schema is no object"
        said = finding("F301 refused-schema", text, severity=Severity.ERROR, tool=spec.name)
        found.append(said)
        schema = {}
    wire = {"$schema": schema.pop("$schema", DIALECT), "title": spec.name}
    if spec.description:
        wire["description"] = spec.description
    inner = {key: value for key, value in schema.items() if key not in wire}
    return Converted({**wire, **inner}, tuple(found))


def _said(spec: ToolSpec) -> Iterable[Finding]:
    fields = {"outputSchema": spec.output_schema, "annotations": spec.annotations}
    for name, value in fields.items():
        if value:
            yield finding(
                "F201 lost-field",
                f"a JSON Schema has no place for '{name}'",
                severity=Severity.INFO,
                tool=spec.name,
                pointer=f"/{name}",
            )


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a schema whose `title` names the tool; a DefinitionError where it has none."""
    title = wire.get("title")
    if not isinstance(title, str) or not title:
        raise DefinitionError(
            "a JSON Schema needs a 'title', which names the tool",
            hint="write the tool's name as 'title'",
        )
    description = wire.get("description")
    schema = {key: wire[key] for key in wire if key not in ("title", "description")}
    if schema.get("$schema") == DIALECT:
        del schema["$schema"]
    text = description if isinstance(description, str) else ""
    return Converted(ToolSpec(title, text, schema))


def write_result(use: ToolUse, result: ToolResult) -> NoReturn:
    """Raise UsageError: a JSON Schema declares, it carries no results."""
    del use, result
    raise UsageError("'jsonschema' has no shape for results, only for declarations")


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> NoReturn:
    """Raise UsageError, as `write_result` does."""
    del pairs
    raise UsageError("'jsonschema' has no shape for results, only for declarations")
