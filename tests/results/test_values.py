"""What a tool returns, and what a model then reads: nothing returned can break the pipeline."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import json
import math
import pathlib
import types
import typing
import uuid
from typing import Any

import pytest
from pydantic import BaseModel, Field, computed_field, field_serializer

from toolkit import ToolUse, tool
from toolkit.formats.bedrock import result_json
from toolkit.results import from_value
from toolkit.types import ToolContext, ToolResult

USE = ToolUse("use-1", "it")


def given(value: Any) -> ToolResult:
    """The result of a call that returned it; whatever it is, it can be written strictly."""
    result = from_value(USE, value, context=ToolContext(USE))
    json.dumps(result_json(result), allow_nan=False, ensure_ascii=False).encode()
    return result


def text(value: Any) -> str:
    result = given(value)
    assert (result.status, result.structured) == ("success", None)
    assert result.tool_use_id == "use-1"
    return result.text


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Word(str, enum.Enum):  # noqa: UP042 - the older spelling is what people have
    HELLO = "hello"


class Point(BaseModel):
    x: int
    y: float = 0.5


class Aliased(BaseModel):
    inner: int = Field(default=1, serialization_alias="outer")
    other: Any = None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return self.inner * 2

    @field_serializer("other")
    def plainer(self, value: Any) -> Any:
        return f"<{value}>" if isinstance(value, int) else value


@dataclasses.dataclass
class Record:
    name: str
    when: dt.date
    tags: set[str] = dataclasses.field(default_factory=set)


class Pair(typing.NamedTuple):
    left: int
    right: str


class Typed(typing.TypedDict):
    a: int


class OddText(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not this"


DATE = dt.datetime(2026, 7, 8, 9, 10, 11, tzinfo=dt.UTC)

PLAIN: list[tuple[Any, str]] = [
    (None, "null"),
    (True, "true"),
    (0, "0"),
    (-(2**70), str(-(2**70))),
    (1.5, "1.5"),
    (math.nan, "null"),
    (math.inf, "null"),
    ("", ""),
    ("plain", "plain"),
    ("  kept \n as it is\x00\x85\u2028", "  kept \n as it is\x00\x85\u2028"),
    ('{"looks": "like JSON"}', '{"looks": "like JSON"}'),
    ("null", "null"),
    ("日本 🎌", "日本 🎌"),
    ("left \ud800 right", "left \\ud800 right"),
    (OddText("this"), "this"),
    ([], "[]"),
    ({}, "{}"),
    ((), "[]"),
    ([1, "a", None], '[1,"a",null]'),
    ({"b": 1, "a": 2}, '{"b":1,"a":2}'),
    ({"ü": "日"}, '{"ü":"日"}'),
    ([math.nan, {"a": -math.inf}], '[null,{"a":null}]'),
    ({1: "a", None: "b", (1, 2): "c"}, '{"1":"a","None":"b","1,2":"c"}'),
    ({Colour.RED: 1}, '{"red":1}'),
    ({"s": {3}}, '{"s":[3]}'),
    (frozenset({1}), "[1]"),
    (collections.deque([1, 2]), "[1,2]"),
    (collections.OrderedDict(a=1), '{"a":1}'),
    (collections.defaultdict(int, a=1), '{"a":1}'),
    (collections.Counter("aa"), '{"a":2}'),
    (collections.ChainMap({"a": 1}), '{"a":1}'),
    (types.MappingProxyType({"a": 1}), '{"a":1}'),
    ({"a": 1}.keys(), '["a"]'),
    ({"a": 1}.values(), "[1]"),
    ({"a": 1}.items(), '[["a",1]]'),
    (range(3), "[0,1,2]"),
    (map(str, [1, 2]), '["1","2"]'),
    (zip([1], [2], strict=True), "[[1,2]]"),
    ({"m": filter(None, [0, 1])}, '{"m":[1]}'),
    ((n for n in (1, 2)), "[1,2]"),
    (array.array("i", [1, 2]), "[1,2]"),
    (Colour.RED, '"red"'),
    (Level.HIGH, "3"),
    (Word.HELLO, "hello"),
    ([Word.HELLO, Level.HIGH], '["hello",3]'),
    (DATE, '"2026-07-08T09:10:11Z"'),
    (dt.date(2026, 7, 8), '"2026-07-08"'),
    (dt.time(9, 10), '"09:10:00"'),
    (dt.timedelta(days=1), '"P1D"'),
    (decimal.Decimal("1.50"), '"1.50"'),
    (uuid.UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
    (pathlib.Path("a/b"), '"a/b"'),
    (Point(x=1), '{"x":1,"y":0.5}'),
    (Aliased(other=3), '{"outer":1,"other":"<3>","twice":2}'),
    ([Point(x=1, y=math.nan)], '[{"x":1,"y":null}]'),
    (
        Record("n", dt.date(2026, 1, 2), {"t"}),
        '{"name":"n","when":"2026-01-02","tags":["t"]}',
    ),
    (Pair(1, "r"), '[1,"r"]'),
    (Typed(a=1), '{"a":1}'),
    (types.SimpleNamespace(a=1), "namespace(a=1)"),
    (b"text", "text"),
    (bytearray(b"text"), "text"),
    ({"b": b"text"}, '{"b":"text"}'),
    (b"\xff\xfe", "b'\\xff\\xfe'"),
    (ValueError("no"), "no"),
    (object, "<class 'object'>"),
    (..., "Ellipsis"),
    (1 + 2j, '"1+2j"'),
    (10**5000, str("1" + "0" * 5000)),
]


@pytest.mark.parametrize(("value", "expected"), PLAIN, ids=[str(n) for n in range(len(PLAIN))])
def test_a_value_is_text_or_json_text(value: Any, expected: str) -> None:
    assert text(value) == expected


def test_two_megabytes_of_text_come_whole() -> None:
    assert text("x" * 2_000_000) == "x" * 2_000_000
    assert len(json.loads(text(["ü" * 1_000_000]))[0]) == 1_000_000


@pytest.mark.parametrize("levels", [50, 99, 200, 1000, 100_000])
@pytest.mark.parametrize("kind", [list, dict])
def test_any_depth_comes_to_an_end(levels: int, kind: type) -> None:
    value: Any = kind()
    for _ in range(levels):
        value = [value] if kind is list else {"k": value}
    found = text(value)
    assert json.loads(found) is not None
    if levels < 200:
        assert json.loads(found) == value


def test_a_tool_may_return_itself() -> None:
    @tool
    def itself() -> Any:
        return itself

    assert text(itself) == "<tool itself>"
