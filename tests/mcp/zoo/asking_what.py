"""A server that asks the form in its argument, once, or again and again with `again` behind it.

With `late` it answers the call first; with `twice` it asks two at once.
"""

import json
import sys

from raw import MODERN, reply, send, serve, text, tool

FORM = {"message": "Well?", "requestedSchema": json.loads(sys.argv[1])}
MODE = sys.argv[2] if len(sys.argv) > 2 else "once"


def ask():
    send({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": FORM})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "q":
            return message.get("result") or message.get("error")


def twice():
    for name in ("q1", "q2"):
        form = {**FORM, "message": name}
        send({"jsonrpc": "2.0", "id": name, "method": "elicitation/create", "params": form})
    answers = {}
    while len(answers) < 2:
        message = json.loads(sys.stdin.readline())
        if message.get("id") in ("q1", "q2"):
            answers[message["id"]] = message["result"]["content"]
    return answers


def modern(params):
    """The same where a result asks: once, again and again, or `waiting` for fifteen calls."""
    turn = int(params.get("requestState") or 0)
    state = {"resultType": "input_required", "requestState": str(turn + 1)}
    question = {"q": {"method": "elicitation/create", "params": {"mode": "form", **FORM}}}
    if MODE == "waiting" and turn < 15:
        assert "inputResponses" not in params
        return state
    if MODE == "again" or turn < 1 or (MODE == "waiting" and turn == 15):
        return {**state, "inputRequests": question}
    return text(json.dumps(params["inputResponses"]["q"], sort_keys=True))


def call(params, request):
    if MODERN:
        return modern(params)
    if MODE == "twice":
        return text(json.dumps(twice(), sort_keys=True))
    if MODE == "late":
        reply(request, text("done"))
        print("asked late", ask(), file=sys.stderr, flush=True)
        return None
    answer = ask()
    while MODE == "again":
        answer = ask()
    return text(json.dumps(answer, sort_keys=True))


serve([tool("ask")], call)
