"""What a model is told of a bad input: the path, what was expected, what came."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import json
import re
import typing
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError, core_schema

from toolkit.schema.faults import Fault, closest, describe, explain, short
from toolkit.schema.wording import expected

from .rows import refused, taken


class Shape(enum.Enum):
    ROUND = "round"
    SQUARE = 4


class Point(NamedTuple):
    x: int
    y: int = 0


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    quantity: int = 1


class Inner(BaseModel):
    closed: Closed
    items: list[Closed] = []


@dataclass
class Record:
    name: str


class Keyed(typing.TypedDict):
    name: str


def kind_of(value: Any) -> Any:
    return value.get("t") if isinstance(value, dict) else None


Told = Annotated[
    Annotated[Closed, pydantic.Tag("one")] | Annotated[Inner, pydantic.Tag("two")],
    pydantic.Discriminator(kind_of),
]


def asserting(value: int) -> int:
    if value % 2:
        raise AssertionError("must be even")
    return value


def custom(value: str) -> str:
    raise PydanticCustomError("no_such_city", "there is no city called {city}", {"city": value})


def nested(value: Any) -> Any:
    return Closed.model_validate(value)


def silent(_: Any) -> Any:
    raise ValueError


def constrained(kind: Any, **limits: Any) -> Any:
    return Annotated[kind, Field(**limits)]


def checked(function: Any) -> Any:
    return Annotated[Any, pydantic.AfterValidator(function)]


FAULTS: list[tuple[Any, Any, str]] = [
    (int, "abc", 'x: expected an integer, got "abc"'),
    (int, 1.5, "x: expected an integer, got 1.5"),
    (int, None, "x: expected an integer, got null"),
    (int, [], "x: expected an integer, got an empty array"),
    (int, "9" * 5000, f'x: expected an integer, got "{"9" * 58}…'),
    (float, "a", 'x: expected a number, got "a"'),
    (bool, "maybe", 'x: expected true or false, got "maybe"'),
    (bool, [1], "x: expected true or false, got an array of 1"),
    (str, 5, "x: expected text, got 5"),
    (str, True, "x: expected text, got true"),
    (str, {"a": 1}, "x: expected text, got an object with 1 key"),
    (str, {"a": 1, "b": 2}, "x: expected text, got an object with 2 keys"),
    (bytes, 5, "x: expected text, got 5"),
    (complex, "q", 'x: expected a complex number as text, got "q"'),
    (decimal.Decimal, "1,5", 'x: expected a decimal number, got "1,5"'),
    (
        constrained(decimal.Decimal, max_digits=2),
        "1.23",
        'x: expected at most 2 digits, got "1.23"',
    ),
    (
        constrained(decimal.Decimal, decimal_places=1),
        "1.23",
        'x: expected at most 1 decimal places, got "1.23"',
    ),
    (constrained(int, gt=1), 1, "x: expected a value greater than 1, got 1"),
    (constrained(int, ge=1), 0, "x: expected a value of at least 1, got 0"),
    (constrained(int, lt=1), 1, "x: expected a value less than 1, got 1"),
    (constrained(int, le=1), 2, "x: expected a value of at most 1, got 2"),
    (constrained(int, multiple_of=5), 7, "x: expected a multiple of 5, got 7"),
    (pydantic.FiniteFloat, float("inf"), "x: expected a finite number, got Infinity"),
    (constrained(str, min_length=2), "a", 'x: expected at least 2 characters, got "a"'),
    (constrained(str, min_length=1), "", 'x: expected at least 1 character, got ""'),
    (constrained(str, max_length=1), "ab", 'x: expected at most 1 character, got "ab"'),
    (constrained(str, pattern="^a+$"), "b", 'x: expected text that matches ^a+$, got "b"'),
    (constrained(bytes, max_length=1), "ab", 'x: expected at most 1 byte, got "ab"'),
    (constrained(list[int], min_length=1), [], "x: expected at least 1 item, got an empty array"),
    (constrained(list[int], max_length=1), [1, 2], "x: expected at most 1 item, got an array of 2"),
    (
        constrained(dict[str, int], min_length=1),
        {},
        "x: expected at least 1 key, got an empty object",
    ),
    (list[int], "1,2", 'x: expected an array, got "1,2"'),
    (list[int], {}, "x: expected an array, got an empty object"),
    (list[int], [1, "b"], 'x.1: expected an integer, got "b"'),
    (set[int], 1, "x: expected an array, got 1"),
    (set[Any], [[1]], "x.0: expected a value that is no object or array, got an array of 1"),
    (frozenset[int], 1, "x: expected an array, got 1"),
    (tuple[int, int], [1], "x.1: required, but missing"),
    (tuple[int, int], [1, 2, 3], "x: expected at most 2 items, got an array of 3"),
    (collections.deque[int], 1, "x: expected an array, got 1"),
    (collections.OrderedDict[str, int], [], "x: expected an object, got an empty array"),
    (collections.Counter[str], 1, "x: expected an object, got 1"),
    (collections.abc.Mapping[str, int], 1, "x: expected an object, got 1"),
    (collections.abc.Sequence[str], "abc", 'x: expected an array, got "abc"'),
    (dict[str, int], [], "x: expected an object, got an empty array"),
    (dict[str, int], {"a": "b"}, 'x.a: expected an integer, got "b"'),
    (dict[int, int], {"a": 1}, "x.a: not a key that is allowed: expected an integer"),
    (Point, {"y": 1}, "x.x: required, but missing"),
    (Point, "a", 'x: expected an array, got "a"'),
    (Point, {"x": 1, "z": 1}, "x.z: is not allowed here"),
    (Literal["a", "b"], "c", 'x: expected one of "a", "b", got "c"'),
    (Literal["a"], "c", 'x: expected "a", got "c"'),
    (Literal["or", "a, b", True], "c", 'x: expected one of "or", "a, b", true, got "c"'),
    (Literal["日本", "it's"], "c", 'x: expected one of "日本", "it\'s", got "c"'),
    (Shape, "oval", 'x: expected one of "round", 4, got "oval"'),
    (dt.datetime, "soon", 'x: expected a date and time (YYYY-MM-DDTHH:MM:SS), got "soon"'),
    (dt.date, "2024-02-30", 'x: expected a date (YYYY-MM-DD), got "2024-02-30"'),
    (
        dt.date,
        "2024-02-03T10:00:00",
        'x: expected a date (YYYY-MM-DD) without a time, got "2024-02-03T10:00:00"',
    ),
    (dt.time, "25:00", 'x: expected a time (HH:MM:SS), got "25:00"'),
    (
        dt.timedelta,
        "1 moon",
        'x: expected a duration (ISO 8601 such as PT1H30M, or seconds), got "1 moon"',
    ),
    (pydantic.PastDate, "2999-01-01", 'x: expected a date in the past, got "2999-01-01"'),
    (pydantic.FutureDate, "1999-01-01", 'x: expected a date in the future, got "1999-01-01"'),
    (
        pydantic.NaiveDatetime,
        "2024-01-01T00:00Z",
        'x: expected a time without a time zone, got "2024-01-01T00:00Z"',
    ),
    (uuid.UUID, "1", 'x: expected a UUID, got "1"'),
    (pydantic.UUID4, "12345678" * 4, f'x: expected a UUID of version 4, got "{"12345678" * 4}"'),
    (pydantic.AnyUrl, "x", 'x: expected a URL, got "x"'),
    (
        pydantic.HttpUrl,
        "ftp://x",
        "x: expected a URL that begins with 'http' or 'https', got \"ftp://x\"",
    ),
    (pydantic.IPvAnyAddress, "x", 'x: expected an IP address, got "x"'),
    (Path, 5, "x: expected a path as text, got 5"),
    (pydantic.FilePath, "/no/such", 'x: path does not point to a file, got "/no/such"'),
    (re.Pattern[str], "(", 'x: expected a valid regular expression, got "("'),
    (re.Pattern[str], 5, "x: expected a regular expression as text, got 5"),
    (pydantic.Json[int], "{", 'x: expected text that is JSON, got "{"'),
    (pydantic.Json[int], 5, "x: expected JSON as text, got 5"),
    (None, 1, "x: expected null, got 1"),
    (Closed, "a", 'x: expected an object, got "a"'),
    (Record, [1], "x: expected an object, got an array of 1"),
    (Record, {"nam": "a"}, "x.name: required, but missing; 'nam' is not known, is it meant?"),
    (Keyed, 1, "x: expected an object, got 1"),
    (Keyed, {}, "x.name: required, but missing"),
    (
        Closed,
        {"name": "a", "quantiti": 1},
        "x.quantiti: is not allowed here; did you mean 'quantity'?",
    ),
    (Closed, {"name": "a", "zzz": 1}, "x.zzz: is not allowed here; known are name, quantity"),
    (Inner, {"closed": {"name": 1}}, "x.closed.name: expected text, got 1"),
    (Inner, {"closed": {"name": "a"}, "items": [{}]}, "x.items.0.name: required, but missing"),
    (int | list[str], "a", 'x: expected an integer or an array, got "a"'),
    (int | list[str], [1], "x.0: expected text, got 1"),
    (
        int | list[str] | bool | None,
        "a",
        'x: expected an integer, an array or true or false, got "a"',
    ),
    (
        constrained(int, ge=9) | constrained(str, min_length=9),
        "ab",
        'x: expected at least 9 characters, got "ab"',
    ),
    (Literal["a", "b", "c"], "d", 'x: expected one of "a", "b", "c", got "d"'),
    (Told, {"t": "three"}, 'x: expected one of "one", "two" as its kind, got "three"'),
    (Told, {}, "x: expected a value whose kind can be told, got an empty object"),
    (checked(asserting), 3, "x: must be even"),
    (checked(silent), 3, "x: not valid"),
    (checked(custom), "Oz", 'x: there is no city called Oz, got "Oz"'),
    (checked(nested), {"name": 1}, "x.name: expected text, got 1"),
]


def _taking(hint: Any) -> Any:
    def f(x: Any) -> None:
        """Take what the row says."""

    f.__annotations__ = {"x": hint}
    return f


@pytest.mark.parametrize(("hint", "given", "told"), FAULTS)
def test_a_bad_value_is_told_with_its_path(hint: Any, given: Any, told: str) -> None:
    assert refused(_taking(hint), {"x": given}) == told


@pytest.mark.parametrize("kind", typing.get_args(core_schema.ErrorType))
def test_every_error_of_the_validator_has_words_of_our_own(kind: str) -> None:
    foreign = f"Input should be a Klass, see https://errors.pydantic.dev/2/v/{kind}"
    words = expected({"type": kind, "msg": foreign, "ctx": {}})
    rare = {
        "default_factory_not_called",
        "ellipsis_error",
        "frozen_field",
        "frozen_instance",
        "get_attribute_error",
        "iteration_error",
        "missing_sentinel_error",
        "needs_python_object",
        "no_such_attribute",
    }
    assert ("Klass" in words) == (kind in rare)


def test_no_link_of_the_validator_is_passed_on() -> None:
    words = expected(
        {"type": "own", "msg": "Bad.\n    For further information visit https://errors.x/2"}
    )
    assert words == "bad."


def test_all_faults_are_told_one_a_line() -> None:
    def f(city: str, days: int, unit: Literal["c", "f"] = "c") -> None:
        """Take three."""

    told = refused(f, {"days": "soon", "unit": "k", "cty": "Oslo"})
    assert told == (
        "4 faults in the input:\n"
        "- city: required, but missing\n"
        '- days: expected an integer, got "soon"\n'
        '- unit: expected one of "c", "f", got "k"\n'
        "- cty: unknown argument, ignored; did you mean 'city'?"
    )


@pytest.mark.parametrize("name", ["password", "api_key", "apiKey", "auth_token", "client_secret"])
def test_what_looks_like_a_secret_is_not_repeated(name: str) -> None:
    function = _taking(int)
    function.__annotations__ = {"x": dict[str, int]}
    told = refused(function, {"x": {name: "hunter2"}})
    assert told == f"x.{name}: expected an integer, got a value that is not shown"


def test_what_is_declared_a_secret_is_not_repeated() -> None:
    assert refused(_taking(pydantic.SecretStr), {"x": 1234}).endswith("a value that is not shown")


def test_a_long_value_is_cut_and_a_payload_is_counted() -> None:
    assert len(short("x" * 10_000)) == 60
    assert short(list(range(10_000))) == "an array of 10000"
    assert short(object()) == "a object"


def test_an_input_that_refers_to_itself_is_a_fault() -> None:
    class Loop(BaseModel):
        again: Loop | None = None

    given: dict[str, Any] = {}
    given["again"] = given
    assert "refers to itself" in refused(_taking(Loop), {"x": given})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("citty", "city"), ("maxResults", "max_results"), ("max-results", "max_results"), ("q", None)],
)
def test_the_closest_name_is_found_whatever_its_case_and_dashes(
    typed: str, meant: str | None
) -> None:
    assert closest(typed, ["city", "max_results", "unit"], most=1) == ([meant] if meant else [])


def test_a_text_at_any_depth_is_parsed_where_a_container_is_wanted() -> None:
    function = _taking(Inner)
    given = {"x": {"closed": '{"name": "a"}', "items": ['{"name": "b"}']}}
    got = taken(function, given)["x"]
    assert got == Inner(closed=Closed(name="a"), items=[Closed(name="b")])


def test_a_text_within_a_text_is_parsed_too() -> None:
    inner = json.dumps({"closed": json.dumps({"name": "a"})})
    assert taken(_taking(Inner), {"x": inner})["x"].closed == Closed(name="a")


def test_a_text_that_is_no_json_is_told_as_it_came() -> None:
    assert refused(_taking(list[int]), {"x": "[1,"}) == 'x: expected an array, got "[1,"'


def test_faults_of_the_input_itself_have_a_name() -> None:
    assert str(Fault("", "expected an object")) == "input: expected an object"
    assert explain([Fault("a", "b")]) == "a: b"
    assert describe([], {}) == []
