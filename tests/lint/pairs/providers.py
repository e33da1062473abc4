"""Pairs for the rules about providers."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import CITY, declared, nested, taking

__all__ = ["PAIRS"]

DAYS = {"type": "integer", "description": "How many days to tell."}
CLOSED = {
    "type": "object",
    "properties": {"city": CITY},
    "required": ["city"],
    "additionalProperties": False,
}


def closed(**changes: Any) -> dict[str, Any]:
    """A declaration with a closed schema, changed; a keyword given as `...` is left out."""
    schema = {key: value for key, value in {**CLOSED, **changes}.items() if value is not ...}
    return declared(inputSchema=schema)


def many(count: int, **changes: Any) -> list[dict[str, Any]]:
    """That many tools."""
    return [
        declared(name=f"n{each}", description=f"Day {each}.", **changes) for each in range(count)
    ]


def optional(count: int) -> dict[str, Any]:
    """A declaration with that many optional parameters."""
    return closed(properties={f"city{n}": CITY for n in range(count)}, required=[])


HEADER = "x-mcp-header"

PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "C101": [
        (closed(additionalProperties=...), closed()),
        (closed(additionalProperties=True), closed()),
    ],
    "C102": [
        (closed(required=...), closed()),
        (
            closed(properties={"city": CITY, "days": DAYS}),
            closed(properties={"city": CITY, "days": DAYS}, required=["city", "days"]),
        ),
    ],
    "C103": [
        (taking({**CITY, "pattern": "(?=a)"}), taking({**CITY, "pattern": "a"})),
        (taking({**CITY, "format": "uri"}), taking({**CITY, "format": "uuid"})),
        (taking({**CITY, "default": "Tokyo"}), taking(CITY)),
        (taking({"oneOf": [CITY, DAYS]}), taking({"anyOf": [CITY, DAYS]})),
    ],
    "C104": [
        (taking(nested(12)), taking(nested(3))),
        (
            taking({**CITY, "enum": [f"c{n}" for n in range(1001)]}),
            taking({**CITY, "enum": [f"c{n}" for n in range(100)]}),
        ),
    ],
    "C105": [
        (closed(allOf=[{"required": ["city"]}]), closed()),
        (closed(oneOf=[{"required": ["city"]}]), closed()),
        (closed(properties=...), closed()),
    ],
    "C106": [(many(130), many(128)), (many(200), many(20))],
    "C107": [
        (declared(description="Tell it. " * 120), declared(description="Tell it. " * 110)),
        (declared(description="x" * 1025), declared(description="x" * 1024)),
    ],
    "N004": [
        (declared(name="-forecast"), declared(name="forecast-")),
        (declared(name="3d_view"), declared(name="view_3d")),
    ],
    "C201": [
        (closed(anyOf=[{"required": ["city"]}]), closed()),
        (closed(allOf=[{"required": ["city"]}]), closed()),
    ],
    "C202": [
        (taking({**CITY, "maxLength": 9}), taking(CITY)),
        (
            taking({"type": "array", "items": CITY, "minItems": 2}),
            taking({"type": "array", "items": CITY, "minItems": 1}),
        ),
    ],
    "C203": [(many(21), many(20)), ([optional(25)], [optional(24)])],
    "C301": [
        (taking({**DAYS, "enum": [1, 2]}), taking({**CITY, "enum": ["1", "2"]})),
        (taking({"enum": ["a", None]}), taking({"type": "string", "enum": ["a"]})),
    ],
    "C302": [
        (
            taking({"const": "Tokyo", "type": "string"}),
            taking({"enum": ["Tokyo"], "type": "string"}),
        ),
        (taking({"oneOf": [CITY, DAYS]}), taking({"anyOf": [CITY, DAYS]})),
        (taking({"$ref": "#/$defs/City"}, defs={"City": CITY}), taking(CITY)),
    ],
    "C304": [(many(513), many(512)), (many(600), many(100))],
    "C401": [
        (declared(description="", name="x"), declared(name="x")),
        (declared(description="", title="X"), declared(title="X")),
    ],
    "C402": [
        (taking({**DAYS, "maximum": 7}), taking(DAYS)),
        (taking({**CITY, "pattern": "a\\b"}), taking({**CITY, "pattern": "a"})),
    ],
    "C501": [
        (taking({**CITY, HEADER: ""}), taking({**CITY, HEADER: "City"})),
        (
            taking({"type": "array", "items": {**CITY, HEADER: "City"}}),
            taking({"type": "object", "properties": {"city": {**CITY, HEADER: "City"}}}),
        ),
        (
            taking({"type": "array", "items": CITY, HEADER: "City"}),
            taking({"type": "string", HEADER: "City"}),
        ),
        (
            closed(properties={"a": {**CITY, HEADER: "City"}, "b": {**CITY, HEADER: "city"}}),
            closed(properties={"a": {**CITY, HEADER: "City"}, "b": {**CITY, HEADER: "Town"}}),
        ),
    ],
    "C502": [
        (closed(anyOf=[{"required": ["city"]}]), closed()),
        (declared(execution={"taskSupport": "optional"}), declared()),
        (declared(outputSchema={"type": "string"}), declared(outputSchema={"type": "object"})),
    ],
}
