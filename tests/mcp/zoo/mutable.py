"""A server whose tools stand in a file: it says when they change, and ends when that says so."""

import json
import os
import sys
import threading
import time
from pathlib import Path

from raw import changed, reply, serve, text, tool

FILE = Path(sys.argv[1])


def state():
    while True:
        try:
            return json.loads(FILE.read_text())
        except ValueError:  # it is being written
            time.sleep(0.01)


def keep_looking():
    before = state()
    while True:
        time.sleep(0.02)
        now = state()
        if now != before:
            before = now
            if "exit" in now:
                print("out of cheese", file=sys.stderr)
                sys.stderr.flush()
                os._exit(now["exit"])
            changed()


def listed(request):
    tools = [tool(name, schema) for name, schema in state()["tools"].items()]
    reply(request, {"tools": tools})


if "exit" in state():
    sys.exit(state()["exit"])
threading.Thread(target=keep_looking, daemon=True).start()
serve(call=lambda params, _: text(json.dumps(params["arguments"])), methods={"tools/list": listed})
