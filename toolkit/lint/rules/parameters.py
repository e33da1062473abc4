"""Parameters: too many, or such as a model should never be asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ..rule import Fault, rule
from .example import CITY, declared, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []


def _many(count: int) -> dict[str, Any]:
    properties = {f"city_{number}": CITY for number in range(1, count + 1)}
    return declared(inputSchema={"type": "object", "properties": properties})


@rule(
    "P001 too-many-params",
    Severity.WARNING,
    bad=_many(13),
    good=_many(4),
    evidence="calls with many parameters leave more of them out, and mix them up",
)
def too_many_params(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool has more parameters than the budget (`parameters`, 12).

    Most likely it is several tools in one.
    """
    limit, count = using.limit("parameters"), len(tool.properties)
    if count > limit:
        yield Fault(
            f"the tool has {count} parameters, the budget is {limit}",
            ("inputSchema", "properties"),
            hint="make several tools of it, or group what belongs together",
        )


_SAYS_NUMBER = Pattern(
    r"^\s*(?:an? )?(?:integer|int)\b(?! (?:or|as)\b)|\((?:int|integer)\)|\bmust be an integer\b"
    r"|\bas an integer(?=\s*(?:[.,;)]|$))",
    re.IGNORECASE,
)
_SAYS_COUNT = Pattern(
    r"^\s*(?:the )?(?:(?:max(?:imum)?|min(?:imum)?|total) )?number of"
    r" (?!(?:the|an?|this|that|its|your)\b)(?:[\w-]+ )?[a-z-]+s\b",
    re.IGNORECASE,
)
_SAYS_LIST = Pattern(
    r"^\s*(?:an? )?(?:list|array) of (?:[\w-]+ ){0,2}[\w-]+s\b(?! or\b)", re.IGNORECASE
)
# What tells that the text is a text on purpose: how its parts are divided, or written.
_WRITTEN = Pattern(
    r"separat|delimit|comma|json|csv|yaml|xml|newline|per line|lines\b|encoded|format|string|text"
    r"|quoted|semicolon|\bname\b|\bor\b|e\.g|such as|example|accept|suffix|expression|range"
    r"|\bas\b|:|\"|'|`",
    re.IGNORECASE,
)
_SAYS_BOOLEAN = Pattern(
    r"^\s*(?:an? )?bool(?:ean)?\b(?! (?:or|as|expression|query)\b)|\((?:bool|boolean)\)"
    r"|\bmust be (?:a boolean|true or false)\b|^\s*true or false\b",
    re.IGNORECASE,
)
_SAYS_TEXT = Pattern(r"^\s*a (?:text )?string\b(?! (?:or|as)\b)|\((?:str|string)\)", re.IGNORECASE)
_SAYS = {
    "string": (
        (_SAYS_NUMBER, "an integer"),
        (_SAYS_BOOLEAN, "a boolean"),
        (_SAYS_COUNT, "a number"),
        (_SAYS_LIST, "a list"),
    ),
    "integer": ((_SAYS_TEXT, "a string"), (_SAYS_BOOLEAN, "a boolean")),
    "number": ((_SAYS_TEXT, "a string"), (_SAYS_BOOLEAN, "a boolean")),
    "boolean": ((_SAYS_TEXT, "a string"), (_SAYS_NUMBER, "an integer")),
}


