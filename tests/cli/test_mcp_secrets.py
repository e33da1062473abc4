"""A server shows its secret wherever it can: no output of any command has it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO

from .forked import run
from .watching import session

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "s3cr3t-0f-the-z00"
HOW = ["--env", f"ZOO_SECRET={SECRET}"]
LOUD = ["--wire", "--server-log"]
TARGET = "mcp:zoo"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    entry = {"command": sys.executable, "args": [str(ZOO / "leaking.py")]}
    entries = {"zoo": entry, "set": {**entry, "env": {"ZOO_SECRET": SECRET}}}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    use = {"type": "tool_use", "id": "t1", "name": "show", "input": {}}
    (tmp_path / "turn.json").write_text(json.dumps({"role": "assistant", "content": [use]}))
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["list", TARGET],
        ["list", TARGET, "--json"],
        ["spec", TARGET],
        ["lint", TARGET],
        ["lint", TARGET, "--json"],
        ["mcp", "list", "zoo", "--resources", "--prompts"],
        ["mcp", "list", "zoo", "--resources", "--prompts", "--json"],
        ["mcp", "info", "zoo"],
        ["mcp", "info", "zoo", "--json"],
        ["mcp", "read", "zoo", "zoo://thing"],
        ["mcp", "read", "zoo", "zoo://thing", "--json"],
        ["mcp", "read", "zoo", "zoo://broken"],
        ["mcp", "prompt", "zoo", "well"],
        ["mcp", "prompt", "zoo", "well", "--json"],
        ["mcp", "prompt", "zoo", "well", "--help"],
        ["mcp", "prompt", "zoo", "broken"],
        *(["call", "-t", TARGET, name] for name in ("show", "refuse", "die", "stray", "fail")),
        ["call", "-t", TARGET, "show", "--json"],
        ["call", "-t", TARGET, "show", "--jsonl"],
        ["call", "-t", TARGET, "show", "--trace"],
        ["call", "-t", TARGET, "refuse", "--json"],
        ["call", "-t", TARGET, "show", "--help"],
        ["replay", "turn.json", "--target", "mcp:set"],
    ],
    ids=" ".join,
)
def test_a_secret_is_nowhere(words: list[str], project: Path) -> None:
    at = 1 if words[0] != "mcp" else 2
    loud = [] if words[0] == "replay" else LOUD
    level = ["--log-level", "debug"] if words[0] == "call" else []
    how = [] if words[0] == "replay" else HOW
    given = [*words[:at], *how, *loud, *level, *words[at:], "--debug"]
    ended = run(*given, cwd=project, HOME=str(project))
    assert ended.code in {0, 1, 3}, ended
    if loud:
        assert "initialize" in ended.err
    for text in (ended.out, ended.err):
        assert SECRET not in text


@pytest.mark.parametrize("form", ["--json", "--jsonl"])
@pytest.mark.parametrize(
    "secret",
    ["123456", "nothing-new", '{"a": 1}', 'quo"te\\d', "two\nlines", "схована-річ", "result"],
)
def test_what_hides_a_secret_is_still_a_document(secret: str, form: str, project: Path) -> None:
    words = ["call", "-t", TARGET, "--env", f"ZOO_SECRET={secret}", "show", form]
    ended = run(*words, cwd=project, HOME=str(project))
    assert ended.code == 0, ended
    lines = ended.out.splitlines() if form == "--jsonl" else [ended.out]
    result = json.loads(lines[-1])
    number = "***" if secret.isdigit() else 0
    half = "***" if secret.isdigit() else 0.5
    assert result["structuredContent"] == {"secret": "***", "***": [number, half]}
    assert result["content"][0]["text"].endswith("\n***")


def test_a_watch_shows_no_secret_either(project: Path) -> None:
    words = [TARGET, *HOW, *LOUD, "--call", "show", "--call", "refuse"]
    with session(*words, cwd=project) as watching:
        watching.until("> refuse")
        _, rest = watching.end()
        shown = watching.shown + rest
    assert "initialize" in shown
    assert SECRET not in shown
