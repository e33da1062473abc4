"""What any room says about a tool: what is wrong with it, what changed in it, where it stands."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Finding", "Place", "Severity", "ToolChange", "ToolsChanged", "shown_path"]


class Severity(StrEnum):
    """How bad a finding is; only an error makes a command end with 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: lines and columns count from 1."""

    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    server: str | None = None

    def __str__(self) -> str:
        """`path:line:column`, or the server, with the JSON pointer behind it."""
        path = shown_path(self.path)
        parts = [str(part) for part in (path, self.line, self.column) if part is not None]
        where = ":".join(parts) or self.server or ""
        return f"{where}{self.pointer or ''}" if self.pointer else where


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing said about a tool; `code` is a letter and three digits, `name` its long form."""

    code: str
    name: str
    message: str
    severity: Severity = Severity.ERROR
    hint: str | None = None
    tool: str | None = None
    place: Place = Place()
    profile: str | None = None
    fingerprint: str | None = None
    cause: BaseException | None = None

    def to_json(self) -> dict[str, Any]:
        """The machine form: a flat object with every key always there."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": str(self.severity),
            "message": self.message,
            "hint": self.hint,
            "tool": self.tool,
            "path": self.place.path,
            "line": self.place.line,
            "column": self.place.column,
            "pointer": self.place.pointer,
            "server": self.place.server,
            "profile": self.profile,
            "fingerprint": self.fingerprint,
        }


@dataclass(frozen=True, slots=True)
class ToolChange:
    """One tool that came, went or changed; `diff` says how, a line each."""

    name: str
    place: Place | None = None
    diff: tuple[str, ...] = ()
    breaking: bool = False


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """What a reload, or a server's list_changed, did to a registry."""

    added: tuple[ToolChange, ...] = ()
    changed: tuple[ToolChange, ...] = ()
    removed: tuple[ToolChange, ...] = ()
    failed: tuple[Finding, ...] = ()
    generation: int = 0
    seconds: float = 0.0
    restarted: tuple[str, ...] = ()  # the servers that are there again

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        came_or_went = self.added or self.changed or self.removed
        return bool(came_or_went or self.failed or self.restarted)


def shown_path(path: str | None) -> str | None:
    """A path as short as it can be told from the working folder."""
    if path is None or not os.path.isabs(path):  # noqa: PTH117 - a text, shown to a person
        return path
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
