"""A baseline: the findings that are known, so that only new ones are told."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..findings import Finding
    from .runner import Report

__all__ = ["hold_back", "read", "written"]

_VERSION = 1


def written(found: Sequence[Finding]) -> str:
    """The text of a baseline file: sorted, so that two of them can be compared."""
    entries = [
        {"fingerprint": each.fingerprint, "code": each.code, "tool": each.tool} for each in found
    ]
    entries.sort(key=lambda each: (str(each["tool"]), str(each["code"]), str(each["fingerprint"])))
    return json.dumps({"version": _VERSION, "findings": entries}, indent=1, ensure_ascii=False)


def read(path: Path) -> frozenset[str]:
    """The fingerprints of a file; `ConfigError` where it is no baseline."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            message = f"the baseline '{path}' is of version {data['version']}, not {_VERSION}"
            raise ConfigError(message, hint="write it again: --write-baseline", path=str(path))
        return frozenset(str(each["fingerprint"]) for each in data["findings"])
    except FileNotFoundError as error:
        hint = f"write it: toolkit lint --write-baseline {path}"
        raise ConfigError(f"there is no baseline '{path}'", hint=hint, path=str(path)) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"'{path}' is no baseline of toolkit lint", path=str(path)) from error


def hold_back(report: Report, known: frozenset[str]) -> int:
    """Take what is known out of a report; how many entries of the baseline are no longer true."""
    kept = [each for each in report.findings if each.fingerprint not in known]
    report.known = len(report.findings) - len(kept)
    seen = Counter(each.fingerprint for each in report.findings)
    report.findings = kept
    return sum(1 for each in known if each not in seen)
