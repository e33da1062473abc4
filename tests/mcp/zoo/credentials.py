"""A server that lets in a client of its own, with the authorisation server that knows it."""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, MODE = int(sys.argv[1]), sys.argv[2]
BASE = f"http://127.0.0.1:{PORT}"
ISSUER = {"elsewhere": f"http://localhost:{PORT}", "slash": f"{BASE}/"}.get(MODE, BASE)
LIFE = 1 if MODE == "expires" else 3600
CLIENT = "Basic " + base64.b64encode(b"bot:s3cr3t-of-the-bot").decode()
issued = []
METADATA = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{BASE}/authorize",
    "token_endpoint": f"{BASE}/token",
    "response_types_supported": ["code"],
    "grant_types_supported": ["client_credentials"],
    "token_endpoint_auth_methods_supported": ["client_secret_basic"],
}
RESOURCE = {"resource": f"{BASE}/mcp", "authorization_servers": [ISSUER]}
TOOL = {"name": "open_vault", "description": "Open it.", "inputSchema": {"type": "object"}}
RESULTS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "vault", "version": "1"},
    },
    "tools/list": {"tools": [TOOL]},
    "tools/call": {"content": [{"type": "text", "text": "gold"}]},
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, status, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if "oauth-protected-resource" in self.path:
            self.say(200, RESOURCE)
        elif "oauth-authorization-server" in self.path:
            self.say(200, METADATA)
        else:
            self.say(405 if self.path == "/mcp" else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/token":
            self.token(body)
        elif self.headers.get("Authorization", "").removeprefix("Bearer ") not in issued[-1:]:
            where = f'{BASE}/.well-known/oauth-protected-resource/mcp'
            self.say(401, WWW_Authenticate=f'Bearer realm="vault", resource_metadata="{where}"')
        else:
            self.answer(json.loads(body))

    def token(self, body):
        if self.headers.get("Authorization") != CLIENT or "client_credentials" not in body:
            return self.say(401, {"error": "invalid_client"})
        issued.append(f"access-token-{len(issued)}-abcdef")
        token = {"access_token": issued[-1], "token_type": "Bearer", "expires_in": LIFE}
        return self.say(200, token)

    def answer(self, message):
        if "id" not in message:
            return self.say(202)
        head = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] in RESULTS:
            return self.say(200, {**head, "result": RESULTS[message["method"]]})
        return self.say(200, {**head, "error": {"code": -32601, "message": "not found"}})


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
