"""The pipeline of a command: its hooks, limits and deadline, as options and configuration say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CallRefusedError
from ..executor import ToolExecutor
from ..middleware.hooks_file import hooks_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ..config import Config
    from ..executor import Strategy
    from ..targets import Opened
    from ..types import Call, Handler, Middleware, ToolResult

__all__ = ["destructive_refused", "executor_for", "hooks_of"]


def executor_for(
    opened: Opened,
    *,
    hooks: Sequence[Callable[..., Any]],
    strategy: Strategy,
    timeout: float | None,
    middleware: Sequence[Middleware] = (),
) -> ToolExecutor:
    """The executor that runs what a command asks for."""
    return ToolExecutor(
        opened.registry, strategy=strategy, hooks=hooks, middleware=middleware, timeout=timeout
    )


def hooks_of(config: Config, files: Sequence[str] | None) -> list[Callable[..., Any]]:
    """The hooks of the configuration (from its folder), then those of `--hooks`; each once."""
    paths = [config.root / each for each in config.hooks] + [Path(each) for each in files or ()]
    return hooks_in({path.resolve(): path for path in paths}.values())


async def destructive_refused(call: Call, handle: Handler) -> ToolResult:
    """Refuse a tool that declares itself destructive."""
    if call.tool is not None and call.tool.spec.annotations.get("destructiveHint") is True:
        message = f"'{call.use.name}' declares itself destructive: it runs only with --destructive"
        raise CallRefusedError(message)
    return await handle(call)
