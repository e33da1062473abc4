"""A long recording costs what its turns cost: counted in calls of functions, not in seconds."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolExecutor, ToolRegistry
from toolkit.cli.recorded import chosen, read
from toolkit.cli.render.replayed import compared

from .recordings.tools import population

if TYPE_CHECKING:
    from pathlib import Path


def recording(turns: int) -> str:
    messages: list[Any] = []
    for number in range(turns):
        use = {"type": "tool_use", "id": f"t{number}", "name": "population"}
        messages.append({"role": "assistant", "content": [{**use, "input": {"city": "Tokyo"}}]})
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "many"}
        messages.append({"role": "user", "content": [result]})
    return json.dumps(messages)


async def replayed(path: Path) -> int:
    """Read, run and compare, as the command does; how many results differ."""
    turns, _ = read([str(path)])
    executor = ToolExecutor(ToolRegistry([population]))
    for turn in chosen(turns):
        turn.batch = await executor.resume(turn.batch, {})
    return len(compared(turns))


def counted(path: Path, turns: int) -> int:
    path.write_text(recording(turns))
    count = 0

    def see(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        different = asyncio.run(replayed(path))
    finally:
        sys.setprofile(before)
    assert different == turns
    return count


def test_a_thousand_turns_cost_ten_times_a_hundred(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    counted(path, 10)
    few, many = counted(path, 100), counted(path, 1000)
    assert many == pytest.approx(10 * few, rel=0.1)
