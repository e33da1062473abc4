"""Every feature of a conversation, in both eras and over every transport."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from toolkit.executor import ToolExecutor
from toolkit.mcp.client import MCPClient
from toolkit.mcp.connection import Connection
from toolkit.mcp.listing import list_everything
from toolkit.mcp.session import Limits, Listener, Session
from toolkit.registry import ToolRegistry
from toolkit.types import Audio, Image, Opaque, Resource, Text, ToolProgress, ToolResult, ToolUse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from tests.mcp.conftest import Zoo
    from toolkit.mcp.servers import Server

OLD, NEW = "2025-11-25", "2026-07-28"
both = pytest.mark.parametrize("era", [OLD, NEW])


def talk(server: Server, work: Callable[[Session], Awaitable[Any]], **listens: Any) -> Any:
    async def run() -> Any:
        limits = Limits(start=10, list=10, call=5)
        async with Session(server, limits=limits, listener=Listener(**listens)) as session:
            return await work(session)

    return asyncio.run(run())


def call(server: Server, name: str, **listens: Any) -> Any:
    """Call a tool; what it says, read as JSON where it is some."""

    async def work(session: Session) -> Any:
        result = await session.call(name, {})
        text = result["content"][0]["text"]
        return json.loads(text) if text.startswith("{") else text

    return talk(server, work, **listens)


def answering(answer: Mapping[str, Any], heard: list[Any]) -> Any:
    async def question(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        heard.append((server.name, dict(params)))
        return answer

    return question


def run_tool(server: Server, name: str, *, seconds: float = 5) -> tuple[ToolResult, list[Any]]:
    told: list[Any] = []

    async def sink(event: Any) -> None:
        if isinstance(event, ToolProgress):
            told.append(event.value)

    async def run() -> ToolResult:
        async with MCPClient(server, limits=Limits(start=10, list=10, call=seconds)) as listing:
            registry = ToolRegistry()
            registry.adopt_listing(listing)
            return await ToolExecutor(registry).run(ToolUse("u", name, {}), sink=sink)

    return asyncio.run(run()), told


@both
def test_the_era_is_agreed_upon_without_being_told(anywhere: Zoo, era: str) -> None:
    async def work(session: Session) -> Any:
        return session.identity["protocolVersion"], (await session.call("era", {}))["content"]

    version, content = talk(anywhere("conversation", ZOO_VERSION=era), work)
    assert (version, content[0]["text"]) == (era, era)


@both
def test_progress_comes_in_order_and_extends_the_deadline(anywhere: Zoo, era: str) -> None:
    """Six steps of 100 ms against an idle deadline of 400 ms."""
    server = anywhere("conversation", ZOO_VERSION=era)
    result, told = run_tool(server, "progress", seconds=0.4)
    assert (result.status, result.text) == ("success", "done"), result
    assert told == [{"progress": n, "total": 6, "message": f"step {n}"} for n in range(1, 7)]


@both
@pytest.mark.parametrize("level", [None, "warning"])
def test_log_messages_come_at_the_level_that_is_asked_for(
    anywhere: Zoo, era: str, level: str | None
) -> None:
    heard: list[Any] = []

    async def notified(server: Server, method: str, params: Mapping[str, Any]) -> None:
        heard.append((server.name, method, params["data"]))

    server = anywhere("conversation", ZOO_VERSION=era)
    assert call(server, "log", notification=notified, log_level=level) == str(level)
    expected = [] if level is None else ["warning message", "error message"]
    told = [("conversation", "notifications/message", data) for data in expected]
    assert heard == told


@both
def test_a_form_is_answered(anywhere: Zoo, era: str) -> None:
    heard: list[Any] = []
    answer = {"action": "accept", "content": {"city": "Rome"}}
    server = anywhere("conversation", ZOO_VERSION=era)
    got = call(server, "form", elicit=answering(answer, heard))
    assert (got["action"], got["content"]) == ("accept", {"city": "Rome"})
    assert got.get("state") == (None if era == OLD else "opaque")
    ((name, params),) = heard
    assert (name, params["message"]) == ("conversation", "Where?")
    assert params["requestedSchema"]["required"] == ["city"]


@both
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
def test_a_page_is_answered(anywhere: Zoo, era: str, action: str) -> None:
    heard: list[Any] = []
    server = anywhere("conversation", ZOO_VERSION=era)
    got = call(server, "page", elicit=answering({"action": action}, heard))
    assert got["action"] == action
    assert [(one["mode"], one["url"]) for _, one in heard] == [("url", "https://pay.test/1")]


@both
def test_a_model_answers(anywhere: Zoo, era: str) -> None:
    heard: list[Any] = []
    answer = {"role": "assistant", "content": {"type": "text", "text": "hello"}, "model": "m"}
    server = anywhere("conversation", ZOO_VERSION=era)
    got = call(server, "model", sample=answering(answer, heard))
    assert (got["content"]["text"], got["model"]) == ("hello", "m")
    assert heard[0][1]["messages"][0]["content"]["text"] == "Say hello"


@both
def test_roots_are_told(anywhere: Zoo, era: str) -> None:
    server = anywhere("conversation", ZOO_VERSION=era)
    got = call(server, "roots", roots=("file:///a", "file:///b"))
    assert [root["uri"] for root in got["roots"]] == ["file:///a", "file:///b"]


@both
@pytest.mark.parametrize("name", ["form", "page", "model", "roots"])
def test_what_nobody_answers_is_refused_in_words(anywhere: Zoo, era: str, name: str) -> None:
    result, _ = run_tool(anywhere("conversation", ZOO_VERSION=era), name)
    assert "not supported" in result.text


@both
def test_a_page_to_be_opened_first_is_a_structured_error(anywhere: Zoo, era: str) -> None:
    result, _ = run_tool(anywhere("conversation", ZOO_VERSION=era), "page_first")
    assert result.status == "error"
    assert result.metadata["error"]["code"] == -32042
    (page,) = result.metadata["error"]["data"]["elicitations"]
    assert page["url"] == "https://pay.test/1"
    assert "https://pay.test/1" in result.text


@both
def test_content_of_every_type_is_kept(anywhere: Zoo, era: str) -> None:
    result, _ = run_tool(anywhere("conversation", ZOO_VERSION=era), "content")
    first, image, audio, link, resource, other = result.content
    assert first == Text("a text")
    assert isinstance(image, Image)
    assert isinstance(audio, Audio)
    assert image.data == audio.data == b"\x89PNG no more"
    assert isinstance(link, Resource)
    assert link.uri == "zoo://link"
    assert isinstance(resource, Resource)
    assert resource.text == "in a resource"
    assert isinstance(other, Opaque)
    assert "made_up" in other.kind


@both
def test_structured_content_is_kept_and_held_to_its_schema(anywhere: Zoo, era: str) -> None:
    result, _ = run_tool(anywhere("conversation", ZOO_VERSION=era), "structured")
    assert (result.status, result.structured) == ("success", {"count": 3})
    result, _ = run_tool(anywhere("conversation", ZOO_VERSION=era), "unstructured")
    assert (result.status, "no structured content" in result.text) == ("error", True)


@both
def test_resources_and_prompts_are_listed_read_and_completed(anywhere: Zoo, era: str) -> None:
    async def work(session: Session) -> None:
        async def ask(method: str, **params: Any) -> Any:
            return await session.request(method, params, phase="read", seconds=5)

        resources = await list_everything(session, "resources")
        assert [one["uri"] for one in resources.items] == ["zoo://text", "zoo://blob"]
        templates = await list_everything(session, "templates")
        assert [one["uriTemplate"] for one in templates.items] == ["zoo://of/{who}"]
        assert (await ask("resources/read", uri="zoo://text"))["contents"][0]["text"] == "a text"
        assert (await ask("resources/read", uri="zoo://of/me"))["contents"][0]["text"] == "of me"
        blob = (await ask("resources/read", uri="zoo://blob"))["contents"][0]
        assert (blob["mimeType"], len(blob["blob"])) == ("application/x-zoo", 16)
        prompts = await list_everything(session, "prompts")
        assert [one["name"] for one in prompts.items] == ["greet"]
        got = await ask("prompts/get", name="greet", arguments={"who": "Ann", "how": "loudly"})
        assert got["messages"][0]["content"]["text"] == "Greet Ann loudly."
        offered = await ask(
            "completion/complete",
            ref={"type": "ref/prompt", "name": "greet"},
            argument={"name": "who", "value": "A"},
        )
        assert offered["completion"]["values"] == ["Ann"]

    talk(anywhere("conversation", ZOO_VERSION=era), work)


@both
def test_a_server_that_crashed_is_started_again_by_the_next_call(zoo: Zoo, era: str) -> None:
    async def run() -> None:
        connection = Connection(zoo("conversation", ZOO_VERSION=era), limits=Limits(start=10))
        await connection.open()
        with pytest.raises(Exception, match="exited with status 7 during the call"):
            await connection.call("die", {})
        assert (await connection.call("era", {}))["content"][0]["text"] == era
        assert connection.restarts == 1
        await connection.close()

    asyncio.run(run())