@rule(
    "D010 type-word-conflict",
    Severity.WARNING,
    bad=taking({"type": "string", "description": "Integer, how many days to tell."}),
    good=taking({"type": "string", "description": "The days to tell, such as mon-wed."}),
    evidence="a model follows the words, and the call is refused by the type",
)
def type_word_conflict(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description says one type, and the schema another.

    The model follows one of the two; the tool expects the other.
    """
    del using
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping) or not isinstance(schema.get("type"), str):
            continue
        text = schema.get("description")
        for pattern, what in _SAYS.get(schema["type"], ()) if isinstance(text, str) else ():
            if pattern.search(str(text)) and not _is_meant(pattern, schema):
                message = f"the description says {what}, the schema {schema['type']}"
                yield Fault(message, ("inputSchema", *path, "description"))
                break


def _is_meant(pattern: Pattern, schema: Mapping[str, Any]) -> bool:
    """Whether a number or a list is a text on purpose: its form is told, in words or by keyword."""
    if pattern not in (_SAYS_COUNT, _SAYS_LIST):
        return False
    told = any(key in schema for key in ("enum", "const", "pattern", "format", "examples"))
    return told or _WRITTEN.search(schema["description"]) is not None


_INJECTED = frozenset(
    [
        "self",
        "cls",
        "ctx",
        "tool_context",
        "toolcontext",
        "run_context",
        "runcontext",
        "request_context",
        "mcp_context",
        "invocation_state",
        "agent_state",
        "tool_use_id",
    ]
)
_CONTEXTS = Pattern(
    r"\b(?:Tool|Run|Request|Invocation|Agent|Mcp|MCP)?Context(?:Wrapper)?\b|\bRequest\b"
    r"|\b(?:Async)?Session\b|\bInjectedState\b|\bInjectedToolArg\b"
)
_SECRETS = frozenset(
    [
        "api_key",
        "apikey",
        "access_token",
        "accesstoken",
        "auth_token",
        "authtoken",
        "bearer_token",
        "bearertoken",
        "client_secret",
        "clientsecret",
        "secret_key",
        "secretkey",
        "private_key",
        "privatekey",
        "api_token",
        "apitoken",
        "db_password",
        "database_url",
        "connection_string",
    ]
)
_ABOUT_SECRETS = frozenset(
    [
        "auth",
        "authenticate",
        "check",
        "connect",
        "credential",
        "credentials",
        "decode",
        "decrypt",
        "encrypt",
        "hash",
        "import",
        "inspect",
        "introspect",
        "jwt",
        "key",
        "keys",
        "login",
        "oauth",
        "password",
        "refresh",
        "register",
        "revoke",
        "rotate",
        "save",
        "secret",
        "secrets",
        "set",
        "sign",
        "store",
        "test",
        "token",
        "tokens",
        "validate",
        "verify",
    ]
)


@rule(
    "P008 context-param-exposed",
    Severity.ERROR,
    bad=taking({"description": "The context of the request."}, name="ctx"),
    good=taking({"type": "string", "description": "The text around the place."}, name="context"),
    evidence="frameworks inject such arguments; a model can only make them up",
)
def context_param_exposed(tool: Subject, using: Using) -> Iterator[Fault]:
    """A parameter that the framework fills in, or a secret of the deployment, is left to the model.

    The model has to make the value up, or would have to be told the key. A tool that is about
    keys and tokens may take them.
    """
    del using
    for name, schema in tool.properties.items():
        at = ("inputSchema", "properties", name)
        plain = re.sub(r"[^a-z_]", "", name.lower())
        if _is_injected(tool, name, schema):
            hint = "annotate it as the context that is injected, or take it out of the schema"
            yield Fault(f"'{name}' is for the framework to fill in, not for a model", at, hint=hint)
        elif plain in _SECRETS and not _ABOUT_SECRETS & set(tool.words):
            yield Fault(
                f"'{name}' asks the model for a secret",
                at,
                hint="read it from the environment of the tool",
                severity=Severity.WARNING,
            )


def _is_injected(tool: Subject, name: str, schema: Any) -> bool:
    plain = not isinstance(schema, Mapping) or schema.get("type") in (None, "object")
    if name.lower() in _INJECTED and plain:
        return True
    node = tool.source.annotations.get(name) if tool.source else None
    if node is None or not plain:
        return False
    untyped = isinstance(schema, Mapping) and not _TYPED & set(schema)
    return bool(_CONTEXTS.search(ast.unparse(node))) or (untyped and bool(_OBJECTS.search(name)))


_TYPED = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"})
# What a framework hands to a function and is annotated as anything: no value that JSON has.
_OBJECTS = Pattern(
    r"(?:^|_)(?:session|ctx|context|conn|connection|cursor|logger|client|engine|db|callback)$"
)
