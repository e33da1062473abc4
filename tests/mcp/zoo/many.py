"""One server whose tools each do one thing to a client."""

import json
import os
import sys
import threading
import time

from raw import refuse, send, serve, text, tool

SECRET = os.environ.get("ZOO_SECRET", "")


def dying(arguments, request):
    print("about to die", file=sys.stderr, flush=True)
    os._exit(7)


def leaking(arguments, request):
    print(f"token is {SECRET}", file=sys.stderr, flush=True)
    os._exit(9)


def page_first(arguments, request):
    url = {"mode": "url", "url": "https://example.test/ok", "elicitationId": "1"}
    refuse(request, -32042, "open a page first", {"elicitations": [url]})


def wrong_id(arguments, request):
    send({"jsonrpc": "2.0", "id": 987654, "result": text("for nobody")})
    send({"jsonrpc": "2.0", "id": request["id"], "result": [1, 2]})


def rubbish(arguments, request):
    print("debug: in the tool", flush=True)
    print("", flush=True)
    print('{"level": "info"}', flush=True)
    return text("done")


def flood(arguments, request):
    for number in range(20_000):
        print(f"log line {number}, which is not short at all", file=sys.stderr)
    return text("flooded")


def progressing(arguments, request):
    token = (request["params"].get("_meta") or {}).get("progressToken")
    for step in range(1, 4):
        time.sleep(float(arguments.get("pause", 0)))
        told = {"progressToken": token, "progress": step, "total": 3, "message": f"step {step}"}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
    return text("done")


def late(arguments, request):
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": text("late")}
    threading.Timer(0.3, lambda: send(answer)).start()


TRICKS = {
    "echo": lambda a, _: text(json.dumps(a, sort_keys=True, ensure_ascii=False)),
    "own.name/here": lambda a, _: text("heard own.name/here"),
    "failing": lambda a, _: text("it went wrong", isError=True),
    "refusing": lambda a, request: refuse(request, -32602, "no such thing", {"why": "because"}),
    "generic": lambda a, request: refuse(request, -32000, "the disk is full"),
    "slow_generic": lambda a, request: refuse(request, -32001, "the backend was slow"),
    "page_first": page_first,
    "dying": dying,
    "hanging": lambda a, _: None,
    "wrong_id": wrong_id,
    "big": lambda a, _: text("x" * (30 * 1024 * 1024)),
    "rubbish": rubbish,
    "flood": flood,
    "progressing": progressing,
    "late": late,
    "structured": lambda a, _: {"content": [], "structuredContent": {"count": a.get("count")}},
    "unstructured": lambda a, _: text("no structure at all"),
    "structured_error": lambda a, _: text("own words", isError=True),
    "environment": lambda a, _: text(json.dumps(dict(os.environ))),
    "leaking": leaking,
}


def call(params, request):
    trick = TRICKS.get(params["name"])
    if trick is None:
        return refuse(request, -32602, f"Unknown tool: {params['name']}")
    return trick(params.get("arguments", {}), request)


COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    tool("echo", CITY),
    tool("own.name/here"),
    *map(tool, "failing refusing generic slow_generic page_first dying hanging wrong_id big rubbish flood".split()),
    *map(tool, "progressing late environment leaking".split()),
    tool("structured", outputSchema=COUNT),
    tool("unstructured", outputSchema=COUNT),
    tool("structured_error", outputSchema=COUNT),
]
serve(TOOLS, call)
