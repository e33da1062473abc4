"""A server whose answers are no answers as the protocol has them: each tool's in its own way."""

import json
import sys

from raw import reply, send, serve, text, tool


def whole(request, **more):
    send({"jsonrpc": "2.0", "id": request["id"], **more})


def batch(request):
    told = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}}
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": text("in a batch")}
    print(json.dumps([told, 5, answer]), flush=True)


def twice(request):
    reply(request, text("first"))
    reply(request, text("second"))


def requests(request):
    for identity in (10**400, 1.5, None, {"a": 1}, "x"):
        send({"jsonrpc": "2.0", "id": identity, "method": "made/up", "params": [1]})
    for params in ({"requestId": request["id"]}, {"requestId": [1]}, 5):
        send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    return text("still here")


def questions(request):
    for number in range(300):
        send({"jsonrpc": "2.0", "id": f"q{number}", "method": "sampling/createMessage"})
    return text("still here")


def binary(request):
    sys.stdout.write("\x00\x00\n{\n}\n[\n")
    return text("still here")


INPUT = {"resultType": "input_required"}
DO = {
    "batch": batch,
    "twice": twice,
    "requests": requests,
    "questions": questions,
    "binary": binary,
    "both": lambda request: whole(request, result=text("r"), error={"code": 1, "message": "e"}),
    "mute": lambda request: whole(request, error={"code": 10**30, "message": None}),
    "text": lambda request: whole(request, error="oops"),
    "list": lambda request: {**INPUT, "inputRequests": [1]},
    "unknown": lambda request: {**INPUT, "inputRequests": {"a": {"method": "made/up"}}},
    "nothing": lambda request: INPUT,
}
serve([*map(tool, DO)], lambda params, request: DO[params["name"]](request))
