"""Rules as a person reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..console import styled, write
from ..frame import data_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...lint.rule import Example, Rule

__all__ = ["write_list", "write_rule"]

_LONGEST = 60  # lines of an example


def write_list(rules: Sequence[Rule]) -> None:
    """A line for each rule."""
    width = max(len(each.name) for each in rules)
    for each in rules:
        write(f"{each.code} {each.name.ljust(width)}  {str(each.severity).ljust(7)}  {each.what}")


def write_rule(rule: Rule) -> None:
    """The whole page of one rule."""
    stream = data_stream()
    head = styled(f"{rule.code} {rule.name}", style="bold", stream=stream)
    facts = [str(rule.severity), *(["--fix mends it in JSON documents"] if rule.fixable else [])]
    if rule.profiles:
        facts.append(f"only --for {','.join(rule.profiles)}")
    parts = [
        f"{head} ({'; '.join(facts)})",
        rule.what,
        rule.why,
        f"Known from: {rule.evidence}.",
        f"Bad:\n\n{_indented(rule.bad)}",
        f"Good:\n\n{_indented(rule.good)}",
        f"To suppress it on one tool or parameter: # toolkit: ignore[{rule.code}] why",
    ]
    write("\n\n".join(parts), raw=True)


def _indented(example: Example) -> str:
    if isinstance(example, str):
        lines = example.strip("\n").splitlines()
    else:
        lines = json.dumps(example, ensure_ascii=True, indent=2).splitlines()
    if len(lines) > _LONGEST:
        lines = [*lines[: _LONGEST // 2], "  …", *lines[-_LONGEST // 4 :]]
    return "\n".join(f"    {line}".rstrip() for line in lines)
