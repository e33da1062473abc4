"""Plain JSON Schema: one schema a tool, its name as `title`, for any program that reads schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DefinitionError
from ..findings import Finding, Severity
from ..types import ToolSpec
from .wire import Converted, finding, json_ready

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DIALECT", "read_spec", "write_spec"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def write_spec(spec: ToolSpec) -> Converted[dict[str, Any]]:
    """Write the input schema with `$schema`, the tool's name as `title`, and its description."""
    schema = json_ready(spec.input_schema)
    wire = {"$schema": schema.pop("$schema", DIALECT), "title": spec.name}
    if spec.description:
        wire["description"] = spec.description
    inner = {key: value for key, value in schema.items() if key not in wire}
    return Converted({**wire, **inner}, tuple(_said(spec)))


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
