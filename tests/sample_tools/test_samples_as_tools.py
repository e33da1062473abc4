"""The sample tools, called as a model would call them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from toolkit import Image, ToolExecutor, ToolRegistry, ToolUse
from toolkit.types import Event, ToolProgress

FOLDER = Path(__file__).parents[2] / "sample_tools"
NAMES = [
    "add_note",
    "bar_chart",
    "convert",
    "count_lines",
    "countdown",
    "invoice",
    "open_ports",
    "primes",
    "search_notes",
    "weather",
]


@pytest.fixture
def registry() -> ToolRegistry:
    return ToolRegistry(FOLDER)


def _call(registry: ToolRegistry, name: str, given: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The result of one call, and what it reported meanwhile."""
    said: list[Any] = []

    async def listen(event: Event) -> None:
        if isinstance(event, ToolProgress):
            said.append(event.value)

    async def run() -> Any:
        use = ToolUse("t1", name, given)
        batch = await ToolExecutor(registry).run_batch([use], sink=listen)
        return batch.results[0]

    return asyncio.run(run()), said


def test_every_sample_is_a_tool_without_a_problem(registry: ToolRegistry) -> None:
    assert sorted(registry.names) == NAMES
    assert [tool.spec.name for tool in registry.tools] == registry.names
    assert registry.problems == []


def test_only_the_tool_that_returns_a_model_has_an_output_schema(registry: ToolRegistry) -> None:
    assert [t.spec.name for t in registry.tools if t.spec.output_schema is not None] == ["invoice"]


def test_every_sample_tells_a_model_what_it_and_its_parameters_are(registry: ToolRegistry) -> None:
    for tool in registry.tools:
        assert tool.spec.description.endswith(".")
        for name, schema in tool.spec.input_schema["properties"].items():
            assert schema["description"] != f"Parameter {name}", (tool.spec.name, name)


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("convert", {"degrees": 451, "to": "celsius"}, "232.8"),
        ("open_ports", {"ports": [1], "patience": 0.5}, "[]"),
        ("search_notes", {"query": "never noted"}, "[]"),
    ],
)
def test_a_sample_answers(
    registry: ToolRegistry, name: str, given: dict[str, Any], text: str
) -> None:
    result, _ = _call(registry, name, given)
    assert (result.status, result.text) == ("success", text)


def test_a_note_is_found_again(registry: ToolRegistry) -> None:
    added, _ = _call(registry, "add_note", {"text": "Buy milk", "tags": ["shop"]})
    found, _ = _call(registry, "search_notes", {"query": "MILK", "tag": "shop"})
    note = json.loads(found.text)[-1]
    assert added.text == f"noted as number {note.pop('number')}"
    assert note == {"text": "Buy milk", "tags": ["shop"]}


def test_an_invoice_is_data_for_the_program_too(registry: ToolRegistry) -> None:
    line = {"item": "pen", "quantity": 2, "price": 9.99}
    result, _ = _call(registry, "invoice", {"customer": "Ada", "lines": [line]})
    assert result.structured == json.loads(result.text)
    assert result.structured["total"] == "23.98"


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("weather", {"city": "Tokio"}, "no climate data for 'Tokio'; closest: Tokyo"),
        ("weather", {"city": "Tokyo", "month": 13}, "month"),
        ("weather", {"city": "Tokyo", "unit": "kelvin"}, "unit"),
        ("invoice", {"customer": "Ada", "lines": []}, "lines"),
        (
            "invoice",
            {"customer": "Ada", "lines": [{"item": "pen", "quantity": 0, "price": 1}]},
            "lines.0.quantity",
        ),
        ("open_ports", {"ports": [0]}, "ports.0"),
        ("count_lines", {"folder": "no such folder"}, "NotADirectoryError"),
    ],
)
def test_a_wrong_input_is_an_error_that_says_what_is_wrong(
    registry: ToolRegistry, name: str, given: dict[str, Any], said: str
) -> None:
    result, _ = _call(registry, name, given)
    assert result.status == "error"
    assert said in result.text


def test_a_generator_shows_each_item_and_ends_with_its_result(registry: ToolRegistry) -> None:
    result, said = _call(registry, "primes", {"limit": 10})
    assert said[:4] == [2, 3, 5, 7]
    assert result.text == "4 primes up to 10"


def test_an_async_generator_does_so_too(registry: ToolRegistry) -> None:
    result, said = _call(registry, "countdown", {"start": 2, "pause": 0})
    assert said[:2] == ["2 …", "1 …"]
    assert result.text == "lift-off"


def test_a_count_reports_each_file(registry: ToolRegistry, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")
    (tmp_path / "b.py").write_text("")
    result, said = _call(registry, "count_lines", {"folder": str(tmp_path)})
    assert json.loads(result.text) == {"a.py": 2, "b.py": 0}
    assert said == ["a.py: 2", "b.py: 0"]


def test_a_chart_comes_back_as_an_image(registry: ToolRegistry) -> None:
    result, _ = _call(registry, "bar_chart", {"values": [3, 1, 4]})
    (image,) = result.content
    assert isinstance(image, Image)
    assert image.format == "png"
    assert image.data.startswith(b"\x89PNG")
