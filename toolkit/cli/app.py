"""The typer application, and the one boundary where errors become lines and exit codes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from ..errors import (
    CallError,
    ConfigError,
    DefinitionError,
    MCPAuthError,
    MCPRequestError,
    ToolkitError,
    UsageError,
)
from . import frame
from .commands import call as call_command
from .commands import explain as explain_command
from .commands import formats as formats_command
from .commands import lint as lint_command
from .commands import list_ as list_command
from .commands import mcp as mcp_command
from .commands import replay as replay_command
from .commands import spec as spec_command
from .commands import watch as watch_command
from .console import hint, say
from .line import Line, options_of, split
from .statusline import STATUS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["app", "run"]

HELP = """The workbench for people who write tools for language models.

\b
  toolkit spec mytools.py              what a model sees
  toolkit call weather --city Tokyo    call a tool as a model would
  toolkit list                         the tools of the default sources
  toolkit watch                        keep them current, and say what each save changes
  toolkit lint                         what a model will misread, or a provider refuse
  toolkit replay messages.json         run what a model asked for, again

TARGET is a file, a folder, a module, file.py:name, or a tool's name; without one it is `sources`
in [tool.toolkit] of pyproject.toml, else ./tools/.
"""

app = typer.Typer(
    name="toolkit",
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def root(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Hold the options of every command."""
    del version  # answered before typer is imported; it stands here for the help


spec_command.register(app)
list_command.register(app)
call_command.register(app)
watch_command.register(app)
formats_command.register(app)
mcp_command.register(app)
lint_command.register(app)
explain_command.register(app)
replay_command.register(app)


def run(argv: Sequence[str]) -> None:
    """Run a command line and end the process with its exit code."""
    line = Line([], debug="--debug" in argv)
    try:
        root_command: Any = typer.main.get_command(app)
        line = split(argv, options_of(root_command.commands["call"]))
        code = root_command.main(
            args=line.words, prog_name="toolkit", standalone_mode=False, obj=line
        )
        code = code if isinstance(code, int) else 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException as error:  # noqa: BLE001 - the one boundary
        code = told(error, debug=line.debug)
    frame.leave(code)


def told(error: BaseException, *, debug: bool) -> int:
    """Say what is wrong, where, and what to do; the exit code by the contract."""
    from .render.errors import user_frames

    STATUS.end(keep=True)
    if debug and not isinstance(error, frame.Terminated | TyperException):
        import traceback

        say("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, frame.Terminated):
        say("interrupted")
        return error.exit_code
    if isinstance(error, ToolkitError):
        say(error.message, kind="error")
        cause = vars(error).get("cause")
        if cause is not None and not debug:
            for shown in user_frames(cause):
                say(shown)
        hint(error.hint)
        return exit_code(error)
    if isinstance(error, TyperException):
        return _told_usage(error)
    message = f"{type(error).__name__}: {error}"
    say(f"toolkit itself failed: {message}", kind="error")
    hint("this is a fault of toolkit; --debug shows the traceback")
    return 1


def _told_usage(error: Any) -> int:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{message}\n")
        return 2
    say(message[:1].lower() + message[1:].rstrip("."), kind="error")
    if context is not None:
        hint(f"{context.command_path} --help")
    return int(getattr(error, "exit_code", 2))


def exit_code(error: ToolkitError) -> int:
    """What the contract says of an error."""
    if isinstance(error, UsageError | ConfigError):
        return 2
    if isinstance(error, MCPAuthError):
        return 4
    if isinstance(error, CallError | DefinitionError):
        return 1
    if isinstance(error, MCPRequestError) and error.phase in {"read", "prompt", "call"}:
        return 1
    return 3
