"""Convert temperatures: the smallest useful tool."""

from typing import Literal

from toolkit import tool


@tool
def convert(degrees: float, to: Literal["celsius", "fahrenheit"]) -> float:
    """Convert a temperature to the other unit.

    Args:
        degrees: The temperature to convert.
        to: The unit to convert it to.
    """
    return round((degrees - 32) / 1.8 if to == "celsius" else degrees * 1.8 + 32, 1)
