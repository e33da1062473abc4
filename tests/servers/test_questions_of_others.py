"""What a server of others asks in the middle of a call, on each of its transports.

Not part of a plain run: `pytest -m servers` asks for it. The server speaks 2025-11-25.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.runner import run_in_terminal
from toolkit.mcp.session import Listener
from toolkit.types import ToolUse

from .everything import Place, parts, play

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.mcp.servers import Server

pytestmark = [pytest.mark.servers, pytest.mark.node]

ANSWERS = {
    "name": ("Ann", "Ann"),
    "check": ("no", False),
    "email": ("ann@example.org", "ann@example.org"),
    "homepage": ("https://example.org/ann", "https://example.org/ann"),
    "birthdate": ("2001-02-03", "2001-02-03"),
    "integer": ("7", 7),
    "number": ("2.5", 2.5),
    "untitledSingleSelectEnum": ("Joey", "Joey"),
    "untitledMultipleSelectEnum": ("Piano, Drums", ["Piano", "Drums"]),
    "titledSingleSelectEnum": ("Wonder Woman", "hero-3"),
    "titledMultipleSelectEnum": ("Trout, fish-1", ["fish-3", "fish-1"]),
    "legacyTitledEnum": ("Birds", "pet-3"),
}


def test_a_form_with_every_kind_of_field_is_answered(place: Place) -> None:
    given = [word for key, (text, _) in ANSWERS.items() for word in ("--answer", f"{key}={text}")]
    ended = place.call("--json", *given, "trigger-elicitation-request")
    assert ended.code == 0, ended
    raw = parts(ended)[-1]["text"].partition("Raw result: ")[2]
    expected = {key: value for key, (_, value) in ANSWERS.items()}
    assert json.loads(raw) == {"action": "accept", "content": expected}


@pytest.mark.parametrize(
    "wrong",
    [
        "email=nobody", "homepage=no url", "birthdate=yesterday", "integer=101", "integer=1.5",
        "number=-1", "untitledSingleSelectEnum=Gunther", "titledSingleSelectEnum=Batman",
        "untitledMultipleSelectEnum=Guitar,Piano,Violin,Drums", "check=perhaps",
    ],
)  # fmt: skip
def test_an_answer_that_does_not_fit_its_field_is_not_sent(own: Place, wrong: str) -> None:
    ended = own.call("--answer", "name=Ann", "--answer", wrong, "trigger-elicitation-request")
    assert ended.code == 1
    assert f"the answers do not fit: {wrong.partition('=')[0]}" in ended.err
    assert "User cancelled the elicitation dialog" in ended.out


def test_a_person_may_take_the_defaults(own: Place) -> None:
    words = ["call", "-t", "mcp:everything", "--json", "trigger-elicitation-request"]
    ended = run_in_terminal(*words, cwd=own.folder, keys="Ann\n" + "\n" * 12, HOME=str(own.folder))
    assert ended.code == 0, ended.out
    assert "Favorite first line of a story" in ended.out
    assert "Wonder Woman" in ended.out
    shown = json.loads(
        ended.out[ended.out.index('"content": [') - 60 :].partition("{")[2].join(["{", ""])
    )
    raw = json.loads(shown["content"][-1]["text"].partition("Raw result: ")[2])
    assert raw["content"] == {
        "name": "Ann",
        "firstLine": "It was a dark and stormy night.",
        "integer": 42,
        "number": 3.14,
        "untitledSingleSelectEnum": "Monica",
        "untitledMultipleSelectEnum": ["Guitar"],
        "titledSingleSelectEnum": "hero-1",
        "titledMultipleSelectEnum": ["fish-1"],
        "legacyTitledEnum": "pet-1",
    }


@pytest.mark.parametrize("words", [[], ["--no-input"]], ids=["piped", "no-input"])
def test_a_form_that_nobody_answers_ends_with_one(place: Place, words: list[str]) -> None:
    ended = place.call(*words, "trigger-elicitation-request")
    assert ended.code == 1
    assert "hint: --answer name=VALUE" in ended.err


def test_a_page_is_shown_and_answered_at_a_terminal(place: Place) -> None:
    words = ["trigger-url-elicitation", "--url", "https://example.org/pay", "--elicitationId", "e1"]
    silent = place.call(*words)
    assert (silent.code, "  https://example.org/pay\n" in silent.err) == (1, True)
    words = ["call", "-t", "mcp:everything", *words]
    ended = run_in_terminal(*words, cwd=place.folder, keys="y\n", HOME=str(place.folder))
    assert ended.code == 0, ended.out
    assert "Elicitation ID: e1" in ended.out
    assert '"action": "accept"' in ended.out


def test_a_page_to_be_opened_first_is_a_structured_error(place: Place) -> None:
    words = ["--url", "https://example.org/pay", "--errorPath"]
    ended = place.call("--json", "trigger-url-elicitation", *words)
    assert ended.code == 1
    result = json.loads(ended.out)
    error = result["metadata"]["error"]
    assert (result["status"], error["code"]) == ("error", -32042)
    (page,) = error["data"]["elicitations"]
    assert (page["mode"], page["url"]) == ("url", "https://modelcontextprotocol.io")
    assert "https://modelcontextprotocol.io" in result["content"][0]["text"]


def test_a_model_of_ours_answers_and_without_one_the_tool_is_not_there(place: Place) -> None:
    asked: list[Any] = []

    async def model(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append((server.name, params["messages"], params["systemPrompt"], params["maxTokens"]))
        content = {"type": "text", "text": "Here I am."}
        return {"role": "assistant", "content": content, "model": "ours", "stopReason": "endTurn"}

    use = ToolUse("1", "trigger-sampling-request", {"prompt": "Hello?", "maxTokens": 9})
    _, (result,), _ = play(place.server, [use], listener=Listener(sample=model))
    answer = json.loads(result.text.partition("\n")[2])
    assert (answer["content"]["text"], answer["model"]) == ("Here I am.", "ours")
    text = "Resource trigger-sampling-request context: Hello?"
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    assert asked == [("everything", messages, "You are a helpful test server.", 9)]
    ended = place.call("trigger-sampling-request", "--prompt", "Hello?")
    assert (ended.code, "no tool 'trigger-sampling-request'" in ended.err) == (2, True)
