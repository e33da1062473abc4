"""What single providers and modes refuse in one tool; their limits are data, with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...formats.limits import check_schema
from ..rule import Fault, rule
from .example import CITY, declared, nested, taking

if TYPE_CHECKING:
    from ...formats.profiles import Profile
    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

_STRICT = ("openai-strict", "anthropic-strict", "bedrock-strict")
_OPENAI = ("openai", "openai-strict", "azure-openai")
_CLOSED = {
    "type": "object",
    "properties": {"city": CITY},
    "required": ["city"],
    "additionalProperties": False,
}
_GUIDE = "OpenAI's guide of structured outputs, February 2026"


def _is_object(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


@rule(
    "C101 os-object-not-closed",
    Severity.ERROR,
    bad=declared(),
    good=declared(inputSchema=_CLOSED),
    evidence=_GUIDE + "; Anthropic's and Bedrock's guides of structured outputs",
    profiles=_STRICT,
)
def object_not_closed(tool: Subject, using: Using) -> Iterator[Fault]:
    """An object does not say `additionalProperties: false`, and a strict mode wants it.

    The whole request is refused.
    """
    for profile in using.among(*_STRICT):
        for path, _, schema in tool.spots:
            if not isinstance(schema, Mapping) or not _is_object(schema):
                continue
            if schema.get("additionalProperties") is not False:
                yield Fault(
                    f"{profile.name} wants additionalProperties: false in every object",
                    ("inputSchema", *path),
                    hint="toolkit spec writes a strict form of it",
                    profile=profile.name,
                )


@rule(
    "C102 os-optional-not-required",
    Severity.ERROR,
    bad=declared(inputSchema={**_CLOSED, "required": []}),
    good=declared(inputSchema=_CLOSED),
    evidence=_GUIDE,
    profiles=("openai-strict",),
)
def optional_not_required(tool: Subject, using: Using) -> Iterator[Fault]:
    """A property is not among the required ones, and OpenAI's strict mode wants all of them.

    What is optional takes null instead: `"type": ["string", "null"]`.
    """
    del using
    for path, _, schema in tool.spots:
        names = schema.get("properties") if isinstance(schema, Mapping) else None
        if not isinstance(names, Mapping):
            continue
        required = schema.get("required")
        required = required if isinstance(required, list) else []
        for name in names:
            if name not in required:
                yield Fault(
                    f"openai-strict wants '{name}' among the required properties",
                    ("inputSchema", *path, "properties", name),
                    hint="require it, and let it be null",
                    profile="openai-strict",
                )


def _keywords(tool: Subject, profile: Profile) -> Iterator[Fault]:
    """The keywords, formats and patterns of a schema that a profile refuses."""
    refused = set(profile.get("keywords.refused", ()))
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping):
            continue
        for keyword in schema:
            if keyword in refused and not (not path and keyword in profile.get("root.refused", ())):
                yield _refusal(
                    f"{profile.name} does not take '{keyword}'",
                    (*path, keyword),
                    profile,
                    Severity.WARNING if keyword == "default" else None,
                )
        yield from _details(schema, path, profile)


def _details(schema: Mapping[str, Any], path: Path, profile: Profile) -> Iterator[Fault]:
    known, form = profile.get("formats"), schema.get("format")
    if known and isinstance(form, str) and form not in known:
        yield _refusal(
            f"{profile.name} does not take the format '{form}'", (*path, "format"), profile
        )
    pattern = schema.get("pattern")
    for part in profile.get("patterns.refused", ()):
        if isinstance(pattern, str) and part in pattern:
            message = f"{profile.name} does not take '{part}' in a pattern"
            yield _refusal(message, (*path, "pattern"), profile)
    least = profile.get("items.minimum")
    if least is not None and isinstance(schema.get("minItems"), int) and schema["minItems"] > least:
        message = f"{profile.name} takes minItems {least} at most"
        yield _refusal(message, (*path, "minItems"), profile)


def _refusal(message: str, path: Path, profile: Profile, severity: Severity | None = None) -> Fault:
    hint = "say it in the description instead"
    at = ("inputSchema", *path)
    return Fault(message, at, hint=hint, severity=severity, profile=profile.name)


_SET = {"type": "array", "items": CITY, "description": "The cities to tell of."}


@rule(
    "C103 os-unsupported-keyword",
    Severity.ERROR,
    bad=taking({**_SET, "uniqueItems": True}),
    good=taking(_SET),
    evidence=_GUIDE,
    profiles=("openai-strict",),
)
def openai_keyword(tool: Subject, using: Using) -> Iterator[Fault]:
    """A keyword, format or pattern is not among those that OpenAI's strict mode takes.

    The request is refused.
    """
    for profile in using.among("openai-strict"):
        yield from _keywords(tool, profile)


@rule(
    "C104 os-size-limits",
    Severity.ERROR,
    bad=taking(nested(11)),
    good=taking(nested(4)),
    evidence=_GUIDE + ": 10 levels, 5,000 properties, 1,000 enum values, 120,000 characters",
    profiles=("openai-strict",),
)
def openai_size(tool: Subject, using: Using) -> Iterator[Fault]:
    """A schema is deeper, or has more properties, enum values or text, than OpenAI's limits.

    The request is refused.
    """
    for profile in using.among("openai-strict"):
        if not tool.is_sound:
            continue  # what it is not is said by a rule of its own
        for each in check_schema(tool.input_schema, profile, tool=tool.label):
            if each.code == "F303":
                yield Fault(each.message, ("inputSchema",), profile=profile.name)


_EITHER = [{"required": ["city"]}, {"required": ["place"]}]


@rule(
    "C105 os-root-anyof",
    Severity.ERROR,
    bad=declared(inputSchema={**_CLOSED, "anyOf": _EITHER}),
    good=declared(inputSchema=_CLOSED),
    evidence="API error “schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/"
    "'enum'/'const'/'not' at the top level”",
    profiles=_OPENAI,
)
def openai_root(tool: Subject, using: Using) -> Iterator[Fault]:
    """The root of the schema has a combinator, or no properties, and OpenAI refuses that.

    In and out of strict mode.
    """
    for profile in using.among(*_OPENAI):
        yield from _root(tool, profile)
        schema = tool.input_schema
        wanting = profile.get("objects.properties") and isinstance(schema, Mapping)
        if wanting and "properties" not in schema and schema.get("type") == "object":
            message = f"{profile.name} wants properties in an object, if only an empty one"
            yield Fault(message, ("inputSchema",), profile=profile.name)


def _root(tool: Subject, profile: Profile) -> Iterator[Fault]:
    schema = tool.input_schema
    for keyword in profile.get("root.refused", ()):
        if isinstance(schema, Mapping) and keyword in schema:
            yield Fault(
                f"{profile.name} does not take '{keyword}' at the root of a schema",
                ("inputSchema", keyword),
                hint="make one object of it, and say in the description what goes together",
                profile=profile.name,
            )


@rule(
    "C107 o-legacy-description",
    Severity.WARNING,
    bad=declared(description="Tell tomorrow's weather in a city. " * 40),
    good=declared(description="Tell tomorrow's weather in a city. " * 20),
    evidence="Azure's page on function calling, April 2025; OpenAI's own API lifted it",
    profiles=("azure-openai",),
)
def legacy_description(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description is longer than the 1,024 characters that Azure's page still names.

    OpenAI's own API takes longer ones; deployments behind Azure and gateways may not.
    """
    for profile in using.profiles:
        limit = profile.get("description.length")
        if limit and len(tool.text) > limit:
            message = f"the description has {len(tool.text):,} characters, {limit:,} are taken"
            yield Fault(message, ("description",), profile=profile.name)


