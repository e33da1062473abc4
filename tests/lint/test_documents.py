"""Documents in every dialect, whole or broken, each finding with its pointer and its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolkit.errors import LoadError
from toolkit.lint.declarations import read_text
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["town"],
}
TEXT = "Tell tomorrow's weather in a city."
IN_DIALECTS: dict[str, tuple[Any, str]] = {
    "mcp": ({"name": "a", "description": TEXT, "inputSchema": SCHEMA}, "/inputSchema"),
    "toolspec": (
        {"name": "a", "description": TEXT, "inputSchema": {"json": SCHEMA}},
        "/inputSchema/json",
    ),
    "bedrock": (
        {"toolSpec": {"name": "a", "description": TEXT, "inputSchema": {"json": SCHEMA}}},
        "/toolSpec/inputSchema/json",
    ),
    "openai": (
        {"type": "function", "function": {"name": "a", "description": TEXT, "parameters": SCHEMA}},
        "/function/parameters",
    ),
    "openai-responses": (
        {"type": "function", "name": "a", "description": TEXT, "parameters": SCHEMA},
        "/parameters",
    ),
    "anthropic": ({"name": "a", "description": TEXT, "input_schema": SCHEMA}, "/input_schema"),
    "gemini": (
        {"name": "a", "description": TEXT, "parametersJsonSchema": SCHEMA},
        "/parametersJsonSchema",
    ),
}


def said(text: str, **table: Any) -> list[tuple[str, str | None]]:
    document = read_text(text, path="tools.json")
    report = lint(document.subjects, from_table(table), problems=document.problems)
    return sorted((each.code, each.place.pointer) for each in report.findings)


@pytest.mark.parametrize("dialect", list(IN_DIALECTS))
def test_a_dialect_is_known_by_its_keys_and_places_follow_it(dialect: str) -> None:
    tool, schema = IN_DIALECTS[dialect]
    found = [
        ("D006", f"/tools/1{schema}/properties/city"),
        ("S006", f"/tools/1{schema}/required/0"),
    ]
    fine = json.loads(json.dumps(tool).replace('["town"]', "[]").replace('"a"', '"other_tool"'))
    fine = json.loads(json.dumps(fine).replace(TEXT, "Say `city` backwards, letter by letter."))
    assert said(json.dumps({"tools": [fine, tool]})) == found


def test_openapi_types_in_capitals_are_types() -> None:
    tool = {
        "name": "dim",
        "description": "Dim the lights of a room.",
        "parameters": {
            "type": "OBJECT",
            "properties": {"room": {"type": "STRING", "nullable": True, "description": "Which."}},
        },
    }
    assert said(json.dumps([{"functionDeclarations": [tool]}])) == []


def test_a_line_and_column_tell_where_a_value_stands() -> None:
    text = json.dumps([IN_DIALECTS["mcp"][0]], indent=2)
    document = read_text(text, path="tools.json")
    findings = lint(document.subjects, from_table({})).findings
    lines = text.splitlines()
    for each in findings:
        assert each.place.line is not None
        assert each.place.column is not None
        shown = lines[each.place.line - 1][each.place.column - 1 :]
        assert shown.startswith('"city"' if each.code == "D006" else '"town"')


def test_json_lines_have_lines_too() -> None:
    tool = json.dumps(IN_DIALECTS["mcp"][0])
    document = read_text(f"{tool.replace('town', 'city')}\n\n{tool}\n", path="tools.jsonl")
    found = lint(document.subjects, from_table({}, given={"select": ["S006"]})).findings
    assert [(each.place.line, each.place.pointer) for each in found] == [
        (3, "/1/inputSchema/required/0")
    ]


@pytest.mark.parametrize(
    ("entry", "codes"),
    [
        (7, ["F101"]),
        ("a tool", ["F101"]),
        ({"titel": "a"}, ["F101"]),
        ({"inputSchema": SCHEMA}, ["D001", "D006", "N002", "S006"]),
        ({"name": "a", "description": TEXT}, ["S002"]),
        ({"name": "a", "description": TEXT, "inputSchema": None}, ["S002"]),
        ({"name": None, "description": TEXT, "inputSchema": {"type": "object"}}, ["N002"]),
        ({"function": None}, ["D001", "N002", "S002"]),
        ({"type": "web_search_20250305", "name": "web_search"}, []),
        ({"cachePoint": {"type": "default"}}, []),
    ],
)
def test_what_is_broken_is_told_and_hides_nothing(entry: Any, codes: list[str]) -> None:
    fine = {"name": "fine_one", "description": "Say the time.", "inputSchema": {"type": "object"}}
    found = said(json.dumps([entry, fine]))
    assert [code for code, _ in found] == codes
    assert len(read_text(json.dumps([entry, fine])).subjects) in (1, 2)


def test_a_function_that_takes_nothing_may_leave_its_schema_out() -> None:
    tool = {"type": "function", "function": {"name": "now", "description": "Say the time, UTC."}}
    assert said(json.dumps([tool])) == []


def test_a_long_name_is_told_to_who_refers_to_tools_at_anthropic() -> None:
    text = json.dumps({"name": "a" * 65, "description": TEXT, "input_schema": {"type": "object"}})
    assert [code for code, _ in said(text, **{"for": ["anthropic"]})] == ["N003"]


def test_what_stands_for_a_description_that_was_not_written_is_no_placeholder() -> None:
    parts = {"description": {"type": "string", "description": "Parameter description"}}
    schema = {"type": "object", "properties": parts}
    text = json.dumps({"name": "open_ticket", "description": TEXT, "inputSchema": schema})
    assert [code for code, _ in said(text)] == ["D006"]


def test_two_tools_without_a_name_are_told_so_and_not_called_twins() -> None:
    tools = [
        {"name": "", "description": text, "inputSchema": {"type": "object"}}
        for text in (TEXT, "Warn of storms near a harbour.")
    ]
    assert said(json.dumps(tools), select=["N001", "N002"]) == [
        ("N002", "/0/name"),
        ("N002", "/1/name"),
    ]


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a": 1} x', "[" * 100_000])
def test_what_is_no_json_is_an_error_with_its_place(text: str) -> None:
    with pytest.raises(LoadError) as caught:
        read_text(text, path="tools.json")
    assert "tools.json" in caught.value.message


@pytest.mark.parametrize("dialect", list(IN_DIALECTS))
def test_a_fingerprint_stays_while_lines_and_neighbours_change(dialect: str) -> None:
    tool = IN_DIALECTS[dialect][0]

    def prints(text: str) -> list[str | None]:
        return [
            each.fingerprint for each in lint(read_text(text).subjects, from_table({})).findings
        ]

    flat, deep = json.dumps([tool]), json.dumps({"tools": [tool]}, indent=4)
    assert sorted(map(str, prints(flat))) == sorted(map(str, prints(deep)))
    assert len(set(prints(flat))) == 2
    other = json.dumps([tool]).replace('"a"', '"b"')
    assert set(prints(flat)).isdisjoint(prints(other))
