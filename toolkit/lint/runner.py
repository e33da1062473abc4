"""Run the chosen rules over subjects, and give what they say a place and a fingerprint."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..findings import Finding, Severity, shown_path
from .rule import RULES, Edit, Fault, Using
from .suppress import Suppressions
from .where import placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .rule import Rule
    from .settings import Settings
    from .subject import Subject
from .pattern import Pattern

__all__ = ["Report", "lint"]

# The part of a pointer before a declaration's own: where it stands in a document may change.
_PART = Pattern(
    r"^.*?(?=/(?:inputSchema|input_schema|parameters|parametersJsonSchema|toolSpec|function"
    r"|outputSchema|output_schema|annotations|name|title|description|_meta)\b)"
)
_ALWAYS = frozenset({"F001", "M100"})  # what was not judged at all is said, whatever was chosen
_OF_FIELDS = frozenset({"F203", "F204"})
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(slots=True)
class Report:
    """What a run found, in the order of the source; `edits` are the fixes of JSON documents.

    `suppressed` and `known` count what comments and the baseline held back.
    """

    findings: list[Finding] = field(default_factory=list)
    edits: list[tuple[Subject, Edit]] = field(default_factory=list)
    tools: int = 0
    suppressed: int = 0
    known: int = 0

    def fails(self, fail_on: str) -> bool:
        """Whether a finding is as bad as `fail_on`: error, warning, info or never."""
        if fail_on == "never":
            return False
        worst = min((_ORDER[each.severity] for each in self.findings), default=3)
        return worst <= _ORDER[Severity(fail_on)]


def lint(
    subjects: Sequence[Subject], settings: Settings, *, problems: Iterable[Finding] = ()
) -> Report:
    """Judge the subjects as one set, and take over what other rooms said of them (`problems`)."""
    report = Report(tools=len(subjects))
    using = Using(settings.profiles, settings.prefix, settings.limits)
    found: list[Finding] = []
    for subject, rule, fault in _faults(subjects, settings, using):
        found.append(_finding(subject, rule, fault))
        if subject.document is not None and subject.dialect != "gemini-openapi":
            report.edits += [(subject, edit) for edit in fault.edits]
    told = [_told(each) for each in problems if _is_chosen(each, settings)]
    found = _without_twins([*found, *_unsaid(told, found)])
    found = [_graded(each, settings) for each in found if not _is_excepted(each, settings)]
    suppressions = Suppressions(subjects)
    kept = [each for each in found if not suppressions.hold(each)]
    report.suppressed = len(found) - len(kept)
    said = [each for each in suppressions.unused(settings.select) if each.code in settings.select]
    kept += [_graded(each, settings) for each in said]
    report.findings = _fingerprinted(sorted(kept, key=_by_place))
    return report


def _faults(
    subjects: Sequence[Subject], settings: Settings, using: Using
) -> Iterator[tuple[Subject, Rule, Fault]]:
    chosen = {profile.name for profile in settings.profiles}
    rules = [
        each
        for code, each in RULES.items()
        if code in settings.select and (not each.profiles or chosen & set(each.profiles))
    ]
    for rule in rules:
        if rule.check is None:
            continue
        if rule.scope == "set":
            for fault in _heard(rule, subjects, using) if subjects else ():
                yield fault.tool or subjects[0], rule, fault
            continue
        for subject in subjects:
            for fault in _heard(rule, subject, using):
                yield subject, rule, fault


def _heard(rule: Rule, subject: object, using: Using) -> Iterator[Fault]:
    """What a rule says; one that fails is a fault of ours, told as an error, and hides no other."""
    assert rule.check is not None  # noqa: S101 - the caller has looked
    try:
        yield from rule.check(subject, using)
    except Exception as error:  # noqa: BLE001 - whatever is in a declaration, the rest is judged
        message = f"the rule itself failed: {type(error).__name__}: {error}"
        yield Fault(message, severity=Severity.ERROR, hint="this is a fault of toolkit")


def _finding(subject: Subject, rule: Rule, fault: Fault) -> Finding:
    return Finding(
        rule.code,
        rule.name,
        fault.message,
        fault.severity or rule.severity,
        hint=fault.hint,
        tool=subject.label,
        place=fault.place or placed(subject, fault.at),
        profile=fault.profile,
    )


def _told(finding: Finding) -> Finding:
    return replace(finding, place=replace(finding.place, path=shown_path(finding.place.path)))


def _is_chosen(finding: Finding, settings: Settings) -> bool:
    return finding.code in settings.select or finding.code not in RULES or finding.code in _ALWAYS


def _is_excepted(finding: Finding, settings: Settings) -> bool:
    path = finding.place.path or finding.place.server or ""
    for glob, codes in settings.per_file.items():
        name = path.rpartition("/")[2]
        if finding.code in codes and any(fnmatch.fnmatchcase(each, glob) for each in (path, name)):
            return True
    return any(
        finding.code in codes and fnmatch.fnmatchcase(finding.tool or "", glob)
        for glob, codes in settings.per_tool.items()
    )


def _graded(finding: Finding, settings: Settings) -> Finding:
    severity = settings.severities.get(finding.code)
    return replace(finding, severity=severity) if severity is not None else finding


def _unsaid(told: Iterable[Finding], found: Iterable[Finding]) -> list[Finding]:
    """What was told of a field in reading it, where no rule speaks of that field already."""
    spoken = {(each.tool, each.place.pointer) for each in found}
    return [
        each
        for each in told
        if each.code not in _OF_FIELDS or (each.tool, each.place.pointer) not in spoken
    ]


def _without_twins(found: Sequence[Finding]) -> list[Finding]:
    """What a rule said and a registry says again of the same tool is said once, as the rule did."""
    seen: set[tuple[str, str | None, str, str | None]] = set()
    kept = []
    for each in found:
        key = (each.code, each.tool, (each.place.pointer or "").lstrip("#"), each.message)
        if key not in seen:
            seen.add(key)
            kept.append(each)
    return kept


def _by_place(finding: Finding) -> tuple[str, int, int, str]:
    place = finding.place
    return (place.path or place.server or "", place.line or 0, place.column or 0, finding.code)


def _fingerprinted(found: Sequence[Finding]) -> list[Finding]:
    """Stable while lines move: code, tool, place in the declaration, words without numbers."""
    seen: Counter[str] = Counter()
    result = []
    for each in found:
        words = re.sub(r"\d+", "0", each.message)
        pointer = _PART.sub("", each.place.pointer or "")
        key = "\x1f".join((each.code, each.tool or "", pointer, words, each.profile or ""))
        seen[key] += 1
        number = f"{key}\x1f{seen[key]}" if seen[key] > 1 else key
        digest = hashlib.blake2b(number.encode("utf-8", "replace"), digest_size=8).hexdigest()
        result.append(replace(each, fingerprint=digest))
    return result
