"""`toolkit watch` of servers: what a changed list means, and servers that end and come back."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.runner import ROOT, run
from tests.cli.watching import session, tool_source
from tests.mcp.conftest import ZOO

if TYPE_CHECKING:
    from pathlib import Path

CITY: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
DAYS = {**CITY, "properties": {**CITY["properties"], "days": {"type": "integer"}}}
STRICT = {**DAYS, "required": ["city", "days"]}


class Mutable:
    """The file that says what the server offers."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "offers.json"
        self.offers(weather=CITY)

    def offers(self, **tools: Any) -> None:
        self.write({"tools": tools})

    def write(self, state: dict[str, Any]) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(state))
        fresh.replace(self.path)

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(ZOO / "mutable.py"), str(self.path)]


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Mutable:
    found = Mutable(tmp_path)
    era = {"ZOO_VERSION": request.param}
    entry = {"command": found.command[0], "args": found.command[1:], "env": era}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"zoo": entry}}))
    return found


def test_a_changed_list_is_shown_as_a_changed_file_is(server: Mutable, tmp_path: Path) -> None:
    with session("mcp:zoo", "--jsonl", cwd=tmp_path) as watching:
        state = watching.event()
        here = {"name": "weather", "path": None, "line": None, "server": "zoo"}
        assert state["tools"] == [{**here, "state": "fresh"}]
        server.offers(weather=STRICT, extra=CITY)
        change = watching.event()
        assert change["event"] == "reload"
        assert change["generation"] == state["generation"] + 1
        assert [each["name"] for each in change["added"]] == ["extra"]
        (changed,) = change["changed"]
        assert (changed["name"], changed["breaking"]) == ("weather", True)
        assert "breaking: 'days': added, integer, required" in changed["diff"]
        server.offers(extra=CITY)
        assert [each["name"] for each in watching.event()["removed"]] == ["weather"]
        code, _ = watching.end()
    assert code == 130


def test_a_server_that_ends_is_started_again_with_what_changed(
    server: Mutable, tmp_path: Path
) -> None:
    with session("mcp:zoo", "--jsonl", cwd=tmp_path) as watching:
        watching.event()
        server.write({"exit": 3})
        lost = watching.event()
        (failure,) = lost["failed"]
        assert failure["server"] == "zoo"
        assert (
            "'zoo' exited with status 3 while it was watched: out of cheese" in (failure["message"])
        )
        assert [each["state"] for each in lost["tools"]] == ["stale"]
        again = watching.event()
        assert "exited with status 3 during the handshake" in again["failed"][0]["message"]
        server.offers(weather=DAYS)
        back = watching.event()
        assert (back["restarted"], back["failed"]) == (["zoo"], [])
        assert [each["name"] for each in back["changed"]] == ["weather"]
        assert [each["state"] for each in back["tools"]] == ["fresh"]
        code, _ = watching.end()
    assert code == 130


def test_files_and_servers_are_watched_together(server: Mutable, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.py").write_text(tool_source(name="local"))
    words = ["tools", "mcp:zoo", "--call", "weather --city Tokyo", "--call", "local --city Oslo"]
    with session(*words, cwd=tmp_path) as watching:
        shown = watching.until("Oslo: sunny")
        assert "weather (city: string)  zoo" in shown
        assert "watching tools, zoo (Ctrl-C" in shown
        assert '{"city": "Tokyo"}' in shown
        (tmp_path / "tools" / "a.py").write_text(tool_source("rainy", name="local"))
        assert "~ local" in watching.until("+Oslo: rainy")
        server.offers(weather=DAYS)
        changed = watching.until("> local")
        assert "~ weather  zoo" in changed
        assert "'days': added" in changed
        server.write({"exit": 3})
        lost = watching.until("the last good version stays")
        assert "! 'zoo' exited with status 3" in lost
        server.offers(weather=DAYS)
        watching.until("'zoo' is there again")
        assert "> weather" in watching.until("> local")


def test_a_new_tool_whose_name_a_file_has_is_told_of(server: Mutable, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.py").write_text(tool_source(name="local"))
    with session("tools", "mcp:zoo", "--jsonl", cwd=tmp_path) as watching:
        watching.event()
        server.offers(weather=CITY, local=CITY)
        change = watching.event()
        assert change["added"] == []
        assert "the name 'local'" in change["failed"][0]["message"]
        assert [each["path"] for each in change["tools"]] == ["tools/a.py", None]


def test_a_pattern_narrows_what_a_server_brings(server: Mutable, tmp_path: Path) -> None:
    server.offers(weather=CITY, other=CITY)
    with session("mcp:zoo", "-k", "wea*", "--jsonl", cwd=tmp_path) as watching:
        assert [each["name"] for each in watching.event()["tools"]] == ["weather"]
        server.offers(weather=CITY, weapon=CITY, third=CITY)
        assert [each["name"] for each in watching.event()["added"]] == ["weapon"]


def test_a_server_that_is_not_there_ends_the_watch(tmp_path: Path) -> None:
    ended = run("watch", "cmd:no-such-command-anywhere", cwd=tmp_path)
    assert ended.code == 3
    assert "no-such-command-anywhere" in ended.err
    assert run("watch", "mcp:nobody", cwd=tmp_path).code == 3


def test_a_server_behind_a_url_is_missed_and_found_again(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(ROOT / "sample_tools" / "_server.py"), "--http", str(port)]

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        return process

    process = start()
    try:
        with session(f"http://127.0.0.1:{port}/mcp", "--jsonl", cwd=tmp_path) as watching:
            names = [each["name"] for each in watching.event()["tools"]]
            process.kill()
            process.wait()
            lost = watching.event()
            assert [each["state"] for each in lost["tools"]] == ["stale"] * len(names)
            assert "refused" in lost["failed"][0]["message"]
            process = start()
            back = watching.event()
            while "restarted" not in back:
                back = watching.event()
            assert [each["name"] for each in back["tools"]] == names
            assert {each["state"] for each in back["tools"]} == {"fresh"}
    finally:
        process.kill()
        process.wait()
