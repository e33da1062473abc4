"""Findings in the forms of other programs: SARIF, JUnit, GitHub's workflow commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import Severity
from .rule import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..findings import Finding
    from .runner import Report
from .pattern import Pattern

__all__ = ["as_github", "as_junit", "as_sarif"]

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_XML = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
)
_CONTROLS = Pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # a log is read in a terminal
# What XML 1.0 can't hold, escaped or not.
_NO_XML = Pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_sarif(found: Sequence[Finding], *, version: str) -> dict[str, Any]:
    """A SARIF 2.1.0 log of one run; `version` is toolkit's own."""
    codes = list(dict.fromkeys(each.code for each in found))
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "toolkit",
                        "semanticVersion": version,
                        "rules": [_sarif_rule(code, found) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(each, codes.index(each.code)) for each in found],
            }
        ],
    }


def _sarif_rule(code: str, found: Sequence[Finding]) -> dict[str, Any]:
    name = next(each.name for each in found if each.code == code)
    rule = RULES.get(code)
    if rule is None:
        return {"id": code, "name": name}
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {"text": f"{rule.why}\n\ntoolkit explain {code}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _sarif_result(finding: Finding, index: int) -> dict[str, Any]:
    place = finding.place
    text = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    location: dict[str, Any] = {}
    if place.path is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": place.path.replace("\\", "/")}}
        if place.line is not None:
            column = {"startColumn": place.column} if place.column else {}
            physical["region"] = {"startLine": place.line, **column}
        location["physicalLocation"] = physical
    logical = "".join(each for each in (finding.tool or "", place.pointer or "") if each)
    if logical:
        location["logicalLocations"] = [{"fullyQualifiedName": logical}]
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [location] if location else [],
        "partialFingerprints": {"toolkit/v1": finding.fingerprint or ""},
    }


def as_github(found: Sequence[Finding]) -> Iterator[str]:
    """A workflow command for each finding, which GitHub shows beside the line."""
    words = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
    for each in found:
        place = each.place
        facts: dict[str, Any] = {"title": f"{each.code} {each.name}"}
        if place.path is not None:
            facts = {"file": place.path, "line": place.line, "col": place.column, **facts}
        given = ",".join(f"{key}={_property(v)}" for key, v in facts.items() if v is not None)
        tool = f" [{each.tool}]" if each.tool else ""
        where = f"{place.server}: " if place.server else ""
        hint = f"; {each.hint}" if each.hint else ""
        yield f"::{words[each.severity]} {given}::{_data(f'{where}{each.message}{tool}{hint}')}"


def _data(text: str) -> str:
    shown = _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")


def as_junit(report: Report) -> str:
    """A JUnit document: a test case for each tool, which fails by its errors and warnings."""
    by_tool: dict[str, list[Finding]] = {}
    for each in report.findings:
        by_tool.setdefault(each.tool or str(each.place) or "tools", []).append(each)
    clean = max(report.tools - len(by_tool), 0)
    failing = sum(any(f.severity is not Severity.INFO for f in each) for each in by_tool.values())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="toolkit lint" tests="{len(by_tool) + clean}" failures="{failing}">',
        f'  <testsuite name="toolkit lint" tests="{len(by_tool) + clean}" failures="{failing}">',
    ]
    for tool, found in by_tool.items():
        lines.append(
            f"    <testcase classname={_attribute('toolkit.lint')} name={_attribute(tool)}>"
        )
        for each in found:
            kind = "failure" if each.severity is not Severity.INFO else "system-out"
            text = _escaped(f"{each.place}: {each.code} {each.message}")
            head = f" type={_attribute(each.code)} message={_attribute(each.message)}"
            lines.append(f"      <{kind}{head if kind == 'failure' else ''}>{text}</{kind}>")
        lines.append("    </testcase>")
    lines += [
        f'    <testcase classname="toolkit.lint" name="tool without findings {number}"/>'
        for number in range(1, clean + 1)
    ]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"])


def _xml(text: str) -> str:
    return _NO_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _attribute(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return _xml(text).translate(_XML)
