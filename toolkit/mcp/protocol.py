"""The conversation itself, on the SDK: negotiating the era, and requests answered as they came."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from mcp.client.session import ClientSession
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header, mcp_param_headers, x_mcp_header_map
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.types import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    DiscoverResult,
    EmptyResult,
    Implementation,
    Request,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_MODERN_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT

    from .questions import Asked, Notified
from .deadlines import MOST_QUESTIONS
from .failures import closed
from .guard import guarded
from .tasks import EXTENSION, handed, is_handle, may_be_task, wants_task, watched
from .turns import answers, answers_of, sdk_callbacks

__all__ = ["Conversation", "conversation"]

# A server that knows only the older era refuses the question at once; one that ignores what it
# does not know costs this long.
PROBE_SECONDS = 3.0

# What the SDK itself must read; every other answer goes to us as it came.
_ITS_OWN = frozenset({"initialize", "server/discover", "subscriptions/listen", "ping"})

# The SDK logs what a server does wrong with tracebacks; we report it ourselves.
for _name in ("mcp", "client", "httpx2"):
    logging.getLogger(_name).addHandler(logging.NullHandler())

# Whole numbers up to here are exact as floats.
_EXACT = 2**53

Heard = Callable[[Mapping[str, Any]], Awaitable[None]]


class _AnyRequest(Request[dict[str, Any], str]):
    """A request of any method, whose parameters are written as they are."""


class _Answered(Exception):  # noqa: N818 - no error: it carries an answer past the SDK's parser
    """An answer as it came: one malformed tool in a list must not hide all the others."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


class _Tap:
    """A dispatcher that hands answers over raw, and adds the headers that a tool declares."""

    def __init__(self, inner: JSONRPCDispatcher[Any]) -> None:
        self._inner = inner
        self.header_maps: dict[str, dict[tuple[str, ...], str]] = {}

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Any = None
    ) -> dict[str, Any]:
        if method == "tools/call" and params is not None and "name" in params:
            known = self.header_maps.get(str(params["name"]))
            if known and opts is not None:
                extra = mcp_param_headers(known, params.get("arguments") or {})
                opts = {**opts, "headers": {**opts.get("headers", {}), **extra}}
        if method == "initialize" and params is not None:  # extensions are of the newer era
            offered = {k: v for k, v in params["capabilities"].items() if k != "extensions"}
            params = {**params, "capabilities": offered}
        if method.startswith("tasks/") and params is not None and opts is not None:
            name = {"Mcp-Name": str(params.get("taskId"))}  # the extension's own header
            opts = {**opts, "headers": {**opts.get("headers", {}), **name}}
        result = await self._inner.send_raw_request(method, params, opts)
        if method == "initialize":
            return _introduced(result)
        if method in _ITS_OWN:
            return result
        raise _Answered(result)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: Any = None) -> None:
        await self._inner.notify(method, params, opts)

    async def run(
        self,
        on_request: Any,
        on_notify: Any,
        on_notify_intercept: Any = None,
        **options: Any,
    ) -> None:
        await self._inner.run(on_request, on_notify, on_notify_intercept, **options)


def _introduced(result: Mapping[str, Any]) -> dict[str, Any]:
    """An answer to the handshake with what is missing or malformed beside the version made good."""
    told, able = (_object(result.get(key)) for key in ("serverInfo", "capabilities"))
    names = {key: told.get(key) for key in ("name", "version")}
    named = {key: name if isinstance(name, str) else "" for key, name in names.items()}
    kept = {key: {} if each is True else each for key, each in able.items()}
    held = {key: each for key, each in kept.items() if isinstance(each, Mapping)}
    made = {**result, "serverInfo": {**told, **named}, "capabilities": held}
    if not isinstance(made.get("instructions", ""), str):
        del made["instructions"]
    return made


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


