"""Schemas: whether they are JSON Schema, of an object, and say what they seem to say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import SchemaTooDeepError
from ...findings import Severity
from ...schema.walk import check_depth
from ..metaschema import offences
from ..rule import Edit, Fault, rule
from ..together import declared_beside
from .example import CITY, declared, nested, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

# In these a schema speaks of a value that another one describes too.
_BRANCHES = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})


@rule(
    "S001 invalid-json-schema",
    Severity.ERROR,
    bad=taking({"type": "int", "description": "How many days to tell."}),
    good=taking({"type": "integer", "description": "How many days to tell."}),
    evidence="JSON Schema 2020-12, validation 6 and core 10; Anthropic: “must match JSON Schema"
    " draft 2020-12”",
)
def invalid_json_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """A schema is not valid by the meta-schema of JSON Schema 2020-12.

    Providers refuse it, or ignore what they can't read, and then the model is told less than
    its author meant.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        for steps, message in offences(schema, is_root=not path):
            yield Fault(message, (part, *path, *steps))


@rule(
    "S002 root-not-object",
    Severity.ERROR,
    bad=declared(inputSchema={"properties": {"city": CITY}}),
    good=declared(),
    evidence="every provider; MCP 2026-07-28: inputSchema has type “object”;"
    " zereight/gitlab-mcp#286",
    fixable=True,
)
def root_not_object(tool: Subject, using: Using) -> Iterator[Fault]:
    """The input schema is missing, or does not say that the input is an object.

    A call's input is always a JSON object. A client that checks the list of tools refuses all of
    it for one such tool.
    """
    del using
    schema = tool.input_schema
    if tool.source is not None and isinstance(schema, Mapping) and "type" not in schema:
        return  # what was given as `input_schema=` is filled in before anyone sees it
    hint = 'give it "type": "object"'
    if schema is None:
        yield Fault("there is no input schema", ("inputSchema",), hint=hint)
    elif not isinstance(schema, Mapping):
        what = type(schema).__name__
        yield Fault(f"the input schema must be an object, not {what}", ("inputSchema",), hint=hint)
    elif "type" not in schema:
        message = "the root of the input schema has no type"
        edit = Edit(("inputSchema",), {"type": "object", **schema})
        yield Fault(message, ("inputSchema",), hint=hint, edits=(edit,))
    elif schema["type"] != "object":
        at = ("inputSchema", "type")
        yield Fault(f"the input must be an object, not {schema['type']!r}", at, hint=hint)


@rule(
    "S006 required-not-in-properties",
    Severity.ERROR,
    bad=declared(
        inputSchema={"type": "object", "properties": {"city": CITY}, "required": ["town"]}
    ),
    good=declared(
        inputSchema={"type": "object", "properties": {"city": CITY}, "required": ["city"]}
    ),
    evidence="OpenAI's strict mode and Gemini refuse it",
    fixable=True,
)
def required_not_in_properties(tool: Subject, using: Using) -> Iterator[Fault]:
    """A required property is not among the properties.

    The model has to give what it was never told of; most often a parameter was renamed.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        names = schema.get("required") if isinstance(schema, Mapping) else None
        if not isinstance(names, list):
            continue
        root = tool.input_schema if part == "inputSchema" else tool.output_schema
        known = declared_beside(root, path)
        for at, name in enumerate(names):
            if known is not None and isinstance(name, str) and name not in known:
                left = [each for each in names if each != name]
                yield Fault(
                    f"'{name}' is required and not among the properties",
                    (part, *path, "required", at),
                    hint=f"declare '{name}', or take it out of required",
                    edits=(Edit((part, *path, "required"), left),),
                )


@rule(
    "S007 duplicate-values",
    Severity.ERROR,
    bad=taking({"enum": ["day", "week", "day"], "description": "The time to tell of."}),
    good=taking({"enum": ["day", "week"], "description": "The time to tell of."}),
    evidence="JSON Schema 2020-12, validation 6.1.2 and 6.5.3; Anthropic refuses it",
    fixable=True,
)
def duplicate_values(tool: Subject, using: Using) -> Iterator[Fault]:
    """A name stands twice in `required`, or a value twice in an `enum`.

    Most often one of the two was meant to be another one.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        for key in ("required", "enum"):
            values = schema.get(key) if isinstance(schema, Mapping) else None
            if not isinstance(values, list):
                continue
            for value in _twice(values):
                yield Fault(
                    f"{value!r} stands twice in {key}",
                    (part, *path, key),
                    hint="take one of them out",
                    edits=(Edit((part, *path, key), _once(values)),),
                )


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _once(values: list[Any]) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        if not any(_same(value, each) for each in kept):
            kept.append(value)
    return kept


def _twice(values: list[Any]) -> list[Any]:
    if all(isinstance(value, str) for value in values) and len(set(values)) == len(values):
        return []
    again = [v for at, v in enumerate(values) if any(_same(v, each) for each in values[:at])]
    return _once(again)


