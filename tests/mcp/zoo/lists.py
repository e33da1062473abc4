"""Servers whose list of tools is not what it should be; the mode is the argument."""

import sys

from raw import refuse, reply, serve, tool

mode = sys.argv[1]
SPELLS = {
    "dot": "a.b",
    "slash": "files/read",
    "cjk": "天气",
    "long": "n" * 200,
    "twin": "a-b",
    "twin_": "a_b",
    "case": "A_b",
    "space": "two words",
    "escape": "\x1b[31mred\x1b[0m",
    "invisible": "in\u200bvisible",
}


def page(request):
    cursor = (request.get("params") or {}).get("cursor")
    if mode == "repeated":
        return {"tools": [tool("t1"), tool("t2")], "nextCursor": "same"}
    if mode == "alternating":
        return {"tools": [tool(f"t{cursor}")], "nextCursor": "b" if cursor == "a" else "a"}
    if mode == "endless":
        number = int(cursor or 0)
        return {"tools": [tool(f"e{number}")], "nextCursor": str(number + 1)}
    if mode == "empty_cursor":
        if cursor is None:
            return {"tools": [tool("first")], "nextCursor": ""}
        return {"tools": [tool("second")]}
    if mode == "number_cursor":
        return {"tools": [tool("first")], "nextCursor": 2}
    if mode == "null_cursor":
        return {"tools": [tool("first")], "nextCursor": None}
    if mode == "many":
        return {"tools": [tool(f"tool_{number}") for number in range(5_000)]}
    if mode == "no_list":
        return {"tools": None}
    if mode == "malformed":
        return {
            "tools": [
                tool("good"),
                {"description": "nameless", "inputSchema": {"type": "object"}},
                {"name": 5, "inputSchema": {"type": "object"}},
                "not even an object",
                {"name": "missing"},
                tool("null", None) | {"inputSchema": None},
                tool("array") | {"inputSchema": []},
                tool("boolean") | {"inputSchema": True},
                tool("odd") | {"description": 5, "title": [], "annotations": "x", "outputSchema": 1},
                tool("last"),
            ]
        }
    if mode == "names":
        return {"tools": [*map(tool, SPELLS.values()), tool("a.b")]}
    raise AssertionError(mode)


def deep(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"n": schema}}
    return schema


if mode == "stalls":
    serve(methods={"tools/list": lambda request: None})
if mode in ("breaks_later", "stalls_later"):

    def first_alone(request):
        if not (request.get("params") or {}).get("cursor"):
            reply(request, {"tools": [tool("first")], "nextCursor": "2"})
        elif mode == "breaks_later":
            refuse(request, -32602, "no such cursor")

    serve(methods={"tools/list": first_alone})
if mode == "unknown":
    serve(methods={"tools/list": lambda request: refuse(request, -32601, "method not found")})
if mode == "breaks":
    serve(methods={"tools/list": lambda request: refuse(request, -32603, "database is locked")})
if mode == "deep":
    # Deeper than a parser may go: written by hand, since our own JSON could not.
    opened = '{"type":"object","properties":{"n":'

    def bottomless(request):
        nested = opened * 3000 + "{}" + "}}" * 3000
        line = '{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":"d","inputSchema":%s}]}}'
        sys.stdout.write(line % (request["id"], nested) + "\n")
        sys.stdout.flush()

    serve(methods={"tools/list": bottomless})
if mode == "deep70":
    serve([tool("fine"), tool("deep70", deep(70))])
serve(
    methods={"tools/list": lambda request: reply(request, page(request))},
    call=lambda params, request: {"content": [{"type": "text", "text": params["name"]}]},
)
