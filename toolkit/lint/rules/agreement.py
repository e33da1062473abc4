"""What a parameter's description says, against what its schema says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...schema.faults import short
from ..fits import number
from ..rule import Fault, rule
from .example import taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__ = ["told_defaults"]

_BRANCHES = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_ABSENT = r"(?:not\b|omitted|unset|unspecified|absent|missing|left|no\b|none\b|nothing\b)"
_END = rf"(?=\s*(?:[.,;)\]]+(?:\s|$)|\(|$|(?:if|when)\s+(?:it\s+is\s+)?{_ABSENT}))"
# A sentence with one of these tells of a case, and the schema of all cases.
_CASES = Pattern(
    r"\b(?:unless|otherwise|depend\w*|whichever|varies|while|except|but)\b"
    rf"|\b(?:if|when)\b(?! (?:it(?: is|'s)? |this(?: is)? |they are |the \w+ is )?{_ABSENT})",
    re.IGNORECASE,
)
# "Default" begins what it says, or the parameter "defaults to"; "the API's default is" does not.
_DEFAULT = Pattern(
    r"(?:(?:^|[.;,(\[\n\u2013\u2014-]\s*)(?:the\s+)?default(?:\s+value)?"
    r"(?:\s+is\s*|\s*[:=]\s*|\s+)"
    r"|(?:\bit\s+|\band\s+|\bthis\s+(?:field|parameter|value|option)\s+|^|[.;,(\[\n]\s*)"
    r"defaults?\s+to\s+)"
    r"(?:(?P<quote>`+|['\"])(?P<quoted>[^'\"`]{1,60})(?P=quote)"
    r"|(?P<plain>-?\d+(?:\.\d+)?|[A-Za-z][\w-]*))" + _END,
    re.IGNORECASE,
)


def told_defaults(tool: Subject) -> Iterator[Fault]:
    """Say where a description names another default than its schema has."""
    for path, _, schema in tool.spots:
        text = _text(schema)
        real = schema.get("default") if "default" in text.lower() else None
        if real is None:
            continue  # it only says that there is none
        told = _told(text)
        if told is not None and _differs(*told, schema):
            message = f"the description says that the default is {told[0]}, the schema says"
            at: Path = ("inputSchema", *path, "description")
            yield Fault(f"{message} {short(real)}", at, hint="keep the one that is so")


def _text(schema: Any) -> str:
    text = schema.get("description") if isinstance(schema, Mapping) else None
    return text if isinstance(text, str) else ""


def _sentence(text: str, at: int) -> str:
    """The sentence, or what is in brackets, around an offset."""
    start = max(text.rfind(mark, 0, at) for mark in (". ", "\n", "; ", "("))
    ends = [end for mark in (". ", "\n", "; ", ")") if (end := text.find(mark, at)) >= 0]
    return text[start + 1 : min(ends, default=len(text))]


def _told(text: str) -> tuple[str, bool] | None:
    """The one default that a text tells, and whether it is quoted; None where it tells several."""
    found = list(_DEFAULT.finditer(text))
    if len(found) != 1 or _CASES.search(_sentence(text, found[0].end() - 1)):
        return None
    if len(re.findall(r"\bdefaults?\b", text, re.IGNORECASE)) > 1:
        return None
    one = found[0]
    return one["quoted"] or one["plain"], one["quoted"] is not None


def _differs(told: str, quoted: bool, schema: Mapping[str, Any]) -> bool:  # noqa: FBT001 - of _told
    real, values = schema["default"], schema.get("enum")
    if isinstance(real, bool):
        return told.lower() in ("true", "false") and told.lower() != str(real).lower()
    if isinstance(real, int | float):
        said = _number(told)
        return said is not None and said != real
    if not isinstance(real, str):
        return False
    among = isinstance(values, list) and told in values
    if not (quoted or among) or _number(told) is not None:
        return False
    one, other = told.strip().casefold(), real.strip().casefold()
    return bool(other) and one not in other and other not in one


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


_DAYS = {"type": "integer", "minimum": 1, "maximum": 7}


@rule(
    "D012 text-contradicts-schema",
    Severity.WARNING,
    bad=taking({**_DAYS, "description": "How many days to tell (max 14)."}),
    good=taking({**_DAYS, "description": "How many days to tell (max 7)."}),
    evidence="a model follows the words, and the call is refused by the schema",
)
def text_contradicts_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description calls a required parameter optional, or the reverse, or tells other bounds.

    The model follows one of the two: it leaves out what is needed, or gives what is refused.
    """
    del using
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping) or any(step in _BRANCHES for step in path):
            continue
        yield from _necessity(tool, path, schema)
        text = _text(schema)
        for message in _bounds(text, schema) if text else ():
            yield Fault(message, ("inputSchema", *path, "description"))


_OPTIONAL = Pattern(
    r"^\s*(?:[(\[]optional[)\]]|optional(?:[.:;,]|\s+(?!chain|depend|type|if|when|param|argu|field"
    r"|feature)[a-z]))|[(\[]optional[)\]][.\s]*$",
    re.IGNORECASE,
)
_REQUIRED = Pattern(
    r"^\s*(?:[(\[]required[)\]]|\*{0,2}required\*{0,2}[.:;,])|[(\[]required[)\]][.\s]*$",
    re.IGNORECASE,
)
_HOW_NOT = Pattern(
    r"\b(?:empty|null|none|blank|nil|pass|use|skip|if|when)\b|\"\"|''", re.IGNORECASE
)
_SOMETIMES = Pattern(r"\b(?:if|when|unless|for|only|with|either|or|except|one of)\b", re.IGNORECASE)