@rule(
    "S015 array-without-items",
    Severity.WARNING,
    bad=taking({"type": "array", "description": "The cities to tell of."}),
    good=taking({"type": "array", "items": CITY, "description": "The cities to tell of."}),
    evidence="OpenAI: “array schema missing items”, apify/actors-mcp-server#36; Gemini: “items:"
    " missing field”",
)
def array_without_items(tool: Subject, using: Using) -> Iterator[Fault]:
    """An array does not say what its items are.

    OpenAI and Gemini refuse it (an error where one of them is chosen), others leave the model to
    guess.
    """
    wanting = [each for each in using.profiles if each.get("arrays.items")]
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping) or "items" in schema or "prefixItems" in schema:
            continue
        kind = schema.get("type")
        if kind == "array" or (isinstance(kind, list) and "array" in kind):
            yield Fault(
                "the array does not say what its items are",
                ("inputSchema", *path),
                hint='give it "items"',
                severity=Severity.ERROR if wanting else None,
                profile=wanting[0].name if wanting else None,
            )


_TYPED = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "if",
        "not",
        "oneOf",
        "type",
    }
)
_ANY = Pattern(r"\b(?:any|arbitrary|json|whatever|every type)\b|任意|任何", re.IGNORECASE)


@rule(
    "S016 untyped-property",
    Severity.WARNING,
    bad=taking({"description": "How many days to tell."}),
    good=taking({"type": "integer", "description": "How many days to tell."}),
    evidence="Gemini refuses it; others let the model guess between 3 and “3”",
)
def untyped_property(tool: Subject, using: Using) -> Iterator[Fault]:
    """A property has no type, and nothing that implies one; or the items of an array have none.

    The model guesses, and a number comes as a text. A property whose description says that it
    takes any value, or that is annotated as such, is meant so; items that are `{}` are, too.
    """
    bare = bool(using.among("gemini-openapi"))  # it refuses items that are {}, too
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping):
            continue
        if not _is_property(path) and not (path[-1:] == ("items",) and (schema or bare)):
            continue
        if _TYPED & schema.keys() or _is_branch(path):
            continue
        if _ANY.search(str(schema.get("description", ""))) or _is_annotated(tool, path):
            continue
        what = f"'{path[-1]}' has" if _is_property(path) else "the items of the array have"
        yield Fault(
            f"{what} no type",
            ("inputSchema", *path),
            hint="annotate it" if tool.source else 'give it a "type"',
        )


def _is_property(path: Path) -> bool:
    return path[-2:-1] == ("properties",)


def _is_branch(path: Path) -> bool:
    """In a branch a property is often only constrained: its type stands elsewhere."""
    return any(step in _BRANCHES for step in path[:-2])


def _is_annotated(tool: Subject, path: Path) -> bool:
    return tool.source is not None and (len(path) > 2 or path[-1] in tool.source.annotations)  # noqa: PLR2004


@rule(
    "S017 open-object-param",
    Severity.WARNING,
    bad=taking({"type": "object", "description": "The cities and their days."}),
    good=taking(
        {
            "type": "object",
            "properties": {"city": CITY},
            "description": "The cities and their days.",
        }
    ),
    evidence="pydantic-ai 2.68.0: such objects come back as {}",
    profiles=("openai-strict", "anthropic-strict", "bedrock-strict", "gemini-openapi"),
)
def open_object_param(tool: Subject, using: Using) -> Iterator[Fault]:
    """An object says nothing of its properties, for a provider that fills in only what is told.

    In strict modes, and in Gemini's OpenAPI form, such a value comes as `{}`.
    """
    for path, _, schema in tool.spots:
        if not path or not isinstance(schema, Mapping) or schema.get("type") != "object":
            continue
        if schema.get("properties") or any(key in schema for key in ("anyOf", "oneOf", "allOf")):
            continue
        wanted = ("openai-strict", "anthropic-strict", "bedrock-strict", "gemini-openapi")
        for profile in using.among(*wanted):
            yield Fault(
                f"the object has no properties of its own: {profile.name} leaves it empty",
                ("inputSchema", *path),
                hint="name its properties, or take a list of pairs",
                profile=profile.name,
            )


@rule(
    "S018 too-deep",
    Severity.ERROR,
    bad=taking(nested(33)),
    good=taking(nested(3)),
    evidence="our own bound: 64 levels",
)
def too_deep(tool: Subject, using: Using) -> Iterator[Fault]:
    """A schema is nested more than 64 levels deep.

    No provider takes it, and many programs that read it fail on it.
    """
    del using
    for part, schema in (("inputSchema", tool.input_schema), ("outputSchema", tool.output_schema)):
        try:
            check_depth(schema)
        except SchemaTooDeepError as error:
            yield Fault(error.message, (part,), hint=error.hint)
