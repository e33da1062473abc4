"""Read what most declarations have alike: a name, a description and a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import DefinitionError
from ..findings import Severity
from ..types import ToolSpec
from .wire import Converted, finding

__all__ = ["read_declaration"]


def read_declaration(
    wire: Mapping[str, Any],
    *,
    schema: str,
    provider: str,
    known: Sequence[str] = (),
    output: str | None = None,
    examples: str | None = None,
) -> Converted[ToolSpec]:
    """Read a declaration whose schema stands under the key `schema`.

    A schema that is left out or null means no parameters. Keys that a spec has no place for, and
    that are not `known` to say nothing of the tool, are said to be lost. Raises DefinitionError
    where there is no name, or the schema is none.
    """
    name = wire.get("name")
    if not isinstance(name, str):
        raise DefinitionError("a tool needs a 'name'", tool=None)
    inner = wire.get(schema)
    if inner is not None and not isinstance(inner, Mapping):
        raise DefinitionError(f"'{schema}' of '{name}' is no JSON Schema", tool=name)
    given = wire.get(output) if output else None
    shown = wire.get(examples) if examples else None
    spec = ToolSpec(
        name,
        description if isinstance(description := wire.get("description"), str) else "",
        dict(inner) if inner is not None else {"type": "object", "properties": {}},
        output_schema=dict(given) if isinstance(given, Mapping) else None,
        examples=tuple(one for one in shown if isinstance(one, Mapping))
        if isinstance(shown, list)
        else (),
    )
    read = {"name", "description", "type", schema, output, examples, *known}
    return Converted(
        spec,
        tuple(
            finding(
                "F201 lost-field",
                f"'{key}' says something to {provider} alone",
                severity=Severity.INFO,
                tool=name,
                pointer=f"/{key}",
            )
            for key in wire
            if key not in read and wire[key] is not None
        ),
    )
