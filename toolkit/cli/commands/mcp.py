"""`toolkit mcp`: what servers say of themselves, and the tools that they offer."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...errors import UsageError
from .. import frame
from ..console import write
from ..options import Json, Save
from ..reach import asked, calling, reaching

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

Resources = Annotated[bool, typer.Option("--resources", help="Resources and templates too.")]
Prompts = Annotated[bool, typer.Option("--prompts", help="Prompts too.")]
Words = Annotated[
    list[str], typer.Argument(metavar="[TARGET] URI", help="The server, then the resource.")
]
Prompted = Annotated[
    list[str],
    typer.Argument(metavar="[TARGET] NAME [--ARG VALUE]...", help="The server, then the prompt."),
]

Server = Annotated[str, typer.Argument(metavar="TARGET", help="A URL, or a configured server.")]
WithBrowser = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Open the page, or only print it.")
]
ClientId = Annotated[
    str | None, typer.Option("--client-id", metavar="ID", help="Log in as this client, alone.")
]
SecretEnv = Annotated[
    str | None,
    typer.Option("--client-secret-env", metavar="VAR", help="The variable with its secret."),
]
Issuer = Annotated[
    str | None,
    typer.Option("--issuer", metavar="URL", help="Where the client belongs, if elsewhere."),
]
Scope = Annotated[str | None, typer.Option("--scope", metavar="SCOPES", help="What to ask for.")]

room = typer.Typer(
    help="MCP servers: list their tools, see who they are.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    room.command("list")(reaching(list_))
    room.command("info")(reaching(info))
    room.command("read")(calling(read))
    room.command("login")(reaching(login))
    room.command("logout")(reaching(logout))
    loose: dict[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}
    loose["help_option_names"] = []  # the help may be the prompt's own
    room.command("prompt", context_settings=loose)(calling(prompt))
    app.add_typer(room, name="mcp")


def list_(
    targets: Servers = None,
    *,
    all_: All = False,
    resources: Resources = False,
    prompts: Prompts = False,
    json_: Json = False,
) -> int:
    """List the tools of servers as signatures; without a target, the configured servers.

    \b
    toolkit mcp list -- npx -y @modelcontextprotocol/server-everything
    toolkit mcp list github https://example.com/mcp --json
    toolkit mcp list --all
    """
    from ..looking import Asking, list_servers

    asking = Asking(every=all_, resources=resources, prompts=prompts, as_json=json_)
    frame.guard_streams()
    return frame.run(lambda: list_servers(targets or [], asked(), asking=asking))


def info(targets: Servers = None, *, json_: Json = False) -> int:
    """Show a server's identity, protocol, capabilities, instructions and times.

    \b
    toolkit mcp info -- npx -y @modelcontextprotocol/server-everything
    """
    from ..looking import show_servers

    frame.guard_streams()
    return frame.run(lambda: show_servers(targets or [], asked(), as_json=json_))


def read(words: Words, *, save: Save = None, json_: Json = False) -> int:
    """Read a resource.

    \b
    toolkit mcp read mcp:docs file:///guide.md
    toolkit mcp read book://Walden -- python sample_tools/_server.py
    """
    from ..reading import show_resource

    frame.guard_streams()
    return frame.run(lambda: show_resource(words, asked(), save=save, as_json=json_))


def prompt(ctx: typer.Context, words: Prompted, *, json_: Json = False) -> int:
    """Show the messages of a prompt; its arguments are flags, which --help lists.

    \b
    toolkit mcp prompt mcp:docs review --language python
    toolkit mcp prompt recommend --mood tired -- python sample_tools/_server.py
    """
    from ..reading import HELP, show_prompt

    given = [*words, *ctx.args]
    if given[0] in HELP:
        write(ctx.get_help())
        return 0
    frame.guard_streams()
    return frame.run(lambda: show_prompt(given, asked(), as_json=json_))


def login(
    target: Server,
    *,
    browser: WithBrowser = True,
    scope: Scope = None,
    client_id: ClientId = None,
    client_secret_env: SecretEnv = None,
    issuer: Issuer = None,
) -> int:
    """Log in to a server by OAuth; the tokens are kept for you alone.

    \b
    toolkit mcp login https://example.com/mcp
    toolkit mcp login mcp:github --no-browser
    toolkit mcp login https://example.com/mcp --client-id bot --client-secret-env BOT_SECRET
    """
    from ..authenticating import Client, log_in, log_in_as

    frame.guard_streams()
    if client_id is not None and client_secret_env is not None:
        client = Client(client_id, client_secret_env, issuer)
        return frame.run(lambda: log_in_as(target, asked(), client=client, scope=scope))
    if client_id is not None or client_secret_env is not None or issuer is not None:
        raise UsageError(
            "a client needs both its id and its secret",
            hint="--client-id ID --client-secret-env VAR",
        )
    return frame.run(lambda: log_in(target, asked(), browser=browser, scope=scope))


def logout(target: Server) -> int:
    """Forget the tokens of a server."""
    from ..authenticating import log_out

    return log_out(target, asked())
