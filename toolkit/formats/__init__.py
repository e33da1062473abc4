"""Wire shapes: each provider's declarations, calls and results, both ways, one file a shape."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..findings import Finding
    from ..types import ToolResult, ToolSpec, ToolUse
    from .wire import Converted

__all__ = ["FORMATS", "Format", "by_name", "parts_of"]


@dataclass(frozen=True, slots=True)
class Format:
    """A named wire shape; its module is imported on first use.

    `options` go to the module's `write_spec`; `strict` says whether it knows a strict mode;
    `messages` whether it has calls and results too, or declarations alone.
    """

    name: str
    title: str
    module: str
    options: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False
    messages: bool = True

    @property
    def room(self) -> Any:
        """The module: read_spec, write_spec and, with `messages`, read_message and its kin."""
        return import_module(f".{self.module}", __package__)

    def write_spec(self, spec: ToolSpec, *, strict: bool = False) -> Converted[dict[str, Any]]:
        """Write a declaration exactly as that API's request holds it, and say what was lost."""
        options = {**self.options, "strict": strict} if self.strict else self.options
        converted: Converted[dict[str, Any]] = self.room.write_spec(spec, **options)
        return converted

    def check_request(
        self, declarations: Sequence[Mapping[str, Any]], *, strict: bool = False
    ) -> tuple[Finding, ...]:
        """Say what of the provider's limits only all declarations of a request break together."""
        from .limits import check_request
        from .profiles import profile_for

        limits = profile_for(self.name, strict=strict)
        if limits is None:
            return ()
        parts = [parts_of(wire) for wire in declarations]
        return check_request([(name, schema) for name, schema in parts], limits)

    def write_result(self, use: ToolUse, result: ToolResult) -> dict[str, Any]:
        """Write one result as that API's next request holds it; bytes may still be bytes.

        Raises UsageError where the shape has declarations alone.
        """
        written: dict[str, Any] = self.room.write_result(use, result)
        return written

    def write_results(self, pairs: Sequence[tuple[ToolUse, ToolResult]]) -> Any:
        """Write what answers a turn: one result for each use, in order; else as `write_result`."""
        return self.room.write_results(pairs)


FORMATS: Mapping[str, Format] = {
    one.name: one
    for one in (
        Format(
            "toolspec",
            "toolkit's own: name, description, inputSchema, outputSchema, annotations",
            "bedrock",
            {"wrapped": False},
        ),
        Format("bedrock", "Amazon Bedrock, Converse", "bedrock", strict=True),
        Format("mcp", "Model Context Protocol", "mcp", messages=False),
        Format("openai", "OpenAI, Chat Completions", "openai", strict=True),
        Format("openai-responses", "OpenAI, Responses", "openai_responses", strict=True),
        Format("anthropic", "Anthropic, Messages", "anthropic", strict=True),
        Format("gemini", "Gemini, JSON Schema", "gemini"),
        Format("gemini-openapi", "Gemini, OpenAPI schema", "gemini", {"openapi": True}),
        Format("jsonschema", "plain JSON Schema", "jsonschema", messages=False),
    )
}


def by_name(name: str) -> Format:
    """Return the format of that name; a UsageError with the closest one where there is none."""
    known = FORMATS.get(name)
    if known is not None:
        return known
    close = difflib.get_close_matches(name.lower().replace("_", "-"), FORMATS, 1, 0.5)
    raise UsageError(
        f"there is no format '{name}'; there are {', '.join(FORMATS)}",
        hint=f"did you mean '{close[0]}'?" if close else None,
    )


def parts_of(wire: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the name in a declaration of any shape, and the schema of its parameters."""
    inner = wire.get("toolSpec") or wire.get("function") or wire
    keys = ("parameters", "inputSchema", "input_schema", "parametersJsonSchema")
    schema: Any = next((inner[key] for key in keys if key in inner), inner)
    if isinstance(schema, Mapping) and set(schema) == {"json"}:
        schema = schema["json"]
    name = str(inner.get("name") or inner.get("title") or "")
    return name, schema if isinstance(schema, Mapping) else {}
