"""`registry.tool.NAME(…)`: a call from Python, through the same path as a model's."""

from __future__ import annotations

import inspect
import uuid
from typing import TYPE_CHECKING, Any

from .executor import ToolExecutor
from .schema.faults import closest
from .threads import run_to_end
from .types import ToolUse

if TYPE_CHECKING:
    from .registry import ToolRegistry
    from .schema.signature import Compiled
    from .types import Tool, ToolResult

__all__ = ["DirectCall", "ToolCaller"]

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class ToolCaller:
    """Tools as attributes; `-` and `_` are equal, an unknown name is an AttributeError."""

    def __init__(
        self, registry: ToolRegistry, *, executor: ToolExecutor | None = None, agent: Any = None
    ) -> None:
        """`executor` is the one to run in (a new one of defaults without it)."""
        self._registry = registry
        self._executor = executor
        self._agent = agent

    def __getattr__(self, name: str) -> DirectCall:
        tool = None if name.startswith("__") else self._registry.find(name)
        if tool is None:
            meant = closest(name, self._registry.names, most=1)
            hint = f"; did you mean '{meant[0]}'?" if meant else ""
            raise AttributeError(f"there is no tool '{name}'{hint}", name=name, obj=self)
        if self._executor is None:
            self._executor = ToolExecutor(self._registry)
        return DirectCall(tool, self._executor, self._agent)

    def __dir__(self) -> list[str]:
        return [name.replace("-", "_") for name in self._registry.names]


class DirectCall:
    """One tool, called from Python; gives a ToolResult, whatever happens."""

    def __init__(self, tool: Tool, executor: ToolExecutor, agent: Any) -> None:
        self.tool = tool
        self._executor = executor
        self._agent = agent

    def __call__(self, /, *args: Any, **kwargs: Any) -> ToolResult:
        """Call and wait, with or without a running loop; arguments bind as in the function."""
        result: ToolResult = run_to_end(lambda: self.call_async(*args, **kwargs))
        return result

    async def call_async(self, /, *args: Any, **kwargs: Any) -> ToolResult:
        """Call from a coroutine."""
        name = str(getattr(self.tool, "name", None) or self.tool.spec.name)
        use = ToolUse(f"call-{uuid.uuid4().hex[:12]}", name, self._input(args, kwargs))
        return await self._executor.run(use, agent=self._agent)

    def _input(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        if not args:
            return kwargs
        function = getattr(self.tool, "__wrapped__", None)
        compiled: Compiled | None = getattr(self.tool, "compiled", None)
        if function is None or compiled is None:
            raise TypeError("this tool takes keyword arguments alone: it has no Python signature")
        bound = _bound(function, args, compiled)
        twice = bound.keys() & kwargs.keys()
        if twice:
            raise TypeError(f"'{compiled.tool}' got two values for '{min(twice)}'")
        return {**bound, **kwargs}


def _bound(function: Any, args: tuple[Any, ...], compiled: Compiled) -> dict[str, Any]:
    """Positional arguments by the names that the input has for them.

    What the pipeline fills in takes no place; `*args` has no name, and so nothing can reach it.
    """
    injected = {compiled.context, compiled.agent}
    takes = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.name not in injected and each.kind in POSITIONAL
    ]
    if len(args) > len(takes):
        message = f"'{compiled.tool}' takes {len(takes)} positional arguments, not {len(args)}"
        raise TypeError(message)
    wires = {name: wire for wire, name in compiled.wires.items()}
    names = [wires.get(each.name, each.name) for each in takes]
    return dict(zip(names, args, strict=False))
