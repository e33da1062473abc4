"""Tools run as a model would run them."""

from __future__ import annotations

import asyncio
from typing import Any

from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool
from toolkit.types import ToolProgress

__all__ = ["progress", "run", "shown"]


def run(made: Any, *, agent: Any = None, **arguments: Any) -> str:
    """The text of the result, which must be a success."""
    registry = ToolRegistry()
    registry.register(made)
    use = ToolUse("t1", made.name, arguments)
    result = asyncio.run(ToolExecutor(registry).run(use, agent=agent))
    assert result.status == "success", result.text
    return result.text


def progress(made: Any, **arguments: Any) -> list[Any]:
    """What the tool reports on its way."""
    registry = ToolRegistry()
    registry.register(made)
    seen: list[Any] = []

    async def sink(event: Any) -> None:
        if isinstance(event, ToolProgress):
            seen.append(event.value)

    use = ToolUse("t1", made.name, arguments)
    asyncio.run(ToolExecutor(registry).run(use, sink=sink))
    return seen


def shown(function: Any, **options: Any) -> tuple[list[str], list[str]]:
    """The names of a tool's properties, and those that are required."""
    schema = tool(function, **options).spec.input_schema
    return list(schema["properties"]), list(schema.get("required", ()))
