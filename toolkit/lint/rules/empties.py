"""Values that nothing can be, or that were typed with a blank too many."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ..fits import faults_of
from ..rule import Fault, rule
from .example import declared, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

# In these a schema speaks of one case of several: there an empty value may be one of them.
_BRANCHES = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_TAGS = {"type": "array", "items": {"type": "string"}, "description": "Tags to look for."}


@rule(
    "S020 holds-nothing",
    Severity.WARNING,
    bad=taking({**_TAGS, "maxItems": 0}),
    good=taking({**_TAGS, "maxItems": 10}),
    evidence="converters write {} without properties for a dict, and null for what they don't know",
)
def holds_nothing(tool: Subject, using: Using) -> Iterator[Fault]:
    """A parameter has one value that it can be, and that one is empty: null, "", [] or {}.

    The model is asked for it and can say nothing with it; most often a type was lost on the way.
    """
    del using
    for path, _, schema in tool.spots:
        if not _is_value(path) or not isinstance(schema, Mapping):
            continue
        what = _only(schema)
        if what is not None:
            message = f"'{_named(path)}' can be nothing but {what}"
            yield Fault(message, ("inputSchema", *path), hint="say what it can be, or take it out")


def _is_value(path: Path) -> bool:
    """Whether a schema is that of a property or an item, and not of a case among others."""
    if any(step in _BRANCHES for step in path[:-1]):
        return False
    return path[-1:] == ("items",) or path[-2:-1] == ("properties",)


def _named(path: Path) -> str:
    names = [str(step) for before, step in itertools.pairwise(path) if before == "properties"]
    are_items = path[-1] == "items" and path[-2] != "properties"
    return f"{names[-1] if names else ''}{'[]' if are_items else ''}"


def _only(schema: Mapping[str, Any]) -> str | None:
    kind = schema.get("type")
    if kind in ("null", ["null"]) or schema.get("enum") == [None]:
        return "null"
    if kind == "string" and _is_zero(schema.get("maxLength")):
        return '""'
    if kind == "array" and _is_zero(schema.get("maxItems")):
        return "[]"
    if kind == "object" and (_is_zero(schema.get("maxProperties")) or _is_closed(schema)):
        return "{}"
    return None


def _is_zero(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value == 0


def _is_closed(schema: Mapping[str, Any]) -> bool:
    """Whether an object takes no property; what is composed of several is not looked into."""
    others = {"patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if", "propertyNames"}
    return (
        schema.get("additionalProperties") is False
        and not schema.get("properties")
        and not others & schema.keys()
    )


_STATE = {"type": "string", "description": "The state of the notes to look for."}


@rule(
    "S021 blanks-around-value",
    Severity.WARNING,
    bad=taking({**_STATE, "enum": [" active", "archived"]}),
    good=taking({**_STATE, "enum": ["active", "archived"]}),
    evidence="a model gives the word, and the enum holds a blank and the word",
)
def blanks_around_value(tool: Subject, using: Using) -> Iterator[Fault]:
    """A word in an enum or const begins or ends with a blank.

    It is a typing error that nobody sees: the model gives the word alone and is refused, or the
    tool compares with the word and never finds it.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        if not isinstance(schema, Mapping):
            continue
        words: list[tuple[Path, Any]] = [(("const",), schema.get("const"))]
        words += [(("enum", at), value) for at, value in enumerate(_listed(schema.get("enum")))]
        for steps, value in words:
            if _is_padded(value):
                hint = f"did you mean '{value.strip()}'?"
                yield Fault(
                    f"{value!r} has a blank that nobody sees", (part, *path, *steps), hint=hint
                )


def _listed(values: Any) -> list[Any]:
    return values if isinstance(values, list) else []


def _is_padded(value: Any) -> bool:
    """Whether a word has a blank at an end; a separator such as ", " has it on purpose."""
    if not isinstance(value, str) or value == value.strip():
        return False
    word = value.strip()
    return bool(word) and word[0].isalnum() and word[-1].isalnum()


@rule(
    "C305 g-empty-enum-value",
    Severity.ERROR,
    bad=taking({**_STATE, "enum": ["active", "archived", ""]}),
    good=taking({**_STATE, "enum": ["active", "archived"]}),
    evidence="Gemini: “enum[2]: cannot be empty”, Bobsilvio/ha-claude#30",
    profiles=("gemini-openapi",),
)
def empty_enum_value(tool: Subject, using: Using) -> Iterator[Fault]:
    """An enum has an empty text among its values, for Gemini's OpenAPI form.

    Gemini refuses the whole request; whoever means "none" leaves the parameter out.
    """
    del using
    for path, _, schema in tool.spots:
        values = schema.get("enum") if isinstance(schema, Mapping) else None
        for at, value in enumerate(_listed(values)):
            if value == "":
                yield Fault(
                    "Gemini refuses an empty text among the values of an enum",
                    ("inputSchema", *path, "enum", at),
                    hint="take it out, and make the parameter optional",
                    profile="gemini-openapi",
                )


def _needing(schema: Any) -> dict[str, Any]:
    properties = {"state": schema}
    return declared(inputSchema={"type": "object", "properties": properties, "required": ["state"]})


@rule(
    "S022 null-for-required",
    Severity.WARNING,
    bad=_needing({**_STATE, "default": None}),
    good=_needing(_STATE),
    evidence="a model that repeats the default is refused",
)
def null_for_required(tool: Subject, using: Using) -> Iterator[Fault]:
    """A required parameter has the default null, and does not take it.

    Of a parameter that may be left out such a default only says that there is none; one that has
    to be given is given as null, and refused.
    """
    del using
    for path, _, schema in tool.spots:
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
        if not isinstance(properties, Mapping):
            continue
        for name in _listed(schema.get("required")):
            each = properties.get(name) if isinstance(name, str) else None
            if not isinstance(each, Mapping) or each.get("default", 0) is not None:
                continue
            rest = {key: value for key, value in each.items() if key != "default"}
            if faults_of(None, rest, root=tool.input_schema):
                yield Fault(
                    f"'{name}' is required, and its default is null, which it can't be",
                    ("inputSchema", *path, "properties", name, "default"),
                    hint="take the default out, or the name out of required",
                )
