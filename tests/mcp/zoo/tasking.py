"""A server that answers calls with tasks, in the form of 2025-11-25 or of 2026-07-28."""

import json
import os
import sys

from raw import refuse, reply, send, serve, text, tool

VERSION = sys.argv[1]
MODERN = VERSION >= "2026"
DECLARES = "undeclared" not in sys.argv
REQUIRED = {} if MODERN else {"execution": {"taskSupport": "required"}}
NAMES = ["slow", "fails", "asks", "stops", "forever", "lasting"]
FORM = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ELICIT = {"mode": "form", "message": "Where to?", "requestedSchema": FORM}

heard = []
tasks = {}


def task(name, **more):
    kind, pause = ("ttlMs", "pollIntervalMs") if MODERN else ("ttl", "pollInterval")
    state = tasks[name]
    now = "2026-01-01T00:00:00Z"
    found = {"taskId": f"task-{name}", "status": state["status"], kind: None, pause: 30}
    found |= {"createdAt": now, "lastUpdatedAt": now, "statusMessage": f"step {state['polls']}"}
    return {**found, **more}


def call(params, request):
    name = params["name"]
    heard.append([name, "task" in params])
    if name == "heard":
        return text(json.dumps(heard))
    if name in ("plain", "maybe"):
        return text("at once")
    as_task = DECLARES if MODERN else "task" in params
    if MODERN:
        extensions = params["_meta"]["io.modelcontextprotocol/clientCapabilities"]["extensions"]
        as_task = as_task and "io.modelcontextprotocol/tasks" in extensions
    if not as_task:
        return text("not as a task")
    tasks[name] = {"status": "working", "polls": 0}
    handle = task(name)
    return {"resultType": "task", **handle} if MODERN else {"task": handle}


def named(request):
    name = request["params"]["taskId"].removeprefix("task-")
    heard.append([request["method"], name])
    if path := os.environ.get("ZOO_HEARD"):
        with open(path, "a") as file:
            file.write(f"{request['method']} {name}\n")
    return name


def get(request):
    name = named(request)
    state, more = tasks[name], {}
    state["polls"] += 1
    last = 12 if name == "lasting" else 2
    if state["polls"] >= last and state["status"] == "working" and name != "forever":
        state["status"] = {
            "fails": "failed",
            "asks": "input_required",
            "stops": "cancelled",
        }.get(name, "completed")
    if MODERN and state["status"] == "completed":
        more["result"] = text(state.get("answer", "done"))
    if MODERN and state["status"] == "failed":
        more["error"] = {"code": -32050, "message": "it broke", "data": {"why": "x"}}
    if MODERN and state["status"] == "input_required":
        more["inputRequests"] = {"where": {"method": "elicitation/create", "params": ELICIT}}
    reply(request, task(name, **more, **({"resultType": "complete"} if MODERN else {})))


def update(request):
    name = named(request)
    tasks[name]["answer"] = json.dumps(request["params"]["inputResponses"]["where"]["content"])
    tasks[name]["status"] = "completed"
    reply(request, {"resultType": "complete"})


def result(request):
    name = named(request)
    if name == "fails":
        return refuse(request, -32050, "it broke", {"why": "x"})
    if name == "asks":
        send({"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create", "params": ELICIT})
        return asked(request)
    return reply(request, text("done"))


def asked(request):
    """Wait for the answer, then work on for ten more questions after the task."""
    answer = None
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") in ("tasks/get", "tasks/cancel"):
            methods[message["method"]](message)
        elif message.get("id") == "q1":
            answer = message["result"]["content"]
            tasks["asks"].update(status="working", polls=-10)
        if answer is not None and tasks["asks"]["status"] == "input_required":
            tasks["asks"]["status"] = "completed"
            return reply(request, text(json.dumps(answer)))
    return None


def cancel(request):
    name = named(request)
    tasks[name]["status"] = "cancelled"
    reply(request, {"resultType": "complete"} if MODERN else task(name))


tools = [tool(name, **REQUIRED) for name in NAMES]
tools += [tool("plain"), tool("heard"), tool("maybe", execution={"taskSupport": "optional"})]
offers = {"tools": {}}
if DECLARES and MODERN:
    offers["extensions"] = {"io.modelcontextprotocol/tasks": {}}
elif DECLARES:
    offers["tasks"] = {"cancel": {}, "requests": {"tools": {"call": {}}}}
methods = {"tasks/get": get, "tasks/cancel": cancel}
methods["tasks/update" if MODERN else "tasks/result"] = update if MODERN else result
serve(tools, call, methods=methods, offers=offers, version=VERSION)
