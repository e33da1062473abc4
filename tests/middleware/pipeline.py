"""Run one use, or a batch, against a few functions, as a caller of the package would."""

from __future__ import annotations

import asyncio
from typing import Any

from toolkit import Batch, ToolExecutor, ToolRegistry, ToolResult, ToolUse

__all__ = ["executor", "run", "run_batch"]


def executor(*functions: Any, **options: Any) -> ToolExecutor:
    """An executor over functions as tools."""
    return ToolExecutor(ToolRegistry(list(functions)), **options)


def run(runner: ToolExecutor, name: str, **input_: Any) -> ToolResult:
    """The result of one use."""
    return asyncio.run(runner.run(ToolUse("use-1", name, input_)))


def run_batch(runner: ToolExecutor, *names: str, **options: Any) -> Batch:
    """A batch of uses without input; their ids are `use-1` and so on."""
    uses = [ToolUse(f"use-{number}", name, {}) for number, name in enumerate(names, 1)]
    return asyncio.run(runner.run_batch(uses, **options))
