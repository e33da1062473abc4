"""What the weather is usually like: the climate normals of some thirty cities."""

import json
import unicodedata
from calendar import month_name
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from toolkit import tool


@tool
def weather(
    city: str,
    unit: Literal["celsius", "fahrenheit"] = "celsius",
    month: Annotated[int, Field(ge=1, le=12)] | None = None,
) -> str:
    """Tell what the weather is usually like in a city, from climate normals of 30 years.

    Args:
        city: An English city name, such as Tokyo; case and accents don't matter.
        unit: The unit of the temperatures.
        month: The number of a month, 1 to 12; without it the whole year is summed up.
    """
    name = _find(city)
    normals = _cities()[name]
    warmth, rain = normals["temperature"], normals["precipitation"]
    source = f"Normals {normals['period']}, {normals['service']}."
    if month is not None:
        mean = _degrees(warmth[month - 1], unit)
        return f"{name} in {month_name[month]}: mean {mean}, rain {rain[month - 1]} mm. {source}"
    warm, cold, wet = warmth.index(max(warmth)), warmth.index(min(warmth)), rain.index(max(rain))
    return (
        f"{name}, a year: mean {_degrees(sum(warmth) / 12, unit)}; "
        f"warmest {month_name[warm + 1]} ({_degrees(warmth[warm], unit)}), "
        f"coldest {month_name[cold + 1]} ({_degrees(warmth[cold], unit)}), "
        f"wettest {month_name[wet + 1]} ({rain[wet]} mm). {source}"
    )


def _find(city: str) -> str:
    names = {_plain(name): name for name in _cities()}
    if (plain := _plain(city)) in names:
        return names[plain]
    closest = [names[match] for match in get_close_matches(plain, names)]
    others = f"closest: {', '.join(closest)}" if closest else f"known: {', '.join(_cities())}"
    raise ValueError(f"no climate data for {city!r}; {others}")


@cache
def _cities() -> dict[str, Any]:
    text = Path(__file__).with_name("_climate.json").read_text(encoding="utf-8")
    cities: dict[str, Any] = json.loads(text)["cities"]
    return cities


def _plain(name: str) -> str:
    """Fold case, accents and spaces, so that `sao paulo` finds São Paulo."""
    letters = (part for part in unicodedata.normalize("NFKD", name) if part.isascii())
    return " ".join("".join(letters).casefold().split())


def _degrees(celsius: float, unit: str) -> str:
    return f"{celsius * 9 / 5 + 32:.1f} °F" if unit == "fahrenheit" else f"{celsius:.1f} °C"
