"""Every kind of type as structured output: its schema, its object, its faults."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.agent.kinds import Kind, sent
from tests.agent.types_of_models import MODELS
from tests.agent.types_of_records import RECORDS
from tests.agent.types_of_values import VALUES
from toolkit import StructuredOutputTool, ToolExecutor, ToolRegistry, ToolResult, ToolUse
from toolkit.errors import InvalidInputError
from toolkit.schema.instance import instance_of
from toolkit.types import TOOL_NAME

KINDS = [*MODELS, *RECORDS, *VALUES]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def validator(tool: StructuredOutputTool) -> Any:
    Draft202012Validator.check_schema(tool.spec.input_schema)
    formats = Draft202012Validator.FORMAT_CHECKER
    return Draft202012Validator(tool.spec.input_schema, format_checker=formats)


def test_there_are_at_least_sixty_kinds() -> None:
    assert len({kind.name for kind in KINDS}) >= 60


@each_kind
def test_the_schema_accepts_what_is_right_and_rejects_what_is_wrong(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    for instance, _ in (*kind.good, *kind.beyond):
        validator(tool).validate(sent(instance, set(), wrapped=tool.wrapped)[0])
    for instance, _ in kind.bad:
        assert not validator(tool).is_valid(sent(instance, set(), wrapped=tool.wrapped)[0])


@each_kind
def test_a_right_input_is_an_equal_object(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    for instance, wanted in kind.good:
        value = tool.validate(sent(instance, set(), wrapped=tool.wrapped)[0])
        assert value == wanted
        assert type(value) is type(wanted)


@each_kind
def test_a_wrong_input_is_refused_with_every_fault_by_its_place(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    for instance, places in (*kind.bad, *kind.beyond):
        arguments, expected = sent(instance, places, wrapped=tool.wrapped)
        with pytest.raises(InvalidInputError) as refused:
            tool.validate(arguments)
        assert {place for place, _ in refused.value.faults} == expected
        assert all(words for _, words in refused.value.faults)


@each_kind
def test_the_spec_is_one_that_a_model_can_be_given(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    spec = tool.spec
    assert TOOL_NAME.fullmatch(spec.name)
    assert spec.input_schema["type"] == "object"
    assert spec.description.endswith("with the final answer.")
    text = json.dumps(spec.input_schema)
    assert '"discriminator"' not in text
    registry = ToolRegistry()
    registry.register(tool)
    assert registry.specs() == [spec]
    assert registry.problems == []


@each_kind
def test_arguments_made_from_the_schema_are_taken(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    made = instance_of(tool.spec.input_schema)
    assert validator(tool).is_valid(made)


@each_kind
def test_through_the_pipeline_a_call_has_the_object_or_the_faults(kind: Kind) -> None:
    tool = StructuredOutputTool(kind.wanted)
    registry = ToolRegistry()
    registry.register(tool)

    def call(instance: Any) -> ToolResult:
        arguments = sent(instance, set(), wrapped=tool.wrapped)[0]
        use = ToolUse("use-1", tool.name, arguments)
        return asyncio.run(ToolExecutor(registry).run(use))

    for instance, _ in kind.good:
        assert call(instance).status == "success"
    for instance, places in kind.bad:
        result = call(instance)
        assert result.status == "error"
        assert "pydantic" not in result.text
        for place in places:
            assert sent(None, {place}, wrapped=tool.wrapped)[1].pop() in result.text
