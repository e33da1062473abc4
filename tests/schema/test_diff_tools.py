"""What changed in a tool beside its inputs: words, hints, results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolkit.schema.diff import diff
from toolkit.types import ToolSpec

BASE = ToolSpec("weather", "Tell the weather.", {"type": "object", "properties": {}})


def result(street: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"street": street}, "required": list(required)}


TEXT = {"type": "string"}
CHANGES = [
    ({}, {"name": "rain"}, "B002", "breaking"),
    ({}, {"description": "Tell the  weather."}, "B181", "compatible"),
    ({}, {"description": "Always call this."}, "B180", "review"),
    ({}, {"title": "Weather"}, "B182", "compatible"),
    ({}, {"examples": ({"city": "Tokyo"},)}, "B182", "compatible"),
    ({"annotations": {"readOnlyHint": True}}, {}, "B190", "breaking"),
    ({"annotations": {"destructiveHint": False}}, {}, "B190", "breaking"),
    (
        {"annotations": {"openWorldHint": False}},
        {"annotations": {"openWorldHint": True}},
        "B190",
        "breaking",
    ),
    ({}, {"annotations": {"readOnlyHint": True}}, "B191", "compatible"),
    ({}, {"annotations": {"idempotentHint": True}}, "B191", "compatible"),
    ({}, {"annotations": {"x": 1}}, "B182", "compatible"),
    ({"output_schema": result(TEXT)}, {}, "B170", "breaking"),
    ({}, {"output_schema": result(TEXT)}, "B170", "compatible"),
    # results come back, so there it is the other way round
    (
        {"output_schema": result(TEXT)},
        {"output_schema": result({"type": ["string", "null"]})},
        "B111",
        "breaking",
    ),
    (
        {"output_schema": result({"type": ["string", "null"]})},
        {"output_schema": result(TEXT)},
        "B110",
        "compatible",
    ),
    (
        {"output_schema": result(TEXT, "street")},
        {"output_schema": result(TEXT)},
        "B105",
        "breaking",
    ),
    (
        {"output_schema": result({"enum": ["a"]})},
        {"output_schema": result({"enum": ["a", "b"]})},
        "B121",
        "breaking",
    ),
]


@pytest.mark.parametrize(("old", "new", "code", "verdict"), CHANGES)
def test_a_change_has_its_code_and_its_verdict(
    old: dict[str, Any], new: dict[str, Any], code: str, verdict: str
) -> None:
    (change,) = diff(replace(BASE, **old), replace(BASE, **new))
    assert (change.code, str(change.verdict)) == (code, verdict)
    assert change.breaking == (verdict == "breaking")


def test_a_property_gone_from_a_result_breaks_those_who_read_it() -> None:
    old = replace(BASE, output_schema=result(TEXT, "street"))
    new = replace(BASE, output_schema={"type": "object", "properties": {}})
    (change,) = diff(old, new)
    assert change.breaking
    assert str(change) == "result: 'street': removed"


def test_a_long_description_is_shown_where_it_differs() -> None:
    old = replace(BASE, description="word " * 100 + "never delete anything")
    new = replace(BASE, description="word " * 100 + "always delete everything")
    (change,) = diff(old, new)
    assert "never delete" in str(change)
    assert "always delete" in str(change)
    assert len(str(change)) < 140
