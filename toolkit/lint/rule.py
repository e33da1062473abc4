"""What a rule is: one small function with its code, its reasons and its examples."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..findings import Place, Severity
    from ..formats.profiles import Profile
    from .subject import Subject

__all__ = ["RULES", "Check", "Edit", "Example", "Fault", "Rule", "Using", "rule", "told_elsewhere"]

Path: TypeAlias = tuple[str | int, ...]
Example: TypeAlias = "Mapping[str, Any] | Sequence[Mapping[str, Any]] | str"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a declaration that keeps its meaning: a new value at a path, or its removal."""

    path: Path
    value: Any = None
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that a rule says.

    `at` is a path in the declaration: `("inputSchema", "properties", "city")`. A rule about a
    set of tools names the one it speaks of as `tool`; `place` is given where the fault stands
    somewhere in the source that no path tells.
    """

    message: str
    at: Path = ()
    hint: str | None = None
    severity: Severity | None = None
    profile: str | None = None
    tool: Subject | None = None
    place: Place | None = None
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Using:
    """What was chosen for a run: profiles, the prefix that a host puts before names, budgets."""

    profiles: tuple[Profile, ...] = ()
    prefix: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)

    def among(self, *names: str) -> tuple[Profile, ...]:
        """The chosen profiles of these names."""
        return tuple(each for each in self.profiles if each.name in names)

    def limit(self, name: str) -> int:
        """A budget: the user's, else the default of `LIMITS`."""
        return self.limits.get(name, LIMITS[name])


# Characters, parameters and tokens from which on a rule speaks; [tool.toolkit.lint] changes them.
LIMITS = {
    "description": 4_000,
    "parameters": 12,
    "tokens-per-tool": 2_500,
    "tokens-per-set": 25_000,
}

Check: TypeAlias = "Callable[[Any, Using], Iterable[Fault]]"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; `what` and `why` are its documentation, `bad` and `good` differ in one thing.

    `scope` is "tool" or "set"; a rule that other rooms speak for has no check and scope "told".
    `profiles` are the providers that it is about: it is silent without one of them. `evidence`
    says where it is known from.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    bad: Example
    good: Example
    evidence: str
    scope: Literal["tool", "set", "told"] = "tool"
    profiles: tuple[str, ...] = ()
    fixable: bool = False
    check: Check | None = None

    def to_json(self) -> dict[str, Any]:
        """The machine form, for `explain --json`."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": str(self.severity),
            "what": self.what,
            "why": self.why,
            "bad": self.bad,
            "good": self.good,
            "evidence": self.evidence,
            "scope": self.scope,
            "profiles": list(self.profiles),
            "fixable": self.fixable,
        }


RULES: dict[str, Rule] = {}


def rule(  # noqa: PLR0913 - each is a fact of the rule, given by name
    label: str,
    severity: Severity,
    *,
    bad: Example,
    good: Example,
    evidence: str,
    profiles: Sequence[str] = (),
    scope: Literal["tool", "set"] = "tool",
    fixable: bool = False,
) -> Callable[[Check], Check]:
    """Register a function as a rule; `label` is its code and name, `S002 root-not-object`.

    The function's docstring says in its first sentence what the rule finds, and below why that
    is bad. It is called with a subject (or all of them, with scope "set") and what was chosen.
    """

    def register(check: Check) -> Check:
        what, _, why = (inspect.getdoc(check) or "").partition("\n\n")
        _add(
            label,
            severity,
            what=what,
            why=why,
            bad=bad,
            good=good,
            evidence=evidence,
            profiles=tuple(profiles),
            scope=scope,
            fixable=fixable,
            check=check,
        )
        return check

    return register


def told_elsewhere(
    label: str,
    severity: Severity,
    *,
    what: str,
    why: str,
    bad: Example,
    good: Example,
    evidence: str,
) -> None:
    """Document a code that other rooms give: it can be chosen, ignored and explained as any."""
    _add(label, severity, what=what, why=why, bad=bad, good=good, evidence=evidence, scope="told")


def _add(label: str, severity: Severity, **facts: Any) -> None:
    code, _, name = label.partition(" ")
    joined = {key: " ".join(facts[key].split()) for key in ("what", "why")}
    RULES[code] = Rule(code, name, severity, **{**facts, **joined})
