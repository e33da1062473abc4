"""Fields beside name and schema: of the wrong kind, under a wrong name, or of a newer protocol."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...formats.shapes import HINTS, misfits
from ..rule import Fault, rule
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Using
    from ..subject import Subject

__all__: list[str] = []


@rule(
    "F204 malformed-field",
    Severity.ERROR,
    bad=declared(annotations="read-only"),
    good=declared(annotations={"readOnlyHint": True}),
    evidence="MCP 2025-03-26 to 2026-07-28, schema.ts; the Python SDKs 1.30 and 2.3 and the"
    " TypeScript SDK 1.32 refuse the answer to tools/list; the types of OpenAI's, Anthropic's and"
    " Google's SDKs",
)
def malformed_field(tool: Subject, using: Using) -> Iterator[Fault]:
    """A field of a declaration is not of the kind that its API wants: a title that is a number.

    A client or provider refuses more than the field: the whole list of tools, or the request.
    Null in what a live server lists is refused too, by clients in TypeScript.
    """
    del using
    nulls = tool.place.server is not None
    for misfit in misfits(tool.raw, tool.dialect or "", nulls=nulls):
        path, value = misfit.path, misfit.value
        if path[-1] == "description" and value is not None:
            continue  # D001 says that
        hint = "leave it out" if value is None and path[0] != "icons" else None
        # An address of another kind loses the icon, anything else the list.
        milder = Severity.WARNING if path[-1] == "src" and isinstance(value, str) else None
        yield Fault(misfit.message, path, hint=hint, severity=milder)


@rule(
    "O002 output-not-object",
    Severity.ERROR,
    bad=declared(outputSchema={"type": "array", "items": {"type": "string"}}),
    good=declared(
        outputSchema={
            "type": "object",
            "properties": {"days": {"type": "array", "items": {"type": "string"}}},
        }
    ),
    evidence="MCP 2025-06-18 and 2025-11-25; 2026-07-28 allows it (SEP-2106), and the TypeScript"
    " SDK 1.32 refuses the answer to tools/list",
)
def output_not_object(tool: Subject, using: Using) -> Iterator[Fault]:
    """An output schema of MCP does not say that the output is an object.

    Clients that know no version since 2026-07-28 refuse the whole list of tools for it.
    """
    output = tool.output_schema
    if tool.dialect != "mcp" or not isinstance(output, Mapping) or using.among("mcp"):
        return  # C502 says it where versions of MCP are what was asked for
    if output.get("type") != "object":
        told = f"not {output['type']!r}" if "type" in output else "and it has no type"
        yield Fault(
            f"clients of MCP before 2026-07-28 want an output of type 'object', {told}",
            ("outputSchema", "type") if "type" in output else ("outputSchema",),
            hint="wrap it in an object",
        )


_KNOWN = ("title", *HINTS)
# Where annotations are those of MCP. With `input_schema` beside them they are a Python SDK's own
# dump, or Anthropic's, which has none.
_ANNOTATED = (None, "mcp", "toolspec", "bedrock")


@rule(
    "A005 misspelt-hint",
    Severity.WARNING,
    bad=declared(annotations={"readonlyHint": True}),
    good=declared(annotations={"readOnlyHint": True}),
    evidence="MCP 2026-07-28, ToolAnnotations: clients drop what they don't know",
)
def misspelt_hint(tool: Subject, using: Using) -> Iterator[Fault]:
    """An annotation is almost a hint of the protocol, or a hint stands outside of `annotations`.

    Clients ignore it without a word, and take the tool for what a tool without hints is: one
    that may destroy.
    """
    del using
    if tool.dialect not in _ANNOTATED:
        return
    for name in tool.hints:
        meant = _meant(name)
        if meant is not None and meant not in tool.hints:
            yield Fault(
                f"'{name}' is no hint that clients know",
                ("annotations", name),
                hint=f"did you mean '{meant}'?",
            )
    raw = tool.raw if tool.dialect == "mcp" and isinstance(tool.raw, Mapping) else {}
    for name in raw:
        meant = name if name in HINTS else _meant(name)
        if meant in HINTS and meant not in tool.hints and isinstance(raw[name], bool):
            yield Fault(
                f"'{name}' stands beside the annotations, where no client looks for it",
                (name,),
                hint=f"move it into annotations, as '{meant}'",
            )


def _meant(name: Any) -> str | None:
    """The hint, or title, that a key is a misspelling of."""
    if not isinstance(name, str) or name in _KNOWN:
        return None
    plain = re.sub("[^a-z]", "", name.lower())
    for known in _KNOWN:
        full = known.lower()
        if plain in (full, full.removesuffix("hint")):
            return known
    close = difflib.get_close_matches(plain, [each.lower() for each in HINTS], n=1, cutoff=0.88)
    return next((each for each in HINTS if close == [each.lower()]), None)