@rule(
    "C201 a-root-combinator",
    Severity.ERROR,
    bad=declared(inputSchema={**_CLOSED, "oneOf": _EITHER}),
    good=declared(inputSchema=_CLOSED),
    evidence="API error “input_schema does not support oneOf, allOf, or anyOf at the top level”,"
    " marianfoo/mcp-sap-docs#51",
    profiles=("anthropic", "anthropic-strict", "bedrock-strict"),
)
def anthropic_root(tool: Subject, using: Using) -> Iterator[Fault]:
    """The root of the schema has `oneOf`, `anyOf` or `allOf`, which Anthropic refuses.

    MCP allows it since July 2026, so servers have it; one such tool fails the whole request.
    """
    for profile in using.among("anthropic", "anthropic-strict", "bedrock-strict"):
        yield from _root(tool, profile)


@rule(
    "C202 as-unsupported-keyword",
    Severity.ERROR,
    bad=taking({"type": "integer", "minimum": 1, "description": "The days to tell of."}),
    good=taking({"type": "integer", "description": "The days to tell of, from 1 on."}),
    evidence="Anthropic's guide of structured outputs, September 2026; anthropic-sdk 2.15.0",
    profiles=("anthropic-strict",),
)
def anthropic_keyword(tool: Subject, using: Using) -> Iterator[Fault]:
    """A keyword, format or pattern is not among those that Anthropic's strict mode takes.

    The request is refused. Anthropic's own SDK moves such constraints into the description.
    """
    for profile in using.among("anthropic-strict"):
        yield from _keywords(tool, profile)


