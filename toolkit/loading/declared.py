"""A document of tool declarations as tools: they have specs, but nothing to run."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from ..errors import CallRefusedError, LoadError
from ..findings import Finding, Place, shown_path
from ..formats.documents import read_document

if TYPE_CHECKING:
    from pathlib import Path

    from ..types import ToolContext, ToolSpec, ToolUse

__all__ = ["DeclaredTool", "from_document"]


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool of which only the declaration is known."""

    spec: ToolSpec
    place: Place

    @property
    def name(self) -> str:
        """The declared name."""
        return self.spec.name

    async def invoke(self, use: ToolUse, context: ToolContext) -> NoReturn:
        """Raise: a document can't be called."""
        del context
        raise CallRefusedError(
            f"'{use.name}' is only declared in '{self.place.path}', so there is nothing to call",
            hint="name the file or server that defines it",
        )


def from_document(path: Path) -> tuple[list[DeclaredTool], list[Finding]]:
    """The tools that a JSON document declares in any provider's shape, and what is wrong in it.

    Raises `LoadError` where it is no JSON, or declares nothing at all.
    """
    shown = shown_path(str(path)) or str(path)
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except json.JSONDecodeError as error:
        message = f"'{shown}:{error.lineno}' is not valid JSON: {error.msg}"
        raise LoadError(message, path=shown, line=error.lineno, cause=None) from error
    except (UnicodeDecodeError, RecursionError, OSError) as error:
        raise LoadError(f"'{shown}' can't be read as JSON: {error}", path=shown) from error
    read = read_document(document)
    if not read.value and not read.findings:
        raise LoadError(
            f"'{shown}' declares no tools",
            hint="give a tools/list answer, a request, or a list of declarations",
            path=shown,
        )
    found = [replace(one, place=replace(one.place, path=shown)) for one in read.findings]
    return [DeclaredTool(spec, Place(shown)) for spec in read.value], found
