"""Parameters of which nothing is said, at any depth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...schema.walk import target, unescaped
from ..rule import Fault, rule
from .example import taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

_INPUT = Pattern(
    r"(?:(?<![A-Za-z] )Input|(?i:(?:^|[.!?,;\n][ \t]{0,16})(?:(?:the|your|action) ){0,2}input))"
    r"(?i:(?: to (?:this|the) tool)?\s{0,4}(?::\s{0,8}[^\s:]"
    r"|(?:should|must|can|has to|needs to) (?:be|include|contain|have)\b|is (?:an?|the|one)\b))"
)


@rule(
    "D006 missing-param-description",
    Severity.WARNING,
    bad=taking({"type": "string"}),
    good=taking({"type": "string", "description": "An English city name, such as Tokyo."}),
    evidence="arXiv 2602.14878: opaque parameters are the most frequent smell but one",
)
def missing_param_description(tool: Subject, using: Using) -> Iterator[Fault]:
    """A parameter has no description.

    The model guesses the form: a name or an id, seconds or minutes. Nothing is said where the
    tool's own description tells of the parameter, or of the input where only one is asked for.
    Inside of parameters it is said of the one property of an object that was left out where all
    others are described.
    """
    del using
    for name, schema in tool.properties.items():
        if not isinstance(schema, Mapping) or _is_described(schema, tool, name):
            continue
        hint = "describe it in the docstring's Args" if tool.source else None
        at: Path = ("inputSchema", "properties", name)
        yield Fault(f"the parameter '{name}' has no description", at, hint=hint)
    for at in _left_out(tool):
        yield Fault(f"the property '{at[-1]}' has no description, all others beside it have", at)


def _left_out(tool: Subject) -> Iterator[Path]:
    """The properties below the parameters that alone of their object have no description."""
    for path, _, schema in tool.spots:
        parts = schema.get("properties") if path and isinstance(schema, Mapping) else None
        if not isinstance(parts, Mapping) or any(step in _CONDITIONS for step in path):
            continue
        bare = [
            name
            for name, one in parts.items()
            if isinstance(one, Mapping) and not _text_of(one, tool.input_schema)
        ]
        if len(bare) != 1 or len(parts) == 1 or _says_itself(bare[0], parts[bare[0]]):
            continue
        around = " ".join(_above(tool.input_schema, path)).lower().replace("_", " ")
        word = re.escape(bare[0].lower().replace("_", " "))
        if not re.search(rf"\b{word}", around) and not _mentions(tool.text, bare[0]):
            yield ("inputSchema", *path, "properties", bare[0])


def _above(schema: Any, path: Path) -> Iterator[str]:
    """What is said of the schema at a path, and of those that it stands in, below the root."""
    for step in path:
        schema = schema[step]
        text = schema.get("description") if isinstance(schema, Mapping) else None
        if isinstance(text, str):
            yield text


_CONDITIONS = frozenset({"if", "then", "else", "not", "dependentSchemas"})


def _says_itself(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether its values or its name say what it is: a choice, a format, a switch, a unit."""
    told = any(key in schema for key in ("enum", "const", "format", "pattern", "$ref"))
    return told or not schema or schema.get("type") == "boolean" or bool(_UNIT.search(name))


_UNIT = Pattern(r"_(?:cm|mm|km|m|pt|px|ms|s|seconds|minutes|hours|days|bytes|kb|mb|percent)$")


def _is_described(schema: Mapping[str, Any], tool: Subject, name: str) -> bool:
    text = _text_of(schema, tool.input_schema)
    if text and text != f"Parameter {name}":
        return True
    if "$ref" in schema and not _referred(schema, tool.input_schema):
        return True  # where it leads is not known: that is said by a rule of its own
    if _is_the_input(tool, name) and _INPUT.search(tool.text):
        return True
    return _mentions(tool.text, name)


def _mentions(said: str, name: str) -> bool:
    """Whether a text tells of a parameter by its name."""
    word, mark = re.escape(name), "[`*\"']{0,2}"
    opening = r"^[ \t]*(?:[-*•][ \t]*|:param[ \t]+(?:\w+[ \t]+)?|\d+\.[ \t]*)?"
    mention = rf"(?m){opening}{mark}{word}\b{mark}\s*(?:\(|:|-|–|—|=)"
    quoted = rf"[`\"'*<{{\[]{word}[`\"'*>}}\]]"
    long = rf"\b{re.escape(name)}\b" if "_" in name or re.search("[a-z][A-Z]", name) else None
    return any(re.search(each, said) for each in (mention, quoted, long) if each)


def _is_the_input(tool: Subject, name: str) -> bool:
    """Whether "the input" can be no other parameter: it is the only one, or the only required."""
    if len(tool.properties) == 1:
        return True
    schema = tool.input_schema
    return isinstance(schema, Mapping) and schema.get("required") == [name]


def _referred(schema: Mapping[str, Any], root: Any) -> Mapping[str, Any]:
    ref = schema.get("$ref")
    steps = unescaped(ref) if isinstance(ref, str) else None
    found = target(root, steps) if steps is not None else None
    return found[1] if found and isinstance(found[1], Mapping) else {}


def _text_of(schema: Mapping[str, Any], root: Any) -> str:
    """Its own description, that of what it refers to, or of a branch."""
    own = schema.get("description")
    if isinstance(own, str) and own.strip():
        return own.strip()
    referred = _referred(schema, root)
    if referred:
        return str(referred.get("description") or "").strip()
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        for each in branches if isinstance(branches, list) else ():
            if isinstance(each, Mapping) and each.get("description"):
                return str(each["description"]).strip()
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else schema
    return str(inner.get("description") or _of_parts(inner)).strip()


def _of_parts(schema: Mapping[str, Any]) -> str:
    """What is said of the properties of an object stands for the object."""
    parts = schema.get("properties")
    told = (
        (one.get("description") for one in parts.values() if isinstance(one, Mapping))
        if (isinstance(parts, Mapping))
        else ()
    )
    return " ".join(str(each) for each in told if each)
