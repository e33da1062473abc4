"""Logging in by OAuth: a person grants access in a browser, which answers to a loopback port."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthFlowError

from ..errors import MCPAuthError, MCPConnectionError, MCPError
from .http import client_for
from .oauth import Browser, auth_for, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from mcp.client.auth import OAuthClientProvider

    from .servers import Server
    from .tokens import TokenStore

__all__ = ["log_in", "log_in_as"]

_DONE = b"You are logged in. You can close this page."
_FAILED = b"That did not work. You can close this page and look at the terminal."
_ACCEPT = {"accept": "application/json, text/event-stream"}
# Any request makes a server say whether it wants a login.
_HELLO: Mapping[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "toolkit", "version": "0"},
    },
}


@contextlib.asynccontextmanager
async def _waiting(
    show: Callable[[str], Awaitable[None]], *, seconds: float
) -> AsyncIterator[Browser]:
    """Listen on a loopback port for the browser's way back, for `seconds` at most."""
    found: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode("latin-1")
        target = urlsplit((line.split() or ["", ""])[1] if " " in line else "")
        answer = {key: values[0] for key, values in parse_qs(target.query).items()}
        came = target.path == "/callback" and ("code" in answer or "error" in answer)
        body = _DONE if "code" in answer else _FAILED
        status = b"200 OK" if came else b"404 Not Found"
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Type: text/plain\r\n")
        writer.write(b"Connection: close\r\n\r\n" + (body if came else b""))
        with contextlib.suppress(OSError):
            await writer.drain()
        writer.close()
        if came and not found.done():
            found.set_result(answer)

    async def answer() -> Mapping[str, str]:
        async with asyncio.timeout(seconds):
            return await found

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    port: int = listening.sockets[0].getsockname()[1]
    try:
        yield Browser(show, answer, port)
    finally:
        listening.close()


async def log_in_as(
    server: Server,
    store: TokenStore,
    *,
    client_id: str,
    secret_env: str,
    issuer: str | None = None,
    scope: str | None = None,
) -> bool:
    """Log in as the client `client_id`, whose secret the variable `secret_env` holds.

    Only the variable's name is kept, beside the tokens. The secret goes to `issuer` alone, without
    one to an authorisation server at the server's own address. False where no login is asked for;
    an MCPAuthError says why it did not work.
    """
    parts = urlsplit(server.url or "")
    own = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    store.delete()
    failure: MCPError | None = None
    for name in (issuer,) if issuer is not None else (own, f"{own}/"):
        grant = {"client_id": client_id, "secret_env": secret_env, "issuer": name, "scope": scope}
        store.put("grant", {key: value for key, value in grant.items() if value is not None})
        try:
            await _greet(server, store, auth_for(server, store))
        except MCPAuthError as error:
            failure = failure or error
        except MCPError:
            store.delete()
            raise
        else:
            return store.get("tokens") is not None
    store.delete()
    if failure is None:
        raise refused(server, "no authorisation server was tried")
    if issuer is None and "issuer" in failure.message:
        failure.hint = "Give --issuer URL, where the client belongs to another address."
    raise failure


async def log_in(
    server: Server,
    store: TokenStore,
    *,
    show: Callable[[str], Awaitable[None]],
    seconds: float = 300.0,
    scope: str | None = None,
) -> bool:
    """Log in to a server and keep its tokens; False where it asks for no login.

    `show` gets the page where a person grants access. An MCPAuthError says why it did not work.
    """
    if store.get("grant") is not None:
        store.delete()  # a person takes the place of a client
    async with _waiting(show, seconds=seconds) as browser:
        await _greet(server, store, auth_for(server, store, browser=browser, scope=scope))
    return bool(store)


async def _greet(server: Server, store: TokenStore, auth: OAuthClientProvider) -> None:
    """Make the server ask for a login, which `auth` then does; remember where it was done."""

    def ignore(*_: object) -> None:
        """Answers are looked at here."""

    async with client_for(server, ignore, auth=auth) as client:
        try:
            status = await _hello(client, server)
        except (OAuthFlowError, TimeoutError, ValueError) as error:
            raise refused(server, " ".join(str(error).split()) or "nobody answered") from error
        except httpx2.TransportError as error:
            raise MCPConnectionError(
                f"{server.shown} can't be reached: {error}",
                hint="Is the server running?",
                server=server.name,
                phase="login",
                kind="network",
            ) from error
    if status in {401, 403}:
        raise refused(server, f"it still says {status}")
    if found := auth.context.oauth_metadata:
        store.put("metadata", found.model_dump(mode="json", exclude_none=True))


async def _hello(client: httpx2.AsyncClient, server: Server) -> int:
    """Speak to a server as its transport begins; the status of its answer, which may never end."""
    method, body = ("GET", None) if server.kind == "sse" else ("POST", _HELLO)
    async with client.stream(method, server.url or "", json=body, headers=_ACCEPT) as answer:
        return answer.status_code
