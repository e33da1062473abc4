"""A server that asks the form in its argument, once, or again and again with `again` behind it.

With `late` it answers the call first.
"""

import json
import sys

from raw import reply, send, serve, text, tool

FORM = {"message": "Well?", "requestedSchema": json.loads(sys.argv[1])}
MODE = sys.argv[2] if len(sys.argv) > 2 else "once"


def ask():
    send({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": FORM})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "q":
            return message.get("result") or message.get("error")


def call(params, request):
    if MODE == "late":
        reply(request, text("done"))
        print("asked late", ask(), file=sys.stderr, flush=True)
        return None
    answer = ask()
    while MODE == "again":
        answer = ask()
    return text(json.dumps(answer, sort_keys=True))


serve([tool("ask")], call)
