"""An HTTP server of the zoo: each path answers in its own wrong way."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "t0ken-value"
FORGOTTEN = {"code": -32001, "message": "Session not found"}
PAGES: dict[str, tuple[int, str, dict[str, str]]] = {
    "html": (200, "<h1>Welcome</h1>", {"Content-Type": "text/html"}),
    "chatter": (200, "[1, 2]", {"Content-Type": "application/json"}),
    "untyped": (200, "{}", {"Content-Type": ""}),
    "redirect": (302, "", {"Location": "http://elsewhere.test/mcp"}),
}
SESSIONS: list[str] = []  # that were opened where sessions are forgotten
TOOLS = [{"name": "hello", "description": "Hello.", "inputSchema": {"type": "object"}}]
CHALLENGE = 'Bearer realm="zoo", error="invalid_token", error_description="it has expired"'


def answer(message: dict[str, Any], *, hang_up: bool = False) -> dict[str, Any] | None:
    method = message.get("method")
    if method == "initialize":
        info = {"name": "web", "version": "1"}
        capabilities: dict[str, Any] = {"tools": {}}
        version = "2025-06-18"
        return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call" and not hang_up:
        return {"content": [{"type": "text", "text": "hello"}]}
    return None


class Handler(BaseHTTPRequestHandler):
    """Answers by path."""

    protocol_version = "HTTP/1.1"

    def _forget(self, message: dict[str, Any], *, in_words: bool) -> None:
        """Know the first session no more once a tool is called in it."""
        if message.get("method") == "initialize":
            SESSIONS.append(f"s{len(SESSIONS) + 1}")
        first = bool(SESSIONS) and self.headers.get("mcp-session-id") == SESSIONS[0]
        if not first or message.get("method") != "tools/call":
            self._speak(message, session=f"s{len(SESSIONS)}")
        elif in_words:
            body = {"jsonrpc": "2.0", "id": message["id"], "error": FORGOTTEN}
            self._plain(404, json.dumps(body), {"Content-Type": "application/json"})
        else:
            self._plain(404, "")

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        message = json.loads(self.rfile.read(length) or b"{}")
        path = self.path.partition("?")[0].strip("/")
        if path == "mcp" or (path == "guarded" and self._known()):
            self._speak(message)
        elif path == "sse":
            self._speak(message, as_events=True)
        elif path == "stateful" and message.get("method") == "server/discover":
            error = {"code": -32000, "message": "Bad Request: Server not initialized"}
            body = {"jsonrpc": "2.0", "error": error, "id": None}
            self._plain(400, json.dumps(body), {"Content-Type": "application/json"})
        elif path.startswith("forgets"):
            self._forget(message, in_words=path.endswith("in-words"))
        elif path in {"stateful", "clings"}:
            self._speak(message, session="s1")
        elif path == "hangup":
            self._hang_up(message)
        elif path == "guarded":
            self._plain(401, "no entry", {"WWW-Authenticate": CHALLENGE})
        elif path in PAGES:
            self._plain(*PAGES[path])
        elif path.isdigit():
            self._plain(int(path), json.dumps({"error": {"message": f"said {path}"}}))
        else:
            self._plain(404, "nothing here")

    def do_GET(self) -> None:
        self._plain(405, "")

    def do_DELETE(self) -> None:
        if self.path.strip("/") == "clings":
            time.sleep(8)  # longer than anybody should wait for a farewell
        self._plain(405, "")

    def _known(self) -> bool:
        return self.headers.get("Authorization") == f"Bearer {TOKEN}"

    def _speak(
        self, message: dict[str, Any], *, as_events: bool = False, session: str | None = None
    ) -> None:
        if "id" not in message:
            self._plain(202, "")
            return
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = answer(message)
        if result is None:
            reply["error"] = {"code": -32601, "message": "method not found"}
        else:
            reply["result"] = result
        body, kind = json.dumps(reply), "application/json"
        if as_events:
            body, kind = f"event: message\ndata: {body}\n\n", "text/event-stream"
        headers = {"Content-Type": kind, **({"Mcp-Session-Id": session} if session else {})}
        self._plain(200, body, headers)

    def _hang_up(self, message: dict[str, Any]) -> None:
        if message.get("method") != "tools/call":
            self._speak(message)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b": I am about to go\n\n")
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def _plain(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        data = body.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet."""


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Serve on a free port; gives the URL without a path."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
