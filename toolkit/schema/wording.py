"""A validator's error in words that a model can act on, by its type: what was expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

__all__ = ["ABSENT", "expected", "is_foreign", "says_all"]

Facts: TypeAlias = Mapping[str, Any]
Writer: TypeAlias = "str | Callable[[Facts], str]"

# Errors about a key that is not there, or that should not be.
ABSENT = frozenset(
    {
        "extra_forbidden",
        "missing",
        "missing_argument",
        "missing_keyword_only_argument",
        "missing_positional_only_argument",
        "multiple_argument_values",
        "unexpected_keyword_argument",
        "unexpected_positional_argument",
    }
)
_SAYS_ALL = ABSENT | {"assertion_error", "recursion_loop", "value_error"}
_OF_ANOTHER_KIND = frozenset(
    {
        "enum",
        "int_from_float",
        "is_instance_of",
        "is_subclass_of",
        "literal_error",
        "none_required",
        "sequence_str",
        "url_scheme",
    }
)


def expected(error: Facts) -> str:
    """`expected an integer`, or the whole matter where `says_all`.

    `error` is pydantic's: `type`, `ctx`, `msg`. Knows every type that pydantic-core has; for a
    type of an author's own (PydanticCustomError) the author's words stand.
    """
    facts = error.get("ctx") or {}
    writer = _WORDS.get(error["type"])
    if writer is not None:
        return writer if isinstance(writer, str) else writer(facts)
    kind = _KIND.fullmatch(error["type"])
    if kind is not None:
        return _OF_KIND[kind["kind"]]
    return _from_message(str(error.get("msg", "")))


def says_all(error: Facts) -> bool:
    """Whether nothing need be said of what came."""
    return error["type"] in _SAYS_ALL


def is_foreign(error: Facts) -> bool:
    """Whether the value is not of the wanted kind at all, rather than a bad one of that kind."""
    kind: str = error["type"]
    return kind.endswith(("_type", "_parsing")) or kind in _OF_ANOTHER_KIND


def _from_message(message: str) -> str:
    message = re.sub(r"\s*For further information visit \S+", "", message)
    for start in ("Input should be ", "Value should be ", "Value should have ", "Input should "):
        if message.startswith(start):
            verb = "expected " if start.endswith("be ") else "expected it to "
            return verb + message.removeprefix(start)
    return message[:1].lower() + message[1:] if message else "not valid"


def _bound(words: str, key: str) -> Callable[[Facts], str]:
    return lambda facts: f"expected {words} {facts.get(key)}"


def _size(relation: str, key: str, unit: str = "") -> Callable[[Facts], str]:
    def words(facts: Facts) -> str:
        size = facts.get(key)
        kind = unit or ("key" if str(facts.get("field_type")).startswith("Dict") else "item")
        return f"expected {relation} {size} {kind}{'' if size == 1 else 's'}"

    return words


def _reason(facts: Facts) -> str:
    return str(facts.get("error") or "") or "not valid"


def _one_of(facts: Facts) -> str:
    values = _VALUE.findall(str(facts.get("expected", "")))
    shown = [_as_json(value) for value in values]
    return f"expected {shown[0]}" if len(shown) == 1 else f"expected one of {', '.join(shown)}"


# A value as Python writes it: text, an enum's member, a number or a word.
_VALUE = re.compile(
    r"""b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*"|<[\w.]+: (?:'(?:[^'\\]|\\.)*'|[^>]*)>
        |(?<![\w.])(?!or\b)[^\s,'"]+""",
    re.VERBOSE,
)
_MEMBER = re.compile(r"<[\w.]+: (.*)>")
_PLAIN = {"None": "null", "True": "true", "False": "false"}


