"""A folder of tool files, written for one test."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from toolkit import ToolRegistry

__all__ = ["HEAD", "call", "names", "problems", "write"]

HEAD = "from __future__ import annotations\nfrom toolkit import tool\n"


def write(folder: Path, **files: str) -> Path:
    """Write files; `a__b` is `a/b.py`, and each begins with the usual imports."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    return folder


def names(*sources: Any) -> list[str]:
    """The names of the tools of sources, where nothing may go wrong."""
    registry = ToolRegistry(*sources)
    assert registry.problems == []
    return registry.names


def problems(registry: ToolRegistry) -> list[tuple[str, str | None, int | None]]:
    """Code, file name and line of each problem."""
    registry.specs()
    return [
        (each.code, Path(each.place.path).name if each.place.path else None, each.place.line)
        for each in registry.problems
    ]


def call(source: Any, name: str, **arguments: Any) -> str:
    """The text of one call, which must be a success."""
    registry = source if isinstance(source, ToolRegistry) else ToolRegistry(source)
    tool = registry.find(name)
    assert tool is not None, registry.names
    result = getattr(registry.tool, name)(**arguments)
    assert result.status == "success", result.text
    text: str = result.text
    return text
