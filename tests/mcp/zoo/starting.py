"""Servers that do not get as far as a handshake, or not in order; the mode is the argument."""

import json
import os
import signal
import subprocess
import sys
import time

import raw
from raw import forever, refuse, reply, requests, send, serve, tool

NEWS = {"jsonrpc": "2.0", "method": "notifications/made_up"}
WRITTEN = {
    "batches": lambda message: json.dumps([NEWS, message]) + "\n",
    "joins": lambda message: json.dumps(NEWS) + json.dumps(message) + "\n",
    "floats": lambda message: json.dumps({**message, "id": float(message["id"])}) + "\n",
    "trails": lambda message: json.dumps(message) + " \r\n\n",
}
mode = sys.argv[1]
if mode == "exits":
    print("starting", file=sys.stderr)
    raise SystemExit(3)
if mode == "counts":
    # Each start leaves a line; it ends after the question has been written, but without reading.
    with open(sys.argv[2], "a") as starts:
        starts.write("started\n")
    time.sleep(float(sys.argv[3]))
    print("the licence has expired", file=sys.stderr)
    raise SystemExit(3)
if mode == "echoes":
    raise SystemExit(f"unknown option in {sys.argv[1:]}")
if mode == "raises":
    import no_such_module_anywhere  # noqa: F401
if mode == "ends":
    raise SystemExit(0)
if mode == "silent":
    forever()
if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("I can't hear you", file=sys.stderr, flush=True)
    forever()
if mode == "shouting":
    print("Welcome to the server!", flush=True)
    forever()
if mode == "banner":
    print("Loading plug-ins ...", flush=True)
    print('{"level": "info", "msg": "ready"}', flush=True)
    print("no line end: ", end="", flush=True)
    print("normal log on stderr", file=sys.stderr, flush=True)
if mode == "crashes_on_discover":
    for request in requests():
        if request["method"] == "initialize":
            reply(request, {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "old", "version": "0"}})
        elif request["method"] == "tools/list":
            reply(request, {"tools": [tool("old")]})
        else:
            os._exit(1)
if mode == "ignores_discover":
    for request in requests():
        if request["method"] == "initialize":
            reply(request, {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "old", "version": "0"}})
        elif request["method"] == "tools/list":
            reply(request, {"tools": [tool("old")]})
if mode == "introduces_itself_badly":

    def hello(request):
        able = {"tools": True, "prompts": None, "logging": {}}
        told = {"protocolVersion": "2025-06-18", "capabilities": able, "serverInfo": {"name": 7}}
        reply(request, {**told, "instructions": 5})

    serve([tool("one")], methods={"initialize": hello})
if mode in WRITTEN:
    raw.send = lambda message: sys.stdout.write(WRITTEN[mode](message)) and sys.stdout.flush()
if mode == "future":
    for request in requests():
        reply(request, {"protocolVersion": "2099-01-01", "capabilities": {}, "serverInfo": {"name": "f", "version": "0"}})
if mode == "nonsense":
    for request in requests():
        reply(request, {"surprise": True})
if mode == "refuses":
    for request in requests():
        refuse(request, -32603, "the licence has expired")
if mode == "grandchild":
    # It holds our pipes open, and does not end when they are closed.
    subprocess.Popen([sys.executable, "-c", "import signal,time; signal.signal(15, 1); time.sleep(3600)"])
if mode == "grandchild_exits":
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    raise SystemExit(4)
if mode == "endless_line":
    while True:
        sys.stdout.write("x" * 65536)
if mode == "notifies":
    for _ in range(1000):
        send({"jsonrpc": "2.0", "method": "notifications/made_up", "params": {}})
serve([tool("one")], lambda params, request: {"content": []})
