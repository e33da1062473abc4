"""MCP servers from the command line: what is printed, the exit codes, and nothing left behind."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import MARK, ZOO, left
from tests.mcp.web import TOKEN, serving

from .forked import run
from .runner import environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .runner import Ended

SECRET = "s3cret-value"


@pytest.fixture
def mark() -> Iterator[str]:
    """A mark that every server of a test carries; in the end no process has it."""
    mark = uuid.uuid4().hex
    yield mark
    until = time.monotonic() + 1
    while left(mark) and time.monotonic() < until:
        time.sleep(0.02)
    assert left(mark) == []


def zoo(name: str, *args: str) -> list[str]:
    return [sys.executable, str(ZOO / f"{name}.py"), *args]


def word(name: str, *args: str) -> str:
    return f"cmd:{shlex.join(zoo(name, *args))}"


def marked(mark: str, *words: str) -> list[str]:
    """The words with the mark for every server, in front of a command behind `--`."""
    at = words.index("--") if "--" in words else len(words)
    given = ["--env", f"{MARK}={mark}"]
    if words[0] == "call":
        return ["call", *given, *words[1:]]
    return [*words[:at], *given, *words[at:]]


def do(mark: str, cwd: Path, *words: str, **env: str) -> Ended:
    return run(*marked(mark, *words), cwd=cwd, HOME=str(cwd), **env)


def test_the_tools_of_a_server_are_listed_as_signatures(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "mcp", "list", "--", *zoo("many"))
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].startswith("many  zoo 1, protocol 2025-06-18, 20 tools")
    assert "  echo(city: string)" in lines
    assert "      Tool echo." in lines
    assert any("(its own name: own.name/here)" in line for line in lines)


def test_one_servers_failure_hides_no_other(mark: str, tmp_path: Path) -> None:
    words = [word("starting", "raises"), word("lists", "malformed"), "cmd:no-such-command"]
    ended = do(mark, tmp_path, "mcp", "list", *words)
    assert ended.code == 3
    assert "  good()" in ended.out
    assert "ModuleNotFoundError: No module named 'no_such_module_anywhere'" in ended.err
    assert "there is no command 'no-such-command'" in ended.err
    assert "the inputSchema of 'null' is null" in ended.err.lower().replace(
        "inputschema", "inputSchema"
    )


def test_the_machine_form_has_the_wires_own_names(mark: str, tmp_path: Path) -> None:
    words = [word("lists", "names"), word("starting", "exits")]
    ended = do(mark, tmp_path, "mcp", "list", "--json", *words)
    assert ended.code == 3
    good, bad = json.loads(ended.out)["servers"]
    assert list(good) == [
        "name", "target", "protocolVersion", "serverInfo", "tools", "findings", "error",
    ]  # fmt: skip
    assert good["serverInfo"] == {"name": "zoo", "version": "1"}
    by_name = {tool["name"]: tool for tool in good["tools"]}
    assert by_name["a.b"]["alias"].startswith("a_b_")
    assert by_name["a.b"]["inputSchema"] == {"type": "object", "properties": {}}
    assert "alias" not in by_name["a-b"]
    assert "listed-twice" in [finding["name"] for finding in good["findings"]]
    assert bad["tools"] == []
    assert bad["error"] == {
        "kind": "exited",
        "phase": "handshake",
        "message": "'starting' exited with status 3 during the handshake: starting",
        "exitStatus": 3,
        "httpStatus": None,
        "stderr": "starting",
    }


def test_a_server_is_shown_with_its_phases(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "mcp", "info", "--json", "--", *zoo("many"))
    assert ended.code == 0
    (shown,) = json.loads(ended.out)["servers"]
    assert shown["protocolVersion"] == "2025-06-18"
    assert shown["era"] == "legacy"
    assert shown["capabilities"] == {"tools": {"listChanged": True}}
    assert set(shown["seconds"]) == {"start", "load", "handshake", "list"}
    text = do(mark, tmp_path, "mcp", "info", "--", *zoo("many")).out
    assert "protocol     2025-06-18 (handshake era)" in text
    assert "capabilities tools (listChanged)" in text


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["mcp", "list", "cmd:no-such-command"], 3, "no command"),
        (["mcp", "list", word("starting", "exits")], 3, "status 3"),
        (["mcp", "list", "--timeout", "1", word("starting", "silent")], 3, "within 1 s"),
        (["mcp", "list", "--timeout", "1", word("starting", "deaf")], 3, "within 1 s"),
        (["mcp", "list", word("lists", "repeated")], 1, "cursor"),
        (["mcp", "list", word("lists", "endless")], 1, "pages"),
        (["mcp", "list", "mcp:nobody"], 3, "nobody"),
        (["mcp", "list", "nobody"], 3, "nobody"),
        (["mcp", "info"], 2, "no server given"),
        (["mcp", "list", "cmd:a 'b"], 2, "quot"),
        (["mcp", "list", "--env", "NOT_SET_ANYWHERE", word("many")], 2, "NOT_SET_ANYWHERE"),
        (["spec", word("starting", "exits")], 3, "status 3"),
        (["spec", "http://127.0.0.1:9/mcp"], 3, "refused"),
        (["call", "-t", word("many"), "nothing"], 2, "no tool 'nothing'"),
        (["call", "-t", word("many"), "echo", "--citty", "x"], 2, "--city"),
        (["call", "-t", word("many"), "failing"], 1, ""),
        (["call", "-t", word("many"), "--timeout", "1", "hanging"], 1, ""),
        (["call", "-t", word("many"), "dying"], 1, ""),
        (["call", "-t", word("many"), "unstructured"], 1, ""),
    ],
    ids=lambda value: " ".join(value[:3])[-40:] if isinstance(value, list) else None,
)
def test_every_failure_has_the_exit_code_of_the_contract(
    mark: str, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    began = time.monotonic()
    ended = do(mark, tmp_path, *words)
    assert ended.code == code, ended
    assert said in ended.err
    assert "Traceback (most recent" not in ended.err or "starting" in str(words)
    assert time.monotonic() - began < 20


def test_a_call_of_a_server_that_dies_says_its_last_words(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "call", "-t", word("many"), "dying")
    assert "exited with status 7 during the call: about to die" in ended.out


def test_every_command_takes_servers(mark: str, tmp_path: Path) -> None:
    spec = do(mark, tmp_path, "spec", "--format", "mcp", "-k", "echo", "--", *zoo("many"))
    (written,) = json.loads(spec.out)
    assert written["inputSchema"]["required"] == ["city"]
    listed = do(mark, tmp_path, "list", "--json", "-k", "echo", word("many"))
    assert [(row["name"], row["parameters"]) for row in json.loads(listed.out)] == [
        ("echo", "city: string")
    ]
    called = do(mark, tmp_path, "call", "echo", "--city", "Zürich", "--", *zoo("many"))
    assert (called.code, called.out) == (0, '{"city": "Zürich"}\n')
    shown = do(mark, tmp_path, "call", "-t", word("many"), "echo", "--help")
    assert "--city" in shown.out


def test_tools_of_a_file_and_of_servers_stand_together(mark: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        'from toolkit import tool\n\n@tool\ndef echo(x: int) -> int:\n    """Give x."""\n'
        "    return x\n"
    )
    ended = do(mark, tmp_path, "list", "--json", "mine.py", word("many"), "-k", "echo*")
    names = [row["name"] for row in json.loads(ended.out)]
    assert names[0] == "echo"
    assert len(names) == 2
    assert names[1].startswith("echo_")


def test_progress_is_shown_and_stray_lines_are_said(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "call", "-t", word("many"), "progressing")
    assert ended.out == "done\n"
    assert ended.err.count('"total": 3') == 3
    stray = do(mark, tmp_path, "call", "-t", word("many"), "rubbish")
    assert (stray.code, stray.out) == (0, "done\n")
    assert "stdout" in stray.err
    assert "debug: in the tool" in stray.err
    banner = do(mark, tmp_path, "mcp", "list", word("starting", "banner"))
    assert banner.code == 0
    assert "Loading plug-ins ..." in banner.err
    assert "normal log on stderr" not in banner.err


def test_a_servers_log_is_shown_when_asked_for(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "mcp", "list", "--server-log", word("starting", "banner"))
    assert "[starting] normal log on stderr" in ended.err


def test_escapes_and_what_nobody_sees_are_shown_as_such(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "mcp", "list", word("lists", "names"))
    assert "\x1b" not in ended.out + ended.err
    assert "\u200b" not in ended.out + ended.err
    assert "\\x1b[31mred" in ended.out
    assert "in\\u200bvisible" in ended.out


def test_the_configured_servers_are_listed_without_being_started(mark: str, tmp_path: Path) -> None:
    command, *args = zoo("many")
    entries = {
        "here": {"command": command, "args": args, "env": {MARK: mark}},
        "broken": {"command": "x", "env": {"T": "${NOT_SET_ANYWHERE}"}},
        "off": {"command": "no-such-command", "disabled": True},
        "far": {"url": "http://127.0.0.1:9/mcp"},
    }
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    ended = do(mark, tmp_path, "mcp", "list")
    assert ended.code == 0
    assert [line.split() for line in ended.out.splitlines()] == [
        ["here", "stdio", ".mcp.json"],
        ["broken", "stdio", ".mcp.json"],
        ["off", "disabled", ".mcp.json"],
        ["far", "http", ".mcp.json"],
    ]
    called = do(mark, tmp_path, "call", "-t", "mcp:here", "echo", "--city", "x")
    assert called.out == '{"city": "x"}\n'
    named = do(mark, tmp_path, "mcp", "list", "here")
    assert named.out.startswith("here  zoo 1")
    every = do(mark, tmp_path, "mcp", "list", "--all")
    assert every.code == 3
    assert every.out.startswith("here  zoo 1")
    assert "NOT_SET_ANYWHERE" in every.err
    assert ".mcp.json" in every.err
    assert "no-such-command" not in every.err


def test_authentication_ends_with_four_and_says_how_to_log_in(mark: str, tmp_path: Path) -> None:
    with serving() as url:
        ended = do(mark, tmp_path, "mcp", "list", f"{url}/guarded")
        assert ended.code == 4
        assert "realm 'zoo'" in ended.err
        assert f"toolkit mcp login {url}/guarded" in ended.err
        assert do(mark, tmp_path, "spec", f"{url}/guarded").code == 4
        opened = do(
            mark, tmp_path, "mcp", "list", "--wire", "--bearer-env", "T", f"{url}/guarded", T=TOKEN
        )
        assert opened.code == 0
        assert "  hello()" in opened.out
        assert TOKEN not in opened.out + opened.err


def test_a_secret_is_in_no_output_of_any_command(mark: str, tmp_path: Path) -> None:
    server = ["--env", f"ZOO_SECRET={SECRET}", "--wire", "--server-log"]
    for words in (
        ["mcp", "list", *server, "--json", word("many")],
        ["mcp", "info", *server, word("many")],
        ["spec", *server, word("many")],
        ["call", *server, "-t", word("many"), "leaking"],
        ["call", *server, "-t", word("many"), "leaking", "--json"],
    ):
        ended = do(mark, tmp_path, *words, "--debug")
        assert "tools/list" in ended.err  # the conversation is there
        assert SECRET not in ended.out + ended.err


@pytest.mark.parametrize("flag", [["--api-key", SECRET], [f"--api-key={SECRET}"]])
def test_a_secret_among_a_servers_arguments_is_in_no_output(
    mark: str, tmp_path: Path, flag: list[str]
) -> None:
    target = word("many", *flag)
    for words in (["mcp", "list", "--json", target], ["mcp", "info", target], ["list", target]):
        ended = do(mark, tmp_path, *words, "--debug", "--wire", "--server-log")
        assert ended.code == 0
        assert SECRET not in ended.out + ended.err
    (shown,) = json.loads(do(mark, tmp_path, "mcp", "info", "--json", target).out)["servers"]
    assert shown["target"].startswith("cmd:")
    assert shown["target"].endswith("***")
    echoed = do(mark, tmp_path, "call", "-t", target, "echo", "--city", "x", "--server-log")
    assert (echoed.code, echoed.out) == (0, '{"city": "x"}\n')
    broken = do(mark, tmp_path, "mcp", "list", word("starting", "echoes", *flag))
    assert "unknown option" in broken.err
    assert SECRET not in broken.out + broken.err


def test_the_wire_may_be_asked_for_behind_the_tool(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "call", "-t", word("many"), "echo", "--city", "x", "--wire")
    assert ended.out == '{"city": "x"}\n'
    assert '→ {"jsonrpc": "2.0", "id"' in ended.err
    assert '"method": "tools/call"' in ended.err


@pytest.mark.parametrize("words", [["mcp", "list"], ["spec"]])
def test_an_interrupt_ends_at_once_with_130_and_leaves_nothing(
    mark: str, tmp_path: Path, words: list[str]
) -> None:
    command = marked(mark, *words, "--server-log", "--", *zoo("starting", "deaf"))
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", *command],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(HOME=str(tmp_path)),
    )
    assert process.stderr is not None
    assert "I can't hear you" in process.stderr.readline()
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=10)[1]
    assert process.returncode == 130
    assert time.monotonic() - began < 2
    assert "Traceback" not in said


def test_lint_takes_servers_and_reports_what_they_print(mark: str, tmp_path: Path) -> None:
    ended = do(mark, tmp_path, "lint", "--json", word("starting", "banner"))
    found = {finding["code"]: finding for finding in json.loads(ended.out)}
    assert "Loading plug-ins ..." in found["M106"]["message"]
    assert found["M106"]["server"] == "starting"
    deep = do(mark, tmp_path, "lint", "--json", word("lists", "deep70"))
    places = [f["server"] for f in json.loads(deep.out) if f["tool"] == "deep70"]
    assert places
    assert set(places) == {"lists"}
