"""A well-written declaration, from which the examples of the rules differ in one thing."""

from __future__ import annotations

from typing import Any

__all__ = ["CITY", "declared", "nested", "taking"]

CITY = {"type": "string", "description": "An English city name, such as Tokyo."}


def declared(**changes: Any) -> dict[str, Any]:
    """A declaration in the shape of MCP; a part given as `...` is left out."""
    whole = {
        "name": "get_forecast",
        "description": "Tell tomorrow's weather in a city.",
        "inputSchema": {"type": "object", "properties": {"city": CITY}, "required": ["city"]},
        **changes,
    }
    return {key: value for key, value in whole.items() if value is not ...}


def taking(
    schema: Any, *, name: str = "value", defs: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A declaration with one optional parameter of a given schema, and definitions beside it."""
    whole = {"type": "object", "properties": {name: schema}}
    return declared(inputSchema=whole if defs is None else {**whole, "$defs": defs})


def nested(times: int) -> dict[str, Any]:
    """A list of objects in a list of objects, that many times."""
    inner: dict[str, Any] = CITY
    for _ in range(times):
        item = {"type": "object", "properties": {"inner": inner}}
        inner = {"type": "array", "items": item, "description": "What is inside."}
    return inner
