"""What the pipeline fills in, and no model sees: the context and the agent."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Annotated, Any, Optional

import pytest
from pydantic import BaseModel

from toolkit import ToolContext, tool

from .running import run, shown


class RealAgent:
    pass


class Planner(RealAgent):
    pass


class UserAgent(BaseModel):
    version: int


class BrowserAgent(enum.StrEnum):
    FOX = "fox"


def by_type(x: int, ctx: ToolContext) -> Any:
    return ctx.tool_use.name, x


def optional(x: int, ctx: ToolContext | None = None) -> Any:
    return ctx and ctx.tool_use.name, x


def old_optional(x: int, ctx: Optional[ToolContext] = None) -> Any:  # noqa: UP045 - both ways
    return ctx and ctx.tool_use.name, x


def annotated(x: int, ctx: Annotated[ToolContext | None, "the call"] = None) -> Any:
    return ctx and ctx.tool_use.name, x


def annotated_inside(x: int, ctx: Annotated[ToolContext, "the call"] | None = None) -> Any:
    return ctx and ctx.tool_use.name, x


def positional(ctx: ToolContext, x: int, /) -> Any:
    return ctx.tool_use.name, x


def keyword(x: int, *, ctx: ToolContext) -> Any:
    return ctx.tool_use.name, x


async def in_a_coroutine(x: int, ctx: ToolContext) -> Any:
    return ctx.tool_use.name, x


@pytest.mark.parametrize(
    "function",
    [
        by_type,
        optional,
        old_optional,
        annotated,
        annotated_inside,
        positional,
        keyword,
        in_a_coroutine,
    ],
)
def test_the_context_is_known_by_its_type(function: Callable[..., Any]) -> None:
    assert shown(function) == (["x"], ["x"])
    assert run(tool(function, name="it"), x=1) == '["it",1]'


@pytest.mark.parametrize("context", [True, "tool_context"])
def test_the_context_is_known_by_its_name_where_that_is_said(context: Any) -> None:
    def f(x, tool_context):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - untyped
        return tool_context.tool_use.name, x

    made = tool(f, name="it", context=context)
    assert list(made.spec.input_schema["properties"]) == ["x"]
    assert run(made, x=1) == '["it",1]'


def test_a_model_cannot_give_a_context_or_an_agent() -> None:
    def f(x: int, ctx: ToolContext, agent: Any = None) -> Any:
        return ctx.tool_use.name, agent, x

    assert run(tool(f, name="it"), agent="real", x=1, ctx="false") == '["it","real",1]'


def untyped(agent):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - on purpose
    return type(agent).__name__


def of_any(agent: Any) -> str:
    return type(agent).__name__


def of_class(agent: RealAgent) -> str:
    return type(agent).__name__


def of_subclass(agent: Planner | None) -> str:
    return type(agent).__name__


def of_unknown(agent: Agent) -> str:  # type: ignore[name-defined]  # noqa: F821 - not imported
    return type(agent).__name__


AGENTS = [untyped, of_any, of_class, of_subclass, of_unknown]


@pytest.mark.parametrize("function", AGENTS)
def test_an_agent_is_filled_in_and_not_seen(function: Callable[..., Any]) -> None:
    assert shown(function) == ([], [])
    assert run(tool(function, name="it"), agent=RealAgent()) == "RealAgent"
    assert run(tool(function, name="it")) == "NoneType"


def of_text(agent: str) -> str:
    return agent


def of_record(agent: UserAgent) -> Any:
    return agent.version


def of_choice(agent: BrowserAgent) -> Any:
    return agent


@pytest.mark.parametrize("function", [of_text, of_record, of_choice])
def test_an_agent_that_a_model_can_give_is_an_ordinary_parameter(
    function: Callable[..., Any],
) -> None:
    assert shown(function) == (["agent"], ["agent"])


def test_a_default_stands_where_no_agent_is() -> None:
    def f(x: int, agent: Any = "none") -> Any:
        return agent, x

    assert run(tool(f, name="it"), x=1) == '["none",1]'
