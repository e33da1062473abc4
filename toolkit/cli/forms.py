"""The fields of a server's form: how one is asked, how it is read, and why it does not fit."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard
from urllib.parse import urlsplit

__all__ = ["Field", "fields_of"]

_WORDS = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
# How many choices a line shows.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Field:
    """One field, and whether the form must have it."""

    name: str
    schema: Mapping[str, Any]
    needed: bool

    @property
    def choices(self) -> list[tuple[Any, str]]:
        """What it may be, each with its title; of a list, what may stand in it."""
        return _choices(self.schema) or _choices(self.schema.get("items"))

    @property
    def prompt(self) -> str:
        """`city (text): Where to? ` with the choices and the default."""
        about = str(self.schema.get("description") or self.schema.get("title") or "")
        facts = [self._kind(), *([] if self.needed else ["optional"])]
        if "default" in self.schema:
            facts.append(f"default {self._shown(self.schema['default'])}")
        return f"  {self.name} ({', '.join(facts)}){f' {about}' if about else ''}: "

    def _kind(self) -> str:
        kind = str(self.schema.get("type", "text"))
        if not (choices := self.choices):
            return kind
        titles = [title for _, title in choices[:_SHOWN]]
        told = "|".join([*titles, *(["…"] if len(choices) > _SHOWN else [])])
        return f"{told}; several with commas" if kind == "array" else told

    def _shown(self, value: Any) -> str:
        """A value by its title, a list without its brackets."""
        if isinstance(value, list):
            return ", ".join(map(self._shown, value))
        found = (title for choice, title in self.choices if choice == value)
        return next(found, value if isinstance(value, str) else json.dumps(value))

    def read(self, text: str) -> Any:
        """Read an answer; what can't be read as the field wants it stays text, and does not fit.

        A choice is taken by its value or its title, a list as JSON or with commas.
        """
        found = self._readings(text)
        fitting = (value for value in found if self.fault(value) is None)
        return next(fitting, next((value for value in found if value != text), text))

    def _readings(self, text: str) -> list[Any]:
        """What an answer may mean, the likeliest first."""
        found = [value for value, title in self.choices if text in (value, title)]
        low = text.casefold()
        found += [value for value, title in self.choices if low == title.casefold()]
        kinds = self.schema.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if "string" in kinds or kinds == [None]:
            found.append(text)
        if "boolean" in kinds and low in _WORDS:
            found.append(_WORDS[low])
        if kinds != ["string"]:
            with contextlib.suppress(ValueError, RecursionError):
                found.append(json.loads(text, parse_constant=_no_number))
        if "array" in kinds and not any(isinstance(one, list) for one in found):
            found.append([self._item(part.strip()) for part in text.split(",")])
        return found

    def _item(self, text: str) -> Any:
        items = self.schema.get("items")
        return Field(self.name, items, needed=True).read(text) if _is_schema(items) else text

    def fault(self, value: Any) -> str | None:
        """Why a value does not fit, in a few words; None where it does."""
        from ..errors import ToolkitError
        from ..schema.check import checker

        form = {"type": "object", "properties": {"": dict(self.schema)}}
        try:
            faults = checker(form)({"": value})
        except ToolkitError as error:  # a schema that is none
            return error.message
        told = [what for _, what in faults] or _format_faults(self.schema, value)
        if not told and not _is_sendable(value):
            told = ["a form has only text, numbers, true or false, and lists of text"]
        return "; ".join(told) or None


def fields_of(schema: Mapping[str, Any]) -> list[Field]:
    """The fields of a form, in order; those that it must have and does not describe, too."""
    found = schema.get("properties")
    properties = found if isinstance(found, Mapping) else {}
    required = schema.get("required")
    needed = [one for one in required if isinstance(one, str)] if _is_list(required) else []
    names = dict.fromkeys([*map(str, properties), *needed])
    described = {name: properties.get(name) for name in names}
    return [
        Field(name, field if _is_schema(field) else {}, needed=name in needed)
        for name, field in described.items()
    ]


def _choices(schema: Any) -> list[tuple[Any, str]]:
    if not _is_schema(schema):
        return []
    for key in ("oneOf", "anyOf"):
        options = schema.get(key)
        options = options if _is_list(options) else []
        named = [one for one in options if _is_schema(one) and "const" in one]
        if named and len(named) == len(options):
            return [(one["const"], str(one.get("title") or one["const"])) for one in named]
    values, titles = schema.get("enum"), schema.get("enumNames")
    if not _is_list(values):
        return []
    if not _is_list(titles) or len(titles) != len(values):
        titles = values
    return [(value, str(title)) for value, title in zip(values, titles, strict=True)]


def _format_faults(schema: Mapping[str, Any], value: Any) -> list[str]:
    """The formats that the protocol knows: email, uri, date and date-time."""
    if not isinstance(value, str):
        return []
    kind = schema.get("format")
    if kind == "email" and not _MAIL.fullmatch(value):
        return ["expected an email address, such as name@example.org"]
    if kind == "uri" and not _is_uri(value):
        return ["expected a URI, such as https://example.org"]
    if kind == "date" and not _is_date(value):
        return ["expected a date, such as 2026-01-31"]
    if kind == "date-time" and not _is_time(value):
        return ["expected a date and time, such as 2026-01-31T12:00:00Z"]
    return []


def _no_number(text: str) -> Any:
    raise ValueError(text)  # NaN and Infinity are no JSON


def _is_sendable(value: Any) -> bool:
    """Whether the protocol has a place for such an answer."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | float)


def _is_uri(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and not re.search(r"\s", text)


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None


def _is_time(text: str) -> bool:
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return found.tzinfo is not None and "T" in text.upper()


def _is_schema(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
