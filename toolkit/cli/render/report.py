"""Findings as a person or a program reads them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from ...errors import UsageError
from ...findings import Severity
from ..console import escaped, is_terminal, say, styled, write, write_json
from ..frame import data_stream

if TYPE_CHECKING:
    from ...findings import Finding
    from ...lint.runner import Report

__all__ = ["FORMS", "form_of", "write_report"]

FORMS = ("concise", "full", "json", "github", "junit", "sarif")
_STYLES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "hint"}
_WIDEST = 160  # columns of a source line that are shown


def form_of(given: str | None) -> str:
    """The form that was asked for, else the one that fits where the output goes."""
    if given is not None:
        if given not in FORMS:
            raise UsageError(f"--output-format takes {', '.join(FORMS)}, not '{given}'")
        return given
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if is_terminal(data_stream()) else "concise"


def write_report(report: Report, *, form: str) -> None:
    """Write the findings to stdout, and for a person a summary to stderr."""
    found = report.findings
    match form:
        case "json":
            write_json([each.to_json() for each in found])
        case "sarif" | "junit" | "github":
            _machine(report, form)
        case "full":
            for each in found:
                write(_full(each), raw=True)
        case _:
            for each in found:
                write(_concise(each), raw=True)
    _summary(report)


def _machine(report: Report, form: str) -> None:
    from ...lint.reports import as_github, as_junit, as_sarif

    if form == "sarif":
        log = as_sarif(report.findings, version=__version__)
        write_json(log)
    elif form == "junit":
        write(as_junit(report), raw=True)
    else:
        for line in as_github(report.findings):
            write(line, raw=True)


def _concise(finding: Finding) -> str:
    where = _where(finding)
    tool = f" [{escaped(finding.tool)}]" if finding.tool else ""
    message = " ".join(escaped(finding.message).split())
    return f"{where}: {finding.code} {message}{tool}"


def _where(finding: Finding) -> str:
    place = finding.place
    parts = [place.path or place.server or "<tools>"]
    parts += [str(each) for each in (place.line, place.column) if each is not None]
    where = escaped(":".join(parts))
    beside = place.line is None and place.pointer
    return f"{where}#{escaped(place.pointer or '')}" if beside else where


def _full(finding: Finding) -> str:
    stream = data_stream()
    word = styled(str(finding.severity), style=_STYLES[finding.severity], stream=stream)
    head = styled(f"{finding.code} {finding.name}", style="bold", stream=stream)
    lines = [f"{word}: {head}: {escaped(finding.message)}"]
    tool = f" in '{escaped(finding.tool)}'" if finding.tool else ""
    lines.append(f"  {styled('-->', style='dim', stream=stream)} {_where(finding)}{tool}")
    lines += _excerpt(finding)
    if finding.hint:
        lines.append(f"  {styled('hint:', style='hint', stream=stream)} {escaped(finding.hint)}")
    return "\n".join([*lines, "", ""])


def _excerpt(finding: Finding) -> list[str]:
    """The line of the source, and a caret under the place."""
    place = finding.place
    if place.path is None or place.line is None:
        return []
    try:
        text = Path(place.path).read_text(encoding="utf-8-sig").splitlines()[place.line - 1]
    except (OSError, UnicodeDecodeError, IndexError):
        return []
    shown = text.replace("\t", " ")
    column = (place.column or 1) - 1
    start = max(0, column - _WIDEST // 2) if len(shown) > _WIDEST else 0
    piece = escaped(shown[start : start + _WIDEST])
    margin = len(str(place.line))
    caret = " " * (column - start) + "^"
    return [f"  {' ' * margin} |", f"  {place.line} | {piece}", f"  {' ' * margin} | {caret}"]


def _summary(report: Report) -> None:
    counts = dict.fromkeys(Severity, 0)
    for each in report.findings:
        counts[each.severity] += 1
    parts = [f"{n} {word}{'s' * (n != 1)}" for word, n in counts.items() if n and word != "info"]
    if counts[Severity.INFO]:
        parts.append(
            f"{counts[Severity.INFO]} remarks" if counts[Severity.INFO] > 1 else "1 remark"
        )
    beside = [
        f"{count} {what}"
        for count, what in ((report.suppressed, "suppressed"), (report.known, "in the baseline"))
        if count
    ]
    tools = f"{report.tools} tool{'s' * (report.tools != 1)}"
    more = f" ({', '.join(beside)})" if beside else ""
    say(f"{tools}: {', '.join(parts) or 'nothing to say'}{more}")
