"""Calls that a server answers with a task, in both forms: submitted, asked after, fetched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest

from toolkit.executor import ToolExecutor
from toolkit.mcp.client import MCPClient
from toolkit.mcp.session import Limits, Listener
from toolkit.mcp.tasks import handed
from toolkit.registry import ToolRegistry
from toolkit.types import ToolProgress, ToolResult, ToolUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.mcp.conftest import Zoo
    from toolkit.mcp.servers import Server

OLD, NEW = "2025-11-25", "2026-07-28"
both = pytest.mark.parametrize("form", [OLD, NEW])

Call = Callable[[str], Awaitable[ToolResult]]
Scene = Callable[[Call], Awaitable[Any]]


def play(
    server: Server, scene: Scene, *, listener: Listener | None = None, seconds: float = 5
) -> tuple[Any, list[Any]]:
    """Let a scene make its calls; what it gives, and the progress that was told."""
    told: list[Any] = []

    async def sink(event: Any) -> None:
        if isinstance(event, ToolProgress):
            told.append(event.value)

    async def run() -> Any:
        limits = Limits(start=10, list=10, call=seconds)
        async with MCPClient(server, limits=limits, listener=listener) as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            executor = ToolExecutor(registry)
            return await scene(lambda name: executor.run(ToolUse("u", name, {}), sink=sink))

    return asyncio.run(run()), told


async def heard(call: Call) -> list[Any]:
    found: list[Any] = json.loads((await call("heard")).text)
    return found[:-1]


@both
def test_a_task_is_submitted_asked_after_and_fetched(anywhere: Zoo, form: str) -> None:
    async def scene(call: Call) -> tuple[ToolResult, list[Any]]:
        return await call("slow"), await heard(call)

    (result, said), told = play(anywhere("tasking", form), scene)
    assert (result.status, result.text) == ("success", "done")
    end = [["tasks/result", "slow"]] if form == OLD else []
    assert said == [["slow", form == OLD], ["tasks/get", "slow"], ["tasks/get", "slow"], *end]
    assert told == [{"message": "step 0"}, {"message": "step 1"}, {"message": "step 2"}]


@both
def test_a_task_that_fails_is_the_error_that_it_failed_with(anywhere: Zoo, form: str) -> None:
    result, _ = play(anywhere("tasking", form), lambda call: call("fails"))
    assert (result.status, "it broke" in result.text) == ("error", True)
    told = {"code": -32050, "message": "it broke", "data": {"why": "x"}}
    assert told in result.metadata.values()


@both
def test_a_task_that_the_server_cancels_is_an_error(anywhere: Zoo, form: str) -> None:
    result, _ = play(anywhere("tasking", form), lambda call: call("stops"))
    assert (result.status, "the task was cancelled: step 2" in result.text) == ("error", True)


@both
def test_a_task_that_asks_is_answered(anywhere: Zoo, form: str) -> None:
    async def elicit(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        assert (server.name, params["message"]) == ("tasking", "Where to?")
        return {"action": "accept", "content": {"city": "Rome"}}

    listener = Listener(elicit=elicit)
    result, _ = play(anywhere("tasking", form), lambda call: call("asks"), listener=listener)
    assert json.loads(result.text) == {"city": "Rome"}


def test_a_task_that_works_on_after_its_question_does_not_run_out_of_time(anywhere: Zoo) -> None:
    """Ten steps of 30 ms after the answer, against an idle deadline of 200 ms."""

    async def elicit(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        assert (server.name, params["message"]) == ("tasking", "Where to?")
        return {"action": "accept", "content": {"city": "Rome"}}

    listener = Listener(elicit=elicit)
    server = anywhere("tasking", OLD)
    result, told = play(server, lambda call: call("asks"), listener=listener, seconds=0.2)
    assert json.loads(result.text) == {"city": "Rome"}
    assert {"message": "step -3"} in told


@pytest.mark.parametrize("form", [OLD, NEW])
def test_a_task_that_came_as_its_call_was_given_up_is_cancelled_too(form: str) -> None:
    said: list[Any] = []

    async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        said.append((method, params))
        return {}

    async def run() -> None:
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        async def answered() -> dict[str, Any]:
            return await answer

        call = asyncio.create_task(handed(ask, answered(), modern=form == NEW))
        await asyncio.sleep(0)
        answer.set_result(
            {"resultType": "task", "taskId": "t"} if form == NEW else {"task": {"taskId": "t"}}
        )
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled()

    asyncio.run(run())
    assert said == [("tasks/cancel", {"taskId": "t"})]


@both
def test_a_task_that_nobody_waits_for_is_cancelled(anywhere: Zoo, form: str) -> None:
    async def scene(call: Call) -> list[Any]:
        calling = asyncio.ensure_future(call("forever"))
        said = await heard(call)
        while ["tasks/get", "forever"] not in said:
            said = await heard(call)
        calling.cancel()
        await asyncio.wait([calling])
        return await heard(call)

    said, _ = play(anywhere("tasking", form), scene)
    assert said[-1] != ["tasks/get", "forever"]
    assert said.count(["tasks/cancel", "forever"]) == 1


@both
def test_a_task_that_is_asked_after_does_not_run_out_of_time(zoo: Zoo, form: str) -> None:
    """Twelve steps of 30 ms against an idle deadline of 200 ms."""
    result, _ = play(zoo("tasking", form), lambda call: call("lasting"), seconds=0.2)
    assert (result.status, result.text) == ("success", "done"), result


@both
def test_only_who_declares_tasks_is_given_any(zoo: Zoo, form: str) -> None:
    async def scene(call: Call) -> list[Any]:
        return [(await call(name)).text for name in ("slow", "plain", "maybe")]

    texts, _ = play(zoo("tasking", form, "undeclared"), scene)
    assert texts == ["not as a task", "at once", "at once"]


def test_a_tool_that_may_be_a_task_is_called_as_any_other(zoo: Zoo) -> None:
    async def scene(call: Call) -> tuple[str, list[Any]]:
        return (await call("maybe")).text, await heard(call)

    (text, said), _ = play(zoo("tasking", OLD), scene)
    assert (text, said) == ("at once", [["maybe", False]])