class Conversation:
    """One open conversation with a server."""

    def __init__(self, session: ClientSession, tap: _Tap, asked: Asked) -> None:
        self._session = session
        self._tap = tap
        self._asked = asked
        self.tools: dict[str, Mapping[str, Any]] = {}

    async def ask_for_logs(self) -> None:
        """Ask a server of the older era for log messages; the newer is told with each request."""
        level, offered = self._asked.log_level, self._session.server_capabilities
        if level is not None and not self._modern and getattr(offered, "logging", None) is not None:
            with contextlib.suppress(MCPError):
                await self._once("logging/setLevel", {"level": level}, None)

    async def negotiate(self, *, legacy: bool = False) -> None:
        """Agree on a protocol: ask for the newest era first, and fall back to the handshake."""
        if legacy:
            await self._session.initialize()
            return
        offered = LATEST_MODERN_VERSION
        for last in (False, True):
            mutual = await self._probe(offered)
            if mutual is None:
                return
            if mutual == "":
                again = await self._initialize()
                if again is None:
                    return
                mutual = again
            if last:
                break
            offered = mutual
        await self._session.initialize()

    async def _probe(self, offered: str) -> str | None:
        """Ask whether the server knows the newest era: None when adopted, "" for the older one.

        A version is what the server wants instead.
        """
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                raw = await self._session.send_discover(offered)
            found = DiscoverResult.model_validate(raw)
        except TimeoutError:
            return ""
        except MCPError as error:
            if closed(error):
                raise
            wanted = _versions(error)
            if wanted and not any(one in HANDSHAKE_PROTOCOL_VERSIONS for one in wanted):
                mutual = _mutual(wanted)
                if mutual is None or mutual == offered:
                    raise
                return mutual
            return _mutual(wanted) or "" if _mutual(wanted) != offered else ""
        except ValueError:  # an answer, but no DiscoverResult
            return ""
        if _mutual(found.supported_versions) is None:
            return ""
        self._session.adopt(found)
        return None

    async def _initialize(self) -> str | None:
        """Shake hands: None when done, or the version that the server insists on instead."""
        try:
            await self._session.initialize()
        except MCPError as error:
            mutual = _mutual(_versions(error))
            if mutual is None:
                raise
            return mutual
        return None

    @property
    def identity(self) -> dict[str, Any]:
        """What the server says of itself, by the wire's own names."""
        session = self._session
        version = session.protocol_version or ""
        found: dict[str, Any] = {
            "protocolVersion": version,
            "era": "modern" if version in MODERN_PROTOCOL_VERSIONS else "legacy",
            "serverInfo": _dumped(session.server_info),
            "capabilities": _dumped(session.server_capabilities) or {},
        }
        if session.instructions is not None:
            found["instructions"] = session.instructions
        return found

    @property
    def announces(self) -> bool:
        """Whether the server tells of changes to its tools only to who listens for them."""
        tools = getattr(self._session.server_capabilities, "tools", None)
        return self._modern and bool(getattr(tools, "list_changed", None))

    async def listen(self, heard: Notified) -> None:
        """Listen for changes to the tools, again and again, until it is cancelled or refused.

        Nobody knows what has changed before each acknowledgement, so that is told, too.
        """
        with contextlib.suppress(MCPError, ListenNotSupportedError, TimeoutError):
            while True:
                with contextlib.suppress(SubscriptionLost):
                    async with listen(self._session, tools_list_changed=True) as changes:
                        await heard("notifications/subscriptions/acknowledged", {})
                        async for _ in changes:
                            await heard("notifications/tools/list_changed", {})
                await asyncio.sleep(1.0)  # the stream has ended: a server may end it at any time

    async def request(
        self, method: str, params: dict[str, Any], *, on_progress: Heard | None = None
    ) -> dict[str, Any]:
        """Send one request and return its result as it came; an MCPError is the server's error.

        `on_progress` gets `{progress, total?, message?}` of each message.
        """
        if method != "tools/call":
            result = await self._answered(method, params, on_progress)
            if method == "tools/list":
                self._learn(result)
            return result
        offered, tool = self._session.server_capabilities, self.tools.get(str(params.get("name")))
        if wants_task(offered, tool):
            params = {**params, "task": {}}
        answering = self._answered(method, params, on_progress)
        if "task" in params or may_be_task(offered):
            result = await handed(self._plainly, answering, modern=self._modern)
        else:
            result = await answering
        if not is_handle(result, modern=self._modern):
            return result
        return await watched(
            self._plainly,
            result,
            modern=self._modern,
            heard=on_progress,
            answers=lambda requests: answers_of(self._session, requests),
        )

    async def _plainly(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._once(method, params, None)

    @property
    def _modern(self) -> bool:
        return self._session.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def _answered(
        self, method: str, params: dict[str, Any], on_progress: Heard | None
    ) -> dict[str, Any]:
        sent, questions, waits = params, 0, 0
        while questions <= MOST_QUESTIONS:
            result = await self._once(method, sent, on_progress)
            if result.get("resultType") != "input_required":
                return result
            asks = bool(result.get("inputRequests"))
            questions, waits = questions + asks, 0 if asks else waits + 1
            sent = {**params, **await answers(self._session, result, waits=waits)}
        raise MCPError(INVALID_REQUEST, f"the server asked more than {MOST_QUESTIONS} times")

    async def _once(
        self, method: str, params: dict[str, Any], on_progress: Heard | None
    ) -> dict[str, Any]:
        request = _AnyRequest(method=method, params=params)
        heard = None if on_progress is None else _as_told(on_progress)
        try:
            # The result type is for the SDK's types alone: no answer gets as far as its parser.
            await self._session.send_request(request, EmptyResult, progress_callback=heard)
        except _Answered as answer:
            return answer.result
        raise MCPError(METHOD_NOT_FOUND, f"'{method}' is not sent this way")

    def _learn(self, page: Mapping[str, Any]) -> None:
        """Remember how each tool of a page is to be called: as a task, with which headers."""
        tools = page.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
                continue
            name, schema = tool["name"], tool.get("inputSchema")
            self.tools[name] = tool
            if isinstance(schema, dict) and find_invalid_x_mcp_header(schema) is None:
                self._tap.header_maps[name] = x_mcp_header_map(schema)


def _as_told(on_progress: Heard) -> ProgressFnT:
    async def _told(progress: float, total: float | None, message: str | None) -> None:
        told = {"progress": _number(progress), "total": _number(total), "message": message}
        await on_progress({key: value for key, value in told.items() if value is not None})

    return _told


def _number(value: float | None) -> float | None:
    """A whole number without its point: the SDK makes a float of everything."""
    if value is None or abs(value) > _EXACT or not float(value).is_integer():
        return value
    return int(value)


def _versions(error: MCPError) -> list[str]:
    if error.code != UNSUPPORTED_PROTOCOL_VERSION or not isinstance(error.data, dict):
        return []
    supported = error.data.get("supported")
    return [str(one) for one in supported] if isinstance(supported, list) else []


def _mutual(versions: list[str]) -> str | None:
    shared = [one for one in MODERN_PROTOCOL_VERSIONS if one in versions]
    return shared[-1] if shared else None


def _dumped(model: Any) -> dict[str, Any] | None:
    if model is None:
        return None
    wire: dict[str, Any] = model.model_dump(by_alias=True, mode="json", exclude_none=True)
    return wire


@contextlib.asynccontextmanager
async def conversation(streams: tuple[Any, Any], *, asked: Asked) -> AsyncIterator[Conversation]:
    """Open a conversation over a pair of streams; `asked` hears and answers the server."""
    read, write = guarded(streams)

    async def told(message: Any) -> None:
        if asked.notification is not None and not isinstance(message, Exception):
            wire = _dumped(message) or {}
            await asked.notification(wire["method"], wire.get("params") or {})

    tap = _Tap(JSONRPCDispatcher(read, write))
    us = Implementation(name="toolkit", version=_own_version())
    callbacks = sdk_callbacks(asked)
    async with ClientSession(
        dispatcher=tap,
        client_info=us,
        message_handler=told,
        extensions={EXTENSION: {}},
        **callbacks,
    ) as session:
        yield Conversation(session, tap, asked)


def _own_version() -> str:
    try:
        return version("toolkit-cli")
    except PackageNotFoundError:  # run from a source tree
        return "0"
