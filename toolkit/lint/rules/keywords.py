"""Keywords: those that do not exist, and those of dialects that are gone."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ..metaschema import KEYWORDS
from ..rule import Edit, Fault, rule
from .example import taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

# Words that people write from memory of other schema languages, and what they mean.
_MEANT = {
    "allowed_values": "enum",
    "allowedvalues": "enum",
    "allowempty": "minLength",
    "choices": "enum",
    "desc": "description",
    "max": "maximum",
    "maximumlength": "maxLength",
    "maxsize": "maxLength",
    "min": "minimum",
    "minimumlength": "minLength",
    "minsize": "minLength",
    "one_of": "oneOf",
    "any_of": "anyOf",
    "all_of": "allOf",
    "optional": "required (a list beside the properties)",
    "options": "enum",
    "prop": "properties",
    "props": "properties",
    "regex": "pattern",
    "regexp": "pattern",
    "values": "enum",
}
_FOLDED = {re.sub(r"[^a-z]", "", each.lower()): each for each in KEYWORDS}
# Others' own words, which mean something to somebody.
_FOREIGN = Pattern(
    r"x-.*|\$.*|markdown.*|propertyOrdering|strict|errorMessage|enum(?:Names|Descriptions|Labels)"
    r"|ui:.*|ui.*|_.*|meta|order|placeholder|label|group|hidden|secret|name|key|display.*",
    re.IGNORECASE,
)


@rule(
    "S008 unknown-keyword",
    Severity.WARNING,
    bad=taking({"type": "string", "maxLenght": 80, "description": "An English city name."}),
    good=taking({"type": "string", "maxLength": 80, "description": "An English city name."}),
    evidence="JSON Schema ignores what it does not know; google-genai's types refuse it",
)
def unknown_keyword(tool: Subject, using: Using) -> Iterator[Fault]:
    """A keyword is none of JSON Schema's, and nearly one: most likely a typing error.

    JSON Schema ignores unknown keywords, so the constraint is not there, and nobody is told.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        if not isinstance(schema, Mapping):
            continue
        for keyword in schema:
            if keyword in KEYWORDS or _is_extra(tool, keyword, path):
                continue
            meant = _meant(keyword)
            if meant is not None:
                yield Fault(
                    f"'{keyword}' is no keyword of JSON Schema",
                    (part, *path, keyword),
                    hint=f"did you mean '{meant}'?",
                )


def _is_extra(tool: Subject, keyword: Any, path: Path) -> bool:
    if not isinstance(keyword, str):
        return True
    return keyword == "strict" or (tool.dialect == "jsonschema" and not path and keyword == "name")


def _meant(keyword: str) -> str | None:
    folded = re.sub(r"[^a-z]", "", keyword.lower())
    if keyword.lower() in _MEANT:
        return _MEANT[keyword.lower()]
    if folded in _FOLDED and not keyword.startswith(("x-", "$")):
        return _FOLDED[folded]
    if _FOREIGN.fullmatch(keyword) or len(folded) < 4:  # noqa: PLR2004 - too short to be near
        return None
    close = difflib.get_close_matches(folded, _FOLDED, 1, 0.82)
    return _FOLDED[close[0]] if close else None


@rule(
    "S009 legacy-dialect",
    Severity.WARNING,
    bad=taking(
        {"type": "number", "minimum": 0, "exclusiveMinimum": True, "description": "The days."}
    ),
    good=taking({"type": "number", "exclusiveMinimum": 0, "description": "The days."}),
    evidence="API error “must match JSON Schema draft 2020-12” at Anthropic; clients that check"
    " results by 2020-12 alone: obsidian-mcp#328, openmsx-mcp-server#22",
    fixable=True,
)
def legacy_dialect(tool: Subject, using: Using) -> Iterator[Fault]:
    """A schema is written in the dialect of an older draft, or of OpenAPI.

    Read as 2020-12, `exclusiveMinimum: true`, a list of `items` and `nullable` are wrong or
    ignored, and Anthropic refuses the request. Nothing is said of `$schema` naming draft-07
    for an input alone: that is allowed, and everyone reads it.
    """
    for part, (path, _, schema) in tool.all_spots:
        if not isinstance(schema, Mapping):
            continue
        profile = _refusing(tool, part, using)
        for keyword, message, edit in _old(schema, part, path, tool):
            where = (part, *path, keyword)
            severity = Severity.ERROR if profile and keyword != "$schema" else None
            yield Fault(message, where, severity=severity, profile=profile, edits=(edit,))


def _refusing(tool: Subject, part: str, using: Using) -> str | None:
    """A chosen profile that takes 2020-12 alone; MCP takes what `$schema` names."""
    schema = tool.input_schema if part == "inputSchema" else tool.output_schema
    named = isinstance(schema, Mapping) and "2020-12" not in str(schema.get("$schema", "2020-12"))
    strict = [each.name for each in using.profiles if each.get("dialect") == "2020-12"]
    return next((name for name in strict if not (named and name == "mcp")), None)


def _old(
    schema: Mapping[str, Any], part: str, path: Path, tool: Subject
) -> Iterator[tuple[str, str, Edit]]:
    here: Path = (part, *path)
    named = schema.get("$schema")
    if isinstance(named, str) and "2020-12" not in named:
        draft = re.search(r"draft-?0?(\d+|2019-09)", named)
        if part == "outputSchema" or (draft and draft[1] in ("3", "4", "5", "6")):
            what = f"draft-{draft[1]}" if draft else named
            message = f"$schema names {what}, which clients of 2020-12 refuse"
            yield "$schema", message, Edit((*here, "$schema"), remove=True)
    for bound, plain in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(bound), bool):
            message = f"{bound} is a number since draft-06, not {str(schema[bound]).lower()}"
            yield bound, message, Edit(here, _exclusive(schema, bound, plain))
    if isinstance(schema.get("items"), list):
        message = "a list of items is written prefixItems since 2020-12"
        yield "items", message, Edit(here, _tuple(schema))
    if "nullable" in schema and tool.dialect != "gemini-openapi":
        message = 'nullable is OpenAPI 3.0: JSON Schema has "null" among the types'
        yield "nullable", message, Edit(here, _nullable(schema))
    if "definitions" in schema and not path:
        message = "definitions are written $defs since 2019-09"
        yield "definitions", message, Edit((part,), _moved(schema))


def _exclusive(schema: Mapping[str, Any], bound: str, plain: str) -> dict[str, Any]:
    rest = {key: value for key, value in schema.items() if key != bound}
    if schema[bound] and plain in rest:
        return {bound if key == plain else key: value for key, value in rest.items()}
    return rest


def _tuple(schema: Mapping[str, Any]) -> dict[str, Any]:
    names = {"items": "prefixItems", "additionalItems": "items"}
    return {names.get(key, key): value for key, value in schema.items()}


def _nullable(schema: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in schema.items() if key != "nullable"}
    kind = rest.get("type")
    if schema["nullable"] is True and isinstance(kind, str):
        rest["type"] = [kind, "null"]
        if isinstance(rest.get("enum"), list) and None not in rest["enum"]:
            rest["enum"] = [*rest["enum"], None]
    return rest


def _moved(schema: Mapping[str, Any]) -> Any:
    """The whole schema with `$defs` for `definitions`, and the references to them."""
    return _renamed({"$defs" if key == "definitions" else key: one for key, one in schema.items()})


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: each.replace("#/definitions/", "#/$defs/", 1)
        if key == "$ref" and isinstance(each, str)
        else _renamed(each)
        for key, each in value.items()
    }
