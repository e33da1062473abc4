"""A conversation at the command line, with servers of both eras."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp.conftest import ZOO

from .forked import run
from .runner import Ended, run_in_terminal

if TYPE_CHECKING:
    from pathlib import Path

TARGET = f"cmd:{shlex.join([sys.executable, str(ZOO / 'conversation.py')])}"


@dataclass(frozen=True)
class Here:
    """A folder, and the era of the server."""

    folder: Path
    era: str

    @property
    def _era(self) -> list[str]:
        return ["--env", f"ZOO_VERSION={self.era}"]

    def call(self, *words: str) -> Ended:
        words = ("call", "-t", TARGET, *self._era, *words)
        return run(*words, cwd=self.folder, HOME=str(self.folder))

    def mcp(self, verb: str, *words: str) -> Ended:
        words = ("mcp", verb, TARGET, *words, *self._era)
        return run(*words, cwd=self.folder, HOME=str(self.folder))

    def at_a_terminal(self, *words: str, keys: str = "") -> Ended:
        words = ("call", "-t", TARGET, *self._era, *words)
        return run_in_terminal(*words, cwd=self.folder, keys=keys, HOME=str(self.folder))


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def here(request: pytest.FixtureRequest, tmp_path: Path) -> Here:
    return Here(tmp_path, request.param)


def test_the_era_is_shown(here: Here) -> None:
    (shown,) = json.loads(here.mcp("info", "--json").out)["servers"]
    era = "modern" if here.era == "2026-07-28" else "legacy"
    assert shown["era"] == era
    assert here.call("era").out == "***\n"  # a value of the environment, here the protocol
    wire = here.mcp("info", "--wire").err
    assert '"method": "server/discover"' in wire
    assert ('"method": "initialize"' in wire) == (era == "legacy")


def test_progress_is_told_line_by_line(here: Here) -> None:
    ended = here.call("--jsonl", "progress")
    *events, result = [json.loads(line) for line in ended.out.splitlines()]
    assert [one["value"]["progress"] for one in events] == [1, 2, 3, 4, 5, 6]
    assert (ended.code, result["content"]) == (0, [{"text": "done"}])


def test_log_messages_are_said_at_the_level_that_is_asked_for(here: Here) -> None:
    ended = here.call("--log-level", "warning", "log")
    assert (ended.code, ended.out) == (0, "warning\n")
    lines = ["[conversation] warning: warning message", "[conversation] error: error message"]
    assert ended.err.splitlines() == lines


def test_a_form_is_answered_beforehand(here: Here) -> None:
    ended = here.call("--answer", "city=Rome", "form")
    got = json.loads(ended.out)
    assert (ended.code, got["action"], got["content"]) == (0, "accept", {"city": "Rome"})


@pytest.mark.parametrize("words", [[], ["--no-input"]], ids=["piped", "no-input"])
def test_a_form_that_nobody_answers_ends_with_one(here: Here, words: list[str]) -> None:
    ended = here.call(*words, "form")
    assert (ended.code, json.loads(ended.out)["action"]) == (1, "cancel")
    assert "hint: --answer city=VALUE" in ended.err


def test_a_person_is_asked_unless_nobody_wants_to_be(here: Here) -> None:
    asked = here.at_a_terminal("form", keys="Rome\n")
    assert (asked.code, '"city": "Rome"' in asked.out) == (0, True), asked.out
    silent = here.at_a_terminal("--no-input", "form")
    assert (silent.code, "the question has no answer" in silent.out) == (1, True)


def test_a_page_is_shown_and_answered(here: Here) -> None:
    piped = here.call("page")
    assert (piped.code, "  https://pay.test/1\n" in piped.err) == (1, True)
    for key, action in (("y", "accept"), ("n", "decline")):
        asked = here.at_a_terminal("page", keys=f"{key}\n")
        assert (asked.code, f'"action": "{action}"' in asked.out) == (0, True), asked.out


def test_a_page_to_be_opened_first_is_a_structured_error(here: Here) -> None:
    ended = here.call("--json", "page_first")
    result = json.loads(ended.out)
    assert (ended.code, result["status"]) == (1, "error")
    assert result["metadata"]["error"]["code"] == -32042
    pages = result["metadata"]["error"]["data"]["elicitations"]
    assert [one["url"] for one in pages] == ["https://pay.test/1"]


def test_a_model_is_refused_in_words(here: Here) -> None:
    ended = here.call("model")
    assert "Sampling not supported" in ended.out


def test_roots_are_told(here: Here) -> None:
    ended = here.call("--root", ".", "roots")
    assert json.loads(ended.out)["roots"] == [{"uri": here.folder.resolve().as_uri()}]


def test_resources_are_listed_read_and_saved(here: Here) -> None:
    (shown,) = json.loads(here.mcp("list", "--resources", "--prompts", "--json").out)["servers"]
    names: dict[str, Any] = {
        "resources": ["text", "blob"], "resourceTemplates": ["of"], "prompts": ["greet"],
    }  # fmt: skip
    assert {key: [one["name"] for one in shown[key]] for key in names} == names
    assert here.mcp("read", "zoo://text").out == "a text\n"
    assert here.mcp("read", "zoo://of/me").out == "of me\n"
    assert (
        here.mcp("read", "zoo://blob").out
        == "[resource: zoo://blob, application/x-zoo, 12 bytes]\n"
    )
    assert here.mcp("read", "zoo://blob", "--save", "here").code == 0
    assert (here.folder / "here" / "blob").read_bytes() == b"\x89PNG no more"
    wrong = here.mcp("read", "zoo://nothing")
    assert (wrong.code, "no resource zoo://nothing" in wrong.err) == (1, True)


def test_a_prompt_takes_its_arguments_and_says_what_they_may_be(here: Here) -> None:
    assert here.mcp("prompt", "greet", "--who", "Ann").out == "user: Greet Ann plainly.\n"
    loud = here.mcp("prompt", "greet", "who=Ann", "--how=loudly")
    assert loud.out == "user: Greet Ann loudly.\n"
    missing = here.mcp("prompt", "greet")
    assert (missing.code, "one of: Ann, Bob" in missing.err) == (2, True)
    assert "[one of: Ann, Bob]" in here.mcp("prompt", "greet", "--help").out


def test_a_server_that_dies_says_how(here: Here) -> None:
    ended = here.call("die")
    assert ended.code == 1
    assert "'conversation' exited with status 7 during the call" in ended.out
