"""Tokens on the SDK's OAuth flow: kept, renewed, and got anew where a person can grant access."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
)

from ..errors import MCPAuthError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .servers import Server
    from .tokens import TokenStore

__all__ = ["Browser", "auth_for", "refused"]

# Where nobody can answer there is no browser to come back to.
_NO_PORT = 1


@dataclass(frozen=True, slots=True)
class Browser:
    """Shows a person the page where access is granted, and waits for the answer."""

    show: Callable[[str], Awaitable[None]]
    answer: Callable[[], Awaitable[Mapping[str, str]]]
    port: int


class _Storage:
    """The SDK's storage over a TokenStore."""

    def __init__(self, store: TokenStore) -> None:
        self._store = store

    async def get_tokens(self) -> OAuthToken | None:
        held = self._store.get("tokens")
        return None if held is None else OAuthToken.model_validate(held)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._store.put("tokens", tokens.model_dump(mode="json", exclude_none=True))
        if tokens.expires_in is not None:
            self._store.put("expiry", {"at": time.time() + tokens.expires_in})

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        held = self._store.get("client")
        return None if held is None else OAuthClientInformationFull.model_validate(held)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._store.put("client", client_info.model_dump(mode="json", exclude_none=True))


def auth_for(
    server: Server, store: TokenStore, *, browser: Browser | None = None, scope: str | None = None
) -> OAuthClientProvider:
    """Return what authenticates requests; without a browser only kept tokens are used.

    An MCPAuthError then says that somebody has to log in.
    """
    grant, secret = store.get("grant"), store.client_secret
    if grant is not None and secret is not None:
        return _as_client(server, store, grant, secret=secret)
    url = server.url or ""
    port = _NO_PORT if browser is None else browser.port
    metadata = OAuthClientMetadata(
        client_name="toolkit",
        redirect_uris=[f"http://127.0.0.1:{port}/callback"],  # type: ignore[list-item]
        scope=scope,
    )

    async def redirect(page: str) -> None:
        if browser is None:
            raise MCPAuthError(
                f"{server.shown} wants you to log in again",
                hint=f"toolkit mcp login {server.target}",
                server=server.name,
                phase="handshake",
                kind="auth",
            )
        await browser.show(page)

    async def answer() -> AuthorizationCodeResult:
        found = await browser.answer() if browser is not None else {}
        if "code" not in found:
            said = found.get("error_description") or found.get("error") or "it gave no code"
            raise refused(server, said)
        known = AuthorizationCodeResult.model_fields
        return AuthorizationCodeResult(**{k: v for k, v in found.items() if k in known})

    provider = OAuthClientProvider(
        url, metadata, _Storage(store), redirect_handler=redirect, callback_handler=answer
    )
    _remember(provider, store)
    return provider


def _as_client(
    server: Server, store: TokenStore, grant: Mapping[str, Any], *, secret: str
) -> OAuthClientProvider:
    """Log in as a client of its own, without a person, as often as a token runs out."""
    provider = ClientCredentialsOAuthProvider(
        server.url or "",
        _Storage(store),
        str(grant.get("client_id")),
        secret,
        scope=grant.get("scope"),
        issuer=grant.get("issuer"),
    )
    _remember(provider, store)
    return provider


def _remember(provider: OAuthClientProvider, store: TokenStore) -> None:
    """Tell the SDK what it does not keep: when a token ends, and where it is renewed."""
    if expiry := store.get("expiry"):
        provider.context.token_expiry_time = expiry.get("at")
    if known := store.get("metadata"):
        provider.context.oauth_metadata = OAuthMetadata.model_validate(known)


def refused(server: Server, why: str) -> MCPAuthError:
    """Describe a login that did not work."""
    return MCPAuthError(
        f"Logging in to {server.shown} did not work: {why}",
        hint="Give --bearer-env VAR or --header instead, where the server takes a token.",
        server=server.name,
        phase="login",
        kind="auth",
    )