def _necessity(tool: Subject, path: Path, schema: Mapping[str, Any]) -> Iterator[Fault]:
    """Properties whose description says another thing than `required`."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or tool.extra.get("strict") is True:
        return  # strict modes require every parameter, and null says that there is none
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    composed = any(key in schema for key in _BRANCHES)
    for name, each in properties.items():
        text, at = _text(each), ("inputSchema", *path, "properties", name, "description")
        if name in needed:
            if _OPTIONAL.search(text) and not _HOW_NOT.search(text) and not _takes_null(each):
                yield Fault(f"the description calls '{name}' optional, and it is required", at)
        elif text and not composed and "default" not in each and _is_called_required(text):
            yield Fault(f"the description calls '{name}' required, and it is not", at)


def _is_called_required(text: str) -> bool:
    return _REQUIRED.search(text) is not None and _SOMETIMES.search(text) is None


def _takes_null(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return (
        (isinstance(kind, list) and "null" in kind)
        or any(key in schema for key in ("anyOf", "oneOf", "$ref", "default"))
        or schema.get("nullable") is True
        or (
            isinstance(schema.get("enum"), list)
            and (None in schema["enum"] or "" in schema["enum"])
        )
    )


_MOST = r"(?:max(?:imum)?\.?(?:\s+(?:is|of|value)|\s*[:=])?|at most|no more than)\s*"
_LEAST = r"(?:min(?:imum)?\.?(?:\s+(?:is|of|value)|\s*[:=])?|at least|no less than)\s*"
_COUNT = r"(?P<value>-?\d+(?:\.\d+)?)"
_ANY = r"-?\d+(?:\.\d+)?"
_OF_NUMBERS = tuple(
    (keyword, Pattern(pattern, re.IGNORECASE))
    for keyword, pattern in (
        ("maximum", rf"(?<![\w.]){_MOST}{_COUNT}{_END}"),
        ("minimum", rf"(?<![\w.]){_LEAST}{_COUNT}{_END}"),
        ("maximum", rf"\bbetween {_ANY} and {_COUNT}{_END}"),
        ("minimum", rf"\bbetween {_COUNT} and {_ANY}{_END}"),
    )
)
_OF_TEXTS = (
    ("maxLength", Pattern(rf"{_MOST}{_COUNT} char(?:acter)?s?\b", re.IGNORECASE)),
    ("minLength", Pattern(rf"{_LEAST}{_COUNT} char(?:acter)?s?\b", re.IGNORECASE)),
)
_OF_LISTS = (
    ("maxItems", Pattern(rf"{_MOST}{_COUNT} (?:items|entries|elements)\b", re.IGNORECASE)),
    ("minItems", Pattern(rf"{_LEAST}{_COUNT} (?:items|entries|elements)\b", re.IGNORECASE)),
)
_BOUNDED = {
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
    "string": _OF_TEXTS,
    "array": _OF_LISTS,
}


def _bounds(text: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """Bounds that a text tells otherwise than the schema; each keyword once."""
    kind = schema.get("type")
    if re.search(r"\bor\b", text, re.IGNORECASE):
        return  # "a count, or percent (max 100)" tells the bounds of one of two
    for keyword, pattern in _BOUNDED.get(kind, ()) if isinstance(kind, str) else ():
        real = number(schema.get(keyword))
        if real is None:
            continue
        found = list(pattern.finditer(text))
        if len(found) != 1 or _CASES.search(_sentence(text, found[0].end() - 1)):
            continue
        if float(found[0]["value"]) != real:
            yield f"the description says {found[0][0].strip()}, and {keyword} is {short(real)}"


_ORDER = {"type": "string", "description": "The order of the days: one of 'asc', 'desc'."}
_VALUE = r"(?:'[\w.+/-]{1,40}'|\"[\w.+/-]{1,40}\"|`[\w.+/-]{1,40}`)"
_CHOICE = Pattern(
    rf"\b(?:one of|must be(?: either)?|(?<!\()either|(?:allowed|valid|possible|accepted|supported)"
    rf" (?:values|options)(?: are)?)\s*:?\s*[(\[]?(?P<values>{_VALUE}"
    rf"(?:\s*(?:,\s*(?:or|and)?|\||/|\bor\b|\band\b)\s*{_VALUE})+)[)\]]?\s*(?:\.|;|\n|$)",
    re.IGNORECASE,
)
_OPEN = Pattern(
    r"\b(?:e\.?g|such as|for example|etc|like|or any|or an?|custom)\b|\.\.\.|…", re.IGNORECASE
)
_CLOSED = frozenset({"enum", "const", "pattern", "anyOf", "oneOf", "allOf", "$ref", "format"})


@rule(
    "P003 choice-in-words",
    Severity.INFO,
    bad=taking(_ORDER),
    good=taking({**_ORDER, "enum": ["asc", "desc"]}),
    evidence="providers constrain what a model writes by an enum, and by no words",
)
def choice_in_words(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description lists the only values that a text can have, and the schema has no enum.

    The model may write another one, and neither client nor server refuses it before the tool runs.
    """
    del using
    for path, _, schema in tool.spots:
        text = _text(schema)
        if not text or schema.get("type") != "string" or _CLOSED & schema.keys():
            continue
        found = _CHOICE.search(text)
        if found and not _OPEN.search(text):
            values = re.findall(r"[\w.+/-]+(?=['\"`])", found["values"])
            shown = ", ".join(f'"{each}"' for each in values)
            yield Fault(
                "the values are told in words alone",
                ("inputSchema", *path, "description"),
                hint=f'give it "enum": [{shown}]',
            )
