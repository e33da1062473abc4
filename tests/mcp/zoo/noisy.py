"""A server that grows while it runs, and whose notices come twice, late, unknown and misdirected."""

from raw import reply, requests, send, text, tool

NAMES = ["grow", "work", "old"]


def notify(method, **params):
    send({"jsonrpc": "2.0", "method": method, "params": params})


def call(params):
    name, token = params["name"], params.get("_meta", {}).get("progressToken")
    if name not in NAMES:
        return text(f"unknown tool {name}", isError=True)
    if name == "grow":
        NAMES[:] = ["added", "grow", "work"]
        notify("notifications/tools/list_changed")
        notify("notifications/tools/list_changed")
    if name == "work":
        for step in (1, 2, 3):
            notify("notifications/progress", progressToken=token, progress=step, total=3)
            notify("notifications/made_up", n=step)
        notify("notifications/progress", progressToken="nobody", progress=1)
    return text(f"{name} called")


for request in requests():
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        told = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}}}
        reply(request, {**told, "serverInfo": {"name": "noisy", "version": "1"}})
    elif method == "tools/list":
        reply(request, {"tools": [tool(name) for name in NAMES]})
    elif method == "tools/call":
        reply(request, call(params))
        if params["name"] == "work":
            token = params["_meta"]["progressToken"]
            notify("notifications/progress", progressToken=token, progress=4, total=3)
    else:
        error = {"code": -32601, "message": "method not found"}
        send({"jsonrpc": "2.0", "id": request["id"], "error": error})
