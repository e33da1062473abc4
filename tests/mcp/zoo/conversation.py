"""A server that does everything a server may, in the era that ZOO_VERSION names.

What it hears beside requests goes to the file ZOO_HEARD, a line each.
"""

import base64
import json
import os
import sys
import time

from raw import MODERN, VERSION, refuse, reply, send, serve, text, tool

FORM = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
PAGE = {"mode": "url", "message": "Pay here", "url": "https://pay.test/1", "elicitationId": "p1"}
MESSAGES = [{"role": "user", "content": {"type": "text", "text": "Say hello"}}]
ASKS = {
    "form": ("elicitation/create", {"mode": "form", "message": "Where?", "requestedSchema": FORM}),
    "page": ("elicitation/create", PAGE),
    "model": ("sampling/createMessage", {"messages": MESSAGES, "maxTokens": 10}),
    "roots": ("roots/list", {}),
}
META = "io.modelcontextprotocol/logLevel"
LEVELS = ["debug", "info", "warning", "error"]
PIXEL = base64.b64encode(b"\x89PNG no more").decode()
CONTENT = [
    {"type": "text", "text": "a text"},
    {"type": "image", "data": PIXEL, "mimeType": "image/png"},
    {"type": "audio", "data": PIXEL, "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": "zoo://link", "name": "link"},
    {"type": "resource", "resource": {"uri": "zoo://text", "text": "in a resource"}},
    {"type": "made_up", "value": 1},
]
BLOB = {"uri": "zoo://blob", "mimeType": "application/x-zoo", "blob": PIXEL}
level = []


def hear(message):
    if path := os.environ.get("ZOO_HEARD"):
        with open(path, "a") as file:
            params = message.get("params") or {}
            file.write(f"{message.get('method')} {params.get('requestId')}\n")


def asked(request, method, params):
    """The client's answer; None where it will call again with it."""
    if MODERN:
        answers = request["params"].get("inputResponses")
        if answers is not None:
            return {"state": request["params"].get("requestState"), **answers["q"]}
        question = {"q": {"method": method, "params": params}}
        asking = {"resultType": "input_required", "inputRequests": question}
        reply(request, {**asking, "requestState": "opaque"})
        return None
    send({"jsonrpc": "2.0", "id": "q", "method": method, "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "q":
            return message.get("result") or message.get("error")
    return None


def progress(request):
    token = request["params"]["_meta"]["progressToken"]
    for step in range(1, 7):
        time.sleep(0.1)
        told = {"progressToken": token, "progress": step, "total": 6, "message": f"step {step}"}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
    return text("done")


def log(request):
    wanted = request["params"].get("_meta", {}).get(META) if MODERN else (level or [None])[-1]
    for one in LEVELS if wanted is None else LEVELS[LEVELS.index(wanted) :]:
        told = {"level": one, "logger": "zoo", "data": f"{one} message"}
        if wanted is not None:
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": told})
    return text(str(wanted))


def begin(request):
    """Say that it has begun, and never end."""
    token = request["params"]["_meta"]["progressToken"]
    hear({"method": "begun", "params": {"requestId": request["id"]}})
    told = {"progressToken": token, "progress": 1, "message": "begun"}
    send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})


def page_first(request):
    refuse(request, -32042, "open a page first", {"elicitations": [PAGE]})


DO = {
    "progress": progress,
    "log": log,
    "begin": begin,
    "page_first": page_first,
    "content": lambda request: {"content": CONTENT},
    "structured": lambda request: {"content": [], "structuredContent": {"count": 3}},
    "unstructured": lambda request: text("no structure"),
    "die": lambda request: os._exit(7),
    "era": lambda request: text(VERSION),
}
COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
PROMPT = {"name": "greet", "arguments": [{"name": "who", "required": True}, {"name": "how"}]}


def call(params, request):
    name = params["name"]
    if name in DO:
        return DO[name](request)
    answer = asked(request, *ASKS[name])
    return None if answer is None else text(json.dumps(answer, sort_keys=True))


def set_level(request):
    level.append(request["params"]["level"])
    reply(request, {})


def read(request):
    uri = request["params"]["uri"]
    known = {"zoo://text": {"uri": uri, "text": "a text"}, "zoo://blob": BLOB}
    if uri in known:
        reply(request, {"contents": [known[uri]]})
    elif uri.startswith("zoo://of/"):
        reply(request, {"contents": [{"uri": uri, "text": f"of {uri[9:]}"}]})
    else:
        refuse(request, -32002, f"no resource {uri}")


def prompt(request):
    given = request["params"].get("arguments", {})
    said = {"type": "text", "text": f"Greet {given['who']} {given.get('how', 'plainly')}."}
    reply(request, {"messages": [{"role": "user", "content": said}]})


def complete(request):
    wanted = request["params"]["argument"]
    if request["params"]["ref"] != {"type": "ref/prompt", "name": "greet"}:
        return refuse(request, -32602, "what is that?")
    values = [one for one in ("Ann", "Bob") if one.startswith(wanted["value"])]
    return reply(request, {"completion": {"values": values}})


RESOURCES = [{"uri": "zoo://text", "name": "text"}, {"uri": "zoo://blob", "name": "blob"}]
methods = {
    "logging/setLevel": set_level,
    "resources/list": lambda request: reply(request, {"resources": RESOURCES}),
    "resources/templates/list": lambda request: reply(
        request, {"resourceTemplates": [{"uriTemplate": "zoo://of/{who}", "name": "of"}]}
    ),
    "resources/read": read,
    "prompts/list": lambda request: reply(request, {"prompts": [PROMPT]}),
    "prompts/get": prompt,
    "completion/complete": complete,
}
structured = [tool(name, outputSchema=COUNT) for name in ("structured", "unstructured")]
plain = [tool(name) for name in (*ASKS, *DO) if not name.endswith("structured")]
serve(
    [*plain, *structured],
    call,
    methods=methods,
    offers={"tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {}},
    notified=hear,
)
