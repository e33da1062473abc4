"""A server written by hand: it can say what no SDK would let it say."""

import json
import os
import sys
import time

# The protocol that a server speaks unless it names another.
VERSION = os.environ.get("ZOO_VERSION", "2025-06-18")
MODERN = VERSION >= "2026"


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def reply(request, result):
    if MODERN:
        cached = {"ttlMs": 0, "cacheScope": "private"}
        result = {"resultType": "complete", **cached, **result}
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request, code, message, data=None):
    error = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    send({"jsonrpc": "2.0", "id": request["id"], "error": error})


_listening = []


def listen(request):
    """Tell the client of the newer era that it hears of changes from now on."""
    _listening.append(request["id"])
    ours = {"_meta": {"io.modelcontextprotocol/subscriptionId": request["id"]}}
    told = {**ours, "notifications": {"toolsListChanged": True}}
    send({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": told})


def changed():
    """Say that the tools have changed: to all, or in the newer era to who listens."""
    method = "notifications/tools/list_changed"
    if not MODERN:
        send({"jsonrpc": "2.0", "method": method})
    for identity in _listening:
        ours = {"_meta": {"io.modelcontextprotocol/subscriptionId": identity}}
        send({"jsonrpc": "2.0", "method": method, "params": ours})


def end_listening():
    """End every subscription, as a server may at any time."""
    while _listening:
        reply({"id": _listening.pop()}, {})


def text(said, **more):
    return {"content": [{"type": "text", "text": said}], **more}


def tool(name, schema=None, **more):
    schema = {"type": "object", "properties": {}} if schema is None else schema
    return {"name": name, "description": f"Tool {name}.", "inputSchema": schema, **more}


def requests(notified=None):
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            yield message
        elif notified is not None:
            notified(message)


def serve(
    tools=(), call=None, *, methods=None, info=None, offers=None, version=VERSION, notified=None
):
    """Answer the handshake, one page of tools, calls, and `methods` by name.

    `offers` are the capabilities; with version 2026-07-28 there is no handshake but a discovery.
    `notified` gets every message that is no request.
    """
    methods = methods or {}
    capabilities = {"tools": {"listChanged": True}} if offers is None else offers
    modern = version >= "2026"
    for request in requests(notified):
        method = request["method"]
        if method in methods:
            methods[method](request)
        elif method == "server/discover" and modern:
            found = {"supportedVersions": [version], "capabilities": capabilities}
            reply(request, {**found, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"})
        elif method == "initialize" and not modern:
            reply(
                request,
                {
                    "protocolVersion": version,
                    "capabilities": capabilities,
                    "serverInfo": info or {"name": "zoo", "version": "1"},
                },
            )
        elif method == "subscriptions/listen" and modern:
            listen(request)
        elif method == "ping":
            reply(request, {})
        elif method == "tools/list":
            reply(request, {"tools": list(tools)})
        elif method == "tools/call" and call is not None:
            result = call(request["params"], request)
            if result is not None:
                reply(request, result)
        else:
            refuse(request, -32601, "method not found")


def forever():
    while True:
        time.sleep(3600)
