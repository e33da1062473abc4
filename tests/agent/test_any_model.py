"""Whatever a model answers, structured output ends: with the object, or with a typed error."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from toolkit import (
    Agent,
    FunctionModel,
    StructuredOutputContext,
    StructuredOutputException,
    Text,
    ToolContext,
    ToolUse,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.errors import TurnLimitError
from toolkit.types import Malformed


class Report(BaseModel):
    title: str


@tool
def note(text: str) -> str:
    """Note."""
    return text


@tool
def ask(context: ToolContext) -> str:
    """Ask."""
    return str(context.interrupt("sure"))


INPUTS: st.SearchStrategy[Any] = st.sampled_from(
    [{"title": "T"}, '{"title": "T"}', {"title": 1}, {}, None, "", "[", [], 5, Malformed("{", "x")]
)
NAMES = st.sampled_from(["Report", "Report", "Report_output", "note", "ask", "nothing", "", "a b"])
TEXTS = st.sampled_from(["", "Done.", '{"title": "T"}', '{"title": 1}', "[1]", "```json\n{}\n```"])
PARTS = st.one_of(
    TEXTS.map(Text), st.builds(ToolUse, st.sampled_from(["", "1", "2"]), NAMES, INPUTS)
)


@given(st.lists(st.lists(PARTS, max_size=3), max_size=7), st.integers(1, 3))
def test_it_ends_and_leaves_nothing_behind(script: list[list[Any]], most: int) -> None:
    answers = iter(script)
    asked: list[tuple[Any, ...]] = []

    async def model(messages: Any, specs: Any, choice: str | None) -> Any:
        asked.append((first_breach(messages), choice, [spec.name for spec in specs]))
        return next(answers, [])

    agent = Agent([note, ask], model=FunctionModel(model), max_turns=6)
    context = StructuredOutputContext(Report, max_attempts=most)
    try:
        result = agent("Go", output=context)
        while result.pending:
            result = agent.resume({each.use.tool_use_id: {"sure": 1} for each in result.pending})
        assert result.output == Report(title="T") == context.value
    except StructuredOutputException:
        assert not context.done
    except TurnLimitError:
        assert len(asked) == 6
    assert context.attempts <= most
    assert {breach for breach, _, _ in asked} == {None}
    assert all(choice in (None, "Report") for _, choice, _ in asked)
    assert all(shown == ["Report"] for _, choice, shown in asked if choice == "Report")
    assert first_breach(agent.messages) is None
    assert agent.registry.names == ["note", "ask"]
