from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from toolkit.executor import ToolExecutor
from toolkit.mcp.client import MCPClient
from toolkit.registry import ToolRegistry
from toolkit.types import Listing, ToolContext, ToolProgress, ToolsChanged, ToolUse

if TYPE_CHECKING:
    from tests.mcp.conftest import Zoo


def names(listing: Listing) -> list[str]:
    return sorted(tool.spec.name for tool in listing.tools)


class Changes:
    """Hears changes, and lets a test wait for the next."""

    def __init__(self) -> None:
        self.told: list[ToolsChanged] = []
        self._came = asyncio.Event()

    def __call__(self, change: ToolsChanged, listing: Listing) -> None:
        del listing
        self.told.append(change)
        self._came.set()

    async def next(self) -> ToolsChanged:
        async with asyncio.timeout(3):
            await self._came.wait()
        self._came.clear()
        return self.told[-1]


@pytest.mark.parametrize("script", ["growing", "growing_modern"])
def test_a_changed_list_is_read_again_in_the_same_session(zoo: Zoo, script: str) -> None:
    async def run() -> None:
        client, changes = MCPClient(zoo(script)), Changes()
        client.subscribe(changes)
        async with client as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            registry.follow(client)
            executor = ToolExecutor(registry)
            assert "old" in registry
            assert (await executor.run(ToolUse("1", "grow", {}))).status == "success"
            change = await changes.next()
            assert [one.name for one in change.added] == ["added"]
            assert [one.name for one in change.removed] == ["old"]
            assert "old" not in registry
            assert (await executor.run(ToolUse("2", "added", {}))).status == "success"
            gone = await executor.run(ToolUse("3", "old", {}))
            assert (gone.status, "old" in gone.text) == ("error", True)
            await asyncio.sleep(0.3)
            assert len(changes.told) == 1  # two notices, one change

    asyncio.run(run())


def test_what_changed_before_the_server_is_listened_to_is_not_missed(zoo: Zoo) -> None:
    async def run() -> tuple[list[str], list[str]]:
        client, changes = MCPClient(zoo("hasty", ZOO_VERSION="2026-07-28")), Changes()
        client.subscribe(changes)
        async with client as listing:
            first = names(listing)
            if first == ["old"]:  # it may have been listened to in time
                await changes.next()
            return first, names(client.listing)

    first, last = asyncio.run(run())
    assert first in (["old"], ["added"])
    assert last == ["added"]


def test_what_changed_between_two_subscriptions_is_not_missed(zoo: Zoo) -> None:
    async def run() -> ToolsChanged:
        client, changes = MCPClient(zoo("forgetful", ZOO_VERSION="2026-07-28")), Changes()
        client.subscribe(changes)
        async with client as listing:
            await call(listing, "forget")
            return await changes.next()

    assert [one.name for one in asyncio.run(run()).added] == ["added"]


def test_notices_that_are_late_unknown_or_for_nobody_change_nothing(zoo: Zoo) -> None:
    told: list[object] = []

    async def sink(event: object) -> None:
        if isinstance(event, ToolProgress):
            told.append(event.value)

    async def run() -> None:
        client, changes = MCPClient(zoo("noisy")), Changes()
        client.subscribe(changes)
        async with client as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            registry.follow(client)
            executor = ToolExecutor(registry)
            assert registry.names == ["grow", "work", "old"]
            grown = await executor.run(ToolUse("1", "grow", {}))
            assert (grown.status, grown.text) == ("success", "grow called")
            await changes.next()
            assert sorted(registry.names) == ["added", "grow", "work"]
            assert (await executor.run(ToolUse("2", "added", {}))).text == "added called"
            old = await executor.run(ToolUse("3", "old", {}))
            assert (old.status, "old" in old.text) == ("error", True)
            work = await executor.run(ToolUse("4", "work", {}), sink=sink)
            assert (work.status, work.text) == ("success", "work called")
            assert told == [{"progress": step, "total": 3} for step in (1, 2, 3)]
            late = await executor.run(ToolUse("5", "added", {}), sink=sink)
            assert (late.status, len(told)) == ("success", 3)

    asyncio.run(run())


def test_a_changed_schema_is_a_change_and_an_unchanged_tool_is_none(zoo: Zoo) -> None:
    async def run() -> ToolsChanged:
        client, changes = MCPClient(zoo("growing")), Changes()
        client.subscribe(changes)
        async with client as listing:
            await call(listing, "grow")
            return await changes.next()

    change = asyncio.run(run())
    assert [one.name for one in change.changed] == ["grow"]
    assert "break" not in [one.name for one in (*change.added, *change.changed, *change.removed)]


def test_a_list_that_fails_keeps_the_tools_that_were_there(zoo: Zoo) -> None:
    async def run() -> tuple[ToolsChanged, Listing]:
        client, changes = MCPClient(zoo("growing")), Changes()
        client.subscribe(changes)
        async with client as listing:
            await call(listing, "break")
            return await changes.next(), client.listing

    change, listing = asyncio.run(run())
    assert "the list is broken" in change.failed[0].message
    assert names(listing) == ["break", "grow", "old"]


def test_a_registry_that_was_given_a_client_keeps_up_with_it(zoo: Zoo) -> None:
    client = MCPClient(zoo("growing"))
    registry = ToolRegistry(client)
    try:
        heard = threading.Event()
        registry.subscribe(lambda _: heard.set())
        assert registry.tool.grow().status == "success"
        assert heard.wait(3)
        assert "added" in registry
        assert registry.tool.added().text == "added called"
    finally:
        client.stop()


async def call(listing: Listing, name: str) -> None:
    tool = next(one for one in listing.tools if one.spec.name == name)
    use = ToolUse("u", name, {})
    await tool.invoke(use, ToolContext(use))
