"""Logging in to an MCP server, and out again."""

from __future__ import annotations

import os
import sys
import webbrowser
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..mcp.tokens import TokenStore
from ..targets import is_server_word
from ..threads import shared
from .console import is_terminal, say

if TYPE_CHECKING:
    from ..mcp.servers import Server
    from ..reaching import Reach

__all__ = ["Client", "log_in", "log_in_as", "log_out"]


@dataclass(frozen=True, slots=True)
class Client:
    """A client that logs in by itself: its id, the variable of its secret, where it belongs."""

    name: str
    secret_env: str
    issuer: str | None = None


PATIENCE = 300.0  # seconds that a person has to grant access in the browser


async def log_in(word: str, reach: Reach, *, browser: bool, scope: str | None) -> int:
    """Show the page where access is granted, wait for the answer, and keep the tokens."""
    server = _remote(word, reach)
    from ..mcp.login import log_in as log_in_to

    async def show(page: str) -> None:
        say(f"open this page to log in to {server.shown}:\n  {page}")
        if browser and is_terminal(sys.stderr):  # nobody sees a browser that a script opens
            await shared().run(lambda: webbrowser.open(page))

    store = TokenStore(server.url or "")
    asked = await log_in_to(
        server, store, show=show, seconds=reach.seconds or PATIENCE, scope=scope
    )
    say(f"logged in to {server.shown}" if asked else f"{server.shown} asks for no login")
    return 0


async def log_in_as(word: str, reach: Reach, *, client: Client, scope: str | None) -> int:
    """Log in as a client of its own, with nobody at the terminal."""
    server = _remote(word, reach)
    if not os.environ.get(client.secret_env):
        raise UsageError(
            f"the variable {client.secret_env} is not set",
            hint="--client-secret-env names the variable that holds the client's secret",
        )
    from ..mcp.login import log_in_as as log_in_to_as

    asked = await log_in_to_as(
        server,
        TokenStore(server.url or ""),
        client_id=client.name,
        secret_env=client.secret_env,
        issuer=client.issuer,
        scope=scope,
    )
    say(f"logged in to {server.shown}" if asked else f"{server.shown} asks for no login")
    return 0


def log_out(word: str, reach: Reach) -> int:
    """Forget what was kept of a server."""
    server = _remote(word, reach)
    gone = TokenStore(server.url or "").delete()
    say(f"logged out of {server.shown}" if gone else f"there was no login to {server.shown}")
    return 0


def _remote(word: str, reach: Reach) -> Server:
    server = reach.server(word if is_server_word(word) else f"mcp:{word}")
    if server.url is None:
        raise UsageError(
            f"'{word}' is started by a command: there is nothing to log in to",
            hint="give it its credentials with --env",
        )
    return server
