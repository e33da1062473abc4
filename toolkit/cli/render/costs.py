"""What tools cost a model in tokens, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..console import escaped, is_terminal, say, write, write_json
from ..frame import data_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...formats.tokens import Cost, Counter

__all__ = ["counter_of", "write_costs"]

PARTS = ("total", "name", "description", "parameters", "deferred")


def counter_of(*, exact: bool) -> Counter:
    """The estimator, or with `exact` the vocabulary; `UsageError` where it is not installed."""
    from ...errors import UsageError
    from ...formats.tokens import ESTIMATE, vocabulary

    if not exact:
        return ESTIMATE
    found = vocabulary()
    if found is None:
        hint = "pip install 'toolkit-cli[tokens]'"
        raise UsageError("--exact needs a vocabulary, which is not installed", hint=hint)
    return found


def write_costs(
    costs: Sequence[tuple[str, Cost]], counter: Counter, *, form: str, as_json: bool
) -> None:
    """A line for each tool and one for all; how they were counted goes to stderr."""
    sums = {part: sum(getattr(cost, part) for _, cost in costs) for part in PARTS}
    if as_json:
        tools = [
            {"tool": name, "tokens": {part: getattr(cost, part) for part in PARTS}}
            for name, cost in costs
        ]
        document: dict[str, Any] = {"format": form, "method": counter.method}
        write_json({**document, "exact": counter.exact, "tools": tools, "all": sums})
        return
    lines = [[name, *(str(getattr(cost, part)) for part in PARTS)] for name, cost in costs]
    _write_table([["", *PARTS], *lines, ["all", *map(str, sums.values())]])
    kind = "counted" if counter.exact else "an estimate"
    say(f"{kind}, in the shape '{form}': {counter.method}", kind="note")


def _write_table(lines: Sequence[Sequence[str]]) -> None:
    if not is_terminal(data_stream()):
        for line in lines:
            write("\t".join(map(escaped, line)), raw=True)
        return
    widths = [max(len(escaped(line[at])) for line in lines) for at in range(len(lines[0]))]
    for first, *rest in lines:
        numbers = "  ".join(text.rjust(width) for text, width in zip(rest, widths[1:], strict=True))
        write(f"{escaped(first).ljust(widths[0])}  {numbers}", raw=True)
