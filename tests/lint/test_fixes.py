"""A fix mends what it says, keeps what is accepted, and touches nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lint.test_pairs import PAIRED
from toolkit.lint.declarations import read_text
from toolkit.lint.fixes import mended
from toolkit.lint.rules import every
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table
from toolkit.schema.check import checker

FIXABLE = [code for code, rule in every().items() if rule.fixable]


def fixed(text: str) -> str:
    """The text after as many rounds as change something."""
    for _ in range(8):
        text, count = mended(text, lint(read_text(text).subjects, from_table({})).edits)
        if not count:
            return text
    raise AssertionError("fixing does not end")


def codes(text: str) -> list[str]:
    return [each.code for each in lint(read_text(text).subjects, from_table({})).findings]


def cases() -> list[tuple[str, Any]]:
    documented = [(code, every()[code].bad) for code in FIXABLE]
    return documented + [(code, bad) for code, bad, _ in PAIRED if code in FIXABLE]


@pytest.mark.parametrize(("code", "bad"), cases(), ids=[code for code, _ in cases()])
def test_fixing_takes_a_fault_away_or_leaves_all_as_it_is(code: str, bad: Any) -> None:
    text = json.dumps(bad, indent=2)
    new = fixed(text)
    assert json.loads(new) is not None
    if new != text:
        assert code not in codes(new)
    assert set(codes(new)) <= set(codes(text))
    assert fixed(new) == new


@pytest.mark.parametrize("code", FIXABLE)
def test_a_rule_that_says_it_is_fixable_fixes_its_documented_example(code: str) -> None:
    text = json.dumps(every()[code].bad)
    assert code in codes(text)
    assert code not in codes(fixed(text))


TEXT = """\
{ "tools": [
    {"name": "a",   "description": "Tell tomorrow's weather in a city. Ü",
     "inputSchema": {"type": "object", "properties": {
        "days": {"type": "integer", "minimum": 0, "exclusiveMinimum": true, "description": "D."}
     }, "required": ["days", "days"]}}
] }
"""


def test_nothing_but_the_fault_is_touched() -> None:
    old, new = TEXT.splitlines(), fixed(TEXT).splitlines()
    assert [number for number, (a, b) in enumerate(zip(old, new, strict=True)) if a != b] == [3, 4]
    assert new[3] == (
        '        "days": {"type": "integer", "exclusiveMinimum": 0, "description": "D."}'
    )
    assert new[4] == '     }, "required": ["days"]}}'


def test_a_member_goes_with_its_comma() -> None:
    output = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    tool = {"name": "a", "description": "Tell the weather.", "inputSchema": {"type": "object"}}
    for whole in (output, dict(reversed(output.items())), {"$schema": output["$schema"]}):
        new = json.loads(fixed(json.dumps({**tool, "outputSchema": whole})))
        assert new["outputSchema"] == {k: v for k, v in whole.items() if k != "$schema"}


ACCEPTS = [
    ({"type": "string", "nullable": True}, ["a", None], [1]),
    ({"type": "string", "enum": ["a"], "nullable": True}, ["a", None], ["b"]),
    ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, [2], [1]),
    ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, [9], [10]),
    (
        {"type": "array", "items": [{"type": "string"}], "additionalItems": False},
        [["a"]],
        [[1], ["a", "b"]],
    ),
]


@pytest.mark.parametrize(("schema", "taken", "refused"), ACCEPTS)
def test_a_schema_in_an_older_dialect_means_the_same_afterwards(
    schema: Any, taken: list[Any], refused: list[Any]
) -> None:
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    tool = {"name": "a", "description": "Tell the weather of x.", "inputSchema": whole}
    check = checker(json.loads(fixed(json.dumps(tool)))["inputSchema"])
    assert [each for each in taken if check({"x": each})] == []
    assert [each for each in refused if not check({"x": each})] == []
