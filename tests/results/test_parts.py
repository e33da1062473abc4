"""A part that has no JSON form becomes its text, and only that part."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime as dt
import itertools
import json
import math
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from pydantic import BaseModel, Field, computed_field, field_serializer

from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool
from toolkit.formats.bedrock import result_json
from toolkit.results import from_value
from toolkit.types import ToolContext, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

USE = ToolUse("use-1", "it")
DATE = dt.datetime(2026, 7, 8, 9, 10, 11, tzinfo=dt.UTC)


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


class Shown:
    def __str__(self) -> str:
        return "shown"


class Numeric:
    """As a number of an array library: no int, but it can give one."""

    def item(self) -> int:
        return 3

    def tolist(self) -> int:
        return 3

    def __str__(self) -> str:
        return "np.int64(3)"


class OnlyItem:
    def item(self) -> int:
        return 3

    def __str__(self) -> str:
        return "three"


class GivesItself:
    def tolist(self) -> Any:
        return self

    def __str__(self) -> str:
        return "itself"


class LazyMapping(collections.abc.Mapping[str, int]):
    def __init__(self, fails: str = "") -> None:
        self.fails = fails

    def __getitem__(self, key: str) -> int:
        if key == self.fails:
            raise OSError("gone")
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter("ab")

    def __len__(self) -> int:
        return 2

    def __str__(self) -> str:
        return "lazy"


class LazyList(collections.abc.Sequence[int]):
    def __getitem__(self, at: Any) -> Any:
        if at == 1:
            raise OSError("gone")
        return at

    def __len__(self) -> int:
        return 3

    def __str__(self) -> str:
        return "lazy list"


class RaisesOn:
    """Raises whatever it is asked, but its text."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __iter__(self) -> Any:
        raise RuntimeError("iter")

    def __len__(self) -> int:
        raise RuntimeError("len")

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __str__(self) -> str:
        return "raises"


class NoClass:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("class")

    def __str__(self) -> str:
        return "no class"


class HostileList(list[int]):
    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __len__(self) -> int:
        raise RuntimeError("len")


class HostileDict(dict[str, int]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError("get")


class BadProperty(BaseModel):
    a: int = 1

    @computed_field  # type: ignore[prop-decorator]
    @property
    def b(self) -> int:
        raise RuntimeError("property")

    def __str__(self) -> str:
        return "bad property"


@dataclasses.dataclass(slots=True)
class Unset:
    a: int = 1
    b: int = dataclasses.field(init=False, repr=False)

    def __str__(self) -> str:
        return "unset"


@dataclasses.dataclass
class Counted:
    name: str = "n"
    ids: Any = dataclasses.field(default_factory=itertools.count)


class NoText:
    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


def cycle() -> dict[str, Any]:
    node: dict[str, Any] = {"name": "root"}
    node["self"] = node
    return node


PARTS: list[tuple[Any, str | None]] = [
    ({"a": 1, "o": Shown()}, '{"a":1,"o":"shown"}'),
    ([Shown(), [Shown()]], '["shown",["shown"]]'),
    ({"a": 1, Shown(): 2}, '{"a":1,"shown":2}'),
    (cycle(), '{"name":"root","self":"{\'name\': \'root\', \'self\': {...}}"}'),
    ({"ok": "\ud800", "n": 1}, '{"ok":"\\\\ud800","n":1}'),
    ({"\ud800": 1}, '{"\\\\ud800":1}'),
    ([b"\xff", b"ok"], '["b\'\\\\xff\'","ok"]'),
    ([b"\xff", math.nan, DATE], '["b\'\\\\xff\'",null,"2026-07-08T09:10:11Z"]'),
    (Point.model_construct(x=Shown(), y=1.0), '{"x":"shown","y":1.0}'),
    (Aliased(other=Shown()), '{"outer":1,"other":"shown","twice":2}'),
    (Aliased(other=cycle()), None),
    (Numeric(), "3"),
    ([Numeric()], "[3]"),
    ([OnlyItem(), 1], '["three",1]'),
    (GivesItself(), "itself"),
    ([GivesItself()], '["itself"]'),
    (LazyMapping(), '{"a":1,"b":1}'),
    (LazyMapping("b"), "lazy"),
    ({"m": LazyMapping("b"), "n": 1}, '{"m":"lazy","n":1}'),
    ([LazyList()], '["lazy list"]'),
    (RaisesOn(), "raises"),
    ([RaisesOn(), 1], '["raises",1]'),
    (NoClass(), "no class"),
    ([NoClass(), 1], '["no class",1]'),
    (HostileList([1]), "[1]"),
    (HostileDict(a=1), '{"a":1}'),
    ([BadProperty(), 1], '["bad property",1]'),
    ([Unset(), 1], '["unset",1]'),
    ([NoText(), 1], '["<NoText without a text>",1]'),
    ({"g": (n for n in (1, 2)), "bad": "\ud800"}, '{"g":[1,2],"bad":"\\\\ud800"}'),
    (itertools.count(), None),
    ([itertools.count(), 1], None),
    (Counted(), None),
    (memoryview(b"ab"), '"ab"'),
    (mock.Mock(), None),
    ([mock.MagicMock(), 1], None),
    (mock.AsyncMock(), None),
]


@pytest.mark.parametrize(("value", "expected"), PARTS, ids=[str(n) for n in range(len(PARTS))])
def test_only_the_part_that_has_no_json_form_becomes_its_text(
    value: Any, expected: str | None
) -> None:
    found = text(value)
    if expected is not None:
        assert found == expected


def test_an_iterator_without_end_is_no_list() -> None:
    assert text(itertools.count()).startswith("count(")
    record = json.loads(text(Counted()))
    assert record["name"] == "n"
    assert record["ids"].startswith("count(")


def test_a_value_of_which_nothing_can_be_said_is_an_error_result() -> None:
    registry = ToolRegistry()

    @tool
    def hostile() -> Any:
        return NoText()

    registry.register(hostile)
    result = asyncio.run(ToolExecutor(registry).run(ToolUse("u", "hostile")))
    assert (result.status, result.text) == ("error", "Error: ValueError: no text")
