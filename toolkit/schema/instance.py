"""A small instance of a schema: what a call may look like, made of its own words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from .walk import target, unescaped

__all__ = ["instance_of"]

DEEPEST = 24  # levels of what is required before an empty value stands in
MOST_ITEMS = 100
FORMATS = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:30:00Z",
    "time": "12:30:00Z",
    "duration": "PT1H30M",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "6f1c1a52-8d0f-4a39-9c53-0f7a6c0c8f11",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.com",
    "json-string": "{}",
    "binary": "text",
    "path": "file.txt",
}


def instance_of(schema: Any) -> Any:
    """The smallest value that a schema seems to accept: what is required, and no more.

    A constant, a default or an example is taken as it stands. Nothing is promised for schemas
    that only a search could satisfy (`not`, `if`, patterns with look-arounds).
    """
    return _Maker(schema).make(schema, 0)


class _Maker:
    """Makes values out of one schema, whose root its references start from."""

    def __init__(self, root: Any) -> None:
        self._root = root

    def make(self, schema: Any, depth: int, *, number: int = 0) -> Any:
        """A value; `number` tells the items of an array apart that have to differ."""
        if not isinstance(schema, Mapping) or not schema:
            return f"text{number or ''}"
        whole = self._whole(schema, depth)
        for keyword in ("const", "default"):
            if keyword in whole and not (number and keyword == "default"):
                return whole[keyword]
        for keyword in ("examples", "enum"):
            choices = whole.get(keyword)
            if isinstance(choices, list) and choices:
                return choices[number % len(choices)]
        maker = self._makers().get(_kind(whole))
        return maker(whole, depth, number) if maker is not None else None

    def _makers(self) -> dict[str, Callable[[Mapping[str, Any], int, int], Any]]:
        return {
            "object": self._object,
            "array": self._array,
            "string": lambda schema, _, number: _text(schema, number),
            "integer": lambda schema, _, number: int(_number(schema, number, whole=True)),
            "number": lambda schema, _, number: _number(schema, number, whole=False),
            "boolean": lambda _schema, _depth, number: number % 2 == 0,
        }

    def _whole(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """The schema with what it refers to, all that it adds up, and its first branch."""
        whole = dict(schema)
        for _ in range(DEEPEST):
            reference, branches = whole.pop("$ref", None), whole.pop("allOf", None)
            choice = whole.pop("anyOf", None) or whole.pop("oneOf", None)
            parts = list(branches or ())
            if isinstance(reference, str):
                parts.append(self._referred(reference))
            if isinstance(choice, list) and choice:
                parts.append(self._chosen(choice, depth))
            if not parts:
                break
            for part in parts:
                whole = _both(whole, part if isinstance(part, Mapping) else {})
        return whole

    def _referred(self, reference: str) -> Any:
        steps = unescaped(reference)
        found = target(self._root, steps) if steps is not None else None
        return found[1] if found is not None else {}

    def _chosen(self, branches: list[Any], depth: int) -> Any:
        """The first branch that is not null; deep down the one that ends soonest."""
        kinds = [branch for branch in branches if branch != {"type": "null"}] or branches
        if depth > DEEPEST // 2:
            return min(branches, key=lambda branch: "$ref" in str(branch))
        return kinds[0]

    def _object(self, schema: Mapping[str, Any], depth: int, number: int) -> dict[str, Any]:
        properties = schema.get("properties") or {}
        required = list(schema.get("required") or ()) if depth < DEEPEST else []
        rest = schema.get("additionalProperties", {})
        names = self._names(schema, required)
        return {
            name: self.make(properties.get(name, rest), depth + 1, number=number) for name in names
        }

    def _names(self, schema: Mapping[str, Any], required: list[str]) -> list[str]:
        """What is required, and as much of the rest as `minProperties` asks for."""
        least = min(schema.get("minProperties") or 0, MOST_ITEMS)
        keys = schema.get("propertyNames")
        known = [name for name in schema.get("properties") or () if name not in required]
        fresh = (
            str(self.make(keys, 0, number=at)) if isinstance(keys, Mapping) else f"key{at}"
            for at in range(1, least + 1)
        )
        more = [*known, *fresh][: max(0, least - len(required))]
        return [*required, *more]

    def _array(self, schema: Mapping[str, Any], depth: int, _: int) -> list[Any]:
        first = schema.get("prefixItems") or []
        least = min(schema.get("minItems") or 0, MOST_ITEMS)
        if depth >= DEEPEST:
            return []
        made = [self.make(each, depth + 1) for each in first]
        differ = schema.get("uniqueItems") is True
        items = schema.get("items", {})
        made += [
            self.make(items, depth + 1, number=at if differ else 0)
            for at in range(len(made), least)
        ]
        contained = schema.get("contains")
        return [*made, self.make(contained, depth + 1)] if contained is not None else made


def _both(schema: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two schemas that hold together: what the first says goes before, properties add up."""
    both = {**other, **schema}
    if "properties" in schema and "properties" in other:
        both["properties"] = {**other["properties"], **schema["properties"]}
    if "required" in schema and "required" in other:
        both["required"] = list(dict.fromkeys([*schema["required"], *other["required"]]))
    return both


