from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import errors
from toolkit.mcp.client import MCPClient
from toolkit.mcp.session import Limits
from toolkit.types import Listing, ToolContext, ToolProvider, ToolUse

if TYPE_CHECKING:
    from tests.mcp.conftest import Zoo
    from toolkit.mcp.servers import Server

LIMITS = Limits(start=10, list=10, call=5)


def listing(*servers: Server, **options: Any) -> Listing:
    async def run() -> Listing:
        async with MCPClient(*servers, limits=LIMITS, **options) as listed:
            return listed

    return asyncio.run(run())


def names(listed: Listing) -> list[str]:
    return [tool.spec.name for tool in listed.tools]


def test_a_client_is_a_provider_of_tools(zoo: Zoo) -> None:
    assert isinstance(MCPClient(zoo("many")), ToolProvider)


def test_a_prefix_is_ours_alone(zoo: Zoo) -> None:
    async def run() -> str:
        async with MCPClient(zoo("many"), prefix="zoo", allowed=["echo"]) as listed:
            (tool,) = listed.tools
            assert tool.spec.name == "zoo_echo"
            use = ToolUse("u", "zoo_echo", {"city": "x"})
            text: str = (await tool.invoke(use, ToolContext(use))).text
            return text

    assert asyncio.run(run()) == '{"city": "x"}'


def test_one_tool_may_get_another_name(zoo: Zoo) -> None:
    found = listing(zoo("many"), names={"echo": "say"}, allowed=["echo", "failing"])
    assert names(found) == ["say", "failing"]
    assert found.raw["say"]["name"] == "echo"


def test_tools_are_picked_by_text_pattern_and_function(zoo: Zoo) -> None:
    picks = ["echo", re.compile("fail.*"), lambda raw: "outputSchema" in raw]
    found = listing(zoo("many"), allowed=picks, rejected=["unstructured"])
    assert names(found) == ["echo", "failing", "structured", "structured_error"]


def test_several_servers_start_together_and_one_failure_hides_no_other(zoo: Zoo) -> None:
    servers = [zoo("starting", "ignores_discover") for _ in range(2)]
    began = time.monotonic()
    found = listing(*servers, zoo("starting", "exits"))
    assert time.monotonic() - began < 5.5  # each of the two takes three seconds
    assert len(found.tools) == 2
    (failure,) = [one for one in found.findings if one.name == "unreachable-server"]
    assert isinstance(failure.cause, errors.MCPConnectionClosedError)
    assert failure.place.server == "starting"


def test_the_same_name_on_two_servers_gives_the_later_one_an_alias(zoo: Zoo) -> None:
    async def run() -> list[str]:
        async with MCPClient(zoo("many"), zoo("many"), allowed=["echo"]) as listed:
            heard = []
            for tool in listed.tools:
                use = ToolUse("u", tool.spec.name, {"city": tool.spec.name})
                heard.append((await tool.invoke(use, ToolContext(use))).text)
            assert names(listed)[0] == "echo"
            assert names(listed)[1].startswith("echo_")
            return heard

    assert len(set(asyncio.run(run()))) == 2


def test_when_every_server_fails_the_first_error_is_raised(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPConnectionClosedError) as caught:
        listing(zoo("starting", "exits"), zoo("starting", "ends"))
    assert caught.value.exit_status == 3


def test_a_client_of_nothing_is_refused() -> None:
    with pytest.raises(errors.UsageError):
        MCPClient()
