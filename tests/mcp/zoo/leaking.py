"""A server that shows its secret wherever it can."""

import os
import sys

from raw import refuse, reply, send, serve, text, tool

SECRET = os.environ["ZOO_SECRET"]


def call(params, request):
    name = params["name"]
    print(f"stderr {SECRET}", file=sys.stderr)
    note = {"level": "error", "data": {"secret": SECRET}}
    send({"jsonrpc": "2.0", "method": "notifications/message", "params": note})
    token = params.get("_meta", {}).get("progressToken")
    if token is not None:
        told = {"progressToken": token, "progress": 1, "total": 2, "message": SECRET}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
    if name == "refuse":
        return refuse(request, -32001, f"refused {SECRET}", {"secret": SECRET})
    if name == "die":
        print(f"last words {SECRET}", file=sys.stderr)
        sys.exit(3)
    if name == "stray":
        print(f"stray {SECRET}", flush=True)
    if name == "fail":
        return text(f"failed {SECRET}", isError=True)
    number = int(SECRET) if SECRET.isdigit() else 0
    said = f"result\n{SECRET}"
    return text(said, structuredContent={"secret": SECRET, SECRET: [number, number + 0.5]})


def prompt(request):
    if request["params"]["name"] == "broken":
        return refuse(request, -32001, f"no prompt {SECRET}")
    content = {"type": "text", "text": f"prompt {SECRET}"}
    return reply(request, {"messages": [{"role": "user", "content": content}]})


def read(request):
    uri = request["params"]["uri"]
    if uri == "zoo://broken":
        return refuse(request, -32001, f"no resource {SECRET}")
    return reply(request, {"contents": [{"uri": uri, "text": f"resource {SECRET}"}]})


prompts = [{"name": name, "description": SECRET} for name in ("well", "broken")]
resource = {"uri": f"zoo://{SECRET}", "name": "thing", "description": SECRET}
names = ["show", "refuse", "die", "stray", "fail"]
serve(
    [tool(name) | {"description": f"Shows {SECRET}."} for name in names],
    call,
    methods={
        "prompts/list": lambda request: reply(request, {"prompts": prompts}),
        "prompts/get": prompt,
        "resources/read": read,
        "resources/list": lambda request: reply(request, {"resources": [resource]}),
        "resources/templates/list": lambda request: reply(request, {"resourceTemplates": []}),
        "logging/setLevel": lambda request: reply(request, {}),
    },
    info={"name": f"zoo {SECRET}", "version": SECRET},
    offers={"tools": {}, "prompts": {}, "resources": {}, "logging": {}},
)
