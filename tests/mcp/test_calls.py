from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import errors
from toolkit.executor import ToolExecutor
from toolkit.mcp.connection import Connection
from toolkit.mcp.names import alias
from toolkit.mcp.session import Limits, Session
from toolkit.mcp.tool import tools_of
from toolkit.registry import ToolRegistry
from toolkit.types import Event, Json, Text, ToolProgress, ToolResult, ToolUse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.mcp.conftest import Zoo

LIMITS = Limits(start=10, list=10, call=5)


def with_session(zoo: Zoo, work: Callable[[Session], Awaitable[Any]], **env: str) -> Any:
    async def run() -> Any:
        async with Session(zoo("many", **env), limits=LIMITS) as session:
            return await work(session)

    return asyncio.run(run())


def with_tools(
    zoo: Zoo, uses: list[ToolUse], *, seen: list[Event] | None = None, call: float = 5
) -> list[ToolResult]:
    async def sink(event: Event) -> None:
        if seen is not None:
            seen.append(event)

    async def run() -> list[ToolResult]:
        connection = Connection(zoo("many"), limits=Limits(start=10, list=10, call=call))
        try:
            await connection.open()
            listed = await connection.list()
            registry = ToolRegistry()
            registry.adopt_listing(tools_of(listed.items, link=connection, server="many"))
            batch = await ToolExecutor(registry).run_batch(uses, sink=sink)
        finally:
            await connection.close()
        return [result for result in batch.results if result is not None]

    return asyncio.run(run())


def one(zoo: Zoo, name: str, arguments: dict[str, Any] | None = None, **options: Any) -> ToolResult:
    (result,) = with_tools(zoo, [ToolUse("u1", name, arguments or {})], **options)
    return result


def test_a_call_goes_out_and_comes_back(zoo: Zoo) -> None:
    result = one(zoo, "echo", {"city": "Zürich ☃ 天", "null": None})
    assert (result.tool_use_id, result.status) == ("u1", "success")
    assert json.loads(result.text) == {"city": "Zürich ☃ 天", "null": None}


def test_the_server_hears_its_own_name(zoo: Zoo) -> None:
    result = one(zoo, alias("own.name/here", "own.name/here"))
    assert result.text == "heard own.name/here"


def test_bad_input_is_refused_before_it_is_sent(zoo: Zoo) -> None:
    result = one(zoo, "echo", {"city": 5})
    assert isinstance(result.exception, errors.InvalidInputError)
    assert "city" in result.text


def test_an_error_result_keeps_the_servers_words(zoo: Zoo) -> None:
    result = one(zoo, "failing")
    assert (result.status, result.content) == ("error", (Text("it went wrong"),))


def test_an_error_of_the_protocol_is_an_error_result_with_code_and_data(zoo: Zoo) -> None:
    result = one(zoo, "refusing")
    assert (result.status, result.text) == ("error", 'Error: no such thing\n{"why": "because"}')
    told = {"code": -32602, "message": "no such thing", "data": {"why": "because"}}
    assert result.metadata["error"] == told


@pytest.mark.parametrize(
    ("name", "said"), [("generic", "the disk is full"), ("slow_generic", "the backend was slow")]
)
def test_a_servers_error_with_a_code_that_clients_use_too_is_its_own(
    zoo: Zoo, name: str, said: str
) -> None:
    result = one(zoo, name)
    assert (result.status, result.text) == ("error", f"Error: {said}")


def test_a_page_to_be_opened_first_is_a_structured_error(zoo: Zoo) -> None:
    result = one(zoo, "page_first")
    assert result.status == "error"
    assert result.metadata["error"]["code"] == -32042
    assert "https://example.test/ok" in result.text


def test_an_unreadable_answer_ends_its_call_and_no_other(zoo: Zoo) -> None:
    uses = [ToolUse("a", "wrong_id"), ToolUse("b", "echo", {"city": "x"})]
    first, second = with_tools(zoo, uses)
    assert first.status == "error"
    assert "no object" in first.text
    assert second.status == "success"


def test_a_server_that_dies_in_the_middle_ends_every_pending_call_and_is_started_again(
    zoo: Zoo,
) -> None:
    async def run() -> None:
        connection = Connection(zoo("many"), limits=LIMITS)
        await connection.open()
        began = time.monotonic()
        calls = [connection.call(name, {}) for name in ("hanging", "dying")]
        ended = await asyncio.gather(*calls, return_exceptions=True)
        assert time.monotonic() - began < 3
        for error in ended:
            assert isinstance(error, errors.MCPConnectionClosedError)
            assert (error.exit_status, error.phase, error.kind) == (7, "call", "exited")
            assert "about to die" in error.message
        answer = await connection.call("echo", {"city": "again"})
        assert json.loads(answer["content"][0]["text"]) == {"city": "again"}
        assert connection.restarts == 1
        await connection.close()

    asyncio.run(run())


