"""What went wrong with a server, in words a person can act on: phase, cause, last words, advice."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import (
    MCPAuthError,
    MCPConnectionClosedError,
    MCPConnectionError,
    MCPError,
    MCPProtocolError,
    MCPRequestError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .servers import Server
    from .transport import Evidence, Reply

__all__ = ["closed", "explain", "late", "leaves"]

# The code with which the SDK says that a connection has ended. Servers use it too, for errors of
# any kind, so only its own words tell.
_CLOSED = -32000
_ENDED = ("Connection closed", "SSE stream ")
_AUTH = frozenset({401, 403})
# The SDK's words for what it could not parse, and the start of what came behind them.
_UNREAD = re.compile(r"Failed to parse (.*?):.*?(?:input_value=(.*?), input_type|\Z)", re.DOTALL)
_DOING = {
    "start": "while it started",
    "handshake": "during the handshake",
    "list": "while it listed",
    "call": "during the call",
    "close": "while it ended",
    "watch": "while it was watched",
    "read": "when the resource was read",
    "prompt": "when the prompt was asked for",
}


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the causes inside nested groups, the first first."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def closed(error: BaseException) -> bool:
    """Whether the connection has ended under this request."""
    return any(
        getattr(leaf, "code", None) == _CLOSED and str(leaf).startswith(_ENDED)
        for leaf in leaves(error)
    )


def late(server: Server, phase: str, *, seconds: float, evidence: Evidence) -> MCPError:
    """Describe a server that did not answer in time."""
    message = f"'{server.name}' did not answer within {seconds:g} s, {_DOING[phase]}"
    hint = "Give --timeout SECONDS to wait longer, or --server-log to see what it says."
    if evidence.stray:
        message += f"; its stdout says '{evidence.stray[0]}'"
        hint = "A server's stdout is for the protocol alone; let it log to stderr."
    return _made(MCPConnectionError, server, phase, evidence, message, hint=hint, kind="timeout")


def explain(error: BaseException, server: Server, *, phase: str, evidence: Evidence) -> MCPError:
    """Turn whatever the SDK, the network or the system raised into one error of ours."""
    causes = list(leaves(error))
    ours = next((cause for cause in causes if isinstance(cause, MCPError)), None)
    if ours is not None:
        return ours
    for rule in (_unauthorised, _answered, _refused, _not_started, _ended, _unreachable, _hung_up):
        found = rule(causes[0], server, phase, evidence)
        if found is not None:
            return found
    words = _words(causes[0])
    message = f"'{server.name}' does not speak the protocol as it should ({phase}): {words}"
    hint = "Show the conversation with --wire."
    return _made(MCPProtocolError, server, phase, evidence, message, kind="protocol", hint=hint)


def _words(cause: BaseException) -> str:
    """What an exception says in one line; of a refused object its faults alone."""
    faults = getattr(cause, "errors", None)
    if isinstance(cause, ValueError) and callable(faults):
        told = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults()[:3])
        return "; ".join(told)
    return " ".join(str(cause).split())[:300] or type(cause).__name__


def _made(
    kind_of: type[MCPError],
    server: Server,
    phase: str,
    evidence: Evidence,
    message: str,
    *,
    hint: str | None,
    kind: str,
    **facts: Any,
) -> MCPError:
    return kind_of(
        server.mask(message),
        hint=None if hint is None else server.mask(hint),
        server=server.name,
        phase=phase,
        kind=kind,
        http_status=evidence.reply.status if evidence.reply else None,
        exit_status=evidence.exit_status,
        stderr=server.mask(evidence.stderr) or None,
        **facts,
    )


def _rpc(cause: BaseException) -> bool:
    return isinstance(getattr(cause, "code", None), int) and hasattr(cause, "data")


def _stands_for(cause: BaseException, reply: Reply | None) -> bool:
    """Whether the SDK made this error up for an HTTP status that it does not tell."""
    texts = {"Server returned an error response", "Not Found", "Session terminated"}
    said = str(cause)
    return reply is not None and (
        said in texts or said.startswith(("Unexpected content type", "Redirect to"))
    )


def _answered(cause: Any, server: Server, phase: str, evidence: Evidence) -> MCPError | None:
    if not _rpc(cause) or closed(cause) or _stands_for(cause, evidence.reply):
        return None
    said = str(cause)
    if "content type" in said.lower() and server.url is not None:
        named = said.rpartition(":")[2].strip()
        why = said.lower() if named else "it names no content type"
        message = f"{server.shown} answered, but not as an MCP server does: {why}"
        hint = "Check the path of the URL; it often ends in /mcp."
        return _made(
            MCPProtocolError, server, phase, evidence, message, hint=hint, kind="content-type"
        )
    if unread := _UNREAD.match(said):
        came = f": {unread[2]}" if unread[2] else ""
        message = f"'{server.name}' answered what is no message of JSON-RPC{came}"
        hint = "Show the conversation with --wire."
        return _made(MCPProtocolError, server, phase, evidence, message, hint=hint, kind="protocol")
    code = int(cause.code)
    message = f"'{server.name}' answered with an error {_DOING[phase]}: {said} ({code})"
    return _made(
        MCPRequestError,
        server,
        phase,
        evidence,
        message,
        hint=None,
        kind="error",
        code=code,
        said=said,
        data=cause.data,
    )


def _unauthorised(
    cause: BaseException, server: Server, phase: str, evidence: Evidence
) -> MCPError | None:
    del cause
    reply = evidence.reply
    if reply is None or reply.status not in _AUTH:
        return None
    challenge = next((v for k, v in reply.headers.items() if k.lower() == "www-authenticate"), "")
    found = re.search(r'realm="([^"]*)"', challenge)
    realm = found[1] if found else None
    if reply.status == 401:  # noqa: PLR2004 - unauthorised
        message = f"{server.shown} asks for authentication (401)"
    else:
        message = f"{server.shown} forbids access with these credentials (403)"
    if realm:
        message += f", realm '{realm}'"
    if said := re.search(r'error_description="([^"]*)"', challenge):
        message += f": {said[1]}"
    elif reply.body:
        message += f": {reply.body[:200]}"
    hint = "Give --bearer-env VAR or --header 'Authorization: …'"
    hint += f", or run: toolkit mcp login {server.target}"
    return _made(
        MCPAuthError, server, phase, evidence, message, hint=hint, kind="auth", realm=realm
    )


def _refused(
    cause: BaseException, server: Server, phase: str, evidence: Evidence
) -> MCPError | None:
    del cause
    reply = evidence.reply
    if reply is None:
        return None
    location = next((v for k, v in reply.headers.items() if k.lower() == "location"), None)
    status = f"{reply.status} {reply.reason}".strip()
    if location is not None:
        message = f"{server.shown} redirects ({status}) to {location}"
        hint = "Use that URL if it is the server's."
    elif reply.status in {404, 405}:
        message = f"There is no MCP server at {server.shown} ({status})"
        hint = "Check the path of the URL; it often ends in /mcp."
    else:
        message = f"{server.shown} answered {status}"
        message += f": {reply.body[:200]}" if reply.body else ""
        hint = "Look into the server's own log."
    return _made(MCPConnectionError, server, phase, evidence, message, hint=hint, kind="http")


def _not_started(
    cause: BaseException, server: Server, phase: str, evidence: Evidence
) -> MCPError | None:
    if not isinstance(cause, OSError) or server.url is not None or phase != "start":
        return None
    program = server.argv[0]
    hint: str | None
    if isinstance(cause, NotADirectoryError) and server.cwd is not None:
        message = f"'{server.name}' can't start in '{server.cwd}': there is no such folder"
        hint, kind = "Correct its 'cwd'.", "not-found"
    elif isinstance(cause, FileNotFoundError):
        message = f"'{server.name}' can't start: there is no command '{program}'"
        hint, kind = _install(program), "not-found"
    elif isinstance(cause, PermissionError) and Path(server.cwd or "", program).is_dir():
        message = f"'{server.name}' can't start: '{program}' is a folder"
        hint, kind = "Name the program in it.", "not-executable"
    elif isinstance(cause, PermissionError):
        message = f"'{server.name}' can't start: '{program}' is not executable"
        hint, kind = f"chmod +x {program}, or put its interpreter in front of it.", "not-executable"
    elif cause.errno == errno.ENOEXEC:
        message = f"'{server.name}' can't start: '{program}' is no program"
        hint, kind = "Put its interpreter in front of it, or give it a #! line.", "not-executable"
    else:
        message, hint, kind = f"'{server.name}' can't start: {cause.strerror}", None, "start"
    return _made(MCPConnectionError, server, "start", evidence, message, hint=hint, kind=kind)


def _install(program: str) -> str:
    if program in {"npx", "npm", "node"}:
        return "Install Node.js, which brings it."
    if program in {"uv", "uvx"}:
        return "Install uv, which brings it."
    return "Install it, or write its whole path."


def _ended(cause: BaseException, server: Server, phase: str, evidence: Evidence) -> MCPError | None:
    if server.url is not None or not (_rpc(cause) or isinstance(cause, OSError)):
        return None
    status = evidence.exit_status
    if status is None:
        what = "closed its stdout"
    elif status < 0:
        what = f"was killed by signal {-status}"
    else:
        what = f"exited with status {status}"
    message = f"'{server.name}' {what} {_DOING[phase]}"
    last = [line.strip() for line in evidence.stderr.splitlines() if line.strip()]
    if last:
        message += f": {last[-1]}"
    elif evidence.stray:
        message += f"; its stdout says '{evidence.stray[0]}'"
    hint = f"Try the command by itself: {server.shown}" if phase in {"start", "handshake"} else None
    return _made(
        MCPConnectionClosedError, server, phase, evidence, message, hint=hint, kind="exited"
    )


def _network(cause: BaseException) -> bool:
    return type(cause).__module__.startswith(("httpx2", "httpcore2")) or isinstance(cause, OSError)


def _unreachable(
    cause: BaseException, server: Server, phase: str, evidence: Evidence
) -> MCPError | None:
    if server.url is None or not _network(cause):
        return None
    root: BaseException = cause
    while root.__cause__ is not None or root.__context__ is not None:
        root = root.__cause__ or root.__context__ or root
    words = f"{cause} {root}".lower()
    if "refused" in words or "all connection attempts failed" in words:
        said, kind = "nobody listens there (connection refused)", "refused"
    elif any(
        part in words for part in ("name or service", "getaddrinfo", "nodename", "name resol")
    ):
        said, kind = "its host has no address", "unknown-host"
    elif "certificate" in words or "ssl" in words:
        said, kind = f"its TLS certificate is not accepted: {root}", "tls"
    else:
        said, kind = " ".join(str(cause).split()) or type(cause).__name__, "network"
    if phase in {"start", "handshake"}:
        message = f"{server.shown} can't be reached: {said}"
        hint = "Is the server running?" if kind == "refused" else "Check the URL."
        return _made(MCPConnectionError, server, phase, evidence, message, hint=hint, kind=kind)
    message = f"The connection to {server.shown} broke {_DOING[phase]}: {said}"
    return _made(
        MCPConnectionClosedError, server, phase, evidence, message, hint=None, kind="closed"
    )


def _hung_up(
    cause: BaseException, server: Server, phase: str, evidence: Evidence
) -> MCPError | None:
    if not _rpc(cause):
        return None
    message = f"'{server.name}' closed the connection {_DOING[phase]}: {cause}"
    return _made(
        MCPConnectionClosedError, server, phase, evidence, message, kind="closed", hint=None
    )
