"""One server whose tools each do one thing to a client."""

import json
import os
import sys
import threading
import time

from raw import refuse, send, serve, text, tool

SECRET = os.environ.get("ZOO_SECRET", "")


def call(params, request):
    name, arguments = params["name"], params.get("arguments", {})
    if name == "echo":
        return text(json.dumps(arguments, sort_keys=True, ensure_ascii=False))
    if name == "own.name/here":
        return text(f"heard {name}")
    if name == "failing":
        return text("it went wrong", isError=True)
    if name == "refusing":
        return refuse(request, -32000 - 602, "no such thing", {"why": "because"})
    if name == "page_first":
        url = {"mode": "url", "url": "https://example.test/ok", "elicitationId": "1"}
        return refuse(request, -32042, "open a page first", {"elicitations": [url]})
    if name == "dying":
        print("about to die", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "hanging":
        return None
    if name == "wrong_id":
        send({"jsonrpc": "2.0", "id": 987654, "result": text("for nobody")})
        send({"jsonrpc": "2.0", "id": request["id"], "result": [1, 2]})
        return None
    if name == "big":
        return text("x" * (30 * 1024 * 1024))
    if name == "rubbish":
        print("debug: in the tool", flush=True)
        print("", flush=True)
        print('{"level": "info"}', flush=True)
        return text("done")
    if name == "flood":
        for number in range(20_000):
            print(f"log line {number}, which is not short at all", file=sys.stderr)
        return text("flooded")
    if name == "progressing":
        token = (params.get("_meta") or {}).get("progressToken")
        for step in range(1, 4):
            time.sleep(float(arguments.get("pause", 0)))
            told = {"progressToken": token, "progress": step, "total": 3, "message": f"step {step}"}
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
        return text("done")
    if name == "late":
        threading.Timer(0.3, lambda: send({"jsonrpc": "2.0", "id": request["id"], "result": text("late")})).start()
        return None
    if name == "structured":
        return {"content": [], "structuredContent": {"count": arguments.get("count")}}
    if name == "unstructured":
        return text("no structure at all")
    if name == "structured_error":
        return text("own words", isError=True)
    if name == "environment":
        return text(json.dumps(dict(os.environ)))
    if name == "leaking":
        print(f"token is {SECRET}", file=sys.stderr, flush=True)
        os._exit(9)
    return refuse(request, -32602, f"Unknown tool: {name}")


COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    tool("echo", CITY),
    tool("own.name/here"),
    *map(tool, "failing refusing page_first dying hanging wrong_id big rubbish flood".split()),
    *map(tool, "progressing late environment leaking".split()),
    tool("structured", outputSchema=COUNT),
    tool("unstructured", outputSchema=COUNT),
    tool("structured_error", outputSchema=COUNT),
]
serve(TOOLS, call)
