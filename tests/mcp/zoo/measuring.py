"""A server that tells how far it is, and asks something in the middle."""

import json
import sys
import time

from raw import send, serve, text, tool

FORM = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Where to?"}},
    "required": ["city"],
}


def measure(token, step):
    told = {"progressToken": token, "progress": step, "total": 2}
    send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})


def call(params, _request):
    token = params["_meta"]["progressToken"]
    measure(token, 1)
    time.sleep(0.3)  # as long as a client takes to draw it
    asked = {"message": "Your trip", "requestedSchema": FORM}
    send({"jsonrpc": "2.0", "id": "ask", "method": "elicitation/create", "params": asked})
    answer = json.loads(sys.stdin.readline())["result"]
    measure(token, 2)
    time.sleep(0.3)
    return text(answer["content"]["city"])


serve([tool("travel")], call)
