from __future__ import annotations

import asyncio
import gc
import threading
import time
from typing import TYPE_CHECKING

import pytest

from toolkit import errors
from toolkit.mcp.client import MCPClient
from toolkit.mcp.session import Limits
from toolkit.types import ToolContext, ToolProgress, ToolUse

if TYPE_CHECKING:
    from tests.mcp.conftest import Zoo
    from toolkit.types import Event, ToolResult

LIMITS = Limits(start=10, list=10, call=5)


def test_a_synchronous_program_lists_and_calls(zoo: Zoo) -> None:
    with MCPClient(zoo("many"), limits=LIMITS) as client:
        assert "echo" in [tool.spec.name for tool in client.list_tools_sync()]
        result = client.call_tool_sync("u1", "echo", arguments={"city": "Tokyo"})
    assert (result.tool_use_id, result.text) == ("u1", '{"city": "Tokyo"}')


def test_a_tool_may_be_called_from_any_loop_with_its_progress(zoo: Zoo) -> None:
    class Heard:
        def __init__(self) -> None:
            self.values: list[object] = []
            self.threads: set[int] = set()

        async def progress(self, event: Event, context: ToolContext) -> None:
            del context
            assert isinstance(event, ToolProgress)
            self.values.append(event.value)
            self.threads.add(threading.get_ident())

        def progress_from_thread(self, event: Event, context: ToolContext) -> None:
            raise AssertionError((event, context))

    heard = Heard()
    with MCPClient(zoo("many"), limits=LIMITS) as client:
        tool = next(one for one in client.listing.tools if one.spec.name == "progressing")
        use = ToolUse("u1", "progressing", {})
        for _ in range(2):
            result = asyncio.run(tool.invoke(use, ToolContext(use, channel=heard)))
            assert result.text == "done"
    assert len(heard.values) == 6
    assert heard.threads == {threading.get_ident()}


def test_closing_ends_calls_of_other_threads_at_once(zoo: Zoo) -> None:
    client = MCPClient(zoo("many"), limits=Limits(start=10, list=10, call=60)).start()
    ended: list[BaseException] = []
    waiting = threading.Event()

    def call() -> None:
        waiting.set()
        try:
            client.call_tool_sync("u1", "hanging")
        except errors.MCPError as error:
            ended.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    waiting.wait(5)
    time.sleep(0.1)  # the call has to be under way, and nothing tells that
    began = time.monotonic()
    client.stop()
    thread.join(5)
    assert time.monotonic() - began < 4
    assert [type(error) for error in ended] == [errors.MCPConnectionClosedError]


def test_closing_ends_calls_of_other_loops_at_once(zoo: Zoo) -> None:
    client = MCPClient(zoo("many"), limits=Limits(start=10, list=10, call=60)).start()
    tool = next(one for one in client.listing.tools if one.spec.name == "hanging")
    use = ToolUse("u1", "hanging", {})

    async def run() -> None:
        call = asyncio.create_task(tool.invoke(use, ToolContext(use)))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(client.stop)
        with pytest.raises(errors.MCPConnectionClosedError):
            await asyncio.wait_for(call, 2)

    asyncio.run(run())


def test_a_closed_client_refuses_calls(zoo: Zoo) -> None:
    client = MCPClient(zoo("many"), limits=LIMITS).start()
    tool = client.listing.tools[0]
    client.stop()
    client.stop()
    use = ToolUse("u1", "echo", {"city": "x"})
    with pytest.raises(errors.MCPConnectionClosedError):
        asyncio.run(tool.invoke(use, ToolContext(use)))


def test_a_server_that_does_not_start_leaves_no_thread(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPConnectionClosedError):
        MCPClient(zoo("starting", "exits"), limits=LIMITS).start()
    until = time.monotonic() + 2
    while any(one.name == "mcp" for one in threading.enumerate()) and time.monotonic() < until:
        gc.collect()
    assert not any(one.name == "mcp" for one in threading.enumerate())


def test_an_unknown_name_is_refused(zoo: Zoo) -> None:
    with MCPClient(zoo("many"), limits=LIMITS) as client, pytest.raises(errors.UsageError):
        client.call_tool_sync("u1", "nothing")


def test_a_crashed_server_is_started_again_for_the_next_call(zoo: Zoo) -> None:
    results: list[ToolResult] = []
    with MCPClient(zoo("many"), limits=LIMITS) as client:
        with pytest.raises(errors.MCPConnectionClosedError):
            client.call_tool_sync("u1", "dying")
        results.append(client.call_tool_sync("u2", "echo", arguments={"city": "x"}))
    assert [result.status for result in results] == ["success"]
