"""Tasks of servers that do not keep to the protocol: each ends, and with words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from mcp.shared.exceptions import MCPError

from toolkit.mcp.tasks import is_handle, watched

if TYPE_CHECKING:
    from collections.abc import Mapping

DONE = {"content": [{"type": "text", "text": "done"}]}


def play(
    states: list[dict[str, Any]], *, modern: bool, end: dict[str, Any] | None = None
) -> tuple[Any, list[str], list[Any]]:
    """Watch a task that goes through states: its result or its error, what was asked and heard."""
    handle, *later = [{"taskId": "t", "pollInterval": 1, "pollIntervalMs": 1, **s} for s in states]
    asked: list[str] = []
    heard: list[Any] = []

    async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        asked.append(method)
        assert params["taskId"] == "t"
        if method == "tasks/get":
            return later.pop(0) if len(later) > 1 else later[0]
        return end or {}

    async def hear(told: Mapping[str, Any]) -> None:
        heard.append(dict(told))

    async def answers(requests: Mapping[str, Any]) -> Mapping[str, Any]:
        return dict.fromkeys(requests, "answered")

    async def run() -> Any:
        async with asyncio.timeout(5):
            given = handle if modern else {"task": handle}
            return await watched(ask, given, modern=modern, heard=hear, answers=answers)

    try:
        return asyncio.run(run()), asked, heard
    except MCPError as error:
        return error, asked, heard


@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize("status", ["exploded", None, 5, ["working"], "WORKING"])
def test_a_status_that_nobody_knows_is_an_error_that_names_it(*, modern: bool, status: Any) -> None:
    error, _, _ = play([{"status": "working"}, {"status": status}], modern=modern)
    assert isinstance(error, MCPError)
    assert f"the task is '{status}', and has no result" in str(error)


@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize("identity", [None, 5, {}])
def test_a_task_without_a_name_is_an_error(*, modern: bool, identity: Any) -> None:
    error, asked, _ = play([{"status": "working", "taskId": identity}, {}], modern=modern)
    assert isinstance(error, MCPError)
    assert "no 'taskId'" in str(error)
    assert asked == []


@pytest.mark.parametrize("pause", [None, "soon", -5, 0, 1e300, float("nan"), True])
def test_a_pause_that_makes_no_sense_is_not_kept(pause: Any) -> None:
    working = {"status": "working", "pollInterval": pause, "pollIntervalMs": pause, "ttl": None}
    if pause == 1e300:
        working |= {"pollIntervalMs": 5}  # it is cut to ten seconds, which nobody waits for here
    result, asked, _ = play([working, {"status": "completed", "result": DONE}], modern=True)
    assert (result, asked) == (DONE, ["tasks/get"])


def test_a_task_that_is_done_at_once_is_fetched_at_once() -> None:
    end = {"status": "completed", "result": DONE}
    assert play([end, end], modern=True)[:2] == (DONE, ["tasks/get"])
    assert play([end, end], modern=False, end=DONE)[:2] == (DONE, ["tasks/result"])


def test_a_done_task_without_a_result_is_an_error() -> None:
    error, _, _ = play([{"status": "completed"}, {"status": "completed"}], modern=True)
    assert "the task is 'completed', and has no result" in str(error)


@pytest.mark.parametrize("error", [None, "text", {}, {"code": "x"}, {"code": 5, "message": None}])
def test_a_failed_task_with_a_malformed_error_is_an_error_all_the_same(error: Any) -> None:
    failed = {"status": "failed", "error": error, "statusMessage": "it broke"}
    found, _, _ = play([failed, failed], modern=True)
    assert isinstance(found, MCPError)
    assert "it broke" in str(found)


@pytest.mark.parametrize("requests", [None, {}, [], "text"])
def test_a_task_that_wants_input_and_names_none_is_asked_after_again(requests: Any) -> None:
    wants = {"status": "input_required", "inputRequests": requests}
    end = {"status": "completed", "result": DONE}
    result, asked, _ = play([wants, wants, wants, end], modern=True)
    assert (result, asked) == (DONE, ["tasks/get"] * 3)


def test_the_same_request_is_answered_once_and_a_new_one_too() -> None:
    first = {"status": "input_required", "inputRequests": {"a": {}}}
    second = {"status": "input_required", "inputRequests": {"a": {}, "b": {}}}
    end = {"status": "completed", "result": DONE}
    result, asked, _ = play([first, first, first, second, end], modern=True)
    assert (result, asked.count("tasks/update")) == (DONE, 2)


def test_a_message_that_is_none_is_a_sign_of_life_only() -> None:
    states = [{"status": "working", "statusMessage": one} for one in ("a", 5, "b", "b", None)]
    _, _, heard = play([*states, {"status": "completed", "result": DONE}], modern=True)
    assert heard == [{"message": "a"}, {}, {"message": "b"}, {}, {}, {}]


@pytest.mark.parametrize("result", [{}, {"task": None}, {"task": []}, {"resultType": "complete"}])
def test_what_is_no_handle_is_a_result(result: dict[str, Any]) -> None:
    assert not is_handle(result, modern=False)
    assert not is_handle(result, modern=True)
