"""Which of the loaded tools get their name, and what is said of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..errors import DefinitionError, DuplicateToolError
from ..registry import check_name, duplicate, name_of, problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..findings import Finding
    from ..registry import ToolRegistry
    from ..types import Tool

__all__ = ["Wanted", "wanted"]


class Wanted(NamedTuple):
    """The tools by name, in order, and those that are refused."""

    tools: dict[str, Tool]
    problems: list[Finding]


def wanted(registry: ToolRegistry, tools: Iterable[Tool], *, owned: set[str]) -> Wanted:
    """Choose as a fresh start would: the first of a name stays, and others' names are taken."""
    taken = {
        name.replace("-", "_"): (name, registry.get(name))
        for name in registry.names
        if name not in owned
    }
    found = Wanted({}, [])
    for tool in tools:
        name = name_of(tool)
        key = name.replace("-", "_")
        try:
            check_name(tool)
        except DefinitionError as error:
            found.problems.append(problem("N002 name-charset", error, tool=tool))
            continue
        if key not in taken:
            taken[key] = (name, tool)
            found.tools[name] = tool
        elif taken[key][1] is not tool:
            first, holder = taken[key]
            error_: DuplicateToolError = duplicate(name, first, holder=holder, tool=tool)
            found.problems.append(problem("N001 duplicate-tool-name", error_, tool=tool))
    return found