def _as_json(value: str) -> str:
    member = _MEMBER.fullmatch(value)
    value = member[1] if member else value
    if value[:1] not in ("'", '"'):
        return _PLAIN.get(value, value)
    text = value[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
    return json.dumps(text, ensure_ascii=False)


_TEXT, _OBJECT, _ARRAY = "expected text", "expected an object", "expected an array"
_OTHER = "expected a value of another kind"
_WORDS: dict[str, Writer] = {
    "missing": "required, but missing",
    "missing_argument": "required, but missing",
    "missing_keyword_only_argument": "required, but missing",
    "missing_positional_only_argument": "required, but missing",
    "extra_forbidden": "is not allowed here",
    "unexpected_keyword_argument": "is not allowed here",
    "unexpected_positional_argument": "is one item too many",
    "multiple_argument_values": "is given twice",
    "none_required": "expected null",
    "invalid_key": "expected text as a key",
    "json_invalid": "expected text that is JSON",
    "json_type": "expected JSON as text",
    "string_type": _TEXT,
    "string_sub_type": _TEXT,
    "string_unicode": _TEXT,
    "string_too_short": _size("at least", "min_length", "character"),
    "string_too_long": _size("at most", "max_length", "character"),
    "string_pattern_mismatch": lambda c: f"expected text that matches {c.get('pattern')}",
    "string_not_ascii": "expected text of ASCII characters alone",
    "bytes_too_short": _size("at least", "min_length", "byte"),
    "bytes_too_long": _size("at most", "max_length", "byte"),
    "bytes_invalid_encoding": lambda c: f"expected text in {c.get('encoding')}",
    "url_too_long": _size("at most", "max_length", "character"),
    "too_short": _size("at least", "min_length"),
    "too_long": _size("at most", "max_length"),
    "greater_than": _bound("a value greater than", "gt"),
    "greater_than_equal": _bound("a value of at least", "ge"),
    "less_than": _bound("a value less than", "lt"),
    "less_than_equal": _bound("a value of at most", "le"),
    "multiple_of": _bound("a multiple of", "multiple_of"),
    "finite_number": "expected a finite number",
    "decimal_max_digits": lambda c: f"expected at most {c.get('max_digits')} digits",
    "decimal_max_places": lambda c: f"expected at most {c.get('decimal_places')} decimal places",
    "decimal_whole_digits": lambda c: (
        f"expected at most {c.get('whole_digits')} digits before the decimal point"
    ),
    "literal_error": _one_of,
    "enum": _one_of,
    "union_tag_invalid": lambda c: _one_of({"expected": c.get("expected_tags", "")}),
    "union_tag_not_found": "required, but missing",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dataclass_type": _OBJECT,
    "dataclass_exact_type": _OBJECT,
    "named_tuple_type": _ARRAY,
    "arguments_type": _ARRAY,
    "dict_type": _OBJECT,
    "frozen_dict_type": _OBJECT,
    "ordered_dict_type": _OBJECT,
    "counter_type": _OBJECT,
    "mapping_type": _OBJECT,
    "list_type": _ARRAY,
    "deque_type": _ARRAY,
    "tuple_type": _ARRAY,
    "set_type": _ARRAY,
    "frozen_set_type": _ARRAY,
    "iterable_type": _ARRAY,
    "sequence_str": _ARRAY,
    "set_item_not_hashable": "expected a value that is no object or array",
    "url_scheme": lambda c: f"expected a URL that begins with {c.get('expected_schemes')}",
    "uuid_version": lambda c: f"expected a UUID of version {c.get('expected_version')}",
    "date_past": "expected a date in the past",
    "date_future": "expected a date in the future",
    "date_from_datetime_inexact": "expected a date (YYYY-MM-DD) without a time",
    "datetime_past": "expected a date and time in the past",
    "datetime_future": "expected a date and time in the future",
    "timezone_naive": "expected a time without a time zone",
    "timezone_aware": "expected a time with a time zone, such as 2025-01-31T12:00:00Z",
    "timezone_offset": lambda c: f"expected a time zone {c.get('tz_expected')} seconds from UTC",
    "value_error": _reason,
    "assertion_error": _reason,
    "recursion_loop": "refers to itself",
    "recursion_depth_exceeded": "is nested too deeply",
    "path_type": "expected a path as text",
    "pattern_type": "expected a regular expression as text",
    "pattern_str_type": "expected a regular expression as text",
    "pattern_regex": "expected a valid regular expression",
    "import_error": "expected a dotted name that can be imported",
    "is_instance_of": _OTHER,
    "is_subclass_of": _OTHER,
    "callable_type": _OTHER,
}
_KIND = re.compile(
    r"""(?P<kind>int|float|decimal|fraction|bool|datetime|date|time_delta|time|uuid|url|bytes
        |complex|ip_v[46]_(?:address|network|interface)|ip_any_(?:address|network|interface))
        _?(?:type|parsing|object_invalid|from_\w+|parsing_size|syntax_violation|str_parsing|)""",
    re.VERBOSE,
)
_OF_KIND = {
    "int": "expected an integer",
    "float": "expected a number",
    "decimal": "expected a decimal number",
    "fraction": "expected a fraction such as 1/3, or a number",
    "bool": "expected true or false",
    "datetime": "expected a date and time (YYYY-MM-DDTHH:MM:SS)",
    "date": "expected a date (YYYY-MM-DD)",
    "time_delta": "expected a duration (ISO 8601 such as PT1H30M, or seconds)",
    "time": "expected a time (HH:MM:SS)",
    "uuid": "expected a UUID",
    "url": "expected a URL",
    "bytes": "expected text",
    "complex": "expected a complex number as text",
}
_OF_KIND |= {
    f"ip_{version}_{what}": f"expected an {shown} {what}"
    for version, shown in (("v4", "IPv4"), ("v6", "IPv6"), ("any", "IP"))
    for what in ("address", "network", "interface")
}
