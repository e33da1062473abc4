"""What a conversion lost or changed, on stderr: alike things once, for a program a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...findings import Severity
from ...formats.wire import dump
from ..console import hint, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...findings import Finding

__all__ = ["say_findings"]

KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MOST = 3  # places that are named before the rest is counted


def say_findings(findings: Iterable[Finding], *, as_json: bool = False) -> None:
    """Say each once with the places it holds for; as JSON one line each, nothing left out."""
    if as_json:
        for one in findings:
            say(dump(one.to_json()))
        return
    alike: dict[tuple[str | None, Severity, str, str | None], list[str]] = {}
    for one in findings:
        where = " ".join(part for part in (one.tool, one.place.pointer) if part)
        alike.setdefault((one.profile, one.severity, one.message, one.hint), []).append(where)
    for (profile, severity, message, advice), places in alike.items():
        named = ", ".join(places) if severity is not Severity.INFO else _shortened(places)
        said = f"{profile}: {message}" if profile else message
        say(f"{said} ({named})" if named else said, kind=KINDS[severity])
        hint(advice)


def _shortened(places: list[str]) -> str:
    rest = len(places) - MOST
    named = ", ".join(places[:MOST])
    return named if rest <= 0 else f"{named} and {rest} more"
