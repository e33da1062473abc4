"""A validator's errors as words that a model can act on: `path: what was expected, what came`."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Fault", "closest", "describe", "explain", "short"]

SHORT = 60
SECRET = re.compile(
    r"passw|secret|token|api_?key|credential|authorization|private_?key", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input; `path` is dotted, empty for the input itself."""

    path: str
    message: str

    def __str__(self) -> str:
        """`path: message`."""
        return f"{self.path or 'input'}: {self.message}"


def closest(name: str, names: Iterable[str], *, most: int = 3) -> list[str]:
    """The names that someone who typed `name` may have meant, best first."""
    by_key = {each.casefold().replace("-", "_"): each for each in names}
    found = difflib.get_close_matches(name.casefold().replace("-", "_"), by_key, n=most, cutoff=0.6)
    return [by_key[key] for key in found]


def short(value: Any, *, path: str = "") -> str:
    """A short form of what came: never a whole payload, nothing that looks like a secret."""
    if path and SECRET.search(path):
        return "a value that is not shown"
    if isinstance(value, Mapping):
        return f"an object with {len(value)} keys" if value else "an empty object"
    if isinstance(value, list | tuple | set | frozenset):
        return f"an array of {len(value)}" if value else "an empty array"
    if value is None or isinstance(value, bool | int | float | str):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
    return f"a {type(value).__name__}"


def describe(errors: Sequence[Mapping[str, Any]], value: Any) -> list[Fault]:
    """Every fault of an input, one for each place, in the order of the parameters.

    `errors` are pydantic's (`type`, `loc`, `input`, `ctx`, `msg`); `value` is the whole input,
    which tells the steps of a path from the labels that a union puts between them.
    """
    located = [_locate(error, value) for error in errors]
    faults: list[Fault] = []
    for path, group in _by_union(located).items():
        faults += _of_group(path, group)
    return list(dict.fromkeys(faults))


def explain(faults: Sequence[Fault]) -> str:
    """One line for one fault, else a list."""
    if len(faults) == 1:
        return str(faults[0])
    return "\n".join([f"{len(faults)} faults in the input:", *(f"- {fault}" for fault in faults)])


@dataclass(frozen=True, slots=True)
class _Located:
    union: tuple[Any, ...] | None  # the path of the outermost union, None outside of any
    label: Any
    path: tuple[Any, ...]
    error: Mapping[str, Any]


def _locate(error: Mapping[str, Any], value: Any) -> _Located:
    path: list[Any] = []
    union: tuple[Any, ...] | None = None
    label: Any = None
    current = value
    steps = error["loc"]
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        if (isinstance(current, Mapping) and step in current) or (
            isinstance(step, int) and isinstance(current, list | tuple) and step < len(current)
        ):
            current = current[step]
        elif step == "[key]" or not (last and error["type"] in _OF_ABSENT_KEYS):
            if step != "[key]" and union is None:
                union, label = tuple(path), step
            continue
        path.append(step)
    return _Located(union, label, tuple(path), error)


_OF_ABSENT_KEYS = {"missing", "missing_argument", "extra_forbidden", "unexpected_keyword_argument"}


def _by_union(located: Sequence[_Located]) -> dict[tuple[Any, ...], list[_Located]]:
    groups: dict[tuple[Any, ...], list[_Located]] = {}
    for each in located:
        key = each.path if each.union is None else each.union
        groups.setdefault(key, []).append(each)
    return groups


def _of_group(path: tuple[Any, ...], group: list[_Located]) -> list[Fault]:
    plain = [each for each in group if each.union is None]
    members: dict[Any, list[_Located]] = {}
    for each in group:
        if each.union is not None:
            members.setdefault(each.label, []).append(each)
    faults = [_fault(each) for each in plain]
    if not members:
        return faults
    deep = [errors for errors in members.values() if any(e.path != path for e in errors)]
    if deep:  # the value is of this member's kind: tell what is wrong inside
        return faults + [_fault(each) for each in min(deep, key=len)]
    expected = dict.fromkeys(
        _expected(each.error) for errors in members.values() for each in errors
    )
    words = [text.removeprefix("expected ") for text in expected]
    dotted = _dotted(path)
    came = short(group[0].error.get("input"), path=dotted)
    return [*faults, Fault(dotted, f"expected {' or '.join(words)}, got {came}")]


def _dotted(path: Sequence[Any]) -> str:
    return ".".join(str(step) for step in path)


