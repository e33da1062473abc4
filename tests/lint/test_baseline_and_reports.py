"""What is known is held back, and other programs read the rest in their own forms."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from toolkit.errors import ConfigError
from toolkit.findings import Finding, Place, Severity
from toolkit.lint.baseline import hold_back, read, written
from toolkit.lint.reports import as_github, as_junit, as_sarif
from toolkit.lint.runner import Report

if TYPE_CHECKING:
    from pathlib import Path

ERROR = Finding(
    "S002",
    "root-not-object",
    "a, b: 100% <bad> & \x1b[31m\nworse",
    hint="mend it",
    tool="to:ol",
    place=Place("a,b.json", 3, 7, "/0/inputSchema"),
    fingerprint="f1",
)
REMARK = replace(
    ERROR,
    code="T004",
    name="wasted-tokens",
    severity=Severity.INFO,
    place=Place(server="mine", pointer="/x"),
    fingerprint="f2",
)
FOREIGN = replace(ERROR, code="M106", name="stray-stdout", tool=None, place=Place(server="mine"))


def report() -> Report:
    return Report(findings=[ERROR, REMARK, FOREIGN], tools=5)


def test_a_baseline_holds_back_what_it_knows_and_counts_what_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(written([ERROR, replace(ERROR, fingerprint="gone")]))
    found = report()
    found.findings[2] = replace(FOREIGN, fingerprint="f3")
    assert hold_back(found, read(path)) == 1
    assert [each.fingerprint for each in found.findings] == ["f2", "f3"]
    assert found.known == 1


@pytest.mark.parametrize("text", ["[]", "{", '{"version": 2, "findings": []}', '{"version": 1}'])
def test_what_is_no_baseline_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match="baseline"):
        read(path)


def test_a_baseline_that_is_not_there_says_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path / "none.json")
    assert "--write-baseline" in (caught.value.hint or "")


def test_sarif_has_rules_levels_places_and_fingerprints() -> None:
    log = as_sarif(report().findings, version="1.2.3")
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["semanticVersion"] == "1.2.3"
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["S002", "T004", "M106"]
    first, second, third = run["results"]
    assert (first["level"], second["level"]) == ("error", "note")
    physical = first["locations"][0]["physicalLocation"]
    assert physical["region"] == {"startLine": 3, "startColumn": 7}
    assert first["partialFingerprints"] == {"toolkit/v1": "f1"}
    assert third["ruleIndex"] == 2
    json.dumps(log)


def test_junit_is_a_document_whatever_a_message_holds() -> None:
    root = ET.fromstring(as_junit(report()))
    assert (root.get("tests"), root.get("failures")) == ("5", "2")
    failure = root.find(".//testcase[@name='to:ol']/failure")
    assert failure is not None
    assert failure.get("message") == "a, b: 100% <bad> & \\x1b[31m\nworse"
    assert len(root.findall(".//testcase")) == 5


def test_a_workflow_command_is_one_line_with_its_signs_escaped() -> None:
    first, second, third = as_github(report().findings)
    assert first.startswith("::error file=a%2Cb.json,line=3,col=7,title=S002 root-not-object::")
    assert "100%25 <bad>" in first
    assert "%0Aworse" in first
    assert "\n" not in first
    assert second.startswith("::notice title=T004")
    assert "mine: " in third
