"""A server of the newer era whose tools change after the first list and before it is listened to."""

from raw import listen, reply, serve, text, tool

NAMES = ["old"]


def listening(request):
    NAMES[:] = ["added"]
    listen(request)


methods = {
    "tools/list": lambda request: reply(request, {"tools": [*map(tool, NAMES)]}),
    "subscriptions/listen": listening,
}
serve(call=lambda params, request: text("called"), methods=methods)
