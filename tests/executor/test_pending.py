"""What waits for an answer is written as JSON, and another process goes on with it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import (
    Audio,
    Batch,
    Document,
    Image,
    Interrupt,
    Json,
    Resource,
    Text,
    ToolExecutor,
    ToolRegistry,
    ToolResult,
    ToolUse,
)
from toolkit.errors import LoadError
from toolkit.pending import dump_batches, load_batches, lost_state
from toolkit.types import Malformed, Opaque, ToolInterrupted

TOOLS = """\
from toolkit import ToolContext, tool

@tool
def pay(amount: int, context: ToolContext) -> str:
    context.state["asked"] = context.state.get("asked", 0) + 1
    answer = context.interrupt("approve", amount)
    return f"{answer}, asked {context.state['asked']} times"

@tool
def draw() -> bytes:
    print("drawn")
    return b"\\x89PNG\\r\\n\\x1a\\nrest"
"""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
data = st.binary(max_size=20)
parts = st.one_of(
    st.builds(Text, texts),
    st.builds(Json, values),
    st.builds(Image, texts, data),
    st.builds(Audio, texts, data),
    st.builds(Document, texts, texts, data),
    st.builds(Resource, texts, texts, texts, st.none() | texts, st.none() | data, st.none()),
    st.builds(Opaque, texts, values),
)
inputs = st.dictionaries(texts, values, max_size=3) | st.builds(Malformed, texts, texts)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    uses, results, pending = [], [], []
    for _ in range(draw(st.integers(0, 4))):
        use = ToolUse(draw(texts), draw(texts), draw(inputs))
        content = tuple(draw(st.lists(parts, max_size=3)))
        result = ToolResult(use.tool_use_id, "success", content, structured=draw(values))
        uses.append(use)
        waits = draw(st.booleans())
        results.append(None if waits else result)
        if waits and draw(st.booleans()):
            pending.append(ToolInterrupted(use, (Interrupt(draw(texts), draw(values)),)))
    state = draw(st.dictionaries(texts, values, max_size=2))
    answers = draw(st.dictionaries(texts, st.dictionaries(texts, values, max_size=2), max_size=2))
    return Batch(tuple(results), tuple(pending), tuple(uses), answers, state)


def questions(batch: Batch) -> list[Any]:
    return [(p.use, [(one.name, one.reason) for one in p.interrupts]) for p in batch.pending]


@given(st.lists(batches(), max_size=3), values)
def test_a_batch_comes_back_as_it_was(given: list[Batch], note: Any) -> None:
    text = dump_batches(given, about={"note": note})
    loaded, about = load_batches(text)
    assert about == {"note": note}
    for before, after in zip(given, loaded, strict=True):
        assert (after.uses, after.results) == (before.uses, before.results)
        assert (after.answers, after.state) == (before.answers, before.state)
        assert questions(after) == questions(before)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "[]",
        "{}",
        '{"toolkit": "pending batches", "version": 2, "batches": [], "about": {}}',
        '{"toolkit": "pending batches", "version": 1, "batches": [{"uses": [{}]}], "about": {}}',
        '{"toolkit": "pending batches", "version": 1, "batches": 3, "about": {}}',
        "[" * 100_000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(LoadError, match=r"'saved\.json' holds no pending batches"):
        load_batches(text, path="saved.json")


def test_state_without_a_json_form_is_left_out_and_named() -> None:
    state = {"open": object(), "pair": (1, 2), "fine": [1, {"a": None}], "nan": float("nan")}
    batch = Batch((), state=state)
    assert lost_state([batch]) == ["nan", "open", "pair"]
    (loaded,), _ = load_batches(dump_batches([batch]))
    assert loaded.state == {"fine": [1, {"a": None}]}


def test_another_process_goes_on_with_what_was_saved(tmp_path: Path) -> None:
    (tmp_path / "office.py").write_text(TOOLS)
    executor = ToolExecutor(ToolRegistry(tmp_path / "office.py"))
    uses = [ToolUse("d", "draw", {}), ToolUse("p", "pay", {"amount": 3})]
    batch = asyncio.run(executor.run_batch(uses))
    (tmp_path / "saved.json").write_text(dump_batches([batch]))
    script = """\
import asyncio, json
from pathlib import Path
from toolkit import ToolExecutor, ToolRegistry
from toolkit.pending import load_batches
from toolkit.formats.bedrock import result_json
(batch,), _ = load_batches(Path("saved.json").read_text())
executor = ToolExecutor(ToolRegistry("office.py"))
done = asyncio.run(executor.resume(batch, {"p": {"approve": "yes"}}))
print(json.dumps([result_json(result) for result in done.results]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    drawn, paid = json.loads(ended.stdout)  # a second "drawn" would spoil it
    assert drawn["content"][0]["image"]["format"] == "png"
    assert paid["content"] == [{"text": "yes, asked 2 times"}]
