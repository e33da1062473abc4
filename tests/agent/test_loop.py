"""The loop: ask, run, answer, until the model ends its turn; legal messages whatever happens."""

from __future__ import annotations

import asyncio
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent.stack import depth
from toolkit import (
    Agent,
    AgentResult,
    FunctionModel,
    Message,
    ScriptedModel,
    Step,
    Text,
    ToolContext,
    ToolExecutor,
    ToolRegistry,
    ToolResult,
    ToolUse,
    sequential,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.errors import AgentBusyError, AgentError, TurnLimitError
from toolkit.types import Event, Malformed, ToolFinished, ToolProgress, ToolStarted


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@tool
def fail() -> None:
    """Fail."""
    raise ValueError("no")


def adding(number: int = 1) -> ToolUse:
    return ToolUse(f"add-{number}", "add", {"a": number, "b": 1})


def test_a_text_ends_the_turn() -> None:
    with ScriptedModel([Step("Hello.", says="Hi", tools=["add"], choice="")]) as model:
        result = Agent([add], model=model)("Hi")
    assert (str(result), result.turns, result.pending, result.output) == ("Hello.", 1, (), None)


def test_tools_run_and_their_results_are_told() -> None:
    with ScriptedModel(
        [[Text("Let me see."), adding(1), adding(2)], Step("5", says="2\n3")]
    ) as model:
        agent = Agent([add], model=model)
        assert str(agent("Add them")) == "5"
    results = agent.messages[2].content
    assert [part.tool_use_id for part in results if isinstance(part, ToolResult)] == [
        "add-1",
        "add-2",
    ]
    assert len(agent.messages) == 4


def test_the_model_hears_the_system_and_each_new_tool() -> None:
    registry = ToolRegistry()
    agent = Agent(
        registry,
        model=FunctionModel(lambda *given: f"{given[3]} {len(given[1])}"),
        system="Be brief.",
    )
    assert str(agent("Hi")) == "Be brief. 0"
    registry.register(add)
    assert str(agent("Hi")) == "Be brief. 1"


def test_from_a_coroutine_and_inside_a_running_loop() -> None:
    agent = Agent([add], model=FunctionModel(lambda _: "Hello."))

    async def main() -> list[str]:
        return [str(await agent.call_async("Hi")), str(agent("Hi again"))]

    assert asyncio.run(main()) == ["Hello.", "Hello."]


def test_every_kind_of_fault_is_answered_and_the_loop_goes_on() -> None:
    uses = [
        ToolUse("1", "no_such_tool", {}),
        ToolUse("2", "fail", {}),
        ToolUse("3", "add", {"a": "x"}),
        ToolUse("4", "add", Malformed('{"a": 1', "it is cut off")),
        ToolUse("5", "a b", {}),
        ToolUse("5", "add", {"a": 1, "b": 1}),
        ToolUse("", "add", {"a": 1, "b": 1}),
    ]
    with ScriptedModel([uses, Step("Done.", says="unknown tool")]) as model:
        agent = Agent([add, fail], model=model)
        agent("Go")
    results = [part for part in agent.messages[2].content if isinstance(part, ToolResult)]
    assert [part.status for part in results] == ["error"] * 5 + ["success"] * 2
    assert len({part.tool_use_id for part in results}) == len(uses)
    assert "'a b'" in results[4].text or '"a b"' in results[4].text


def test_a_tool_without_a_spec_costs_no_other() -> None:
    class Broken:
        name = "broken"

        @property
        def spec(self) -> Any:
            raise KeyError("inputSchema")

        async def invoke(self, use: ToolUse, context: ToolContext) -> Any:
            raise AssertionError(use, context)

    registry = ToolRegistry(add)
    registry.register(Broken())
    with ScriptedModel([Step("Done.", tools=["add"])]) as model:
        Agent(registry, model=model)("Go")
    assert [each.message for each in registry.problems] == [
        "'broken' gives no spec: KeyError: 'inputSchema'"
    ]


def test_a_bound_on_turns() -> None:
    agent = Agent([add], model=FunctionModel(lambda m: adding(len(m))), max_turns=3)
    with pytest.raises(TurnLimitError) as ended:
        agent("Go")
    assert ended.value.turns == 3
    assert first_breach(agent.messages) is None
    assert len(agent.messages) == 7


def test_a_model_that_fails_leaves_legal_messages() -> None:
    with ScriptedModel(
        [adding(), ConnectionError("gone"), Step("Hello again.", says="Still there?")]
    ) as model:
        agent = Agent([add], model=model)
        with pytest.raises(ConnectionError):
            agent("Go")
        assert first_breach(agent.messages) is None
        assert str(agent("Still there?")) == "Hello again."
    assert first_breach(agent.messages) is None


@pytest.mark.parametrize("answer", [None, "text", Message("user", (Text("x"),))])
def test_a_model_that_gives_no_message_of_its_own(answer: Any) -> None:
    async def model(*_: Any) -> Any:
        return answer

    with pytest.raises(AgentError, match="no message of its own"):
        Agent(model=model)("Go")


def test_nothing_to_ask() -> None:
    agent = Agent(model=FunctionModel(lambda _: "x"))
    with pytest.raises(AgentError, match="nothing to ask"):
        agent("  ")


def test_an_empty_answer_and_blank_texts_are_not_recorded() -> None:
    with ScriptedModel([[], [Text(" "), adding()], "Done."]) as model:
        agent = Agent([add], model=model)
        agent("One")
        agent("Two")
    assert [len(message.content) for message in agent.messages] == [2, 1, 1, 1]


def test_cancelling_answers_what_was_running() -> None:
    started = asyncio.Event()
    cancelled = []

    @tool
    async def slow() -> None:
        """Wait."""
        try:
            started.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def main() -> Agent:
        agent = Agent(
            [add, slow], model=FunctionModel(lambda _: [adding(), ToolUse("s", "slow", {})])
        )
        done = asyncio.Event()

        async def sink(event: Event) -> None:
            if isinstance(event, ToolFinished):
                done.set()

        task = asyncio.ensure_future(agent.call_async("Go", sink=sink))
        await started.wait()
        await done.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return agent

    agent = asyncio.run(main())
    assert cancelled == [True]
    assert first_breach(agent.messages) is None
    first, second = (part for part in agent.messages[-1].content if isinstance(part, ToolResult))
    assert (first.status, first.text) == ("success", "2")
    assert (second.status, second.text) == ("error", "'slow' did not finish: CancelledError")


def test_a_sink_that_fails_loses_no_result() -> None:
    async def sink(event: Event) -> None:
        if isinstance(event, ToolFinished):
            raise OSError("the pipe is closed")

    agent = Agent([add], model=FunctionModel(lambda _: adding()))
    with pytest.raises(OSError, match="the pipe"):
        asyncio.run(agent.call_async("Go", sink=sink))
    assert first_breach(agent.messages) is None
    assert "2" in [part.text for part in agent.messages[-1].content if isinstance(part, ToolResult)]


def test_events_go_through_the_sink_and_the_stream() -> None:
    @tool
    async def steps(context: ToolContext) -> str:
        """Report."""
        await context.emit("half")
        return "whole"

    async def main() -> list[Any]:
        with ScriptedModel([ToolUse("s", "steps", {}), "Done."]) as model:
            return [event async for event in Agent([steps], model=model).stream("Go")]

    kinds = [type(event) for event in asyncio.run(main())]
    assert kinds == [ToolStarted, ToolProgress, ToolFinished, AgentResult]


def test_leaving_the_stream_early_cancels_the_run() -> None:
    async def main() -> Agent:
        agent = Agent([add], model=FunctionModel(lambda m: adding(len(m))))
        events = agent.stream("Go")
        async for _ in events:
            break
        await events.aclose()  # type: ignore[attr-defined]
        return agent

    agent = asyncio.run(main())
    assert first_breach(agent.messages) is None
    assert agent.tool.add(1, 1).text == "2"


def test_one_agent_is_one_conversation() -> None:
    agents: list[Agent] = []

    @tool
    def again() -> str:
        """Ask the same agent."""
        return str(agents[0]("inner"))

    with ScriptedModel([ToolUse("1", "again", {}), Step("Done.", says="AgentBusyError")]) as model:
        agents.append(Agent([again], model=model))
        assert str(agents[0]("outer")) == "Done."


def test_two_prompts_at_once_are_refused() -> None:
    async def main() -> list[Any]:
        agent = Agent(model=FunctionModel(lambda _: "x"))
        calls = agent.call_async("1"), agent.call_async("2")
        return list(await asyncio.gather(*calls, return_exceptions=True))

    first, second = asyncio.run(main())
    assert str(first) == "x"
    assert isinstance(second, AgentBusyError)


def test_tools_see_the_agent_and_its_state() -> None:
    @tool
    def count(context: ToolContext, agent: Any) -> str:
        """Count."""
        context.state["calls"] = context.state.get("calls", 0) + 1
        return f"{context.state['calls']} {agent.system}"

    agent = Agent([count], model=FunctionModel(lambda _: "x"), system="S", state={"calls": 4})
    assert agent.tool.count().text.endswith("S")
    with ScriptedModel([ToolUse("1", "count", {}), Step("Done.", says="5 S")]) as model:
        agent.model = model
        agent("Go")
    assert agent.state == {"calls": 5}


def test_an_executor_brings_its_own_registry_and_strategy() -> None:
    running: list[str] = []

    @tool
    async def step(name: str) -> str:
        """Run."""
        running.append(f"+{name}")
        await asyncio.sleep(0)
        running.append(f"-{name}")
        return name

    executor = ToolExecutor(ToolRegistry(step), strategy=sequential())
    uses = [ToolUse("1", "step", {"name": "a"}), ToolUse("2", "step", {"name": "b"})]
    with ScriptedModel([uses, "Done."]) as model:
        Agent(executor=executor, model=model)("Go")
    assert running == ["+a", "-a", "+b", "-b"]


def test_two_thousand_turns_need_no_more_stack_and_no_more_memory_each() -> None:
    depths: set[int] = set()
    memory: dict[int, int] = {}

    async def model(messages: Any) -> ToolUse | str:
        depths.add(depth())
        turn = len(messages) // 2
        if turn % 500 == 0:
            memory[turn] = tracemalloc.get_traced_memory()[0]
        return adding(turn) if turn < 2000 else "Done."

    tracemalloc.start()
    agent = Agent([add], model=FunctionModel(model), max_turns=2001)
    result = agent("Go")
    tracemalloc.stop()
    assert (result.turns, len(agent.messages), len(depths)) == (2001, 4002, 1)
    assert first_breach(agent.messages) is None
    first, last = memory[1000] - memory[500], memory[2000] - memory[1500]
    assert last < 1.5 * first + 100_000


PARTS = st.lists(
    st.one_of(
        st.builds(Text, st.sampled_from(["", " ", "words"])),
        st.builds(
            ToolUse,
            st.sampled_from(["", "1", "2"]),
            st.sampled_from(["add", "fail", "nothing", "", "a b", "x" * 65, "ask"]),
            st.sampled_from([{}, {"a": 1, "b": 2}, None, "", "[]", 5, Malformed("{", "cut")]),
        ),
    ),
    max_size=4,
)


@given(st.lists(st.one_of(PARTS, st.just(OSError("down"))), min_size=1, max_size=6))
def test_messages_are_legal_at_every_moment(script: list[Any]) -> None:
    @tool
    def ask(context: ToolContext) -> str:
        """Ask."""
        return str(context.interrupt("sure"))

    breaches: list[str | None] = []
    answers = iter(script)

    async def model(messages: Any) -> Any:
        breaches.append(first_breach(messages))
        answer = next(answers, "Done.")
        if isinstance(answer, Exception):
            raise answer
        return answer

    agent = Agent([add, fail, ask], model=FunctionModel(model), max_turns=3)
    for prompt in ("One", "Two", "Three"):
        try:
            result = agent(prompt)
            if result.pending:
                breaches.append(first_breach(agent.messages))
                ids = [each.use.tool_use_id for each in result.pending[:1]]
                agent.resume({each: {"sure": "yes"} for each in ids})
        except (OSError, TurnLimitError):
            pass
        breaches.append(first_breach(agent.messages))
    assert set(breaches) == {None}