def _fault(located: _Located) -> Fault:
    error, path = located.error, _dotted(located.path)
    words = _expected(error)
    if error["type"] in _SAY_IT_ALL:
        return Fault(path, words)
    return Fault(path, f"{words}, got {short(error.get('input'), path=path)}")


_SAY_IT_ALL = {*_OF_ABSENT_KEYS, "value_error", "assertion_error", "recursion_loop"}


def _expected(error: Mapping[str, Any]) -> str:
    context = error.get("ctx") or {}
    writer = _WORDS.get(error["type"])
    if writer is not None:
        return writer if isinstance(writer, str) else writer(context)
    kind = _KIND.fullmatch(error["type"])
    if kind is not None:
        return _OF_KIND[kind["kind"]]
    return _from_message(str(error.get("msg", "")))


def _from_message(message: str) -> str:
    for start in ("Input should be ", "Value should be ", "Value should have ", "Input should "):
        if message.startswith(start):
            verb = "expected " if start.endswith("be ") else "expected it to "
            return verb + message.removeprefix(start)
    return message[:1].lower() + message[1:] if message else "not valid"


def _bound(words: str, key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda context: f"expected {words} {context.get(key)}"


def _size(context: Mapping[str, Any], *, key: str, relation: str) -> str:
    kind = {"dictionary": "keys", "string": "characters"}.get(
        str(context.get("field_type", "")).lower(), "items"
    )
    return f"expected {relation} {context.get(key)} {kind}"


def _reason(context: Mapping[str, Any]) -> str:
    return str(context.get("error")) or "not valid"


def _one_of(context: Mapping[str, Any]) -> str:
    return f"expected one of {context.get('expected', '')}".replace(" or ", ", ")


def _tags(context: Mapping[str, Any]) -> str:
    key = str(context.get("discriminator", "")).strip("'")
    return f"expected '{key}' to be one of {context.get('expected_tags', '')}"


_TEXT, _OBJECT, _ARRAY = "expected text", "expected an object", "expected an array"
_WORDS: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    "missing": "required, but missing",
    "extra_forbidden": "is not allowed here",
    "none_required": "expected null",
    "string_type": _TEXT,
    "string_sub_type": _TEXT,
    "string_unicode": _TEXT,
    "string_too_short": lambda c: f"expected at least {c.get('min_length')} characters",
    "string_too_long": lambda c: f"expected at most {c.get('max_length')} characters",
    "string_pattern_mismatch": lambda c: f"expected text that matches {c.get('pattern')}",
    "too_short": lambda c: _size(c, key="min_length", relation="at least"),
    "too_long": lambda c: _size(c, key="max_length", relation="at most"),
    "greater_than": _bound("a value greater than", "gt"),
    "greater_than_equal": _bound("a value of at least", "ge"),
    "less_than": _bound("a value less than", "lt"),
    "less_than_equal": _bound("a value of at most", "le"),
    "multiple_of": _bound("a multiple of", "multiple_of"),
    "finite_number": "expected a finite number",
    "literal_error": _one_of,
    "enum": _one_of,
    "union_tag_invalid": _tags,
    "union_tag_not_found": lambda c: f"expected an object with {c.get('discriminator')}",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dataclass_type": _OBJECT,
    "dataclass_exact_type": _OBJECT,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "list_type": _ARRAY,
    "tuple_type": _ARRAY,
    "set_type": _ARRAY,
    "frozen_set_type": _ARRAY,
    "iterable_type": _ARRAY,
    "sequence_str": _ARRAY,
    "value_error": _reason,
    "assertion_error": _reason,
    "recursion_loop": "refers to itself",
    "is_instance_of": "expected a value of another kind",
    "is_subclass_of": "expected a value of another kind",
}
_KIND = re.compile(
    r"(?P<kind>int|float|decimal|bool|datetime|date|time_delta|timezone|time|uuid|url|bytes|complex"
    r")_(?:type|parsing|from_\w+|parsing_size|version|scheme|naive|aware|str_parsing|\w*_inexact)"
)
_OF_KIND = {
    "int": "expected an integer",
    "float": "expected a number",
    "decimal": "expected a decimal number",
    "bool": "expected true or false",
    "datetime": "expected a date and time (YYYY-MM-DDTHH:MM:SS)",
    "date": "expected a date (YYYY-MM-DD)",
    "time_delta": "expected a duration (ISO 8601 such as PT1H30M, or seconds)",
    "timezone": "expected a date and time with a time zone",
    "time": "expected a time (HH:MM:SS)",
    "uuid": "expected a UUID",
    "url": "expected a URL",
    "bytes": "expected text",
    "complex": "expected a complex number as text",
}
