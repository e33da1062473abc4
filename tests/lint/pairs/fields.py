"""Pairs for the rules about the fields beside name and schema, and about text against schema."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import CITY, declared

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


PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "F204": [
        (declared(title=5), declared(title="Forecast")),
        (declared(title=["Forecast"]), declared(title="")),
        (declared(annotations=[]), declared(annotations={})),
        (declared(annotations={"title": 5}), declared(annotations={"title": "Forecast"})),
        (declared(outputSchema=True), declared(outputSchema={"type": "object"})),
        (declared(outputSchema="object"), declared(outputSchema=None)),
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
}
