"""Resources and prompts of a server, from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO

from .forked import run

if TYPE_CHECKING:
    from .runner import Ended

SAMPLE = Path(__file__).parents[2] / "sample_tools" / "_server.py"
SERVER = ["--", sys.executable, str(SAMPLE)]


def do(cwd: Path, *words: str) -> Ended:
    return run(*words, *SERVER, cwd=cwd, HOME=str(cwd))


def test_resources_and_prompts_are_listed_when_asked_for(tmp_path: Path) -> None:
    text = do(tmp_path, "mcp", "list", "--resources", "--prompts").out
    assert "  book://{title}\n" in text
    assert "  recommend(mood)\n" in text
    ended = do(tmp_path, "mcp", "list", "--resources", "--prompts", "--json")
    (server,) = json.loads(ended.out)["servers"]
    assert server["resources"] == []
    assert [one["uriTemplate"] for one in server["resourceTemplates"]] == ["book://{title}"]
    assert [one["name"] for one in server["prompts"]] == ["recommend"]


def test_a_resource_is_read_shown_and_saved(tmp_path: Path) -> None:
    card = "Henry David Thoreau: Walden (1854), 352 pages"
    assert do(tmp_path, "mcp", "read", "book://Walden").out == f"{card}\n"
    wire = json.loads(do(tmp_path, "mcp", "read", "book://Walden", "--json").out)
    assert wire["contents"][0]["text"] == card
    saved = do(tmp_path, "mcp", "read", "book://Walden", "--save", "here")
    assert (saved.code, saved.out) == (0, "")
    assert (tmp_path / "here" / "Walden").read_text() == card


def test_a_prompt_takes_its_arguments_as_flags(tmp_path: Path) -> None:
    asked = "Which book on the shelf suits somebody who feels tired? Search it first."
    for words in (["--mood", "tired"], ["--mood=tired"], ["mood=tired"]):
        ended = do(tmp_path, "mcp", "prompt", "recommend", *words)
        assert (ended.code, ended.out) == (0, f"user: {asked}\n"), words
    wire = json.loads(do(tmp_path, "mcp", "prompt", "recommend", "mood=tired", "--json").out)
    assert wire["messages"][0]["content"]["text"] == asked


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["read", "book://Nothing"], 1, "resource was read"),
        (["read"], 2, "missing argument"),
        (["read", "book://Walden", "more"], 2, "one word too many"),
        (["prompt", "quite-another"], 2, "there are: recommend"),
        (["prompt", "recommend"], 2, "needs 'mood'"),
        (["prompt", "recomend", "mood=x"], 2, "did you mean 'recommend'?"),
        (["prompt", "recommend", "--moot", "x"], 2, "did you mean 'mood'?"),
        (["prompt", "recommend", "--mood"], 2, "has no value"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_asked_wrongly_is_told(
    tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    ended = do(tmp_path, "mcp", *words)
    assert ended.code == code, ended
    assert said in ended.err


def test_a_server_without_prompts_is_said_to_have_none(tmp_path: Path) -> None:
    server = [sys.executable, str(ZOO / "hangs.py")]
    ended = run("mcp", "prompt", "any", "--", *server, cwd=tmp_path, HOME=str(tmp_path))
    assert ended.code == 2
    assert "the server offers none" in ended.err
