"""Tools that behave and tools that do not, of every kind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator  # noqa: TC003 - annotations of tools are read
from pathlib import Path
from typing import Any

from toolkit import ToolContext, ToolRegistry, tool

from .pipeline import wait_for

__all__ = ["GATE", "REGISTRY"]

GATE = threading.Event()  # what hangs hangs until it opens
SHORT = 0.03
REGISTRY = ToolRegistry()


@tool
async def fine(n: int) -> int:
    await asyncio.sleep(0)
    return n


@tool
def fine_in_a_thread(n: int) -> int:
    return n


@tool
async def yields(n: int) -> AsyncIterator[int]:
    yield n
    yield n


@tool
def yields_in_a_thread(n: int) -> Iterator[int]:
    yield n
    yield n


@tool
async def reports(n: int, context: ToolContext) -> int:
    context.report(n)
    await context.emit(n)
    return n


@tool
async def raises() -> None:
    raise ValueError("no")


@tool
def stops() -> None:
    raise StopIteration


@tool
def leaves() -> None:
    sys.exit(3)


@tool
async def cancelled() -> None:
    raise asyncio.CancelledError


@tool
async def cancels_itself() -> None:
    asyncio.current_task().cancel()  # type: ignore[union-attr]
    await asyncio.sleep(1000)


@tool(timeout=SHORT)
async def hangs() -> None:
    await asyncio.sleep(1000)


@tool(timeout=SHORT)
def hangs_in_a_thread() -> None:
    wait_for(GATE)


@tool(timeout=SHORT)
def hangs_after_an_item() -> Iterator[int]:
    yield 1
    wait_for(GATE)


@tool
def gives_itself() -> Any:
    return gives_itself


@tool
async def opens() -> str:
    with Path(os.devnull).open(encoding="utf-8") as file:  # noqa: ASYNC230 - as people write
        return file.read()


@tool
def runs() -> str:
    return subprocess.run(["echo", "hi"], capture_output=True, text=True, check=True).stdout


for _name, _each in list(globals().items()):
    if hasattr(_each, "spec") and _name != "REGISTRY":
        REGISTRY.register(_each)
