"""Whatever is nested in whatever, the result can be written as strict JSON."""

from __future__ import annotations

import collections
import decimal
import json
import math
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from toolkit import ToolUse
from toolkit.formats.bedrock import result_json
from toolkit.results import from_value
from toolkit.types import Json, Text, ToolContext, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

USE = ToolUse("use-1", "it")


class NoText:
    def __str__(self) -> str:
        raise ValueError("no text")


class Holder(BaseModel):
    held: Any


class Failing(collections.abc.Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise OSError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(("a",))

    def __len__(self) -> int:
        return 1


def cycle() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(),
    st.floats(allow_nan=False, allow_infinity=False),
)
LEAVES = st.one_of(
    PLAIN,
    st.sampled_from([math.nan, -math.inf, "\ud800", "\x00", decimal.Decimal("NaN")]),
    st.binary(max_size=8),
    st.sampled_from([object(), len, ValueError("v"), NoText(), Failing(), Text("\ud800")]),
    st.builds(cycle),
    st.builds(lambda: Json({"n": math.nan})),
    st.builds(lambda: (n for n in (1, object()))),
)
KEYS = st.one_of(st.text(max_size=4), st.integers(), st.none(), st.sampled_from(["\ud800", b"k"]))


def nested(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(KEYS, inner, max_size=4),
            st.lists(inner, max_size=3).map(tuple),
            st.builds(lambda held: Holder.model_construct(held=held), inner),
            st.builds(lambda part: {"status": "success", "content": [part]}, inner),
            st.builds(lambda part: {"status": "error", "content": [{"json": part}]}, inner),
            st.builds(lambda part: ToolResult("x", "success", (part,)), inner),
        ),
        max_leaves=12,
    )


@settings(max_examples=300, deadline=None)
@given(value=nested(LEAVES), structured=st.booleans())
def test_whatever_is_nested_in_whatever_the_result_is_strict_json(
    value: Any, *, structured: bool
) -> None:
    if isinstance(value, NoText):  # of which nothing at all can be said
        return
    result = from_value(USE, value, context=ToolContext(USE), structured=structured)
    written = json.dumps(result_json(result), allow_nan=False, ensure_ascii=False).encode()
    assert json.loads(written)["toolUseId"] == "use-1"
    result.text.encode()


@settings(max_examples=200, deadline=None)
@given(
    value=st.recursive(
        PLAIN,
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    result = from_value(USE, value, context=ToolContext(USE), structured=True)
    if isinstance(value, str):
        assert result.text == value
    else:
        assert json.loads(result.text) == value
        assert result.structured == value
