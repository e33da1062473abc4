"""Fields of the wrong kind are findings wherever a declaration comes from, each said once."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit.findings import Place, Severity
from toolkit.formats.mcp import read_spec
from toolkit.formats.shapes import misfits
from toolkit.lint.declarations import read_text, subject_of
from toolkit.lint.rules.example import declared
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table

LIVE = Place(server="weather")


def said(wire: dict[str, Any], place: Place) -> list[tuple[str, str | None, Severity]]:
    """What lint says of one tool of MCP, with what the server's list says of it already."""
    problems = read_spec(wire).findings
    report = lint([subject_of(wire, "mcp", place=place)], from_table({}), problems=problems)
    return [(each.code, each.place.pointer, each.severity) for each in report.findings]


def test_a_field_that_the_servers_list_speaks_of_is_said_once_and_as_an_error() -> None:
    assert said(declared(title=5), LIVE) == [("F204", "/title", Severity.ERROR)]


def test_what_a_rule_says_of_a_field_is_not_told_again_by_its_reader() -> None:
    assert [code for code, *_ in said(declared(description=5), LIVE)] == ["D001"]
    assert [code for code, *_ in said(declared(inputSchema=...), LIVE)] == ["S002"]
    chosen = from_table({"select": ["F203"]})
    wire = declared(inputSchema=...)
    report = lint([subject_of(wire, "mcp")], chosen, problems=read_spec(wire).findings)
    assert [each.code for each in report.findings] == ["F203"]


@pytest.mark.parametrize("part", ["title", "annotations", "outputSchema", "_meta", "icons"])
def test_null_is_a_fault_on_the_wire_and_none_in_a_document(part: str) -> None:
    wire = declared(**{part: None})
    assert said(wire, LIVE) == [("F204", f"/{part}", Severity.ERROR)]
    assert said(wire, Place("tools.json")) == []


def test_what_is_inside_a_malformed_field_is_not_said_again() -> None:
    wire = declared(icons=[{"src": 5}, "x", {"src": "https://weather.example/a.png"}])
    found = [each.path for each in misfits(wire, "mcp")]
    assert found == [("icons", 1), ("icons", 0, "src")]


def test_a_tool_keeps_what_is_sound_beside_a_malformed_field() -> None:
    converted = read_spec(
        declared(annotations={"title": 5, "readOnlyHint": True}, title="Forecast")
    )
    assert converted.value.title == "Forecast"
    assert [each.place.pointer for each in converted.findings] == ["/annotations/title"]


def test_a_group_of_functions_that_is_no_list_is_no_providers_own_tool() -> None:
    document = read_text('[{"functionDeclarations": {"name": "get_forecast"}}]')
    assert [each.code for each in document.problems] == ["F101"]


def test_an_output_that_is_no_object_is_said_once_where_mcp_is_asked_for() -> None:
    wire = declared(outputSchema={"type": "array", "items": {"type": "string"}})
    report = lint([subject_of(wire, "mcp")], from_table({"for": ["mcp"]}))
    assert [(each.code, each.severity) for each in report.findings] == [("C502", Severity.ERROR)]


def test_a_dump_in_snake_case_throughout_has_no_misspelt_hints() -> None:
    whole = declared(annotations={"read_only_hint": True})
    dump = {**whole, "input_schema": whole.pop("inputSchema")}
    report = lint([subject_of(dump, "anthropic")], from_table({}))
    assert report.findings == []
