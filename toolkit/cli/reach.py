"""The options that say how MCP servers are reached, added to every command that takes TARGETs."""

from __future__ import annotations

import contextlib
import functools
import inspect
import time
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from ..errors import ConfigError, UsageError
from ..reaching import Reach
from .console import hide, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..mcp.servers import Server
    from .asking import Asker
    from .line import Line

__all__ = ["FLAGS", "asked", "asker", "calling", "reaching"]

R = TypeVar("R")

Texts = list[str] | None
_OPTIONS: Mapping[str, tuple[Any, Any]] = {
    "config": (
        Annotated[
            Texts, typer.Option("--config", metavar="FILE", help="A file that names MCP servers.")
        ],
        None,
    ),
    "env": (
        Annotated[
            Texts,
            typer.Option("--env", metavar="K[=V]", help="A variable for the server's process."),
        ],
        None,
    ),
    "inherit_env": (
        Annotated[bool, typer.Option("--inherit-env", help="All variables for the server.")],
        False,
    ),
    "header": (
        Annotated[
            Texts, typer.Option("--header", metavar="'N: V'", help="An HTTP header for the server.")
        ],
        None,
    ),
    "bearer_env": (
        Annotated[
            str | None,
            typer.Option("--bearer-env", metavar="VAR", help="The variable with its token."),
        ],
        None,
    ),
    "server_log": (
        Annotated[bool, typer.Option("--server-log", help="Show the server's stderr as it comes.")],
        False,
    ),
    "wire": (
        Annotated[bool, typer.Option("--wire", help="Show the JSON-RPC conversation on stderr.")],
        False,
    ),
}
_ANSWERS: Mapping[str, tuple[Any, Any]] = {
    "answer": (
        Annotated[
            Texts, typer.Option("--answer", metavar="K=V", help="Answers a server's question.")
        ],
        None,
    ),
    "no_input": (
        Annotated[bool, typer.Option("--no-input", help="Ask nothing at the terminal.")],
        False,
    ),
    "root": (
        Annotated[
            Texts, typer.Option("--root", metavar="DIR", help="A folder a server may look into.")
        ],
        None,
    ),
    "log_level": (
        Annotated[
            str | None,
            typer.Option("--log-level", metavar="LEVEL", help="Log messages of this level on."),
        ],
        None,
    ),
}
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_SECONDS = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", min=0, help="For each phase with a server."),
]
# Those that say how a server is reached, and so stand before the tool of a call.
FLAGS = ("--config", "--env", "--inherit-env", "--header", "--bearer-env", "--root", "--log-level")
_asked: list[Reach] = []
_askers: list[Asker] = []


def asked() -> Reach:
    """Return what this command line says of servers."""
    return _asked[-1] if _asked else Reach()


def asker() -> Asker | None:
    """Return who answers the questions of servers in this command, if anybody does."""
    return _askers[-1] if _askers else None


def calling(command: Callable[..., R]) -> Callable[..., R]:
    """Add the options of `reaching`, and those that answer what a server asks in a call."""
    return reaching(command, extra=_ANSWERS)


def reaching(
    command: Callable[..., R], *, extra: Mapping[str, tuple[Any, Any]] | None = None
) -> Callable[..., R]:
    """Add the options to a command; `asked` then says what they are.

    A command without a `timeout` of its own gets that one too.
    """
    own = inspect.signature(command, eval_str=True)
    parameters = list(own.parameters.values())
    added = {**_OPTIONS, **(extra or {})}
    if "timeout" not in own.parameters:
        added["timeout"] = (_SECONDS, None)
    if "ctx" not in own.parameters:
        position = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.insert(0, inspect.Parameter("ctx", position, annotation=typer.Context))
    for name, (annotation, default) in added.items():
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(name, keyword, default=default, annotation=annotation))

    @functools.wraps(command)
    def reached(**values: Any) -> R:
        line = values["ctx"].obj
        given = {name: values.pop(name) for name in added}
        given.setdefault("timeout", values.get("timeout"))
        if "ctx" not in own.parameters:
            del values["ctx"]
        _asked[:] = [_reach(given, line)]
        return command(**values)

    reached.__annotations__ = {each.name: each.annotation for each in parameters}
    vars(reached)["__signature__"] = own.replace(parameters=parameters)
    del vars(reached)["__wrapped__"]
    return reached


def _reach(given: Mapping[str, Any], line: Line) -> Reach:
    """Put together what stands before the tool of a call, and what may also stand behind it."""
    answers = [*(given.get("answer") or ()), *_values("--answer", line.tail)]
    _askers[:] = []
    if "answer" in given:
        from .asking import Asker

        silent = given["no_input"] or "--no-input" in line.tail
        _askers[:] = [Asker(answers, no_input=silent)]
    level = given.get("log_level")
    if level is not None and level not in LEVELS:
        raise UsageError(f"there is no level '{level}'", hint=f"levels: {', '.join(LEVELS)}")
    shows_log = given["server_log"] or "--server-log" in line.tail
    shows_wire = given["wire"] or "--wire" in line.tail
    return Reach(
        known=_hide_secrets,
        env=tuple(given["env"] or ()),
        inherit_env=given["inherit_env"],
        headers=tuple(given["header"] or ()),
        bearer_env=given["bearer_env"],
        config=tuple(given["config"] or ()),
        seconds=given["timeout"] or _seconds_in(line.tail),
        command=tuple(line.server),
        log=_say_log if shows_log else None,
        wire=_Wire().say if shows_wire else None,
        elicit=_askers[-1].elicit if _askers else None,
        roots=tuple(given.get("root") or ()),
        log_level=level,
        notification=_say_notification if level is not None else None,
    )


def _values(flag: str, tail: Sequence[str]) -> list[str]:
    """Return the values that a flag has among the words behind the tool."""
    found = []
    for number, word in enumerate(tail):
        name, equals, value = word.partition("=")
        if name == flag:
            found.append(value if equals else "".join(tail[number + 1 : number + 2]))
    return found


def _seconds_in(tail: Sequence[str]) -> float | None:
    for text in _values("--timeout", tail):
        with contextlib.suppress(ValueError):  # its own error comes with the tool's flags
            return float(text)
    return None


async def _say_notification(server: Server, method: str, params: Mapping[str, Any]) -> None:
    if method == "notifications/message":
        from .render.results import shown

        text = server.mask(shown(params.get("data")))
        say(f"[{server.name}] {params.get('level', 'info')}: {text}")


def _hide_secrets(server: Server) -> None:
    from ..mcp.tokens import TokenStore

    hide(server.hidden)
    if server.url is not None:
        with contextlib.suppress(ConfigError):  # its own error comes when it is opened
            hide(TokenStore(server.url).secrets)


def _say_log(server: Server, line: str) -> None:
    say(f"[{server.name}] {server.mask(line)}")


class _Wire:
    """Writes the conversation, each message with the seconds since the first."""

    def __init__(self) -> None:
        self._begun: float | None = None

    def say(self, server: Server, direction: Literal["in", "out"], message: dict[str, Any]) -> None:
        """Write one message on a line; secrets of the server are hidden."""
        from ..formats.wire import dump

        now = time.perf_counter()
        self._begun = now if self._begun is None else self._begun
        arrow = "→" if direction == "out" else "←"
        say(f"{now - self._begun:7.3f} {server.name} {arrow} {server.mask(dump(message))}")