_ONE_OF = {"type": "integer", "enum": [1, 3, 7], "description": "The days to tell of."}


@rule(
    "C301 g-enum-not-string",
    Severity.ERROR,
    bad=taking(_ONE_OF),
    good=taking({**_ONE_OF, "type": "string", "enum": ["1", "3", "7"]}),
    evidence="python-genai 3.6.1: Schema.enum is a list of texts; microsoft/azure-devops-mcp#145",
    profiles=("gemini-openapi",),
)
def gemini_enum(tool: Subject, using: Using) -> Iterator[Fault]:
    """An enum has values that are no texts, and Gemini's OpenAPI form takes texts alone.

    The API answers “Invalid value … TYPE_STRING”.
    """
    for profile in using.among("gemini-openapi"):
        for path, _, schema in tool.spots:
            values = schema.get("enum") if isinstance(schema, Mapping) else None
            if isinstance(values, list) and not all(isinstance(each, str) for each in values):
                yield Fault(
                    f"{profile.name} takes texts alone in an enum",
                    ("inputSchema", *path, "enum"),
                    profile=profile.name,
                )


@rule(
    "C302 g-unknown-field",
    Severity.ERROR,
    bad=declared(inputSchema=_CLOSED),
    good=declared(),
    evidence="API error “Unknown name … Cannot find field”; Gemini's reference of Schema,"
    " February 2026",
    profiles=("gemini-openapi",),
)
def gemini_field(tool: Subject, using: Using) -> Iterator[Fault]:
    """A keyword is unknown to Gemini's OpenAPI form: `$schema`, `additionalProperties`, `const`.

    The request is refused. `parametersJsonSchema` takes most of them.
    """
    for profile in using.among("gemini-openapi"):
        allowed = set(profile.get("keywords.allowed", ()))
        for path, _, schema in tool.spots:
            for keyword in schema if isinstance(schema, Mapping) else ():
                if keyword not in allowed:
                    yield Fault(
                        f"{profile.name} knows no '{keyword}'",
                        ("inputSchema", *path, keyword),
                        hint="send it as parametersJsonSchema (--for gemini)",
                        profile=profile.name,
                    )


@rule(
    "C401 b-empty-description",
    Severity.ERROR,
    bad=declared(description=""),
    good=declared(),
    evidence="botocore 1.44.8: ToolSpecification.description has at least one character",
    profiles=("bedrock", "bedrock-strict"),
)
def bedrock_description(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description is empty, and Bedrock refuses the request for it.

    It may be left out, but not be empty.
    """
    for profile in using.among("bedrock", "bedrock-strict"):
        if tool.description == "":
            yield Fault(
                f"{profile.name} takes no empty description",
                ("description",),
                hint="write one, or leave it out",
                profile=profile.name,
            )


@rule(
    "C402 bs-unsupported-keyword",
    Severity.ERROR,
    bad=taking({"type": "integer", "minimum": 1, "description": "The days to tell of."}),
    good=taking({"type": "integer", "description": "The days to tell of, from 1 on."}),
    evidence="Bedrock's guide of structured output, September 2026",
    profiles=("bedrock-strict",),
)
def bedrock_keyword(tool: Subject, using: Using) -> Iterator[Fault]:
    """A keyword, format or pattern is not among those that Bedrock's strict mode takes.

    The request is refused at once.
    """
    for profile in using.among("bedrock-strict"):
        yield from _keywords(tool, profile)
