"""The hard input of a public report: a nested model, a nullable choice, bounds on items."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cases.compare import comparable
from toolkit import StructuredOutputTool, ToolExecutor, ToolRegistry, ToolResult, ToolUse
from toolkit.config import Config
from toolkit.targets import named_object

FOLDER = Path(__file__).parents[1] / "cases/files/49-structured-output-nested"
EXPECTED = json.loads((FOLDER / "structured.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def tool() -> StructuredOutputTool:
    return StructuredOutputTool(named_object(f"{FOLDER}/tool.py:OUTPUT", Config(root=FOLDER)))


def call(tool: StructuredOutputTool, arguments: Any) -> ToolResult:
    registry = ToolRegistry()
    registry.register(tool)
    return asyncio.run(ToolExecutor(registry).run(ToolUse("use-1", tool.name, arguments)))


def test_the_spec_is_exactly_right(tool: StructuredOutputTool) -> None:
    assert comparable(tool.spec.input_schema) == comparable(EXPECTED["spec"]["inputSchema"])
    assert tool.name == EXPECTED["output_model"]
    for text in EXPECTED["spec"]["description_has"]:
        assert text in tool.spec.description


def test_the_schema_accepts_and_rejects_the_right_instances(tool: StructuredOutputTool) -> None:
    validator = Draft202012Validator(tool.spec.input_schema)
    for instance in EXPECTED["schema_behaviour"]["accepts"]:
        validator.validate(instance)
        assert call(tool, instance).status == "success"
    for instance in EXPECTED["schema_behaviour"]["rejects"]:
        assert not validator.is_valid(instance)
        assert call(tool, instance).status == "error"


def test_a_wrong_call_lists_every_fault_and_the_next_one_is_taken(
    tool: StructuredOutputTool,
) -> None:
    wrong, right = EXPECTED["calls"]
    refused, taken = call(tool, wrong["input"]), call(tool, right["input"])
    assert refused.status == wrong["status"]
    for text in wrong["has"]:
        assert text.lower() in refused.text.lower()
    assert taken.status == right["status"]
    assert json.loads(taken.text) == right["result_equals"]
