"""Every rule speaks of its bad examples and is silent on its good ones."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from toolkit.findings import Severity
from toolkit.lint.declarations import read_text
from toolkit.lint.loaded import subjects_of
from toolkit.lint.rules import every
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table
from toolkit.registry import ToolRegistry

if TYPE_CHECKING:
    from pathlib import Path

    from toolkit.findings import Finding
    from toolkit.lint.rule import Rule

GROUPS = ("schemas", "descriptions", "hints", "providers", "security", "fields")
PAIRS: dict[str, list[tuple[Any, Any]]] = {}
for group in GROUPS:
    for code, pairs in importlib.import_module(f"tests.lint.pairs.{group}").PAIRS.items():
        PAIRS.setdefault(code, []).extend(pairs)

RULES = every()
DOCUMENTED = [(code, rule.bad, rule.good) for code, rule in RULES.items()]
PAIRED = [(code, bad, good) for code, those in PAIRS.items() for bad, good in those]
CASES = [*DOCUMENTED, *PAIRED]
CASES = [case for case in CASES if RULES[case[0]].scope != "told"]


def found_in(example: Any, rule: Rule, folder: Path) -> list[Finding]:
    """What lint says of an example, for the providers of a rule."""
    settings = from_table({"for": list(rule.profiles)})
    if isinstance(example, str):
        path = folder / "example.py"
        path.write_text(example, encoding="utf-8")
        registry = ToolRegistry(str(path))
        registry.specs()
        return lint(subjects_of(registry.tools), settings, problems=registry.problems).findings
    document = read_text(json.dumps(example))
    return lint(document.subjects, settings, problems=document.problems).findings


@pytest.mark.parametrize(("code", "bad", "good"), CASES, ids=[code for code, _, _ in CASES])
def test_a_rule_tells_bad_from_good(code: str, bad: Any, good: Any, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "good").mkdir()
    said = [each.code for each in found_in(bad, RULES[code], tmp_path / "bad")]
    not_said = [each.code for each in found_in(good, RULES[code], tmp_path / "good")]
    assert code in said
    assert code not in not_said


@pytest.mark.parametrize("code", [code for code, rule in RULES.items() if rule.scope != "told"])
def test_a_rule_has_two_pairs_beside_its_documented_one(code: str) -> None:
    assert len(PAIRS.get(code, [])) >= 2


@pytest.mark.parametrize(
    "code",
    [code for code, rule in RULES.items() if rule.scope != "told" and not rule.profiles],
)
def test_nothing_is_said_of_a_documented_good_example(code: str, tmp_path: Path) -> None:
    assert found_in(RULES[code].good, RULES[code], tmp_path) == []


@pytest.mark.parametrize(("code", "bad", "good"), CASES, ids=[code for code, _, _ in CASES])
def test_bad_and_good_differ_in_one_part(code: str, bad: Any, good: Any) -> None:
    if isinstance(bad, str):
        pairs = zip(bad.splitlines(), good.splitlines(), strict=False)
        assert sum(one != other for one, other in pairs) <= 2, code
    elif isinstance(bad, list):
        shared = min(len(bad), len(good))
        differing = sum(one != other for one, other in zip(bad, good, strict=False))
        assert shared < max(len(bad), len(good)) or differing == 1
    else:
        assert sum(bad.get(key) != good.get(key) for key in bad | good) == 1


@pytest.mark.parametrize("code", list(RULES))
def test_a_rule_says_what_it_finds_why_and_whence(code: str) -> None:
    rule = RULES[code]
    assert rule.what.endswith(".")
    assert rule.why.endswith(".")
    assert rule.evidence
    assert rule.severity in Severity
    assert rule.name == rule.name.lower().replace(" ", "-")
