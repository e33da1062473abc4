"""Everything that toolkit raises on purpose.

ToolkitError(message, *, hint)
├ DefinitionError              the author must change the tool
│ ├ InvalidSignatureError      a hint that can't be resolved or has no JSON form
│ ├ DuplicateToolError         two tools of one name
│ └ SchemaTooDeepError         more than 64 levels
├ LoadError                    a file, module or document that can't be loaded
├ ConfigError                  a key of the configuration, and what is allowed
├ UsageError                   the command line was used wrongly
├ CallError                    becomes an error result
│ ├ UnknownToolError
│ ├ InvalidInputError
│ ├ ToolTimeoutError
│ ├ CallRefusedError
│ ├ HookFailedError          a user's hook raised
│ ├ MiddlewareFailedError    a user's middleware raised
│ └ ToolFailedError
├ MCPError                     a server, and the phase in which it failed
│ ├ MCPConnectionError         it did not start, or can't be reached
│ ├ MCPConnectionClosedError   it went away
│ ├ MCPAuthError               it asks for authentication
│ ├ MCPProtocolError           it does not speak the protocol
│ └ MCPRequestError            it answered a request with an error of the protocol
└ AgentError                   a run of an agent that can't go on
  ├ AgentBusyError             it runs already
  ├ AgentInterruptedError      a human has to answer first
  ├ TurnLimitError             the model did not end within the bound
  ├ StructuredOutputException  the model did not give the object that was wanted
  └ ScriptError                a scripted model was asked otherwise than its script says

Interrupt(name, reason)        no error: a tool or a hook asks a human
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "AgentBusyError",
    "AgentError",
    "AgentInterruptedError",
    "CallError",
    "CallRefusedError",
    "ConfigError",
    "DefinitionError",
    "DuplicateToolError",
    "HookFailedError",
    "Interrupt",
    "InvalidInputError",
    "InvalidSignatureError",
    "LoadError",
    "MCPAuthError",
    "MCPConnectionClosedError",
    "MCPConnectionError",
    "MCPError",
    "MCPProtocolError",
    "MCPRequestError",
    "MiddlewareFailedError",
    "SchemaTooDeepError",
    "ScriptError",
    "StructuredOutputException",
    "ToolFailedError",
    "ToolTimeoutError",
    "ToolkitError",
    "TurnLimitError",
    "UnknownToolError",
    "UsageError",
]


class ToolkitError(Exception):
    """The root: `message` says what is wrong, `hint` in one line what to do."""

    def __init__(self, message: str, *, hint: str | None = None, **facts: Any) -> None:
        """`facts` become attributes, so that no program has to read the prose."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        for name, value in facts.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        """The message alone."""
        return self.message


class DefinitionError(ToolkitError):
    """The author must change the tool."""

    tool: str | None = None
    path: str | None = None
    line: int | None = None


class InvalidSignatureError(DefinitionError):
    """A parameter's hint can't be resolved, or has no JSON form."""

    parameter: str | None = None


class DuplicateToolError(DefinitionError):
    """A name that is taken, or differs from one only by `-` and `_`."""

    first: str | None = None
    second: str | None = None


class SchemaTooDeepError(DefinitionError):
    """A schema of more than 64 levels."""

    depth: int | None = None


class LoadError(ToolkitError):
    """A file, module or document that can't be loaded."""

    path: str | None = None
    line: int | None = None
    cause: BaseException | None = None


class ConfigError(ToolkitError):
    """A key of the configuration that is unknown or has a wrong value."""

    path: str | None = None
    key: str | None = None


class UsageError(ToolkitError):
    """The command line was used wrongly."""


class CallError(ToolkitError):
    """Becomes an error result."""


class UnknownToolError(CallError):
    """No tool of that name."""

    name: str | None = None
    closest: tuple[str, ...] = ()


class InvalidInputError(CallError):
    """The input does not fit; `faults` holds every one as (path, what was expected and came)."""

    faults: tuple[tuple[str, str], ...] = ()


class ToolTimeoutError(CallError):
    """A deadline passed; `seconds` is its length."""

    seconds: float | None = None


class CallRefusedError(CallError):
    """A hook or a limit refused the call."""


class HookFailedError(CallError):
    """A hook raised; the exception is the `__cause__`."""

    hook: str | None = None


class MiddlewareFailedError(CallError):
    """A user's own middleware raised, or returned no result; the exception is the `__cause__`."""

    middleware: str | None = None


class ToolFailedError(CallError):
    """A tool raised; the exception is the `__cause__`."""


class MCPError(ToolkitError):
    """A server failed in a phase: start, handshake, list, call, close.

    `kind` is one word for programs: not-found, not-executable, exited, closed, timeout, auth,
    http, refused, unknown-host, tls, network, content-type, protocol, error.
    """

    server: str | None = None
    phase: str | None = None
    kind: str | None = None
    http_status: int | None = None
    exit_status: int | None = None
    stderr: str | None = None


class MCPConnectionError(MCPError):
    """A server that does not start or can't be reached."""


class MCPConnectionClosedError(MCPError):
    """A server that went away."""


class MCPAuthError(MCPError):
    """A server that asks for authentication."""

    realm: str | None = None


class MCPProtocolError(MCPError):
    """A server that does not speak the protocol."""


class AgentError(ToolkitError):
    """A run of an agent that can't go on; its messages are legal all the same."""


class AgentBusyError(AgentError):
    """One agent is one conversation: it runs one prompt at a time."""


class AgentInterruptedError(AgentError):
    """A value was wanted, but `pending` (of `ToolInterrupted`) has to be answered first."""

    pending: tuple[Any, ...] = ()


class TurnLimitError(AgentError):
    """The model asked for tools in each of `turns` turns."""

    turns: int = 0


class StructuredOutputException(AgentError):  # noqa: N818 - the name that people know
    """The model did not give the object that was wanted.

    `attempts` calls of the tool failed, the last one with `faults` as (path, words).
    """

    tool: str | None = None
    attempts: int = 0
    faults: tuple[tuple[str, str], ...] = ()


class ScriptError(AgentError):
    """A scripted model was asked too often, too seldom, or otherwise than its script says."""


class Interrupt(BaseException):
    """A tool or hook asks a human; it ends the attempt, and the answer starts another.

    It derives from BaseException so that an author's `except Exception` can't swallow it.
    """

    def __init__(self, name: str, reason: Any = None) -> None:
        """`name` is unique within one tool use; `reason` is any JSON value."""
        super().__init__(name, reason)
        self.name = name
        self.reason = reason


class MCPRequestError(MCPError):
    """A server that answered a request with an error: `code`, its own words `said`, its `data`."""

    code: int | None = None
    said: str | None = None
    data: Any = None
