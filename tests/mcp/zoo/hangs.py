"""A server that answers all but the methods in its arguments, and is deaf to SIGTERM.

With `flood` among them it writes to stderr without end.
"""

import signal
import sys
import threading

from raw import forever, reply, serve, text, tool

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def hang(request):
    print("asked", request["method"], file=sys.stderr, flush=True)
    forever()


def flood():
    while True:
        sys.stderr.write("much ado " * 2000 + "\n")


if "flood" in sys.argv:
    threading.Thread(target=flood, daemon=True).start()
methods = {"prompts/list": lambda request: reply(request, {"prompts": []})}
serve(
    [tool("greet")],
    lambda params, request: text("hello"),
    methods={**methods, **dict.fromkeys(sys.argv[1:], hang)},
)
