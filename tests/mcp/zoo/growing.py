"""A server whose tools change while it runs, and that says so, more often than it should."""

import json
import sys

from raw import refuse, reply, send, serve, text, tool

NAMES = ["grow", "break", "old"]
BROKEN = []


def notify(method, params=None):
    send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})


def listed(request):
    if BROKEN:
        return refuse(request, -32603, "the list is broken")
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    grown = "added" in NAMES
    return reply(
        request, {"tools": [tool(n, schema if n == "grow" and grown else None) for n in NAMES]}
    )


def call(params, request):
    name = params["name"]
    if name == "grow":
        NAMES[:] = ["added", "grow", "break"]
        notify("notifications/tools/list_changed")
        notify("notifications/made_up", {"n": 1})
        notify("notifications/progress", {"progressToken": "nobody", "progress": 1})
        notify("notifications/progress", "malformed")
        notify("notifications/tools/list_changed")
    if name == "break":
        BROKEN.append(True)
        notify("notifications/tools/list_changed")
    if name not in NAMES:
        return text(f"unknown tool {name}", isError=True)
    return text(f"{name} called")


serve(call=call, methods={"tools/list": listed})
