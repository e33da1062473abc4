"""Pairs for the rules about the fields beside name and schema, and about text against schema."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import CITY, declared, taking

__all__ = ["PAIRS"]

SCHEMA = {"type": "object", "properties": {"city": CITY}, "required": ["city"]}
TEXT = "Tell tomorrow's weather in a city."
ICON = {"src": "https://weather.example/icon.png", "sizes": ["48x48"], "theme": "dark"}


def anthropic(**changes: Any) -> dict[str, Any]:
    """A declaration for Anthropic."""
    return {"name": "get_forecast", "description": TEXT, "input_schema": SCHEMA, **changes}


def openai(**changes: Any) -> dict[str, Any]:
    """A declaration for OpenAI's Chat Completions."""
    function = {"name": "get_forecast", "description": TEXT, "parameters": SCHEMA, **changes}
    return {"type": "function", "function": function}


def bedrock(**changes: Any) -> dict[str, Any]:
    """A declaration for Bedrock's Converse."""
    inner = {"name": "get_forecast", "description": TEXT, "inputSchema": {"json": SCHEMA}}
    return {"toolSpec": {**inner, **changes}}


def gemini(**changes: Any) -> dict[str, Any]:
    """A declaration for Gemini."""
    named = {"name": "get_forecast", "description": TEXT}
    return {**named, "parametersJsonSchema": SCHEMA, **changes}


def icon(**changes: Any) -> dict[str, Any]:
    """A declaration with an icon, changed."""
    return declared(icons=[{**ICON, **changes}])


TAGS = {"type": "array", "items": {"type": "string"}, "description": "Tags to look for."}
CLOSED = {"type": "object", "properties": {}, "additionalProperties": False}


def needing(schema: Any) -> dict[str, Any]:
    """A declaration with one required parameter of a schema."""
    properties = {"value": schema}
    return declared(inputSchema={**SCHEMA, "properties": properties, "required": ["value"]})


def text(description: str) -> dict[str, Any]:
    """A declaration with a text that is described so."""
    return taking({"type": "string", "description": description})


def seconds(description: str) -> dict[str, Any]:
    """A declaration with a number of seconds, 60 by default."""
    return taking({"type": "integer", "default": 60, "description": description})


def sorting(description: str) -> dict[str, Any]:
    """A declaration with an order, desc by default."""
    values = ["asc", "desc"]
    return taking({"type": "string", "enum": values, "default": "desc", "description": description})


def few(description: str) -> dict[str, Any]:
    """A declaration with a number from 1 to 50."""
    bounds = {"minimum": 1, "maximum": 50}
    return taking({"type": "integer", **bounds, "description": description})


PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "F204": [
        (declared(title=5), declared(title="Forecast")),
        (declared(title=["Forecast"]), declared(title="")),
        (declared(annotations=[]), declared(annotations={})),
        (declared(annotations={"title": 5}), declared(annotations={"title": "Forecast"})),
        (declared(outputSchema=True), declared(outputSchema={"type": "object"})),
        (declared(outputSchema="object"), declared(outputSchema=None)),
        (
            declared(inputSchema={"type": "object", "properties": {"city": True}}),
            declared(inputSchema={"type": "object", "properties": {"city": CITY}}),
        ),
        (
            declared(outputSchema={"type": "object", "properties": {"days": False}}),
            declared(outputSchema={"type": "object", "properties": {"days": {"items": True}}}),
        ),
        (declared(_meta=[]), declared(_meta={"weather.example/tier": 1})),
        (declared(icons={}), declared(icons=[])),
        (declared(icons=["https://weather.example/icon.png"]), icon()),
        (declared(icons=[{"theme": "dark"}]), icon()),
        (icon(src="file:///etc/passwd"), icon(src="data:image/png;base64,iVBORw0KGgo=")),
        (icon(sizes="48x48"), icon(sizes=["any"])),
        (icon(theme="blue"), icon(theme="light")),
        (icon(mimeType=5), icon(mimeType="image/png")),
        (declared(execution="x"), declared(execution={})),
        (
            declared(execution={"taskSupport": "sometimes"}),
            declared(execution={"taskSupport": "optional"}),
        ),
        ({**openai(), "type": "tool"}, openai()),
        (anthropic(type="function"), anthropic(type="custom")),
        (openai(strict="yes"), openai(strict=None)),
        (anthropic(strict="on"), anthropic(strict=True)),
        (anthropic(input_examples={"city": "Tokyo"}), anthropic(input_examples=[{"city": "Nara"}])),
        (anthropic(cache_control="ephemeral"), anthropic(cache_control={"type": "ephemeral"})),
        (bedrock(strict="yes"), bedrock(strict=False)),
        (gemini(behavior="blocking"), gemini(behavior="BLOCKING")),
        (gemini(responseJsonSchema="x"), gemini(responseJsonSchema={"type": "array"})),
    ],
    "O002": [
        (declared(outputSchema={}), declared(outputSchema={"type": "object"})),
        (declared(outputSchema={"type": "string"}), declared(outputSchema=...)),
        (
            declared(outputSchema={"properties": {"city": CITY}}),
            declared(outputSchema={"type": "object", "properties": {"city": CITY}}),
        ),
    ],
    "A005": [
        (
            declared(annotations={"read_only_hint": True}),
            declared(annotations={"readOnlyHint": True}),
        ),
        (declared(annotations={"readOnly": True}), declared(annotations={"audience": "staff"})),
        (
            declared(annotations={"destructivHint": False}),
            declared(annotations={"destructiveHint": False}),
        ),
        (declared(annotations={"Title": "Forecast"}), declared(annotations={"title": "Forecast"})),
        (declared(readOnlyHint=True), declared()),
        (declared(openWorldHint=False), declared(openWorldHint=...)),
    ],
    "S022": [
        (
            needing({"type": "string", "description": "A filter.", "default": None}),
            needing({"type": ["string", "null"], "description": "A filter.", "default": None}),
        ),
        (
            needing({"type": "integer", "description": "The page.", "default": None}),
            needing({"type": "integer", "description": "The page."}),
        ),
    ],
    "S016": [
        (
            taking({**TAGS, "items": {"description": "A tag."}}),
            taking({**TAGS, "items": {"type": "string", "description": "A tag."}}),
        ),
        (taking({**TAGS, "items": {"minLength": 1}}), taking({**TAGS, "items": {}})),
    ],
    "S020": [
        (taking({"type": "null", "description": "A city."}), taking(CITY)),
        (
            taking({**TAGS, "items": {"type": "string", "maxLength": 0}}),
            taking({**TAGS, "items": {"type": "string", "maxLength": 9}}),
        ),
        (
            taking({"type": "object", "additionalProperties": False, "description": "Settings."}),
            taking({"type": "object", "additionalProperties": True, "description": "Settings."}),
        ),
        (
            taking({"anyOf": [CITY, CLOSED], "type": "null", "description": "A city, or none."}),
            taking({"anyOf": [CITY, CLOSED, {"type": "null"}], "description": "A city, or none."}),
        ),
        (
            taking({"type": "object", "maxProperties": 0, "description": "Settings."}),
            taking({"type": "object", "maxProperties": 5, "description": "Settings."}),
        ),
    ],
    "S021": [
        (
            taking({"type": "string", "enum": ["day ", "week"], "description": "The time."}),
            taking({"type": "string", "enum": ["day", "week"], "description": "The time."}),
        ),
        (
            taking({"const": "\tday", "description": "The time."}),
            taking({"const": "day", "description": "The time."}),
        ),
        (
            taking({"type": "string", "enum": [" and", ","], "description": "What is between."}),
            taking({"type": "string", "enum": [", ", " "], "description": "What is between."}),
        ),
    ],
    "C305": [
        (
            taking({"type": "string", "enum": ["", "day"], "description": "The time."}),
            taking({"type": "string", "enum": [" ", "day"], "description": "The time."}),
        ),
        (
            taking({**TAGS, "items": {"type": "string", "enum": ["a", ""]}}),
            taking({**TAGS, "items": {"type": "string", "enum": ["a", "b"]}}),
        ),
    ],
    "D007": [
        (
            seconds("Timeout in seconds (default: 30)."),
            seconds("Timeout in seconds (default: 60)."),
        ),
        (
            seconds("How long to wait. Defaults to 30 if not set."),
            seconds("The API defaults to 30."),
        ),
        (
            seconds("How long to wait; default 30"),
            seconds("How long; default 30 when it is large."),
        ),
        (sorting("The order. Default is 'asc'."), sorting("The order. Default is 'DESC'.")),
        (sorting("The order, asc by rank. Default: asc"), sorting("By name, default: ascending")),
        (
            taking({"type": "boolean", "default": True, "description": "Recurse. Default: false."}),
            taking({"type": "boolean", "default": True, "description": "Recurse. Default: True."}),
        ),
        (
            taking({"type": "string", "default": "mp3", "description": "It defaults to `wav`."}),
            taking({"type": "string", "default": "mp3", "description": "It defaults to `.mp3`."}),
        ),
    ],
    "D010": [
        (text("A list of note ids."), text("A list of note ids, separated by commas.")),
        (text("The number of records to return."), text("The number of the record to return.")),
        (text("The count of notes, as an integer."), text("The count, as an integer or 'all'.")),
        (text("Maximum number of results."), text("Maximum number of results, or all.")),
    ],
    "D012": [
        (needing({**CITY, "description": "Optional city."}), needing(CITY)),
        (
            needing({**CITY, "description": "(optional) An English city name."}),
            needing({**CITY, "description": "(optional) A city name; empty for all of them."}),
        ),
        (
            needing({**CITY, "description": "Optional. An English city name."}),
            needing({"type": ["string", "null"], "description": "Optional. A city name."}),
        ),
        (
            taking({**CITY, "description": "Required. An English city name."}),
            taking({**CITY, "description": "Required if no country is given."}),
        ),
        (
            taking({**CITY, "description": "An English city name (required)."}),
            taking({**CITY, "description": "An English city name (required by the API)."}),
        ),
        (few("How many (max 100)."), few("How many of the 100 to tell (max 50).")),
        (few("Between 1 and 20."), few("Between 1 and 50.")),
        (few("How many (max 100)."), few("A count, or percent (max 100).")),
        (few("How many, minimum: 5."), few("How many, minimum: 5 when the list is long.")),
        (
            taking({**CITY, "maxLength": 20, "description": "A name, at most 40 characters."}),
            taking({**CITY, "maxLength": 20, "description": "A name, at most 20 characters."}),
        ),
        (
            taking({**TAGS, "maxItems": 5, "description": "Tags (max 10 items)."}),
            taking({**TAGS, "maxItems": 5, "description": "Tags (max 10 characters each)."}),
        ),
    ],
    "P003": [
        (text("Must be 'asc' or 'desc'."), text("Must be 'asc', 'desc', or any column.")),
        (text("Valid values: `day`, `week`"), text("Values such as `day`, `week`")),
        (text('The unit, either "mm" or "cm".'), text("The unit, either metric or imperial.")),
        (text("One of 'a', 'b', 'c'."), text("One of 'a', 'b', 'c', etc.")),
    ],
}
