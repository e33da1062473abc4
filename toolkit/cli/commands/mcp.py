"""`toolkit mcp`: what servers say of themselves, and the tools that they offer."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import frame
from ..options import Json
from ..reach import asked, reaching

__all__ = ["register"]

Servers = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="A URL, mcp:NAME or NAME of a configured server, 'cmd:COMMAND ARG…', -- COMMAND.",
        show_default=False,
    ),
]
All = Annotated[bool, typer.Option("--all", help="Start every configured server.")]

room = typer.Typer(
    help="MCP servers: list their tools, see who they are.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    room.command("list")(reaching(list_))
    room.command("info")(reaching(info))
    app.add_typer(room, name="mcp")


def list_(targets: Servers = None, *, all_: All = False, json_: Json = False) -> int:
    """List the tools of servers as signatures; without a target, the configured servers.

    \b
    toolkit mcp list -- npx -y @modelcontextprotocol/server-everything
    toolkit mcp list github https://example.com/mcp --json
    toolkit mcp list --all
    """
    from ..looking import list_servers

    frame.guard_streams()
    return frame.run(lambda: list_servers(targets or [], asked(), every=all_, as_json=json_))


def info(targets: Servers = None, *, json_: Json = False) -> int:
    """Show a server's identity, protocol, capabilities, instructions and times.

    \b
    toolkit mcp info -- npx -y @modelcontextprotocol/server-everything
    """
    from ..looking import show_servers

    frame.guard_streams()
    return frame.run(lambda: show_servers(targets or [], asked(), as_json=json_))
