"""An agent as a tool of another one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from toolkit import (
    Agent,
    EchoModel,
    FunctionModel,
    Message,
    ScriptedModel,
    Step,
    Text,
    ToolContext,
    ToolRegistry,
    ToolUse,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.types import ToolFinished, ToolProgress


class Report(BaseModel):
    title: str


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def ask(number: int = 1, *, name: str = "helper") -> ToolUse:
    return ToolUse(f"ask-{number}", name, {"prompt": f"question {number}"})


def test_an_agent_among_the_tools_is_one() -> None:
    inner = Agent([add], model=FunctionModel(lambda _: "inner says hello"), name="helper")
    with ScriptedModel([Step(ask(), tools=["helper"]), Step("Done.", says="inner says")]) as model:
        assert str(Agent([inner], model=model)("Go")) == "Done."
    assert inner.messages == []


def test_the_tool_says_what_it_takes_and_refuses_the_rest() -> None:
    inner = Agent(model=FunctionModel(lambda _: "x"))
    spec = inner.as_tool(name="helper", description="Helps").spec
    assert (spec.name, spec.description) == ("helper", "Helps")
    assert spec.input_schema["required"] == ["prompt"]
    registry = ToolRegistry(inner.as_tool(name="helper"))
    assert registry.problems == []
    assert registry.tool.helper(prompt="Hi").text == "x"
    assert registry.tool.helper().text == "prompt: required, but missing"
    assert registry.tool.helper(prompt=5).text == "prompt: expected text, got 5"


def test_each_call_is_a_conversation_of_its_own() -> None:
    first = [Message("user", (Text("Remember me"),)), Message("assistant", (Text("I do"),))]
    seen: list[int] = []

    def count(messages: Any) -> str:
        seen.append(len(messages))
        return f"heard {len(messages)}"

    inner = Agent(model=FunctionModel(count), name="helper", messages=first)
    with ScriptedModel([[ask(1), ask(2)], ask(3), "Done."]) as model:
        Agent([inner], model=model)("Go")
    assert seen == [3, 3, 3]


def test_what_inner_tools_do_is_progress_of_the_call() -> None:
    events: list[Any] = []

    async def sink(event: Any) -> None:
        events.append(event)

    @tool
    async def steps(context: ToolContext) -> str:
        """Report, then ask."""
        await context.emit("half")
        return str(context.interrupt("sure"))

    inner = Agent([steps], model=EchoModel(), name="helper")
    outer = Agent([inner], model=EchoModel())
    asked = asyncio.run(outer.call_async("Go", sink=sink))
    outer.resume({asked.pending[0].use.tool_use_id: {"steps.sure": "yes"}}, sink=sink)
    inside = [each.value for each in events if isinstance(each, ToolProgress)]
    about = {"tool": "steps", "toolUseId": "echo-1"}
    first = [
        {"event": "started", **about},
        {"event": "progress", **about, "value": "half"},
        {"event": "interrupted", **about, "questions": ["sure"]},
    ]
    assert inside == [*first, *first[:2], {"event": "finished", **about, "status": "success"}]
    assert isinstance(events[-1], ToolFinished)


def test_leaving_the_stream_in_an_inner_tool_ends_everything() -> None:
    async def main() -> Agent:
        inner = Agent([add], model=EchoModel(), name="helper")
        outer = Agent([inner], model=EchoModel())
        events: Any = outer.stream("Go")
        async for event in events:
            if isinstance(event, ToolProgress):
                break
        await events.aclose()
        return outer

    assert first_breach(asyncio.run(main()).messages) is None


def test_an_inner_agent_that_fails_is_an_error_result() -> None:
    inner = Agent([add], model=FunctionModel(lambda _: ToolUse("u", "add", {})), max_turns=2)
    with ScriptedModel([ask(name="agent"), Step("Done.", says="within 2 turns")]) as model:
        assert Agent([inner], model=model)("Go").message.content == (Text("Done."),)


def test_agents_nested_five_deep() -> None:
    agent = Agent([add], model=EchoModel(), name="level0")
    for level in range(1, 6):
        agent = Agent([agent], model=EchoModel(), name=f"level{level}")
    assert str(agent("Go")) == "2"


def test_structured_output_of_inner_and_outer_agent_on_one_registry() -> None:
    registry = ToolRegistry(add)
    inner = Agent(registry, model=EchoModel())

    @tool
    async def summary() -> str:
        """Ask for a report."""
        report = await inner.structured_output_async(Report, "inner")
        return f"inner: {report.title}"

    registry.register(summary)
    give = ToolUse("give", "Report", {"title": "outer"})
    shown = ["add", "summary", "Report"]
    steps = [Step(ToolUse("1", "summary", {}), tools=shown), Step(give, tools=shown)]
    with ScriptedModel(steps) as model:
        outer = Agent(registry, model=model)
        inner.model = FunctionModel(
            lambda _, specs: next(
                ToolUse("r", spec.name, {"title": "t"})
                for spec in reversed(specs)
                if spec.name.startswith("Report")
            )
        )
        assert outer.structured_output(Report, "outer").title == "outer"
    assert "inner: t" in str(outer.messages)
    assert registry.names == ["add", "summary"]


@pytest.fixture
def erased() -> list[str]:
    return []


@pytest.fixture
def eraser(erased: list[str]) -> Any:
    @tool
    def erase(path: str, context: ToolContext) -> str:
        """Erase."""
        answer = context.interrupt("sure", f"erase {path}?")
        erased.append(f"{path} {answer}")
        return f"{path}: {answer}"

    return erase


def erase(*paths: str) -> list[ToolUse]:
    return [ToolUse(f"erase-{path}", "erase", {"path": path}) for path in paths]


def test_an_inner_question_is_the_outer_calls(eraser: Any, erased: list[str]) -> None:
    with (
        ScriptedModel([erase("a", "b"), Step("inner done", says="a: yes\nb: no")]) as inside,
        ScriptedModel([ask(), Step("Done.", says="inner done")]) as outside,
    ):
        outer = Agent([Agent([eraser], model=inside, name="helper")], model=outside)
        asked = outer("Go")
        question = asked.pending[0].interrupts[0]
        assert (question.name, question.reason) == ("erase.sure", "erase a?")
        asked = outer.resume({"ask-1": {"erase.sure": "yes"}})
        assert asked.pending[0].interrupts[0].name == "erase.sure.2"
        assert str(outer.resume({"ask-1": {"erase.sure.2": "no"}})) == "Done."
    assert erased == ["a yes", "b no"]


def test_an_inner_question_survives_a_new_process(eraser: Any, erased: list[str]) -> None:
    with ScriptedModel([erase("a")]) as inside, ScriptedModel([ask()]) as outside:
        first = Agent([Agent([eraser], model=inside, name="helper")], model=outside)
        assert first("Go").pending
        saved = first.transcript
    with (
        ScriptedModel([erase("a"), Step("inner done", says="a: yes")]) as inside,
        ScriptedModel([Step("Done.", says="inner done")]) as outside,
    ):
        helper = Agent([eraser], model=inside, name="helper")
        second = Agent([helper], model=outside, messages=saved)
        assert str(second.resume({"ask-1": {"erase.sure": "yes"}})) == "Done."
    assert erased == ["a yes"]
