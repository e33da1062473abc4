from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.formats import FORMATS, by_name
from toolkit.formats.tokens import ESTIMATE, cost, first_sentence
from toolkit.types import ToolSpec

SPEC = ToolSpec(
    "get_weather",
    "Say the weather of a city. It is asked of a service.\n\nSecond paragraph.",
    {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "Where."}},
        "required": ["city"],
    },
)


# What o200k_base counts for these texts.
@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ('{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}', 19),
        ("The quick brown fox jumps over the lazy dog.", 10),
        (
            "获取指定城市的天气预报。参数包括城市名称、天数和温度单位。如果城市不存在，返回错误信息。",
            27,
        ),
        ("Возвращает прогноз погоды для указанного города.", 11),
        ("get_weather_forecast_for_city", 6),
    ],
)
def test_the_estimate_is_near(text: str, exact: int) -> None:
    assert ESTIMATE.count(text) == pytest.approx(exact, rel=0.3, abs=2)


def test_nothing_costs_nothing_and_something_at_least_one() -> None:
    assert ESTIMATE.count("") == 0
    assert ESTIMATE.count(" ") == 1


@settings(deadline=None)
@given(first=st.text(), second=st.text())
def test_more_text_never_costs_less(first: str, second: str) -> None:
    assert ESTIMATE.count(first + " " + second) + 1 >= ESTIMATE.count(first)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_parts_are_parts_of_the_whole_and_the_method_is_named(name: str) -> None:
    told = cost(SPEC, by_name(name))
    assert told.total >= told.name + told.description
    assert told.total >= told.parameters > told.name > 0
    assert told.deferred < told.total
    assert told.method == "pieces of text, fitted to o200k_base"
    assert told.exact is False
    assert set(told.to_json()) == {
        "total",
        "name",
        "description",
        "parameters",
        "deferred",
        "method",
        "exact",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Say it. Then more.", "Say it."),
        ("Say e.g. this and v1.2 too. Then more.", "Say e.g. this and v1.2 too."),
        ("One line\nwraps here.\n\nMore.", "One line wraps here."),
        ("No end", "No end"),
        ("", ""),
    ],
)
def test_the_first_sentence_is_what_hosts_show_that_defer(text: str, expected: str) -> None:
    assert first_sentence(text) == expected
