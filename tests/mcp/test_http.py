from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.mcp.web import SESSIONS, TOKEN, serving
from toolkit import errors
from toolkit.mcp.connection import Connection
from toolkit.mcp.servers import Options, Server, from_word
from toolkit.mcp.session import Limits, Session

if TYPE_CHECKING:
    from collections.abc import Iterator


LIMITS = Limits(start=5, list=5, call=5)


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serving() as url:
        yield url


def look(server: Server) -> list[str]:
    async def run() -> list[str]:
        async with Session(server, limits=LIMITS) as session:
            page = await session.request("tools/list", {}, phase="list", seconds=5)
            return [tool["name"] for tool in page["tools"]]

    return asyncio.run(run())


@pytest.mark.parametrize("path", ["mcp", "sse", "stateful"])
def test_a_server_is_spoken_to_over_http(base: str, path: str) -> None:
    server = replace(from_word(f"{base}/{path}"), kind="http")
    assert look(server) == ["hello"]


@pytest.mark.parametrize("path", ["forgets", "forgets-in-words"])
def test_a_session_that_the_server_has_forgotten_is_opened_anew(base: str, path: str) -> None:
    async def run() -> tuple[str, int]:
        connection = Connection(replace(from_word(f"{base}/{path}"), kind="http"), limits=LIMITS)
        await connection.open()
        try:
            result = await connection.call("hello", {})
            return result["content"][0]["text"], connection.restarts
        finally:
            await connection.close()

    SESSIONS.clear()
    assert asyncio.run(run()) == ("hello", 1)


@pytest.mark.parametrize(
    ("path", "error", "kind", "status", "words"),
    [
        ("guarded", errors.MCPAuthError, "auth", 401, "realm 'zoo': it has expired"),
        ("401", errors.MCPAuthError, "auth", 401, "asks for authentication"),
        ("403", errors.MCPAuthError, "auth", 403, "said 403"),
        ("nowhere", errors.MCPConnectionError, "http", 404, "no MCP server at"),
        ("405", errors.MCPConnectionError, "http", 405, "no MCP server at"),
        ("500", errors.MCPConnectionError, "http", 500, "500 Internal Server Error: said 500"),
        ("503", errors.MCPConnectionError, "http", 503, "503"),
        ("redirect", errors.MCPConnectionError, "http", 302, "http://elsewhere.test/mcp"),
        ("html", errors.MCPProtocolError, "content-type", None, "text/html"),
        ("untyped", errors.MCPProtocolError, "content-type", None, "it names no content type"),
        ("chatter", errors.MCPProtocolError, "protocol", None, "no message of JSON-RPC: [1, 2]"),
    ],
)
def test_an_answer_that_is_none_is_told_with_its_status(
    base: str, path: str, error: type[errors.MCPError], kind: str, status: int | None, words: str
) -> None:
    began = time.monotonic()
    with pytest.raises(error) as caught:
        look(from_word(f"{base}/{path}"))
    assert time.monotonic() - began < 4
    assert (caught.value.kind, caught.value.http_status) == (kind, status)
    assert words in caught.value.message
    assert caught.value.phase == "handshake"


def test_the_realm_of_a_challenge_is_a_field_and_the_hint_says_how_to_log_in(base: str) -> None:
    with pytest.raises(errors.MCPAuthError) as caught:
        look(from_word(f"{base}/guarded"))
    assert caught.value.realm == "zoo"
    assert "--bearer-env" in (caught.value.hint or "")


def test_a_token_of_the_environment_opens_the_door_and_is_shown_nowhere(base: str) -> None:
    options = Options(bearer_env="SOME_TOKEN")
    server = options.apply(from_word(f"{base}/guarded"), {"SOME_TOKEN": TOKEN})
    assert look(server) == ["hello"]
    assert TOKEN not in server.shown + repr(server)
    assert server.mask(f"x {TOKEN} y") == "x *** y"


def test_headers_are_sent(base: str) -> None:
    options = Options(headers=(f"Authorization: Bearer {TOKEN}",))
    assert look(options.apply(from_word(f"{base}/guarded"))) == ["hello"]


def test_nobody_listening_is_told_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(errors.MCPConnectionError) as caught:
        look(from_word(f"http://127.0.0.1:{port}/mcp"))
    assert caught.value.kind == "refused"


def test_a_host_without_an_address_is_told() -> None:
    with pytest.raises(errors.MCPConnectionError) as caught:
        look(from_word("http://no-such-host.invalid/mcp"))
    assert caught.value.kind in {"unknown-host", "network"}


def test_a_stream_that_breaks_off_ends_its_call(base: str) -> None:
    async def run() -> None:
        async with Session(from_word(f"{base}/hangup"), limits=LIMITS) as session:
            with pytest.raises(errors.MCPConnectionClosedError) as caught:
                await session.call("hello", {})
            assert caught.value.phase == "call"
            assert await session.request("tools/list", {}, phase="list", seconds=5)

    asyncio.run(run())


def test_a_silent_server_ends_at_the_deadline() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"

        async def run() -> None:
            async with Session(from_word(url), limits=Limits(start=0.5)):
                pass

        began = time.monotonic()
        with pytest.raises(errors.MCPConnectionError) as caught:
            asyncio.run(run())
        assert time.monotonic() - began < 3
        assert caught.value.kind == "timeout"


def test_opening_plain_http_makes_no_tls_context(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ssl

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a TLS context was made")

    monkeypatch.setattr(ssl, "create_default_context", refuse)
    assert look(from_word(f"{base}/mcp")) == ["hello"]


def test_a_server_that_does_not_answer_a_farewell_is_left(base: str) -> None:
    began = time.monotonic()
    assert look(from_word(f"{base}/clings")) == ["hello"]
    assert time.monotonic() - began < 7
