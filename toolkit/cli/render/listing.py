"""Tools as rows: name, parameters, first line, place."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...findings import shown_path
from ...flags import kinds_of
from ...loading.collect import place_of
from ..console import escaped, is_terminal, styled, write
from ..frame import data_stream

if TYPE_CHECKING:
    from ...formats.tokens import Cost
    from ...registry import ToolRegistry
    from ...types import ToolSpec

__all__ = ["Row", "rows", "signature", "write_table"]

NARROWEST = 20  # columns that the description keeps on a narrow terminal


@dataclass(frozen=True, slots=True)
class Row:
    """One tool; `parameters` is written as a signature."""

    name: str
    parameters: str
    description: str
    path: str | None
    line: int | None
    cost: Cost | None = None

    @property
    def place(self) -> str:
        """`path:line`."""
        if not self.path:
            return ""
        return f"{self.path}:{self.line}" if self.line else self.path

    def to_json(self) -> dict[str, Any]:
        """The machine form; `tokens` only where they were asked for."""
        told: dict[str, Any] = {
            "name": self.name,
            "parameters": self.parameters,
            "description": self.description,
            "path": self.path,
            "line": self.line,
        }
        return told if self.cost is None else {**told, "tokens": self.cost.to_json()}


def rows(registry: ToolRegistry, *, price: Callable[[ToolSpec], Cost] | None = None) -> list[Row]:
    """A row for each tool whose spec is valid, in order; `price` says what it costs a model."""
    found = []
    for tool in registry.tools:
        spec = registry.spec_of(tool)
        if spec is None:
            continue
        place = place_of(tool)
        first = next(iter(spec.description.strip().splitlines()), "")
        path = shown_path(place.path)
        cost = None if price is None else price(spec)
        found.append(Row(spec.name, signature(spec), first, path, place.line, cost))
    return found


def signature(spec: ToolSpec) -> str:
    """`city: string, unit?: celsius|fahrenheit`."""
    properties = spec.input_schema.get("properties")
    required = spec.input_schema.get("required") or ()
    parts = []
    for name, schema in (properties if isinstance(properties, Mapping) else {}).items():
        mark = "" if name in required else "?"
        parts.append(f"{name}{mark}: {_kind(schema, spec.input_schema)}")
    return ", ".join(parts)


def _kind(schema: Any, root: Mapping[str, Any]) -> str:
    if isinstance(schema, Mapping) and schema.get("enum"):
        return "|".join(str(each) for each in schema["enum"])
    kinds = kinds_of(schema, root)
    if "null" in kinds and len(kinds) > 5:  # noqa: PLR2004 - the schema does not say
        return "any"
    return "|".join(sorted(kinds - {"null"})) + ("|null" if "null" in kinds else "")


def write_table(found: Sequence[Row]) -> None:
    """Aligned columns; on a terminal the description is cut to its width, in a pipe never."""
    stream = data_stream()
    names = max((len(row.name) for row in found), default=0)
    for row in found:
        call = escaped(f"({row.parameters})")
        padded = escaped(row.name).ljust(names if is_terminal(stream) else 0)
        name = styled(padded, style="bold", stream=stream)
        text = escaped(row.description)
        if is_terminal(stream):
            width = shutil.get_terminal_size().columns
            room = max(NARROWEST, width - 4)
            text = text if len(text) <= room else f"{text[: room - 1]}…"
            facts = [row.place, *_price(row)]
            place = styled("  ".join(facts), style="dim", stream=stream)
            write(f"{name} {call}\n    {text}\n    {place}", raw=True)
        else:
            write("\t".join([name, call, text, row.place, *_price(row)]), raw=True)


def _price(row: Row) -> list[str]:
    if row.cost is None:
        return []
    about = "" if row.cost.exact else "~"
    return [f"{about}{row.cost.total} tokens"]
