"""A server of the newer era that ends the subscription and changes its tools before the next."""

from raw import end_listening, reply, serve, text, tool

NAMES = ["forget"]


def call(params, request):
    end_listening()
    NAMES.append("added")
    return text("forgotten")


serve(call=call, methods={"tools/list": lambda r: reply(r, {"tools": [*map(tool, NAMES)]})})
