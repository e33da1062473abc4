"""Where a conversion of a schema stands: the provider's limits, the place, what was said there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..findings import Finding, Severity
from .wire import finding

if TYPE_CHECKING:
    from .profiles import Profile

__all__ = ["Spot", "Work"]


@dataclass(slots=True)
class Work:
    """One schema on its way to one provider; `whole` is its root, for references."""

    tool: str
    profile: Profile
    whole: dict[str, Any] = field(default_factory=dict)
    cycles: frozenset[str] = frozenset()
    findings: list[Finding] = field(default_factory=list)
    nodes: int = 0
    overflown: bool = False

    def takes(self, key: str) -> bool:
        """Whether the provider takes a keyword."""
        allowed = self.profile.get("keywords.allowed")
        if allowed is not None:
            return key in allowed
        return key not in self.profile.get("keywords.refused", ())


@dataclass(slots=True)
class Spot:
    """One schema in it: its pointer, the references that led here, notes for its description."""

    work: Work
    pointer: str = ""
    seen: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    def inside(self, *keys: str, seen: tuple[str, ...] | None = None) -> Spot:
        """The spot of a schema below this one."""
        place = "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)
        return Spot(self.work, f"{self.pointer}{place}", self.seen if seen is None else seen)

    def say(
        self,
        code: str,
        message: str,
        *,
        key: str = "",
        severity: Severity = Severity.WARNING,
        hint: str | None = None,
    ) -> None:
        """Add a finding that points here, or at a keyword here."""
        self.work.findings.append(
            finding(
                code,
                message,
                severity=severity,
                tool=self.work.tool,
                pointer=f"/inputSchema{self.pointer}{'/' if key else ''}{key}",
                profile=self.work.profile.name,
                hint=hint,
            )
        )

    def refuse(self, message: str, *, key: str = "", hint: str | None = None) -> None:
        """Say that the provider would not take the tool because of this."""
        self.say("F301 refused-schema", message, key=key, severity=Severity.ERROR, hint=hint)
