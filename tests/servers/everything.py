"""The server that shows every feature, on each of its three transports, as a configured server."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import threading
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tests.cli.runner import Ended, run
from tests.mcp.conftest import MARK, left
from toolkit import MCPClient
from toolkit.executor import ToolExecutor
from toolkit.mcp.servers import Server, from_argv, from_word
from toolkit.mcp.session import Limits, Listener
from toolkit.registry import ToolRegistry
from toolkit.types import ToolProgress, ToolResult, ToolUse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["TRANSPORTS", "Place", "listening", "parts", "play", "serving"]

TRANSPORTS = ("stdio", "streamableHttp", "sse")
PATHS = {"streamableHttp": "mcp", "sse": "sse"}
LISTENS = ("listening on port", "running on port")


@dataclass(frozen=True)
class Place:
    """A folder whose `.mcp.json` names the server `everything`, and what the file says of it."""

    folder: Path
    entry: dict[str, Any]
    mark: str

    def do(self, *words: str, stdin: str | None = None) -> Ended:
        """Run `toolkit WORDS` in the folder."""
        return run(*words, cwd=self.folder, stdin=stdin, HOME=str(self.folder))

    def call(self, *words: str) -> Ended:
        """Call a tool of the server; options may stand in front of it."""
        return self.do("call", "-t", "mcp:everything", *words)

    @property
    def server(self) -> Server:
        """The same server for the programming interface."""
        if "url" in self.entry:
            return replace(from_word(self.entry["url"]), name="everything")
        command = from_argv([self.entry["command"], *self.entry["args"]])
        return replace(command, name="everything", env=self.entry["env"])


@contextmanager
def listening(command: str, transport: str) -> Iterator[dict[str, Any]]:
    """Start it on a free port; gives the entry for its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [command, transport],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PORT": str(port)},
    )
    stderr = process.stderr
    assert stderr is not None
    assert any(text in line for line in stderr for text in LISTENS)
    draining = threading.Thread(target=lambda: [None for _ in stderr], daemon=True)
    draining.start()
    try:
        kind = "sse" if transport == "sse" else "http"
        yield {"type": kind, "url": f"http://127.0.0.1:{port}/{PATHS[transport]}"}
    finally:
        process.kill()
        process.wait()
        draining.join(5)
        stderr.close()


@contextmanager
def serving(folder: Path, entry: dict[str, Any]) -> Iterator[Place]:
    """Configure the server in the folder; in the end no process of it may be left."""
    mark = uuid.uuid4().hex
    if "command" in entry:
        entry = {**entry, "env": {MARK: mark}}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"everything": entry}}), "utf-8")
    yield Place(folder, entry, mark)
    until = time.monotonic() + 1.0
    while left(mark) and time.monotonic() < until:
        os.sched_yield()
    assert left(mark) == []


def parts(result: Any) -> list[Any]:
    found: list[Any] = json.loads(result.out)["content"]
    return found


def play(
    server: Server,
    uses: list[ToolUse],
    *,
    listener: Listener | None = None,
    seconds: float = 20,
) -> tuple[list[str], list[ToolResult], list[Any]]:
    """Run tool uses one by one: the names of the tools, the results, the progress that was told."""
    told: list[Any] = []

    async def sink(event: Any) -> None:
        if isinstance(event, ToolProgress):
            told.append(event.value)

    async def run() -> tuple[list[str], list[ToolResult]]:
        async with MCPClient(server, limits=Limits(call=seconds), listener=listener) as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            executor = ToolExecutor(registry)
            return registry.names, [await executor.run(use, sink=sink) for use in uses]

    names, results = asyncio.run(run())
    return names, results, told