def test_a_server_that_is_killed_from_outside_is_noticed(zoo: Zoo) -> None:
    async def work(session: Session) -> None:
        pid: int = session.transport.child.pid  # type: ignore[attr-defined]
        asyncio.get_running_loop().call_later(0.2, os.kill, pid, signal.SIGKILL)
        with pytest.raises(errors.MCPConnectionClosedError) as caught:
            await session.call("hanging", {})
        assert "killed by signal 9" in caught.value.message
        assert not session.alive

    with_session(zoo, work)


def test_a_call_without_an_answer_ends_at_its_deadline(zoo: Zoo) -> None:
    async def work(session: Session) -> None:
        began = time.monotonic()
        with pytest.raises(errors.ToolTimeoutError) as caught:
            await session.call("hanging", {}, seconds=0.3)
        assert time.monotonic() - began < 1.5
        assert caught.value.seconds == 0.3
        assert await session.call("failing", {})

    with_session(zoo, work)


def test_progress_is_in_order_before_the_result_and_extends_the_deadline(zoo: Zoo) -> None:
    seen: list[Event] = []
    result = one(zoo, "progressing", {"pause": 0.6}, seen=seen, call=1.0)
    assert result.text == "done"
    told = [event.value for event in seen if isinstance(event, ToolProgress)]
    assert told == [{"progress": step, "total": 3, "message": f"step {step}"} for step in (1, 2, 3)]


def test_a_late_answer_to_a_call_that_was_given_up_is_dropped(zoo: Zoo) -> None:
    async def work(session: Session) -> Any:
        with pytest.raises(errors.ToolTimeoutError):
            await session.call("late", {}, seconds=0.1)
        await asyncio.sleep(0.4)
        return await session.call("echo", {"city": "on time"})

    assert "on time" in with_session(zoo, work)["content"][0]["text"]


def test_a_result_of_thirty_megabytes_comes_whole(zoo: Zoo) -> None:
    assert len(one(zoo, "big", call=20).text) == 30 * 1024 * 1024


def test_a_flood_on_stderr_blocks_nobody(zoo: Zoo) -> None:
    assert one(zoo, "flood").text == "flooded"


def test_structured_content_that_fits_is_kept_and_shown(zoo: Zoo) -> None:
    result = one(zoo, "structured", {"count": 3})
    assert (result.status, result.structured) == ("success", {"count": 3})
    assert result.content == (Json({"count": 3}),)


def test_structured_content_that_does_not_fit_names_the_path_and_is_kept(zoo: Zoo) -> None:
    result = one(zoo, "structured", {"count": "three"})
    assert result.status == "error"
    assert "count" in result.text
    assert result.structured == {"count": "three"}


def test_missing_structured_content_is_an_error_that_keeps_what_came(zoo: Zoo) -> None:
    result = one(zoo, "unstructured")
    assert result.status == "error"
    assert "no structured content" in result.text
    assert Text("no structure at all") in result.content


def test_an_error_result_is_not_held_to_the_output_schema(zoo: Zoo) -> None:
    assert one(zoo, "structured_error").content == (Text("own words"),)


def test_a_child_gets_the_safe_variables_and_its_own(
    zoo: Zoo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "do-not-pass-on")
    held = json.loads(one(zoo, "environment").text)
    assert "SOME_TOKEN" not in held
    assert {"HOME", "PATH", "TOOLKIT_ZOO"} <= held.keys()


def test_a_secret_that_the_server_prints_is_hidden(zoo: Zoo) -> None:
    async def work(session: Session) -> errors.MCPError:
        with pytest.raises(errors.MCPConnectionClosedError) as caught:
            await session.call("leaking", {})
        return caught.value

    error = with_session(zoo, work, ZOO_SECRET="s3cr3t-value")
    assert "token is ***" in error.message
    assert "s3cr3t-value" not in error.message + (error.stderr or "")


def test_closing_ends_calls_that_are_under_way(zoo: Zoo) -> None:
    async def run() -> None:
        connection = Connection(zoo("many"), limits=LIMITS)
        await connection.open()
        call = asyncio.create_task(connection.call("hanging", {}))
        await asyncio.sleep(0.1)
        await connection.close()
        with pytest.raises(errors.MCPConnectionClosedError):
            await asyncio.wait_for(call, 2)
        with pytest.raises(errors.MCPConnectionClosedError):
            await connection.call("echo", {"city": "x"})

    asyncio.run(run())
