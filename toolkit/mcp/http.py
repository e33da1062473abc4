"""The HTTP client under the SDK's transports: headers, no needless TLS, and every refusal noted."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from .oauth import auth_for
from .tokens import TokenStore

if TYPE_CHECKING:
    from .servers import Server

__all__ = ["client_for", "http_streams"]

Note = Callable[[int, str, Mapping[str, str], bytes], None]

# No read timeout: every wait of ours has a deadline of its own, and a stream may be long silent.
_TIMEOUT = httpx2.Timeout(None, connect=30.0)


def client_for(
    server: Server, note: Note, *, auth: httpx2.Auth | None = None
) -> httpx2.AsyncClient:
    """Return a client with the server's headers that tells `note` of every answer of the server.

    For `http://` no TLS context is built (it costs more than the whole connection); the client
    makes one, with verification, should the server redirect to `https://` on its own host.
    """

    async def look(response: httpx2.Response) -> None:
        if auth is not None and str(response.request.url) != server.url:
            return  # one of the requests by which the authentication goes
        failed = response.status_code >= 400  # noqa: PLR2004 - client and server errors
        body = await response.aread() if failed else b""
        note(response.status_code, response.reason_phrase, dict(response.headers), body)

    plain = (server.url or "").startswith("http://")
    mounts: dict[str, httpx2.AsyncBaseTransport] = {"https://": _Verified()} if plain else {}
    return httpx2.AsyncClient(
        headers=dict(server.headers),
        auth=auth,
        timeout=_TIMEOUT,
        event_hooks={"response": [look]},
        verify=not plain,
        mounts=mounts or None,
    )


class _Verified(httpx2.AsyncBaseTransport):
    """A transport with verified TLS, made when it is first needed."""

    def __init__(self) -> None:
        self._inner: httpx2.AsyncHTTPTransport | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        if self._inner is None:
            self._inner = httpx2.AsyncHTTPTransport()
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close what was opened."""
        if self._inner is not None:
            await self._inner.aclose()


@contextlib.asynccontextmanager
async def http_streams(server: Server, note: Note) -> AsyncIterator[tuple[Any, Any]]:
    """Give the SDK's streams: streamable HTTP, or the older SSE where the server is set so."""
    url = server.url or ""
    store = TokenStore(url)
    named = any(name.lower() == "authorization" for name in server.headers)
    auth = auth_for(server, store) if store and not named else None
    client = client_for(server, note, auth=auth)
    if server.kind == "sse":

        def _factory(
            headers: dict[str, str] | None = None,
            timeout: httpx2.Timeout | None = None,
            auth: httpx2.Auth | None = None,
        ) -> httpx2.AsyncClient:
            del headers, timeout, auth
            return client

        async with sse_client(url, httpx_client_factory=_factory) as pair:
            yield pair
        return
    # Later 2.x releases refuse a message of more than a megabyte unless they are told otherwise.
    limits = inspect.signature(streamable_http_client).parameters.keys() & {"max_sse_event_size"}
    options: dict[str, Any] = dict.fromkeys(limits)
    async with client, streamable_http_client(url, http_client=client, **options) as pair:
        yield pair
