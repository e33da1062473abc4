"""Pairs for the rules about schemas: a bad declaration, and a good one that differs in one part."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import CITY, declared, nested, taking

__all__ = ["PAIRS"]

DAYS = {"type": "integer", "description": "How many days to tell."}
NODE = {
    "type": "object",
    "description": "A region and those in it.",
    "properties": {"inner": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
}


def given(**schema: Any) -> dict[str, Any]:
    """A declaration whose input schema is this."""
    return declared(inputSchema={"type": "object", **schema})


def telling(**changes: Any) -> dict[str, Any]:
    """A declaration with a number of days."""
    return taking({**DAYS, **changes})


LIST = {
    "type": "array",
    "items": {"enum": ["Rome", "Oslo"]},
    "uniqueItems": True,
    "description": "The cities.",
}
REGION = {"type": "object", "description": "Where it lies.", "properties": {"x": CITY}}

PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "S001": [
        (telling(description=7), telling()),
        (given(properties={"city": CITY}, required=True), given(properties={"city": CITY})),
        (taking({**CITY, "required": True}), taking(CITY)),
        (telling(minimum="1"), telling(minimum=1)),
        (taking({**CITY, "maxLength": -1}), taking({**CITY, "maxLength": 1})),
        (telling(type=["integer", "integer"]), telling(type=["integer", "null"])),
        (given(properties=["city"]), given(properties={"city": CITY})),
        (taking({"anyOf": [], "description": "A city."}), taking({"anyOf": [CITY]})),
        (taking("string"), taking(CITY)),
    ],
    "S002": [
        (given(type="array", items=CITY), given(properties={"city": CITY})),
        (declared(inputSchema=None), declared()),
        (declared(inputSchema=...), declared()),
        (declared(inputSchema={}), declared()),
        (given(type=["object", "null"], properties={"city": CITY}), declared()),
        (declared(inputSchema=[]), declared()),
    ],
    "S003": [
        (
            taking({"$ref": "#/$defs/Town"}, defs={"City": CITY}),
            taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
        ),
        (
            taking({"type": "array", "items": {"$ref": "#/definitions/X"}, "description": "All."}),
            taking({"type": "array", "items": CITY, "description": "All."}),
        ),
    ],
    "S004": [
        (taking({"$ref": "file:///etc/hosts.json"}), taking(CITY)),
        (taking({"$ref": "http://10.0.0.1/schema.json#/City"}), taking(CITY)),
    ],
    "S005": [
        (
            taking(
                {"$ref": "#/$defs/A"}, defs={"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}
            ),
            taking({"$ref": "#/$defs/A"}, defs={"A": {"$ref": "#/$defs/B"}, "B": CITY}),
        ),
        (
            taking({"$ref": "#/$defs/Node"}, defs={"Node": {"anyOf": [{"$ref": "#/$defs/Node"}]}}),
            taking({"$ref": "#/$defs/Node"}, defs={"Node": NODE}),
        ),
    ],
    "S006": [
        (
            taking({"$ref": "#/$defs/R"}, defs={"R": {**REGION, "required": ["y"]}}),
            taking({"$ref": "#/$defs/R"}, defs={"R": {**REGION, "required": ["x"]}}),
        ),
        (
            taking({"anyOf": [{**REGION, "required": ["y"]}, {"type": "null"}]}),
            taking({"anyOf": [{**REGION, "required": ["x"]}, {"type": "null"}]}),
        ),
        (
            given(properties={"city": CITY}, then={"required": ["town"]}, **{"if": {}}),
            given(properties={"city": CITY}, then={"required": ["city"]}, **{"if": {}}),
        ),
        (
            given(properties={"city": CITY}, oneOf=[{"required": ["town"]}]),
            given(properties={"city": CITY}, oneOf=[{"required": ["city"]}]),
        ),
        (
            given(properties={"city": CITY}, required=["city", "days"]),
            given(properties={"city": CITY, "days": DAYS}, required=["city", "days"]),
        ),
        (given(required=["city"]), given(properties={"city": CITY}, required=["city"])),
        (
            taking({"type": "object", "properties": {"x": CITY}, "required": ["y"]}),
            taking({"type": "object", "properties": {"x": CITY}, "required": ["x"]}),
        ),
    ],
    "S007": [
        (
            given(properties={"city": CITY}, required=["city", "city"]),
            given(properties={"city": CITY}, required=["city"]),
        ),
        (telling(enum=[1, 7, 1]), telling(enum=[1, 7])),
    ],
    "S008": [
        (telling(minimun=1), telling(minimum=1)),
        (taking({**CITY, "descripton": "Where."}), taking({**CITY, "x-note": "Where."})),
        (telling(Minimum=1), telling(minimum=1)),
        (taking({**CITY, "choices": ["Tokyo"]}), taking({**CITY, "enum": ["Tokyo"]})),
        (telling(min=1), telling(minimum=1)),
        (given(propertys={"city": CITY}), given(properties={"city": CITY})),
        (
            given(properties={"city": CITY}, additionalproperties=False),
            given(properties={"city": CITY}, additionalProperties=False),
        ),
    ],
    "S009": [
        (taking({**CITY, "nullable": True}), taking({**CITY, "type": ["string", "null"]})),
        (
            taking({"type": "array", "items": [CITY, DAYS], "description": "A city, its days."}),
            taking({"type": "array", "prefixItems": [CITY, DAYS], "description": "Both."}),
        ),
        (
            given(properties={"city": {"$ref": "#/definitions/City"}}, definitions={"City": CITY}),
            given(properties={"city": {"$ref": "#/$defs/City"}}, **{"$defs": {"City": CITY}}),
        ),
        (
            declared(
                outputSchema={
                    "$schema": "http://json-schema.org/draft-07/schema#",
                    "type": "object",
                    "properties": {"days": DAYS},
                }
            ),
            declared(outputSchema={"type": "object", "properties": {"days": DAYS}}),
        ),
        (
            given(
                properties={"city": CITY},
                **{"$schema": "http://json-schema.org/draft-04/schema#"},
            ),
            given(
                properties={"city": CITY},
                **{"$schema": "http://json-schema.org/draft-07/schema#"},
            ),
        ),
    ],
    "S010": [
        (telling(enum=[]), telling(enum=[1])),
        (telling(enum=[1, "7"]), telling(enum=[1, 7])),
        (
            taking({"enum": ["auto", 1], "description": "How many days to tell."}),
            taking({"enum": ["auto", "1"], "description": "How many days to tell."}),
        ),
        (taking({**CITY, "enum": ["Tokyo", None]}), taking({**CITY, "enum": ["Tokyo"]})),
    ],
    "S011": [
        (
            declared(
                outputSchema={"type": "object", "properties": {"n": {**DAYS, "default": "x"}}}
            ),
            declared(outputSchema={"type": "object", "properties": {"n": {**DAYS, "default": 3}}}),
        ),
        (telling(default="7"), telling(default=7)),
        (
            taking({**CITY, "enum": ["Tokyo"], "default": "Kyoto"}),
            taking({**CITY, "enum": ["Tokyo"], "default": "Tokyo"}),
        ),
        (
            taking({**CITY, "pattern": "^[A-Z]", "default": "tokyo"}),
            taking({**CITY, "pattern": "^[A-Z]", "default": "Tokyo"}),
        ),
        (taking({**CITY, "maxLength": 3, "default": "Tokyo"}), taking({**CITY, "default": "To"})),
        (
            taking({"type": "array", "items": DAYS, "default": ["x"], "description": "Days."}),
            taking({"type": "array", "items": DAYS, "default": [1], "description": "Days."}),
        ),
        (
            taking({"anyOf": [{"type": "integer"}], "default": "x", "description": "Days."}),
            taking({"anyOf": [{"type": "integer"}], "default": 1, "description": "Days."}),
        ),
        (
            taking({"$ref": "#/$defs/City", "default": 7}, defs={"City": CITY}),
            taking({"$ref": "#/$defs/City", "default": "Tokyo"}, defs={"City": CITY}),
        ),
    ],
    "S012": [
        (taking({**DAYS, "example": "seven"}), taking({**DAYS, "example": 7})),
        (telling(examples=["seven"]), telling(examples=[7])),
        (declared(examples=[{"city": 7}]), declared(examples=[{"city": "Tokyo"}])),
        (declared(examples=[{}]), declared(examples=[{"city": "Tokyo"}])),
    ],
    "S013": [
        (
            taking({"allOf": [{**DAYS, "minimum": 9}, {"maximum": 7}]}),
            taking({"allOf": [{**DAYS, "minimum": 6}, {"maximum": 7}]}),
        ),
        (
            taking({**CITY, "enum": ["Rome", "Oslo"], "pattern": "^[0-9]+$"}),
            taking({**CITY, "enum": ["Rome", "Oslo"], "pattern": "^[A-Z]"}),
        ),
        (
            taking({**LIST, "minItems": 3}),
            taking({**LIST, "minItems": 2}),
        ),
        (
            taking({**CITY, "minLength": 9, "maxLength": 3}),
            taking({**CITY, "minLength": 3, "maxLength": 9}),
        ),
        (
            taking({"enum": ["day"], "const": "week", "description": "The time to tell of."}),
            taking({"enum": ["day"], "const": "day", "description": "The time to tell of."}),
        ),
        (
            taking({"allOf": [{"type": "string"}, {"type": "integer"}], "description": "Days."}),
            taking({"allOf": [{"type": "number"}, {"type": "integer"}], "description": "Days."}),
        ),
        (telling(const="week"), telling(const=7)),
        (
            telling(exclusiveMinimum=7, exclusiveMaximum=7),
            telling(exclusiveMinimum=6, exclusiveMaximum=8),
        ),
    ],
    "S014": [
        (taking({**CITY, "pattern": "a{2,1}"}), taking({**CITY, "pattern": "a{1,2}"})),
        (taking({**CITY, "pattern": "*.txt"}), taking({**CITY, "pattern": ".*txt"})),
        (taking({**CITY, "pattern": "\\Ax"}), taking({**CITY, "pattern": "^\\p{L}+$"})),
        (taking({**CITY, "pattern": "(?P<a>x)"}), taking({**CITY, "pattern": "(?<a>x)\\k<a>"})),
        (
            taking({"type": "object", "patternProperties": {"(": CITY}}),
            taking({"type": "object", "patternProperties": {"^a": CITY}}),
        ),
    ],
    "S015": [
        (
            taking({"type": ["array", "null"], "description": "Cities."}),
            taking({"type": ["array", "null"], "items": CITY, "description": "Cities."}),
        ),
        (
            taking({"type": "array", "items": {"type": "array"}, "description": "Rows."}),
            taking({"type": "array", "items": {"type": "array", "items": CITY}, "title": "Rows"}),
        ),
    ],
    "S016": [
        (taking({"description": "The days to tell."}), taking({**DAYS})),
        (
            taking({"type": "object", "properties": {"x": {"description": "Where."}}}),
            taking({"type": "object", "properties": {"x": {**CITY}}}),
        ),
        (taking({"description": "The value."}), taking({"description": "Any JSON value."})),
    ],
    "S017": [
        (taking({"type": "object", "additionalProperties": CITY}), taking(NODE)),
        (
            taking({"type": "object", "description": "By region."}),
            taking({"type": "object", "properties": {"x": CITY}, "description": "By region."}),
        ),
    ],
    "S018": [(taking(nested(40)), taking(nested(20))), (taking(nested(34)), taking(nested(31)))],
    "S019": [
        (
            taking({"$ref": "#/$defs/City", "default": "Tokyo"}, defs={"City": CITY}),
            taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
        ),
        (
            taking({"$ref": "#/$defs/City", "title": "City"}, defs={"City": CITY}),
            taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
        ),
    ],
}
