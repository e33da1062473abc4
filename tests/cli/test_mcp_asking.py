"""A server's questions in the middle of a call, at the terminal and without one."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO

from .forked import run
from .runner import Ended, run_in_terminal

if TYPE_CHECKING:
    from pathlib import Path

SERVER = f"cmd:{shlex.join([sys.executable, str(ZOO / 'asking.py')])}"
MODERN = f"cmd:{shlex.join([sys.executable, str(ZOO / 'asking_modern.py')])}"


def do(cwd: Path, *words: str) -> Ended:
    return run("call", "-t", SERVER, *words, cwd=cwd, HOME=str(cwd))


@pytest.mark.parametrize("behind", [False, True])
def test_answers_may_be_given_beforehand_and_have_their_fields_types(
    tmp_path: Path, *, behind: bool
) -> None:
    given = ["--answer", "city=Rome", "--answer=sure=yes", "--answer", "nights=3"]
    ended = do(tmp_path, *(["form", *given] if behind else [*given, "form"]))
    assert ended.code == 0, ended
    content = {"city": "Rome", "nights": 3, "sure": True}
    assert json.loads(ended.out) == {"action": "accept", "content": content}
    assert "'asking' asks: Your trip" in ended.err


def test_a_question_without_a_terminal_ends_with_one_and_says_how_to_answer(
    tmp_path: Path,
) -> None:
    ended = do(tmp_path, "form")
    assert ended.code == 1
    assert "the question has no answer" in ended.err
    assert "--answer city=VALUE" in ended.err


@pytest.mark.parametrize("question", ["easy", "sure"])
def test_nobody_agrees_to_what_could_be_left_open(tmp_path: Path, question: str) -> None:
    ended = do(tmp_path, question)
    assert (ended.code, json.loads(ended.out)) == (1, {"action": "cancel"})
    assert "the question has no answer" in ended.err


@pytest.mark.parametrize(("keys", "action"), [("y\n", "accept"), ("\n", "decline")])
def test_a_form_without_fields_asks_for_a_yes(tmp_path: Path, keys: str, action: str) -> None:
    words = ["call", "-t", SERVER, "sure"]
    ended = run_in_terminal(*words, cwd=tmp_path, keys=keys, after="accept?", HOME=str(tmp_path))
    assert f'"action": "{action}"' in ended.out


@pytest.mark.parametrize(
    ("given", "said"), [("nights=many", "nights"), ("class=third", "class"), ("sure=maybe", "sure")]
)
def test_an_answer_that_does_not_fit_is_told(tmp_path: Path, given: str, said: str) -> None:
    words = ["--answer", "city=Rome", "--answer", "sure=y", "--answer", given]
    ended = do(tmp_path, *words, "form")
    assert ended.code == 1
    assert "do not fit" in ended.err
    assert said in ended.err


def test_a_person_is_asked_at_the_terminal(tmp_path: Path) -> None:
    for server in (SERVER, MODERN):
        words = ["call", "-t", server, "form"]
        keys = "Rome\n\nfirst\ny\n" if server == SERVER else "Rome\n"
        ended = run_in_terminal(*words, cwd=tmp_path, keys=keys, HOME=str(tmp_path))
        assert ended.code == 0, ended.out
        assert "city (string)" in ended.out
        assert '"city": "Rome"' in ended.out


def test_nobody_is_asked_when_nobody_wants_to_be(tmp_path: Path) -> None:
    words = ["call", "-t", SERVER, "--no-input", "form"]
    ended = run_in_terminal(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert ended.code == 1
    assert "the question has no answer" in ended.out


def test_a_page_is_shown_and_never_opened_from_here(tmp_path: Path) -> None:
    ended = do(tmp_path, "page")
    assert ended.code == 1
    assert "https://pay.test/1" in ended.err
    words = ["call", "-t", SERVER, "page"]
    asked = run_in_terminal(*words, cwd=tmp_path, keys="y\n", HOME=str(tmp_path))
    assert asked.code == 0
    assert '"action": "accept"' in asked.out


def test_a_model_is_refused_clearly(tmp_path: Path) -> None:
    ended = do(tmp_path, "model")
    assert "not supported" in ended.out


def test_roots_and_log_messages(tmp_path: Path) -> None:
    ended = do(tmp_path, "--root", ".", "--log-level", "warning", "roots")
    assert json.loads(ended.out) == {"roots": [{"uri": tmp_path.resolve().as_uri()}]}
    assert '[asking] warning: {"heard": "warning"}' in ended.err
    wrong = do(tmp_path, "--log-level", "loud", "roots")
    assert (wrong.code, "warning" in wrong.err) == (2, True)
