"""A server that asks its client in the middle of calls, in the older era."""

import json
import sys
import time

from raw import reply, refuse, send, text, tool

FORM = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where to?"},
        "nights": {"type": "integer", "minimum": 1, "default": 2},
        "class": {"type": "string", "enum": ["first", "second"]},
        "sure": {"type": "boolean"},
    },
    "required": ["city", "sure"],
}
URL = {"mode": "url", "message": "Pay here", "url": "https://pay.test/1", "elicitationId": "p1"}
MESSAGES = [{"role": "user", "content": {"type": "text", "text": "Say hello"}}]
BARE = {"type": "object", "properties": {}}
EASY = {"type": "object", "properties": {"note": {"type": "string", "default": "x"}}}
ASKS = {
    "easy": ("elicitation/create", {"message": "A note?", "requestedSchema": EASY}),
    "sure": ("elicitation/create", {"message": "Delete all?", "requestedSchema": BARE}),
    "form": ("elicitation/create", {"message": "Your trip", "requestedSchema": FORM}),
    "page": ("elicitation/create", URL),
    "model": ("sampling/createMessage", {"messages": MESSAGES, "maxTokens": 10}),
    "roots": ("roots/list", {}),
}


def ask(method, params):
    send({"jsonrpc": "2.0", "id": f"ask-{method}", "method": method, "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == f"ask-{method}":
            return message.get("result") or message.get("error")


client = {}
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    method = request["method"]
    if method == "initialize":
        client = request["params"]["capabilities"]
        reply(
            request,
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}, "logging": {}},
                "serverInfo": {"name": "asking", "version": "1"},
            },
        )
    elif method == "logging/setLevel":
        level = request["params"]["level"]
        told = {"level": level, "logger": "zoo", "data": {"heard": level}}
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": told})
        reply(request, {})
    elif method == "tools/list":
        reply(request, {"tools": [*map(tool, [*ASKS, "able"])]})
    elif method == "tools/call" and request["params"]["name"] == "able":
        reply(request, text(json.dumps(sorted(client))))
    elif method == "tools/call":
        reply(request, text(json.dumps(ask(*ASKS[request["params"]["name"]]), sort_keys=True)))
    else:
        refuse(request, -32601, "method not found")
