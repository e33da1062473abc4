"""The data behind the weather tool: complete, plausible, its source named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

DATA = json.loads((Path(__file__).parents[2] / "sample_tools" / "_climate.json").read_text("utf-8"))
CITIES = sorted(DATA["cities"])


def test_the_data_names_its_source_and_its_units() -> None:
    assert "World Meteorological Organization" in DATA["source"]
    assert "Celsius" in DATA["about"]
    assert "millimetres" in DATA["about"]


def test_there_are_cities_of_every_inhabited_continent() -> None:
    assert {"Tokyo", "Paris", "Cairo", "New York", "São Paulo", "Sydney"} <= set(CITIES)
    assert len(CITIES) >= 30


@pytest.mark.parametrize("city", CITIES)
def test_a_city_has_a_whole_and_plausible_year(city: str) -> None:
    normals = DATA["cities"][city]
    start, end = map(int, normals["period"].split("-"))
    assert end - start == 29
    assert normals["service"]
    assert len(normals["temperature"]) == len(normals["precipitation"]) == 12
    assert all(-60 < degrees < 40 for degrees in normals["temperature"])
    assert all(isinstance(rain, int) and 0 <= rain < 1000 for rain in normals["precipitation"])


@pytest.mark.parametrize(
    "city", ["Auckland", "Buenos Aires", "Cape Town", "Johannesburg", "Sydney"]
)
def test_the_year_is_turned_round_south_of_the_equator(city: str) -> None:
    degrees = DATA["cities"][city]["temperature"]
    assert degrees[0] > degrees[6]
