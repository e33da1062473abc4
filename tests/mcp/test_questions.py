from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import errors
from toolkit.mcp.session import Limits, Listener, Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.mcp.conftest import Zoo
    from toolkit.mcp.servers import Server

LIMITS = Limits(start=10, list=10, call=5)


def call(server: Server, name: str, listener: Listener, *, call: float = 5) -> Any:
    async def run() -> Any:
        limits = Limits(start=10, list=10, call=call)
        async with Session(server, limits=limits, listener=listener) as session:
            result = await session.call(name, {})
            return json.loads(result["content"][0]["text"])

    return asyncio.run(run())


def answering(answer: dict[str, Any], heard: list[Any], *, wait: float = 0.0) -> Any:
    async def question(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        heard.append((server.name, dict(params)))
        await asyncio.sleep(wait)
        return answer

    return question


def test_a_form_is_answered(zoo: Zoo) -> None:
    heard: list[Any] = []
    answer = {"action": "accept", "content": {"city": "Rome", "sure": True}}
    got = call(zoo("asking"), "form", Listener(elicit=answering(answer, heard)))
    assert got == answer
    ((name, params),) = heard
    assert name == "asking"
    assert params["message"] == "Your trip"
    assert params["requestedSchema"]["required"] == ["city", "sure"]


def test_a_page_is_a_question_too(zoo: Zoo) -> None:
    heard: list[Any] = []
    got = call(zoo("asking"), "page", Listener(elicit=answering({"action": "decline"}, heard)))
    assert got == {"action": "decline"}
    assert heard[0][1]["url"] == "https://pay.test/1"


def test_a_model_answers_a_message(zoo: Zoo) -> None:
    heard: list[Any] = []
    answer = {"role": "assistant", "content": {"type": "text", "text": "hello"}, "model": "m"}
    got = call(zoo("asking"), "model", Listener(sample=answering(answer, heard)))
    assert got["content"]["text"] == "hello"
    assert heard[0][1]["messages"][0]["content"]["text"] == "Say hello"


def test_roots_are_told(zoo: Zoo) -> None:
    got = call(zoo("asking"), "roots", Listener(roots=("file:///a", "file:///b")))
    assert [root["uri"] for root in got["roots"]] == ["file:///a", "file:///b"]


@pytest.mark.parametrize("name", ["form", "model", "roots"])
def test_what_nobody_answers_is_refused_clearly(zoo: Zoo, name: str) -> None:
    got = call(zoo("asking"), name, Listener())
    assert "not supported" in got["message"]


def test_a_server_is_only_told_of_questions_that_are_answered(zoo: Zoo) -> None:
    assert call(zoo("asking"), "able", Listener()) == []
    heard: list[Any] = []
    listener = Listener(elicit=answering({}, heard), roots=("file:///a",))
    assert call(zoo("asking"), "able", listener) == ["elicitation", "roots"]


def test_no_deadline_passes_while_a_person_thinks(zoo: Zoo) -> None:
    slow = answering({"action": "decline"}, [], wait=1.2)
    got = call(zoo("asking"), "form", Listener(elicit=slow), call=0.6)
    assert got == {"action": "decline"}


def test_a_question_of_the_newer_era_is_answered_with_the_next_call(zoo: Zoo) -> None:
    answer = {"action": "accept", "content": {"city": "Rome"}}
    heard: list[Any] = []
    got = call(zoo("asking_modern"), "form", Listener(elicit=answering(answer, heard)))
    assert got["content"] == {"city": "Rome"}
    assert got["state"] == "opaque"


def test_a_question_of_the_newer_era_that_nobody_answers_is_an_error(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPRequestError) as caught:
        call(zoo("asking_modern"), "form", Listener())
    assert "not supported" in (caught.value.said or "")


def test_a_result_that_only_wants_to_be_asked_again_is_asked_again(zoo: Zoo) -> None:
    assert call(zoo("asking_modern"), "patient", Listener()) == 3


def test_log_messages_come_as_notifications_when_they_are_asked_for(zoo: Zoo) -> None:
    heard: list[Any] = []

    async def notified(server: Server, method: str, params: Mapping[str, Any]) -> None:
        heard.append((server.name, method, params["data"]))

    call(zoo("asking"), "able", Listener(notification=notified, log_level="warning"))
    assert heard == [("asking", "notifications/message", {"heard": "warning"})]
