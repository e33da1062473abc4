"""Servers whose notices are odd, too many or for nobody: none costs more than itself."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

import pytest

from toolkit.executor import ToolExecutor
from toolkit.mcp.client import MCPClient
from toolkit.mcp.following import Debounced
from toolkit.mcp.session import Limits, Listener, Session
from toolkit.registry import ToolRegistry
from toolkit.types import ToolUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.mcp.conftest import Zoo
    from toolkit.mcp.servers import Server


def call(server: Server, name: str, *, log_level: str | None = None) -> tuple[Any, list[Any]]:
    """Call a tool: what it says, and the progress or the log messages that were told."""
    told: list[Any] = []

    async def progress(value: Mapping[str, Any]) -> None:
        told.append(dict(value))

    async def notified(server: Server, method: str, params: Mapping[str, Any]) -> None:
        told.append((server.name, method, params.get("data")))

    async def run() -> Any:
        listener = Listener(notification=notified if log_level else None, log_level=log_level)
        limits = Limits(start=10, list=10, call=10)
        async with Session(server, limits=limits, listener=listener) as session:
            result = await session.call(name, {}, on_progress=None if log_level else progress)
            return result["content"][0]["text"]

    return asyncio.run(run()), told


def test_progress_of_which_nothing_can_be_made_costs_only_itself(zoo: Zoo) -> None:
    said, told = call(zoo("hostile"), "odd_progress")
    assert said == "done"
    assert [(one["progress"], one.get("total")) for one in told] == [
        (1, 0), (2, None), (-5, -1), (1, 10), (3, 2), (1e308, 1e308), (4, None), (5, None),
        (6, None), (99, None), (7, 7),
    ]  # fmt: skip
    assert told[6]["message"].endswith("red")
    assert "message" not in told[7]


def test_a_flood_of_progress_is_told_in_order_and_whole(zoo: Zoo) -> None:
    said, told = call(zoo("hostile"), "flood")
    assert said == "done"
    assert [one["progress"] for one in told] == list(range(5_000))


def test_a_malformed_log_message_costs_only_itself(zoo: Zoo) -> None:
    said, told = call(zoo("hostile"), "odd_logs", log_level="debug")
    assert said == "done"
    assert [data for _, method, data in told if method == "notifications/message"] == [
        "\x1b]0;owned\x07\x1b[2Jred",
        {"deep": [1, {"a": "\x1b]0;owned\x07\x1b[2J"}]},
        "last",
    ]


def test_a_list_that_changes_whenever_it_is_looked_at_is_looked_at_ever_less_often() -> None:
    times: list[float] = []

    async def run() -> None:
        enough = asyncio.Event()

        async def look() -> None:
            times.append(asyncio.get_running_loop().time())
            changes.ask()
            if len(times) == 5:
                enough.set()

        changes = Debounced(look)
        changes.ask()
        await enough.wait()
        await changes.stop()

    asyncio.run(run())
    pauses = [after - before for before, after in itertools.pairwise(times)]
    assert pauses == [pytest.approx(pause, abs=0.15) for pause in (0.2, 0.4, 0.8, 1.6)]


@pytest.mark.parametrize("era", ["2025-03-26", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("batch", "in a batch"),
        ("twice", "first"),
        ("requests", "still here"),
        ("questions", "still here"),
        ("binary", "still here"),
        ("both", "Error: e"),
        ("mute", "Error: it does not say what"),
        ("text", "Error: oops"),
        ("list", "Error: the server asks for input that nobody can read: inputRequests: "),
        ("unknown", "Error: the server asks for input that nobody can read: inputRequests.a: "),
        ("nothing", "Error: the server asks for input that nobody can read: it: "),
    ],
)
def test_an_answer_that_is_none_ends_its_call_in_words(
    zoo: Zoo, era: str, name: str, said: str
) -> None:
    async def run() -> str:
        client = MCPClient(zoo("sloppy", ZOO_VERSION=era), limits=Limits(start=10, call=5))
        async with client as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            return (await ToolExecutor(registry).run(ToolUse("u", name, {}))).text

    assert asyncio.run(run()).startswith(said)
