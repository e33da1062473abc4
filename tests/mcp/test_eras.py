"""The sample server, which is made with the SDK, in both eras and over both transports."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import MCPClient, ToolRegistry
from toolkit.executor import ToolExecutor
from toolkit.mcp.listing import list_everything
from toolkit.mcp.servers import Server, from_argv, from_word
from toolkit.mcp.session import Limits, Session
from toolkit.types import ToolProgress, ToolUse

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE = Path(__file__).parents[2] / "sample_tools" / "_server.py"
STDIO = from_argv([sys.executable, str(SAMPLE)])


@pytest.fixture(scope="module")
def http() -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(SAMPLE), "--http", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=dict(os.environ))
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield from_word(f"http://127.0.0.1:{port}/mcp")
    process.terminate()
    process.wait(10)


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest) -> Server:
    if request.param == "stdio":
        return STDIO
    found: Server = request.getfixturevalue("http")
    return found


@pytest.mark.parametrize(("legacy", "version"), [(False, "2026-07-28"), (True, "2025-11-25")])
def test_a_server_is_listed_and_called_in_both_eras(
    server: Server, *, legacy: bool, version: str
) -> None:
    told: list[dict[str, Any]] = []

    async def heard(progress: Any) -> None:
        told.append(dict(progress))

    async def run() -> None:
        async with Session(server, legacy=legacy) as session:
            assert session.identity["protocolVersion"] == version
            assert session.identity["serverInfo"]["name"] == "shelf"
            assert "small shelf" in session.identity["instructions"]
            listed = await list_everything(session)
            names = [item["name"] for item in listed.items]
            assert names == ["search_books", "lend_book", "count_pages"]
            result = await session.call("count_pages", {}, on_progress=heard)
            assert result["content"][0]["text"] == "1951"

    asyncio.run(run())
    assert [(one["progress"], one["total"]) for one in told] == [(n, 4) for n in (1, 2, 3, 4)]
    assert told[0]["message"] == "Moby-Dick"


def test_everything_else_is_listed_too(server: Server) -> None:
    async def run() -> None:
        async with Session(server) as session:
            templates = await list_everything(session, "templates")
            assert [item["uriTemplate"] for item in templates.items] == ["book://{title}"]
            prompts = await list_everything(session, "prompts")
            assert [item["name"] for item in prompts.items] == ["recommend"]
            assert (await list_everything(session, "resources")).items == ()

    asyncio.run(run())


def test_remote_tools_run_through_the_whole_pipeline(server: Server) -> None:
    seen: list[Any] = []

    async def sink(event: Any) -> None:
        seen.append(event)

    async def run() -> None:
        client = MCPClient(replace(server, name="shelf"), limits=Limits(call=10))
        async with client as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            assert [spec.name for spec in registry.specs()] == [
                "search_books",
                "lend_book",
                "count_pages",
            ]
            assert registry.problems == []
            uses = [
                ToolUse("1", "search_books", {"text": "eliot"}),
                ToolUse("2", "search_books", {"before": 1900}),
                ToolUse("3", "lend_book", {"title": "nothing"}),
                ToolUse("4", "count_pages", {}),
            ]
            batch = await ToolExecutor(registry).run_batch(uses, sink=sink)
        found, bad, failed, counted = batch.results
        assert found is not None
        assert found.structured["result"][0]["title"] == "Middlemarch"
        assert bad is not None
        assert (bad.status, "text" in bad.text) == ("error", True)
        assert failed is not None
        assert (failed.status, "nothing" in failed.text) == ("error", True)
        assert counted is not None
        assert counted.text == "1951"

    asyncio.run(run())
    assert len([event for event in seen if isinstance(event, ToolProgress)]) == 4


def test_a_registry_takes_a_client_as_a_source() -> None:
    client = MCPClient(STDIO)
    registry = ToolRegistry(client)
    try:
        assert "search_books" in registry
        assert registry.tool.count_pages().text == "1951"
    finally:
        client.stop()
