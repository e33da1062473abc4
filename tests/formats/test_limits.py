from __future__ import annotations

from typing import Any

import pytest

from toolkit.formats.adapt import adapt
from toolkit.formats.limits import check_request
from toolkit.formats.profiles import profile
from toolkit.types import ToolSpec


def said(schema: Any, name: str) -> list[tuple[str, str, str | None]]:
    found = adapt(ToolSpec("t", "Text.", schema), profile(name)).findings
    return [(str(one.severity), one.name, one.place.pointer) for one in found]


def one_property(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"]}


@pytest.mark.parametrize(
    ("name", "count", "refused"),
    [("openai", 64, False), ("openai", 65, True), ("anthropic", 128, False), ("mcp", 129, True)],
)
def test_a_name_is_held_against_its_length(name: str, count: int, *, refused: bool) -> None:
    spec = ToolSpec("n" * count, "Text.", {"type": "object"})
    assert adapt(spec, profile(name)).refused is refused


@pytest.mark.parametrize(
    ("name", "tool", "refused"),
    [
        ("openai", "a.b", True),
        ("mcp", "a.b", False),
        ("gemini", "a.b", False),
        ("gemini", "1a", True),
        ("anthropic", "1a", False),
        ("bedrock", "wétter", True),
        ("openai", "a\n", True),
        ("openai", "", True),
    ],
)
def test_a_name_is_held_against_its_letters(name: str, tool: str, *, refused: bool) -> None:
    assert adapt(ToolSpec(tool, "Text.", {"type": "object"}), profile(name)).refused is refused


def test_keys_are_held_against_their_letters_where_the_provider_looks() -> None:
    root = {"type": "object", "properties": {"a b": {"type": "string"}}}
    assert ("error", "refused-name", "/inputSchema/properties/a b") in said(root, "anthropic")
    inner = one_property({"type": "object", "properties": {"a b": {"type": "string"}}})
    assert said(inner, "anthropic") == []
    assert any(name == "refused-name" for _, name, _ in said(inner, "gemini-openapi"))


def test_eleven_levels_are_one_too_many_for_strict_openai() -> None:
    def nested(levels: int) -> Any:
        inner: Any = {"type": "object", "properties": {"end": {"type": "string"}}}
        for _ in range(levels - 1):
            inner = {"type": "object", "properties": {"x": inner}}
        return inner

    assert not any(name == "over-limit" for _, name, _ in said(nested(10), "openai-strict"))
    assert ("error", "over-limit", "/inputSchema") in said(nested(11), "openai-strict")


def test_a_thousand_and_one_enum_values_are_one_too_many() -> None:
    few = one_property({"type": "string", "enum": [f"v{at}" for at in range(1000)]})
    many = one_property({"type": "string", "enum": [f"v{at}" for at in range(1001)]})
    assert not any(name == "over-limit" for _, name, _ in said(few, "openai-strict"))
    assert ("error", "over-limit", "/inputSchema") in said(many, "openai-strict")


def test_a_whole_request_is_counted() -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    found = check_request([(f"t{at}", schema) for at in range(25)], profile("anthropic-strict"))
    assert [one.message for one in found] == [
        "25 strict tools in one request, 20 are taken",
        "25 optional parameters in one request, 24 are taken",
        "25 parameters with a union of types in one request, 16 are taken",
    ]
    assert {str(one.severity) for one in found} == {"warning"}
    twins = check_request([("a", {}), ("a", {})], profile("openai"))
    assert [one.message for one in twins] == ["2 tools are called 'a'"]
    assert {str(one.severity) for one in twins} == {"error"}
