"""`call --repeat N --concurrency M`: latencies and failures as a table."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..events import TAKEN, Taken
from ..types import ToolFinished
from .console import write, write_json
from .render.progress import Bar, Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..executor import ToolExecutor
    from ..types import Event, Tool, ToolResult, ToolUse

__all__ = ["Latencies", "repeat"]


@dataclass(slots=True)
class Latencies:
    """What N calls took: seconds of each, the whole, and the failures by kind."""

    seconds: list[float]
    wall: float
    failures: Counter[str]

    def percentile(self, share: float) -> float:
        """The latency in seconds that `share` of the calls do not pass (nearest rank)."""
        ordered = sorted(self.seconds)
        return ordered[max(0, -(-int(len(ordered) * share * 1000) // 1000) - 1)]

    def to_json(self) -> dict[str, Any]:
        """The machine form: times in milliseconds."""
        return {
            "calls": len(self.seconds),
            "callsPerSecond": round(len(self.seconds) / self.wall, 1),
            "milliseconds": {
                "p50": round(self.percentile(0.5) * 1000, 3),
                "p90": round(self.percentile(0.9) * 1000, 3),
                "p99": round(self.percentile(0.99) * 1000, 3),
                "max": round(max(self.seconds) * 1000, 3),
            },
            "failures": dict(self.failures),
        }


async def repeat(executor: ToolExecutor, use: ToolUse, *, tool: Tool, options: Any) -> int:
    """Call N times and write the table; 1 where any call failed."""
    if tool.spec.annotations.get("destructiveHint") and not options.destructive:
        message = f"'{use.name}' declares itself destructive"
        raise UsageError(message, hint="--destructive repeats it all the same")
    uses = [replace(use, tool_use_id=f"call-{number}") for number in range(1, options.repeat + 1)]
    seconds: list[float] = []
    with Bar("calls") as bar:

        def sink(event: Event) -> Taken:
            if isinstance(event, ToolFinished):
                seconds.append(event.duration)
                bar.show(Measure(len(seconds), len(uses)))
            return TAKEN

        started = time.perf_counter()
        batch = await executor.run_batch(uses, sink=sink)
    found = Latencies(seconds, time.perf_counter() - started, _failures(batch.results))
    if options.json_ or options.jsonl:
        write_json(found.to_json())
    else:
        _write_table(found)
    return 1 if found.failures else 0


def _failures(results: Sequence[ToolResult | None]) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for result in results:
        if result is None:
            kinds["interrupted"] += 1
        elif result.status == "error":
            kinds[type(result.exception).__name__ if result.exception else "error result"] += 1
    return kinds


def _write_table(found: Latencies) -> None:
    facts = found.to_json()
    write(f"{facts['calls']} calls, {facts['callsPerSecond']} a second")
    for name, value in facts["milliseconds"].items():
        write(f"{name:>4} {value:>10.3f} ms")
    total = sum(found.failures.values())
    write(f"failures {total}" + (":" if total else ""))
    for kind, count in found.failures.most_common():
        write(f"  {kind} {count}")
