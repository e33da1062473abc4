"""A server of the zoo behind HTTP: streamable, or the older SSE; with what it was told, and how."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import threading
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from toolkit.mcp.servers import Server, from_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Bridge", "bridged"]

PATIENCE = 20.0  # seconds: nothing here comes near
GLANCE = 0.02  # seconds between two looks whether the client is still there

Message = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """A message of the client with its headers; `gone` where it hung up on its answer instead."""

    method: str
    params: Message
    headers: dict[str, str]
    gone: bool = False


@dataclass
class Bridge:
    """One child behind a port, whoever connects."""

    child: subprocess.Popen[str]
    told: list[Told] = field(default_factory=list)
    streams: dict[Any, SimpleQueue[Message]] = field(default_factory=dict)
    standing: list[SimpleQueue[Message]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def hear(self, told: Told) -> None:
        with self.changed:
            self.told.append(told)
            self.changed.notify_all()

    def until(self, wanted: Callable[[Told], bool]) -> Told:
        """Wait till the client says something, or hangs up."""
        with self.changed:
            assert self.changed.wait_for(lambda: any(map(wanted, self.told)), PATIENCE), self.told
        return next(filter(wanted, self.told))

    def pass_on(self, message: Message) -> None:
        assert self.child.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.write(json.dumps(message) + "\n")
            self.child.stdin.flush()

    def read(self) -> None:
        """Send each message of the child where it belongs."""
        assert self.child.stdout is not None
        for line in self.child.stdout:
            message = json.loads(line)
            self._stream_of(message).put(message)

    def _stream_of(self, message: Message) -> SimpleQueue[Message]:
        if self.standing:
            return self.standing[-1]
        params = message.get("params") or {}
        key = message["id"] if "method" not in message else params.get("progressToken")
        with self.changed:
            if key not in self.streams:
                key = next(reversed(self.streams), None)
            return self.streams.get(key) or SimpleQueue()


class _Web(ThreadingHTTPServer):
    daemon_threads = True
    bridge: Bridge


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def bridge(self) -> Bridge:
        assert isinstance(self.server, _Web)
        return self.server.bridge

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {key.lower(): value for key, value in self.headers.items()}
        if "method" in message:
            self.bridge.hear(Told(message["method"], message.get("params") or {}, headers))
        if self.path == "/message" or "id" not in message or "method" not in message:
            self.bridge.pass_on(message)
            self.plain(202)
            return
        queue: SimpleQueue[Message] = SimpleQueue()
        with self.bridge.changed:
            self.bridge.streams[message["id"]] = queue
        self.bridge.pass_on(message)
        self.stream(queue, message, headers)
        with self.bridge.changed:
            del self.bridge.streams[message["id"]]

    def do_GET(self) -> None:
        if self.path != "/sse":
            self.plain(405)
            return
        queue: SimpleQueue[Message] = SimpleQueue()
        self.bridge.standing.append(queue)
        self.begin()
        self.wfile.write(b"event: endpoint\ndata: /message\n\n")
        self.events(queue, lambda _: False)

    def do_DELETE(self) -> None:
        self.plain(200)

    def stream(
        self, queue: SimpleQueue[Message], request: Message, headers: dict[str, str]
    ) -> None:
        self.begin()
        ours = request["id"]
        ended = self.events(queue, lambda one: "method" not in one and one["id"] == ours)
        if not ended:  # in the newer era, who hangs up wants no answer any more
            self.bridge.hear(
                Told(request["method"], request.get("params") or {}, headers, gone=True)
            )

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()

    def events(self, queue: SimpleQueue[Message], last: Callable[[Message], bool]) -> bool:
        """Write events up to the last; False where the client has gone."""
        self.close_connection = True
        while True:
            try:
                message = queue.get(timeout=GLANCE)
            except Empty:
                if select.select([self.connection], [], [], 0)[0]:
                    return False
                continue
            data = f"event: message\ndata: {json.dumps(message)}\n\n"
            try:
                self.wfile.write(data.encode())
                self.wfile.flush()
            except OSError:
                return False
            if last(message):
                return True

    def plain(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextlib.contextmanager
def bridged(server: Server, transport: str) -> Iterator[tuple[Server, Bridge]]:
    """Put a server behind `http` or `sse`; gives it with its URL, and the bridge."""
    child = subprocess.Popen(
        server.argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **server.env},
    )
    bridge = Bridge(child)
    web = _Web(("127.0.0.1", 0), _Handler)
    web.bridge = bridge
    threads = [
        threading.Thread(target=bridge.read, daemon=True),
        threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True),
    ]
    for thread in threads:
        thread.start()
    path = "sse" if transport == "sse" else "mcp"
    try:
        url = f"http://127.0.0.1:{web.server_port}/{path}"
        yield replace(from_word(url), name=server.name), bridge
    finally:
        web.shutdown()
        web.server_close()
        child.kill()
        child.wait()
        for thread in threads:
            thread.join(PATIENCE)
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
