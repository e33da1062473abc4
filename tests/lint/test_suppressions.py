"""`# toolkit: ignore[…]` holds back what it names, and is told where it holds back nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from toolkit.lint.declarations import read_text
from toolkit.lint.loaded import subjects_of
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table
from toolkit.registry import ToolRegistry

if TYPE_CHECKING:
    from pathlib import Path

FILE = '''\
from toolkit import tool


{above}
@tool{decorator}
def forecast(  {define}
    city: str,{first}
    days,{second}
) -> str:
    """Tell tomorrow's weather in a city."""
    return city  {inside}
'''
PARTS = dict.fromkeys(("above", "decorator", "define", "first", "second", "inside"), "")


def said(folder: Path, *, select: str = "ALL", **parts: str) -> list[tuple[str, int | None]]:
    path = folder / f"mine_{len(list(folder.iterdir()))}.py"  # a file is loaded once
    path.write_text(FILE.format(**{**PARTS, **parts}))
    subjects = subjects_of(ToolRegistry(str(path)).tools)
    report = lint(subjects, from_table({}, given={"select": [select]}))
    return [(each.code, each.place.line) for each in report.findings]


BARE = [("D006", 7), ("D006", 8), ("S016", 8)]


def test_without_a_comment_everything_is_said(tmp_path: Path) -> None:
    assert said(tmp_path) == BARE


@pytest.mark.parametrize("place", ["above", "decorator", "define"])
def test_a_comment_on_the_function_holds_for_all_of_it(tmp_path: Path, place: str) -> None:
    comment = "  # toolkit: ignore[D006] they are plain"
    assert said(tmp_path, **{place: comment.strip() if place == "above" else comment}) == [
        ("S016", 8)
    ]


def test_a_comment_on_a_parameter_holds_for_that_one(tmp_path: Path) -> None:
    comment = "  # toolkit: ignore[D006,S016] anything goes"
    assert said(tmp_path, second=comment) == [("D006", 7)]
    assert ("D006", 8) in said(tmp_path, first="  # toolkit: ignore[D006]")


def test_names_hold_as_codes_do_and_a_bare_comment_for_all(tmp_path: Path) -> None:
    named = "  # toolkit: ignore[missing-param-description, untyped-property]"
    assert said(tmp_path, define=named) == []
    assert said(tmp_path, define="  # toolkit: ignore") == []


def test_a_comment_of_no_use_is_told_at_its_place(tmp_path: Path) -> None:
    assert said(tmp_path, first="  # toolkit: ignore[S003]") == [
        ("D006", 7),
        ("Z001", 7),
        *BARE[1:],
    ]


def test_an_unknown_code_is_told(tmp_path: Path) -> None:
    assert ("Z002", 7) in said(tmp_path, first="  # toolkit: ignore[Q999]")


def test_a_comment_for_a_rule_that_did_not_run_is_not_told(tmp_path: Path) -> None:
    assert said(tmp_path, select="Z", first="  # toolkit: ignore[D006]") == []


def test_what_looks_like_a_comment_in_a_text_is_none(tmp_path: Path) -> None:
    assert said(tmp_path, define="", inside='+ "# toolkit: ignore[D006]"') == BARE
    path = tmp_path / "other.py"
    text = FILE.format(**PARTS).replace("in a city.", "# toolkit: ignore[D006] in a city.")
    path.write_text(text)
    subjects = subjects_of(ToolRegistry(str(path)).tools)
    codes = [each.code for each in lint(subjects, from_table({})).findings]
    assert codes == ["D006", "D006", "S016"]


def test_a_document_suppresses_by_its_meta() -> None:
    tool = {
        "name": "forecast",
        "description": "Tell tomorrow's weather in a city.",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
        "_meta": {"toolkit/ignore": ["D006", "S003"]},
    }
    found = lint(read_text(json.dumps(tool)).subjects, from_table({})).findings
    assert [(each.code, each.place.pointer) for each in found] == [("Z001", "/_meta")]
