"""A tool asks a human: the run stays open, and goes on with the answers, here or elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from toolkit import (
    Agent,
    Message,
    ScriptedModel,
    Step,
    ToolContext,
    ToolExecutor,
    ToolRegistry,
    ToolResult,
    ToolUse,
    sequential,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.errors import AgentError, AgentInterruptedError


class Report(BaseModel):
    title: str


@pytest.fixture
def ran() -> list[str]:
    return []


@pytest.fixture
def tools(ran: list[str]) -> list[Any]:
    @tool
    def erase(path: str, context: ToolContext) -> str:
        """Erase."""
        sure = context.interrupt("sure", f"erase {path}?")
        if sure == "ask again":
            sure = context.interrupt("really")
        ran.append(path)
        return f"{path}: {sure}"

    @tool
    def note(text: str) -> str:
        """Note."""
        ran.append(text)
        return "noted"

    return [erase, note]


def erase(path: str) -> ToolUse:
    return ToolUse(f"erase-{path}", "erase", {"path": path})


def note(text: str) -> ToolUse:
    return ToolUse(f"note-{text}", "note", {"text": text})


def results(agent: Agent) -> list[str]:
    return [
        part.text
        for message in agent.messages
        for part in message.content
        if isinstance(part, ToolResult)
    ]


def test_only_the_interrupted_call_runs_again(tools: list[Any], ran: list[str]) -> None:
    with ScriptedModel([[note("x"), erase("a")], Step("Done.", says="a: yes")]) as model:
        agent = Agent(tools, model=model)
        asked = agent("Go")
        assert [(each.use.name, each.interrupts[0].reason) for each in asked.pending] == [
            ("erase", "erase a?")
        ]
        assert agent.pending == asked.pending
        assert (ran, len(agent.messages)) == (["x"], 1)
        done = agent.resume({"erase-a": {"sure": "yes"}})
    assert str(done) == "Done."
    assert ran == ["x", "a"]
    assert results(agent) == ["noted", "a: yes"]
    assert agent.pending == ()


def test_a_second_question_of_the_same_call_keeps_the_first_answer(tools: list[Any]) -> None:
    with ScriptedModel([erase("a"), Step("Done.", says="a: yes")]) as model:
        agent = Agent(tools, model=model)
        agent("Go")
        asked = agent.resume({"erase-a": {"sure": "ask again"}})
        assert [each.interrupts[0].name for each in asked.pending] == ["really"]
        assert str(agent.resume({"erase-a": {"really": "yes"}})) == "Done."


def test_two_calls_can_be_answered_one_by_one(tools: list[Any], ran: list[str]) -> None:
    with ScriptedModel([[erase("a"), erase("b")], "Done."]) as model:
        agent = Agent(tools, model=model)
        assert len(agent("Go").pending) == 2
        left = agent.resume({"erase-b": {"sure": "yes"}})
        assert [each.use.tool_use_id for each in left.pending] == ["erase-a"]
        assert ran == ["b"]
        agent.resume({"erase-a": {"sure": "no"}})
    assert results(agent) == ["a: no", "b: yes"]


def test_in_sequence_what_stands_behind_the_question_waits(
    tools: list[Any], ran: list[str]
) -> None:
    executor = ToolExecutor(ToolRegistry(tools), strategy=sequential())
    with ScriptedModel([[note("x"), erase("a"), note("y")], "Done."]) as model:
        agent = Agent(executor=executor, model=model)
        agent("Go")
        assert ran == ["x"]
        agent.resume({"erase-a": {"sure": "yes"}})
    assert ran == ["x", "a", "y"]


def test_another_prompt_gives_the_question_up(tools: list[Any], ran: list[str]) -> None:
    with ScriptedModel([erase("a"), Step("Fine.", says="Never mind")]) as model:
        agent = Agent(tools, model=model)
        agent("Go")
        assert str(agent("Never mind")) == "Fine."
    assert ran == []
    assert results(agent) == ["'erase' was not run: the conversation went on without it"]
    assert first_breach(agent.messages) is None


def test_nothing_to_resume(tools: list[Any]) -> None:
    with ScriptedModel(["Done."]) as model:
        agent = Agent(tools, model=model)
        agent("Go")
        with pytest.raises(AgentError, match="nothing waits"):
            agent.resume({})


def test_an_object_that_waits_for_an_answer(tools: list[Any]) -> None:
    give = ToolUse("give", "Report", {"title": "T"})
    with ScriptedModel([erase("a"), Step(give, says="a: yes")]) as model:
        agent = Agent(tools, model=model)
        with pytest.raises(AgentInterruptedError) as open_:
            agent.structured_output(Report, "Go")
        assert [each.use.name for each in open_.value.pending] == ["erase"]
        assert agent.resume({"erase-a": {"sure": "yes"}}).output == Report(title="T")


def test_another_process_goes_on_from_the_transcript(tools: list[Any], ran: list[str]) -> None:
    with ScriptedModel([[note("x"), erase("a")]]) as model:
        first = Agent(tools, model=model)
        first("Go")
        saved: list[Message] = first.transcript
    with ScriptedModel([Step("Done.", says="a: yes")]) as model:
        second = Agent(tools, model=model, messages=saved)
        assert first_breach(second.messages) is None
        assert str(second.resume({"erase-a": {"sure": "yes"}})) == "Done."
    assert ran == ["x", "a"]
    assert results(second) == ["noted", "a: yes"]
    assert second.transcript == second.messages


@pytest.mark.parametrize("given", [{"title": "T"}, '{"title": "T"}'], ids=["object", "JSON text"])
def test_an_object_that_was_given_before_the_restart_counts(tools: list[Any], given: Any) -> None:
    give = ToolUse("give", "Report", given)
    with ScriptedModel([[give, erase("a")]]) as model:
        first = Agent(tools, model=model)
        assert first("Go", output=Report).pending
    with ScriptedModel([]) as model:
        second = Agent(tools, model=model, messages=first.transcript)
        done = second.resume({"erase-a": {"sure": "yes"}}, output=Report)
    assert done.output == Report(title="T")
    assert first_breach(second.messages) is None


def test_an_object_can_be_asked_for_after_the_restart(tools: list[Any]) -> None:
    with ScriptedModel([erase("a")]) as model:
        first = Agent(tools, model=model)
        first("Go", output=Report)
    steps = ["Done.", Step(ToolUse("give", "Report", {"title": "T"}), choice="Report")]
    with ScriptedModel(steps) as model:
        second = Agent(tools, model=model, messages=first.transcript)
        assert second.resume({"erase-a": {"sure": "no"}}, output=Report).output.title == "T"


def test_a_conversation_that_was_cut_off_is_made_legal(tools: list[Any]) -> None:
    with ScriptedModel([erase("a")]) as model:
        first = Agent(tools, model=model)
        first("Go")
    cut = first.transcript
    assert first_breach(cut) is not None
    with ScriptedModel([Step("Fine.", says="Go on")]) as model:
        assert str(Agent(tools, model=model, messages=cut)("Go on")) == "Fine."


def test_cancelled_while_it_is_resumed(ran: list[str]) -> None:
    started = asyncio.Event()

    @tool
    async def slow(context: ToolContext) -> None:
        """Ask, then wait."""
        context.interrupt("sure")
        started.set()
        await asyncio.Event().wait()

    async def main() -> Agent:
        with ScriptedModel([ToolUse("s", "slow", {})]) as model:
            agent = Agent([slow], model=model)
            await agent.call_async("Go")
            task = asyncio.ensure_future(agent.resume_async({"s": {"sure": "yes"}}))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return agent

    agent = asyncio.run(main())
    assert first_breach(agent.messages) is None
    assert results(agent) == ["'slow' did not finish: CancelledError"]
    assert ran == []
