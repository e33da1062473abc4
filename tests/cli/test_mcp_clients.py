"""Logging in as a client of its own, with nobody at a browser."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from .forked import run
from .test_mcp_login import Serve, kept, serve

if TYPE_CHECKING:
    from pathlib import Path

    from .runner import Ended

__all__ = ["serve"]

SECRET = "s3cr3t-of-the-bot"
CLIENT = ["--client-id", "bot", "--client-secret-env", "BOT_SECRET"]


def do(cwd: Path, *words: str, secret: str = SECRET) -> Ended:
    given = {"BOT_SECRET": secret} if secret else {}
    return run(*words, cwd=cwd, HOME=str(cwd), XDG_DATA_HOME=str(cwd / "data"), **given)


@pytest.mark.parametrize("mode", ["well", "slash"])
def test_a_client_logs_in_by_itself_and_its_secret_is_never_written(
    serve: Serve, tmp_path: Path, mode: str
) -> None:
    url = serve(mode, "credentials")
    before = do(tmp_path, "mcp", "list", url)
    assert (before.code, "realm 'vault'" in before.err) == (4, True), before
    ended = do(tmp_path, "mcp", "login", url, *CLIENT)
    assert (ended.code, ended.out) == (0, ""), ended
    assert "logged in to" in ended.err
    assert SECRET not in kept(tmp_path).read_text()
    token = json.loads(kept(tmp_path).read_text())["tokens"]["access_token"]
    called = do(tmp_path, "call", "-t", url, "--wire", "open_vault", "--debug", secret="")
    assert (called.code, called.out) == (0, "gold\n"), called
    for text in (ended.err, called.err):
        assert SECRET not in text
        assert token not in text


def test_a_client_whose_token_has_run_out_gets_another(serve: Serve, tmp_path: Path) -> None:
    url = serve("well", "credentials")
    assert do(tmp_path, "mcp", "login", url, *CLIENT).code == 0
    held = json.loads(kept(tmp_path).read_text())
    held["tokens"]["access_token"] = "stale-token-value"
    kept(tmp_path).write_text(json.dumps(held))
    os.chmod(kept(tmp_path), 0o600)  # noqa: PTH101
    without = do(tmp_path, "mcp", "list", url, secret="")
    assert (without.code, f"toolkit mcp login {url}" in without.err) == (4, True), without
    ended = do(tmp_path, "call", "-t", url, "open_vault")
    assert (ended.code, ended.out) == (0, "gold\n"), ended
    assert json.loads(kept(tmp_path).read_text())["tokens"]["access_token"] != "stale-token-value"


def test_a_secret_goes_to_no_other_address_unless_it_is_named(serve: Serve, tmp_path: Path) -> None:
    url = serve("elsewhere", "credentials")
    ended = do(tmp_path, "mcp", "login", url, *CLIENT)
    assert (ended.code, "--issuer" in ended.err) == (4, True), ended
    assert SECRET not in ended.err
    assert list((tmp_path / "data" / "toolkit" / "tokens").iterdir()) == []
    issuer = url.replace("127.0.0.1", "localhost").removesuffix("/mcp")
    named = do(tmp_path, "mcp", "login", url, *CLIENT, "--issuer", issuer)
    assert named.code == 0, named


def test_a_wrong_secret_is_told_and_nothing_is_kept(serve: Serve, tmp_path: Path) -> None:
    url = serve("well", "credentials")
    ended = do(tmp_path, "mcp", "login", url, *CLIENT, secret="wr0ng-secret-value")
    assert (ended.code, "invalid_client" in ended.err) == (4, True), ended
    assert "wr0ng-secret-value" not in ended.err
    assert list((tmp_path / "data" / "toolkit" / "tokens").iterdir()) == []


def test_half_a_client_is_refused(tmp_path: Path) -> None:
    url = "http://127.0.0.1:1/mcp"
    half = do(tmp_path, "mcp", "login", url, "--client-id", "bot")
    assert (half.code, "--client-secret-env VAR" in half.err) == (2, True)
    unset = do(tmp_path, "mcp", "login", url, *CLIENT, secret="")
    assert (unset.code, "BOT_SECRET is not set" in unset.err) == (2, True)
