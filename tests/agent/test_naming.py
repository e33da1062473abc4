"""The tool's name: legal and telling whatever a type is called, and free where it is used."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, Field, create_model

from toolkit import StructuredOutputContext, StructuredOutputTool, ToolRegistry, tool
from toolkit.agent.naming import name_of, other_name
from toolkit.types import TOOL_NAME

T = TypeVar("T")


class Report(BaseModel):
    text: str


class Box(BaseModel, Generic[T]):
    item: T


LONG = create_model("A" * 80, a=(int, ...))
OTHER_LONG = create_model("A" * 79 + "B", a=(int, ...))


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        (Report, "Report"),
        (Box[int], "Box_int"),
        (Box[list[Report]], "Box_list_Report"),
        (list[Report], "list_Report"),
        (dict[str, int], "dict_str_int"),
        (int | None, "int_or_None"),
        (Literal["a", "b c"], "a_or_b_c"),
        (Annotated[Report, Field(description="x")], "Report"),
        (create_model("Café", a=(int, ...)), "Cafe"),
        (create_model("Отчёт", a=(int, ...)), "structured_output"),
        (create_model("My Report!", a=(int, ...)), "My_Report"),
        (create_model("_private_", a=(int, ...)), "_private_"),
        ({"type": "object", "title": "Weekly report"}, "Weekly_report"),
        ({"type": "object"}, "structured_output"),
        ({"type": "object", "title": 5}, "structured_output"),
        (Any, "Any"),
    ],
)
def test_a_type_has_a_legal_name(wanted: Any, name: str) -> None:
    assert name_of(wanted) == name
    assert TOOL_NAME.fullmatch(name)


def test_long_names_are_cut_and_stay_apart() -> None:
    names = {name_of(LONG), name_of(OTHER_LONG)}
    assert len(names) == 2
    assert all(TOOL_NAME.fullmatch(name) for name in names)
    assert TOOL_NAME.fullmatch(other_name(name_of(LONG), 12))


def test_a_name_and_a_description_can_be_given() -> None:
    given = StructuredOutputTool(Report, name="answer", description="What I want")
    assert given.spec.name == "answer"
    assert given.spec.description.startswith("What I want")


def test_a_name_that_a_tool_of_the_users_has_is_left_to_it() -> None:
    @tool(name="Report")
    def mine() -> str:
        return "mine"

    @tool(name="Report-output")
    def second() -> str:
        return "second"

    registry = ToolRegistry(mine, second)
    context = StructuredOutputContext(Report)
    context.register(registry)
    assert context.tool.spec.name == "Report_output_2"
    assert registry.names == ["Report", "Report-output", "Report_output_2"]
    context.cleanup()
    assert registry.names == ["Report", "Report-output"]
    assert registry.get("Report") is mine


def test_two_runs_on_one_registry_have_two_tools() -> None:
    registry = ToolRegistry()
    first, second = StructuredOutputContext(Report), StructuredOutputContext(Report)
    first.register(registry)
    second.register(registry)
    assert registry.names == ["Report", "Report_output"]
    first.cleanup()
    assert registry.names == ["Report_output"]
    second.cleanup()
    assert len(registry) == 0


def test_cleaning_up_twice_takes_nothing_else_out() -> None:
    registry = ToolRegistry()
    context = StructuredOutputContext(Report)
    context.register(registry)
    context.cleanup()
    registry.register(StructuredOutputTool(Report))
    context.cleanup()
    assert registry.names == ["Report"]