def _kind(schema: Mapping[str, Any]) -> str:
    declared = schema.get("type")
    if isinstance(declared, list):
        declared = next((each for each in declared if each != "null"), "null")
    if isinstance(declared, str):
        return declared
    for kind, keywords in _IMPLIED.items():
        if any(keyword in schema for keyword in keywords):
            return kind
    return "string"


_IMPLIED = {
    "object": ("properties", "required", "additionalProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def _number(schema: Mapping[str, Any], number: int, *, whole: bool) -> float:
    step = schema.get("multipleOf") or 1
    low, high = _bounds(schema, step if whole or "multipleOf" in schema else None)
    value: float = min(max(1, low), high)
    value = math.ceil(value / step) * step if math.isfinite(value) else 0
    if not low <= value <= high:  # no whole step lies between: the middle does
        value = (low + high) / 2
    return value + number * step if value + number * step <= high else value - number * step


def _bounds(schema: Mapping[str, Any], step: float | None) -> tuple[float, float]:
    low = schema.get("minimum", -math.inf)
    high = schema.get("maximum", math.inf)
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    inside = step if step is not None else 1e-6
    if isinstance(over, int | float) and not isinstance(over, bool):
        low = max(low, over + inside)
    if isinstance(under, int | float) and not isinstance(under, bool):
        high = min(high, under - inside)
    return low, high


def _text(schema: Mapping[str, Any], number: int) -> str:
    least, most = schema.get("minLength") or 0, schema.get("maxLength")
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        return _matching(pattern, number, least=least)
    if schema.get("format") in FORMATS and not number:
        return FORMATS[schema["format"]]
    text = f"text{number or ''}".ljust(least, "x")
    return text if most is None else text[-most:] if most else ""


def _matching(pattern: str, number: int, *, least: int) -> str:
    """A text of a regular expression's own making: the first branch, the fewest repeats."""
    try:
        tree = cast("Any", re)._parser.parse(pattern)  # noqa: SLF001 - the one parser that there is
    except (re.error, RecursionError):
        return "text"
    for repeats in range(max(1, least) + 1):
        text = "".join(_pieces(tree, number, repeats))
        if len(text) >= least:
            return text
    return text


def _pieces(tree: Any, number: int, repeats: int) -> list[str]:
    return [_piece(str(code), argument, number, repeats) for code, argument in tree]


def _piece(code: str, argument: Any, number: int, repeats: int) -> str:
    match code:
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL":
            return "x" if argument != ord("x") else "y"
        case "ANY":
            return "x"
        case "IN":
            return _of_set(argument, number)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = argument
            times = max(least, min(int(most), repeats))
            return "".join("".join(_pieces(inner, number, repeats)) for _ in range(times))
        case "SUBPATTERN":
            return "".join(_pieces(argument[-1], number, repeats))
        case "ATOMIC_GROUP":
            return "".join(_pieces(argument, number, repeats))
        case "BRANCH":
            branches = argument[1]
            return "".join(_pieces(branches[number % len(branches)], number, repeats))
    return ""  # positions and look-arounds take no room


def _of_set(members: Any, number: int) -> str:
    """A character of a set, letters and digits first."""
    inside = re.compile("|".join(_member(str(code), argument) for code, argument in members))
    negated = any(str(code) == "NEGATE" for code, _ in members)
    plain = "abcxyz0123456789ABCXYZ_- .:/@" + "".join(map(chr, range(32, 127)))
    fitting = [sign for sign in plain if (inside.fullmatch(sign) is None) is negated]
    if fitting:
        return fitting[number % len(fitting)]
    code, argument = members[0]
    return chr(argument[0] if str(code) == "RANGE" else argument)


def _member(code: str, argument: Any) -> str:
    if code == "LITERAL":
        return re.escape(chr(argument))
    if code == "RANGE":
        return f"[{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}]"
    kinds = {"CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w", "CATEGORY_SPACE": r"\s"}
    kinds |= {"CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_WORD": r"\W", "CATEGORY_NOT_SPACE": r"\S"}
    return kinds.get(str(argument), "(?!)")
