"""Logging in to a server whose authorisation server grants at once, and out again."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.mcp.conftest import ZOO

from .forked import run
from .runner import Ended, environment

if TYPE_CHECKING:
    from pathlib import Path

Serve = Callable[..., str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start an OAuth server in a mode; gives its URL."""
    running: list[subprocess.Popen[bytes]] = []

    def start(mode: str = "grants", script: str = "oauth", *more: str) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, str(ZOO / f"{script}.py"), str(port), mode, *more]
        running.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        return f"http://127.0.0.1:{port}/{'sse' if 'sse' in more else 'mcp'}"

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


def do(cwd: Path, *words: str) -> Ended:
    return run(*words, cwd=cwd, HOME=str(cwd), XDG_DATA_HOME=str(cwd / "data"))


def log_in(cwd: Path, url: str) -> tuple[int, str]:
    """Log in, with a stand-in for the browser that follows the page that is shown."""
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", "mcp", "login", url],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(HOME=str(cwd), XDG_DATA_HOME=str(cwd / "data")),
    )
    assert process.stderr is not None
    said = ""
    with process.stderr as stream:
        for line in stream:
            said += line
            if page := re.match(r"  (http\S+)", line):
                with urllib.request.urlopen(page[1], timeout=10) as answer:
                    said += answer.read().decode()
    return process.wait(30), said


def kept(cwd: Path) -> Path:
    (file,) = (cwd / "data" / "toolkit" / "tokens").iterdir()
    return file


@pytest.mark.parametrize("more", [[], ["sse"]], ids=["http", "sse"])
def test_a_login_is_kept_used_and_forgotten(serve: Serve, tmp_path: Path, more: list[str]) -> None:
    url = serve("grants", "oauth", *more)
    before = do(tmp_path, "mcp", "list", url)
    assert (before.code, f"toolkit mcp login {url}" in before.err) == (4, True)
    code, said = log_in(tmp_path, url)
    assert code == 0, said
    assert "You are logged in" in said
    file = kept(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    held = json.loads(file.read_text())
    called = do(tmp_path, "call", "-t", url, "--wire", "open_vault", "--debug")
    assert (called.code, called.out) == (0, "gold\n"), called
    for secret in (held["tokens"]["access_token"], held["tokens"]["refresh_token"]):
        assert secret not in called.out + called.err + said
    out = do(tmp_path, "mcp", "logout", url)
    assert (out.code, "logged out" in out.err) == (0, True)
    assert do(tmp_path, "mcp", "list", url).code == 4
    again = do(tmp_path, "mcp", "logout", url)
    assert (again.code, "no login" in again.err) == (0, True)


@pytest.mark.parametrize("more", [[], ["sse"]], ids=["http", "sse"])
def test_a_token_that_has_run_out_is_renewed(serve: Serve, tmp_path: Path, more: list[str]) -> None:
    url = serve("expires", "oauth", *more)
    assert log_in(tmp_path, url)[0] == 0
    before = json.loads(kept(tmp_path).read_text())["tokens"]["access_token"]
    time.sleep(1.2)  # the token's own life is a second
    ended = do(tmp_path, "call", "-t", url, "open_vault")
    assert (ended.code, ended.out) == (0, "gold\n"), ended
    assert json.loads(kept(tmp_path).read_text())["tokens"]["access_token"] != before


def test_tokens_that_others_can_read_are_refused(serve: Serve, tmp_path: Path) -> None:
    url = serve()
    assert log_in(tmp_path, url)[0] == 0
    kept(tmp_path).chmod(0o644)
    ended = do(tmp_path, "mcp", "list", url)
    assert ended.code != 0
    assert "can be read by others" in ended.err
    assert "chmod 600" in ended.err


@pytest.mark.parametrize("more", [[], ["sse"]], ids=["http", "sse"])
def test_tokens_that_no_longer_count_ask_for_a_new_login(
    serve: Serve, tmp_path: Path, more: list[str]
) -> None:
    url = serve("grants", "oauth", *more)
    assert log_in(tmp_path, url)[0] == 0
    file = kept(tmp_path)
    held = json.loads(file.read_text())
    held["tokens"] = {"access_token": "stale-token-value", "token_type": "Bearer"}
    file.write_text(json.dumps(held))
    os.chmod(file, 0o600)  # noqa: PTH101
    ended = do(tmp_path, "mcp", "list", url)
    assert ended.code == 4, ended
    assert f"toolkit mcp login {url}" in ended.err
    assert "stale-token-value" not in ended.err + ended.out


def test_a_login_that_is_denied_says_why(serve: Serve, tmp_path: Path) -> None:
    code, said = log_in(tmp_path, serve("denies"))
    assert code == 4
    assert "the owner said no" in said


def test_there_is_nothing_to_log_in_to_at_a_command(tmp_path: Path) -> None:
    ended = do(tmp_path, "mcp", "login", "cmd:something")
    assert ended.code == 2
    assert "--env" in ended.err
