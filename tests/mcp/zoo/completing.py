"""A server that offers values for the arguments of its prompt and its template, in either era."""

import sys

from raw import refuse, reply, serve

LANGUAGES = ["python", "perl", "rust"]
FRAMEWORKS = {"python": ["django", "flask"], "rust": ["axum"]}
TITLES = ["Walden", "Ulysses", "Emma"]
PROMPT = {
    "name": "review",
    "description": "Ask for a review.",
    "arguments": [
        {"name": "language", "description": "What it is written in.", "required": True},
        {"name": "framework"},
    ],
}
TEMPLATE = {"uriTemplate": "book://{title}", "name": "book"}


def complete(request):
    params = request["params"]
    ref, wanted = params["ref"], params["argument"]
    if ref == {"type": "ref/prompt", "name": "review"} and wanted["name"] == "language":
        values = LANGUAGES
    elif ref.get("name") == "review" and wanted["name"] == "framework":
        known = params.get("context", {}).get("arguments", {})
        values = FRAMEWORKS.get(known.get("language"), [])
    elif ref == {"type": "ref/resource", "uri": "book://{title}"}:
        values = TITLES
    else:
        return refuse(request, -32602, "what is that?")
    found = [one for one in values if one.startswith(wanted["value"])]
    done = {"resultType": "complete"}
    return reply(request, {**done, "completion": {"values": found, "total": 120, "hasMore": True}})


def prompt(request):
    language = request["params"]["arguments"]["language"]
    if language not in LANGUAGES:
        return refuse(request, -32602, f"cannot review {language}")
    framework = request["params"]["arguments"].get("framework")
    if framework is not None and framework not in FRAMEWORKS.get(language, []):
        return refuse(request, -32602, f"there is no {framework} for {language}")
    content = {"type": "text", "text": f"Review this {language}."}
    return reply(request, {"messages": [{"role": "user", "content": content}]})


def read(request):
    uri = request["params"]["uri"]
    if uri.removeprefix("book://") not in TITLES:
        return refuse(request, -32002, "no such book")
    return reply(request, {"contents": [{"uri": uri, "text": "a book"}]})


version = sys.argv[1]
offers = {"prompts": {}, "resources": {}}
if "silent" not in sys.argv:
    offers["completions"] = {}
serve(
    offers=offers,
    version=version,
    methods={
        "prompts/list": lambda request: reply(request, {"prompts": [PROMPT]}),
        "prompts/get": prompt,
        "resources/read": read,
        "resources/templates/list": lambda r: reply(r, {"resourceTemplates": [TEMPLATE]}),
        "completion/complete": complete,
    },
)
