"""Annotations of single values: what a model sees, and what the function gets."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import re
import typing
import uuid
import zoneinfo
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Optional, TypeVar

import annotated_types
import pydantic
import pytest
import typing_extensions
from pydantic import Field, StringConstraints

from .rows import Row, check


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Word(enum.StrEnum):
    YES = "y"
    NO = "n"


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Colour(enum.Enum):
    RED = "red"
    RGB = (1, 2, 3)


class Right(enum.IntFlag):
    READ = 1
    WRITE = 2


class Numbered(enum.Enum):
    FIRST = enum.auto()
    SECOND = enum.auto()


UserId = NewType("UserId", int)
Free = TypeVar("Free")
Bounded = TypeVar("Bounded", bound=int)
Chosen = TypeVar("Chosen", int, str)
Port = typing_extensions.TypeAliasType("Port", Annotated[int, Field(ge=1, le=65535)])


def not_negative(value: int) -> int:
    if value < 0:
        raise ValueError("must not be negative")
    return value


INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
NUMBER = {"type": "number"}

PLAIN = {
    "int": Row(
        int, INTEGER, ((3, 3),), (("x", "expected an integer"), (1.5, "got 1.5")), (("3", 3),)
    ),
    "float": Row(float, NUMBER, ((1.5, 1.5), (2, 2.0)), (("x", "expected a number"),)),
    "str": Row(str, TEXT, (("00123", "00123"), ("null", "null")), ((5, "expected text, got 5"),)),
    "bool": Row(
        bool,
        {"type": "boolean"},
        ((True, True),),
        ((2, "expected true or false, got 2"),),
        (("yes", True), ("false", False)),
    ),
    "none": Row(None, {"type": "null"}, ((None, None),), ((1, "expected null, got 1"),)),
    "any": Row(Any, {}, ((None, None), ([1], [1]), ("5", "5"))),
    "object": Row(object, {}, (({"a": 1}, {"a": 1}),)),
    "literal string": Row(typing.LiteralString, TEXT, (("x", "x"),)),
    "bytes": Row(bytes, {"type": "string", "format": "binary"}, (("hi", b"hi"),)),
    "complex": Row(complex, TEXT, (("1+2j", 1 + 2j),), (("x", "expected a complex number"),)),
    "path": Row(
        Path, {"type": "string", "format": "path"}, (("/a", Path("/a")),), ((1, "a path as text"),)
    ),
    "decimal": Row(
        decimal.Decimal,
        {"anyOf": [NUMBER, TEXT]},
        (("1.50", decimal.Decimal("1.50")),),
        (("x", "expected a decimal number"),),
    ),
    "fraction": Row(
        fractions.Fraction,
        {"anyOf": [NUMBER, {"type": "string", "format": "fraction"}]},
        (("1/3", fractions.Fraction(1, 3)),),
        (("x", "expected a fraction"),),
    ),
    "datetime": Row(
        dt.datetime,
        {"type": "string", "format": "date-time"},
        (("2024-05-06T07:08:09", dt.datetime(2024, 5, 6, 7, 8, 9)),),  # noqa: DTZ001 - naive
        (("soon", "expected a date and time"),),
    ),
    "date": Row(
        dt.date,
        {"type": "string", "format": "date"},
        (("2024-05-06", dt.date(2024, 5, 6)),),
        (("2024-13-01", "expected a date (YYYY-MM-DD)"),),
    ),
    "time": Row(
        dt.time,
        {"type": "string", "format": "time"},
        (("07:08", dt.time(7, 8)),),
        (("noon", "expected a time (HH:MM:SS)"),),
    ),
    "timedelta": Row(
        dt.timedelta,
        {"type": "string", "format": "duration"},
        (("PT90M", dt.timedelta(minutes=90)),),
        (("long", "expected a duration"),),
        ((30, dt.timedelta(seconds=30)),),
    ),
    "uuid": Row(
        uuid.UUID,
        {"type": "string", "format": "uuid"},
        (("12345678123456781234567812345678", uuid.UUID("12345678" * 4)),),
        (("x", "expected a UUID"),),
    ),
    "zone": Row(
        zoneinfo.ZoneInfo,
        {"type": "string", "format": "zoneinfo"},
        (("UTC", zoneinfo.ZoneInfo("UTC")),),
        (("Nowhere/At_All", "invalid timezone"),),
    ),
    "pattern": Row(
        re.Pattern[str],
        {"type": "string", "format": "regex"},
        (("a+", re.compile("a+")),),
        (("(", "expected a valid regular expression"),),
    ),
    "ip address": Row(
        ipaddress.IPv4Address,
        {"type": "string", "format": "ipv4"},
        (("10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),),
        (("10", "expected an IPv4 address"),),
    ),
    "url": Row(
        pydantic.HttpUrl,
        {"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083},
        (("https://a.org/", pydantic.HttpUrl("https://a.org/")),),
        (("a.org", "expected a URL"), ("ftp://a", "expected a URL that begins with")),
    ),
    "secret": Row(
        pydantic.SecretStr,
        {"type": "string", "format": "password", "writeOnly": True},
        (("abc", pydantic.SecretStr("abc")),),
        ((12345, "a value that is not shown"),),
    ),
    "new type": Row(UserId, INTEGER, ((3, 3),)),
    "free variable": Row(Free, {}, (([1], [1]),)),
    "bounded variable": Row(Bounded, INTEGER, ((3, 3),)),
    "variable of choices": Row(Chosen, {"anyOf": [INTEGER, TEXT]}, ((3, 3), ("a", "a"))),
    "alias type": Row(
        Port, {"type": "integer", "minimum": 1, "maximum": 65535}, ((80, 80),), ((0, "at least 1"),)
    ),
}
CHOICES = {
    "literal": Row(
        Literal["a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        (("a", "a"),),
        (("c", 'expected one of "a", "b", got "c"'),),
    ),
    "literal of one": Row(
        Literal["a"], {"type": "string", "const": "a"}, (("a", "a"),), (("b", 'expected "a"'),)
    ),
    "literal of words with or": Row(
        Literal["now or never", "it's"],
        {"type": "string", "enum": ["now or never", "it's"]},
        (("it's", "it's"),),
        (("x", 'expected one of "now or never", "it\'s", got "x"'),),
    ),
    "literal of several kinds": Row(
        Literal[1, "x", None],  # noqa: PYI061 - as people write it
        {"enum": [1, "x", None]},
        ((1, 1), (None, None)),
        (("1", 'expected one of 1, "x", null, got "1"'),),
    ),
    "literal with a member": Row(
        Literal[Mixed.ONE, "z"],
        {"enum": [1, "z"]},
        (("z", "z"), (1, Mixed.ONE)),
        (("q", 'one of 1, "z"'), (True, 'one of 1, "z"')),
    ),
    "a strict type": Row(
        Annotated[dt.date, pydantic.Strict()],
        {"type": "string", "format": "date"},
        (("2024-01-02", dt.date(2024, 1, 2)),),
        (("today", "expected a date"),),
    ),
    "int enum": Row(
        Level,
        {"type": "integer", "enum": [1, 3]},
        ((3, Level.HIGH),),
        ((2, "expected one of 1, 3, got 2"), ("HIGH", "expected one of 1, 3")),
    ),
    "str enum": Row(Word, {"type": "string", "enum": ["y", "n"]}, (("y", Word.YES),)),
    "mixed enum": Row(Mixed, {"enum": [1, "two"]}, (("two", Mixed.TWO), (1, Mixed.ONE))),
    "automatic enum": Row(Numbered, {"type": "integer", "enum": [1, 2]}, ((2, Numbered.SECOND),)),
    "enum with a tuple": Row(Colour, {"enum": ["red", [1, 2, 3]]}, (([1, 2, 3], Colour.RGB),)),
    "flag": Row(
        Right,
        {"type": "integer", "minimum": 0, "maximum": 3},
        ((3, Right.READ | Right.WRITE), (1, Right.READ)),
    ),
}
CONSTRAINED = {
    "field": Row(
        Annotated[int, Field(ge=0, lt=10, multiple_of=2)],
        {"type": "integer", "minimum": 0, "exclusiveMaximum": 10, "multipleOf": 2},
        ((4, 4),),
        ((-2, "at least 0"), (10, "less than 10"), (3, "a multiple of 2")),
    ),
    "annotated types": Row(
        Annotated[int, annotated_types.Gt(0), annotated_types.Le(5)],
        {"type": "integer", "exclusiveMinimum": 0, "maximum": 5},
        ((5, 5),),
        ((0, "greater than 0"), (6, "at most 5")),
    ),
    "interval": Row(
        Annotated[float, annotated_types.Interval(ge=0, le=1)],
        {"type": "number", "minimum": 0, "maximum": 1},
        ((0.5, 0.5),),
        ((1.5, "at most 1"),),
    ),
    "positive": Row(
        pydantic.PositiveInt,
        {"type": "integer", "exclusiveMinimum": 0},
        ((1, 1),),
        ((0, "than 0"),),
    ),
    "not negative": Row(pydantic.NonNegativeFloat, {"type": "number", "minimum": 0}, ((0.0, 0.0),)),
    "conint": Row(pydantic.conint(ge=3), {"type": "integer", "minimum": 3}, ((3, 3),)),
    "constr": Row(
        pydantic.constr(max_length=2),
        {"type": "string", "maxLength": 2},
        (("ab", "ab"),),
        (("abc", "expected at most 2 characters"),),
    ),
    "one character": Row(
        Annotated[str, Field(min_length=1)],
        {"type": "string", "minLength": 1},
        (("a", "a"),),
        (("", "expected at least 1 character,"),),
    ),
    "string constraints": Row(
        Annotated[str, StringConstraints(pattern="^a", strip_whitespace=True)],
        {"type": "string", "pattern": "^a"},
        (("ab", "ab"),),
        (("b", "expected text that matches ^a"),),
    ),
    "strict": Row(pydantic.StrictInt, INTEGER, ((1, 1),), (("1", 'expected an integer, got "1"'),)),
    "finite": Row(pydantic.FiniteFloat, NUMBER, ((1.0, 1.0),)),
    "before": Row(
        Annotated[int, pydantic.BeforeValidator(lambda value: value * 2)], INTEGER, ((2, 4),)
    ),
    "after": Row(
        Annotated[int, pydantic.AfterValidator(not_negative)],
        INTEGER,
        ((2, 2),),
        ((-1, "x: must not be negative"),),
    ),
    "plain": Row(Annotated[int, pydantic.PlainValidator(str)], {}, ((2, "2"),)),
    "wrap": Row(
        Annotated[int, pydantic.WrapValidator(lambda value, inner: inner(value) + 1)],
        INTEGER,
        ((2, 3),),
    ),
    "past": Row(
        pydantic.PastDate,
        {"type": "string", "format": "date"},
        (("2001-01-01", dt.date(2001, 1, 1)),),
        (("2999-01-01", "expected a date in the past"),),
    ),
    "aware": Row(
        pydantic.AwareDatetime,
        {"type": "string", "format": "date-time"},
        (),
        (("2024-01-01T00:00:00", "expected a time with a time zone"),),
    ),
    "json in text": Row(
        pydantic.Json[list[int]],
        {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"type": "array", "items": INTEGER},
        },
        (("[1]", [1]),),
        (("[", "expected text that is JSON"), ('["a"]', "x.0: expected an integer")),
    ),
    "title, examples and more": Row(
        Annotated[int, Field(title="Height", examples=[1], json_schema_extra={"x-unit": "m"})],
        {"type": "integer", "title": "Height", "examples": [1], "x-unit": "m"},
        ((1, 1),),
    ),
    "nested": Row(
        Annotated[Annotated[int, Field(ge=1)], Field(le=3)],
        {"type": "integer", "minimum": 1, "maximum": 3},
        ((2, 2),),
        ((0, "at least 1"), (4, "at most 3")),
    ),
}
UNIONS = {
    "nullable": Row(
        Optional[int],  # noqa: UP045 - both ways of writing it
        {"anyOf": [INTEGER, {"type": "null"}]},
        ((None, None), (1, 1)),
        (("x", "expected an integer"),),
    ),
    "two kinds": Row(
        int | str,
        {"anyOf": [INTEGER, TEXT]},
        ((1, 1), ("1", "1")),
        ((1.5, "x: expected an integer or text, got 1.5"),),
    ),
    "numbers": Row(float | int, {"anyOf": [NUMBER, INTEGER]}, ((1, 1), (1.5, 1.5))),
    "choice or kind": Row(
        Literal["auto"] | int,
        {"anyOf": [{"type": "string", "const": "auto"}, INTEGER]},
        (("auto", "auto"), (3, 3)),
        (("x", 'expected "auto" or an integer, got "x"'),),
    ),
    "constrained inside": Row(
        Annotated[int, Field(ge=1)] | None,
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        ((1, 1), (None, None)),
        ((0, "at least 1"),),
    ),
}
ROWS = {**PLAIN, **CHOICES, **CONSTRAINED, **UNIONS}


@pytest.mark.parametrize("name", ROWS)
def test_a_model_sees_what_the_function_takes_and_it_gets_what_its_hint_says(name: str) -> None:
    check(ROWS[name])
