"""Forms of servers: every kind of field, odd ones too, and what is no answer to them."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp.conftest import ZOO
from toolkit.cli.forms import fields_of

from .forked import run
from .runner import Ended, run_in_terminal

if TYPE_CHECKING:
    from pathlib import Path

HEROES = [{"const": "h1", "title": "Superman"}, {"const": "h2", "title": "Wonder Woman"}]
FISH = {"type": "array", "items": {"anyOf": [{"const": "f1", "title": "Tuna"}, {"const": "f2"}]}}
PETS = {"type": "string", "enum": ["p1", "p2"], "enumNames": ["Cats", "Dogs"]}


def field(schema: Any) -> Any:
    (found,) = fields_of({"properties": {"it": schema}})
    return found


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "12", "12"),
        ({"type": "integer"}, "12", 12),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "n", False),
        ({"type": "string", "oneOf": HEROES}, "Superman", "h1"),
        ({"type": "string", "oneOf": HEROES}, "wonder woman", "h2"),
        ({"type": "string", "oneOf": HEROES}, "h2", "h2"),
        (FISH, "tuna, f2", ["f1", "f2"]),
        (FISH, '["f2"]', ["f2"]),
        (PETS, "Dogs", "p2"),
        ({**PETS, "enumNames": ["only one"]}, "p2", "p2"),
        ({"type": "integer", "enum": [1, 2]}, "2", 2),
        ({"type": "array", "items": {"type": "string"}}, "a", ["a"]),
        ({"type": ["string", "null"]}, "null", "null"),
        ({"type": ["integer", "null"]}, "null", None),
        ({}, "text", "text"),
        (None, "text", "text"),
        ({"type": "string", "enum": 5, "oneOf": 7}, "text", "text"),
        ({"type": "string", "format": "email"}, "a@b.org", "a@b.org"),
        ({"type": "string", "format": "uri"}, "mailto:a@b.org", "mailto:a@b.org"),
        ({"type": "string", "format": "date"}, "2026-02-28", "2026-02-28"),
        ({"type": "string", "format": "date-time"}, "2026-02-28T12:00Z", "2026-02-28T12:00Z"),
        ({"type": "string", "format": "made-up"}, "anything", "anything"),
        ({"type": 5}, "text", "text"),
        ({"type": "string", "pattern": "("}, "text", "text"),
        ({"$ref": "#/nowhere"}, "text", "text"),
    ],
)
def test_an_answer_is_read_as_its_field_wants_it(schema: Any, text: str, value: Any) -> None:
    found = field(schema).read(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("schema", "text", "why"),
    [
        ({"type": "integer"}, "1.5", "integer"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "10", "9"),
        ({"type": "number"}, "NaN", "number"),
        ({"type": "boolean"}, "perhaps", "true or false"),
        ({"type": "string", "minLength": 3}, "ab", "3"),
        ({"type": "string", "oneOf": HEROES}, "Batman", "h1"),
        (FISH, "Tuna, Shark", "f1"),
        ({**FISH, "maxItems": 1}, "Tuna, f2", "1"),
        ({"type": "string", "format": "email"}, "nobody", "email"),
        ({"type": "string", "format": "uri"}, "no scheme", "URI"),
        ({"type": "string", "format": "uri"}, "http://[", "URI"),
        ({"type": "string", "format": "date"}, "2026-02-30", "date"),
        ({"type": "string", "format": "date"}, "20260228", "date"),
        ({"type": "string", "format": "date-time"}, "2026-02-28T12:00", "time"),
        ({"type": "object"}, '{"a": 1}', "lists of text"),
        ({"type": "array"}, "[[1]]", "lists of text"),
    ],
)
def test_an_answer_that_does_not_fit_is_told_why(schema: Any, text: str, why: str) -> None:
    asked = field(schema)
    assert why in (asked.fault(asked.read(text)) or "")


def test_a_field_is_asked_with_its_titles_and_its_default() -> None:
    asked = field({"type": "string", "title": "Hero", "oneOf": HEROES, "default": "h2"})
    assert asked.prompt == "  it (Superman|Wonder Woman, optional, default Wonder Woman) Hero: "
    asked = field({**FISH, "default": ["f1"]})
    assert asked.prompt == "  it (Tuna|f2; several with commas, optional, default Tuna): "
    many = field({"type": "string", "enum": [str(n) for n in range(1000)]})
    assert len(many.prompt) < 100


@pytest.mark.parametrize("required", [True, None, 5, "it", [["it"], 7]])
def test_a_malformed_list_of_what_is_required_requires_nothing(required: Any) -> None:
    (found,) = fields_of({"properties": {"it": {}}, "required": required})
    assert not found.needed


def target(schema: Any, *mode: str) -> str:
    command = [sys.executable, str(ZOO / "asking_what.py"), json.dumps(schema), *mode]
    return f"cmd:{shlex.join(command)}"


def form(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def do(cwd: Path, schema: Any, *words: str) -> Ended:
    return run("call", "-t", target(schema), *words, "ask", cwd=cwd, HOME=str(cwd))


def test_a_nested_form_is_refused_with_words_and_not_in_silence(tmp_path: Path) -> None:
    ended = do(tmp_path, form(a={"type": "object"}), "--answer", 'a={"b": 1}')
    assert (ended.code, json.loads(ended.out)) == (1, {"action": "cancel"})
    assert "do not fit: a: a form has only text" in ended.err


def test_a_field_that_is_required_and_not_described_is_asked_for(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {}, "required": ["a"]}
    assert "--answer a=VALUE" in do(tmp_path, schema).err
    ended = do(tmp_path, schema, "--answer", "a=x")
    assert json.loads(ended.out)["content"] == {"a": "x"}


def test_a_wrong_answer_at_a_terminal_is_told_and_asked_again(tmp_path: Path) -> None:
    schema = form(n={"type": "integer", "maximum": 9}, mail={"type": "string", "format": "email"})
    words = ["call", "-t", target(schema), "ask"]
    keys = "ten\n10\n9\nnobody\na@b.org\n"
    ended = run_in_terminal(*words, cwd=tmp_path, keys=keys, HOME=str(tmp_path))
    assert ended.code == 0, ended.out
    assert ended.out.count("  n (integer)") == 3
    assert "mail: expected an email address" in ended.out
    assert '"content": {"mail": "a@b.org", "n": 9}' in ended.out


@pytest.mark.parametrize("keys", ["\x04", "ten\nten\nten\n"], ids=["ctrl-d", "three-tries"])
def test_a_person_may_decline(tmp_path: Path, keys: str) -> None:
    words = ["call", "-t", target(form(n={"type": "integer"})), "ask"]
    ended = run_in_terminal(*words, cwd=tmp_path, keys=keys, HOME=str(tmp_path))
    assert "(Ctrl-D declines)" in ended.out
    assert '{"action": "decline"}' in ended.out


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
def test_a_server_that_is_never_content_is_ended(tmp_path: Path, era: str) -> None:
    server = ["-t", target(form(a={"type": "string"}), "again"), "--env", f"ZOO_VERSION={era}"]
    ended = run("call", *server, "--answer", "a=x", "ask", cwd=tmp_path, HOME=str(tmp_path))
    assert ended.code == 1
    assert "asked more than 100" in ended.out


def test_a_call_that_wants_to_be_made_again_is_made_again_until_its_deadline(
    tmp_path: Path,
) -> None:
    server = ["--env", "ZOO_VERSION=2026-07-28", "--answer", "a=x", "ask"]
    words = ["call", "-t", target(form(a={"type": "string"}), "waiting"), "--timeout", "1", *server]
    early = run(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert (early.code, "within 1" in early.out) == (1, True), early


def test_what_nobody_answers_is_told_once_however_often_it_is_asked(tmp_path: Path) -> None:
    words = ["call", "-t", target(form(a={"type": "string"}), "again"), "ask"]
    ended = run(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert (ended.code, ended.err.count("the question has no answer")) == (1, 1)
    assert "asked more than 100 questions in one request" in ended.out


@pytest.mark.parametrize("given", [[], ["--answer", "a=x"]], ids=["without", "answered"])
def test_a_question_behind_the_result_changes_nothing(tmp_path: Path, given: list[str]) -> None:
    words = ["call", "-t", target(form(a={"type": "string"}), "late"), *given, "ask"]
    ended = run(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert ended.out == "done\n"


def test_a_question_behind_the_result_holds_nobody_at_the_terminal(tmp_path: Path) -> None:
    words = ["call", "-t", target(form(a={"type": "string"}), "late"), "ask"]
    ended = run_in_terminal(*words, cwd=tmp_path, HOME=str(tmp_path))
    assert (ended.code, "done\n" in ended.out) == (0, True)


def test_two_questions_at_once_are_asked_one_after_the_other(tmp_path: Path) -> None:
    words = ["call", "-t", target(form(a={"type": "string"}), "twice"), "ask"]
    ended = run_in_terminal(*words, cwd=tmp_path, keys="one\ntwo\n", HOME=str(tmp_path))
    assert ended.code == 0, ended.out
    assert '{"q1": {"a": "one"}, "q2": {"a": "two"}}' in ended.out
