"""Rules are chosen by code, name and prefix, in TOML and on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit.errors import ConfigError, UsageError
from toolkit.findings import Severity
from toolkit.lint.declarations import read_text
from toolkit.lint.rules import every
from toolkit.lint.runner import lint
from toolkit.lint.settings import codes_of, from_table

TOOL = '{"name": "a b", "description": "Search", "inputSchema": {"type": "object"}}'


def codes(table: dict[str, Any], **given: Any) -> list[str]:
    settings = from_table(table, path="pyproject.toml", given=given)
    return [
        each.code for each in lint(read_text(TOOL, path="x/tools.json").subjects, settings).findings
    ]


@pytest.mark.parametrize(
    ("selectors", "found"),
    [
        (["S002"], {"S002"}),
        (["s002"], {"S002"}),
        (["root-not-object"], {"S002"}),
        (["S002,N001 X001"], {"S002", "N001", "X001"}),
        (["C1"], {"C101", "C102", "C103", "C104", "C105", "C106", "C107"}),
        (["ALL"], set(every())),
    ],
)
def test_selectors_are_codes_names_and_prefixes(selectors: list[str], found: set[str]) -> None:
    assert codes_of(selectors) == found


@pytest.mark.parametrize(
    ("selector", "hint"), [("root-no-object", "root-not-object"), ("D0001", "D001")]
)
def test_an_unknown_rule_is_told_with_the_closest(selector: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        codes_of([selector])
    assert hint in (caught.value.hint or "")


def test_what_is_not_selected_or_is_ignored_is_not_said() -> None:
    assert codes({}) == ["N002", "D002"]
    assert codes({"select": ["D"]}) == ["D002"]
    assert codes({"ignore": ["D"]}) == ["N002"]
    assert codes({"ignore": ["D"]}, ignore=["N"]) == ["D002"]


def test_provider_rules_speak_for_chosen_profiles_alone() -> None:
    assert codes({"for": ["openai"]}) == ["N002", "D002", "C105"]
    assert "C101" in codes({"for": ["openai-strict"]})
    assert codes({}, **{"for": ["openai,anthropic"]}).count("N002") == 2


def test_files_and_tools_have_exceptions() -> None:
    assert codes({"per-file-ignores": {"x/*.json": ["N002"]}}) == ["D002"]
    assert codes({"per-file-ignores": {"tools.json": ["N"]}}) == ["D002"]
    assert codes({"per-file-ignores": {"other.json": ["N"]}}) == ["N002", "D002"]
    assert codes({"per-tool-ignores": {"a*": ["D"]}}) == ["N002"]


def test_a_severity_can_be_changed() -> None:
    settings = from_table({"severity": {"name-charset": "info"}, "fail-on": "warning"})
    report = lint(read_text(TOOL).subjects, settings)
    assert [each.severity for each in report.findings] == [Severity.INFO, Severity.WARNING]
    assert report.fails("warning")
    assert not report.fails("error")
    assert not report.fails("never")
    assert report.fails("info")


def test_a_budget_can_be_changed() -> None:
    assert codes({"limits": {"description": 3}}) == ["N002", "D002", "D004"]


def test_a_prefix_counts_for_the_length_of_names() -> None:
    assert "N003" in codes(
        {"name-prefix": "mcp__a_server_with_quite_a_long_name_that_is_too_long_" * 3}
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"selct": ["S"]}, "selct"),
        ({"select": "S"}, "a list of texts"),
        ({"severity": {"S": "fatal"}}, "error, warning or info"),
        ({"severity": {"Q": "error"}}, "no rule"),
        ({"limits": {"words": 3}}, "words"),
        ({"limits": {"parameters": "many"}}, "whole numbers"),
        ({"fail-on": "panic"}, "--fail-on"),
        ({"for": ["opnai"]}, "opnai"),
        ({"per-file-ignores": {"a": "S"}}, "lists of rules"),
    ],
)
def test_a_fault_of_the_configuration_is_told_before_anything_runs(
    table: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        from_table(table, path="pyproject.toml")
    assert words in caught.value.message
    assert "pyproject.toml" in caught.value.message
