"""A server whose notifications are odd, too many, or for nobody."""

import json
import sys

from raw import reply, send, serve, text, tool

ESC = "\x1b]0;owned\x07\x1b[2J"


def notify(method, params):
    send({"jsonrpc": "2.0", "method": method, "params": params})


def odd_progress(token):
    for params in (
        {"progress": 1, "total": 0},
        {"progress": 2, "total": None},
        {"progress": -5, "total": -1},
        {"progress": 1, "total": 10},
        {"progress": 3, "total": 2},
        {"progress": "half", "total": 2},
        {"progress": None},
        {},
        {"progress": 10**400, "total": 1},
        {"progress": 1e308, "total": 1e308},
        {"progress": 4, "message": ESC + "red"},
        {"progress": 5, "message": {"not": "text"}},
        {"progress": 6, "message": "x" * 100_000},
        {"progress": True},
    ):
        notify("notifications/progress", {"progressToken": token, **params})
    for literal in ("NaN", "Infinity", "-Infinity"):
        head = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'
        sys.stdout.write(f'{head}{json.dumps(token)},"progress":{literal},"total":{literal}}}}}\n')
    for other in ("nobody", 10**30, None, [token], {"a": 1}, str(token)):
        notify("notifications/progress", {"progressToken": other, "progress": 99})
    notify("notifications/progress", {"progressToken": token, "progress": 7, "total": 7})


def flood(token):
    for number in range(5_000):
        notify("notifications/progress", {"progressToken": token, "progress": number})


def odd_logs(token):
    for params in (
        {"level": "info", "data": ESC + "red"},
        {"level": "warning", "data": {"deep": [1, {"a": ESC}]}, "logger": ESC},
        {"level": "loud", "data": "no such level"},
        {"level": "error"},
        {"data": "no level"},
        {},
        {"level": 5, "data": None},
        {"level": "error", "data": "last"},
    ):
        notify("notifications/message", params)
    notify("notifications/message", "text")
    notify(f"notifications/{ESC}", {})
    send({"jsonrpc": "2.0", "id": 1e400, "method": "no/such", "params": [1]})


DO = {"odd_progress": odd_progress, "flood": flood, "odd_logs": odd_logs}


def call(params, request):
    DO[params["name"]](params.get("_meta", {}).get("progressToken"))
    return text("done")


methods = {"logging/setLevel": lambda request: reply(request, {})}
serve([tool(name) for name in DO], call, methods=methods, offers={"tools": {}, "logging": {}})
