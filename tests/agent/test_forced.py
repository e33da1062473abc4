"""Force mode: every way in which a model gives, forgets or refuses the object."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from tests.agent.stack import depth
from toolkit import (
    Agent,
    FunctionModel,
    Message,
    ScriptedModel,
    Step,
    StructuredOutputContext,
    StructuredOutputException,
    Text,
    ToolContext,
    ToolUse,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.errors import DefinitionError


class Report(BaseModel):
    """One report."""

    title: str
    pages: int = Field(ge=1)


RIGHT = {"title": "T", "pages": 3}
WRONG = {"title": 1, "pages": 0}
REPORT = Report(title="T", pages=3)


@tool
def search(query: str) -> str:
    """Search."""
    return f"found {query}"


def give(arguments: Any, number: int = 1) -> ToolUse:
    return ToolUse(f"give-{number}", "Report", arguments)


def look(number: int = 1) -> ToolUse:
    return ToolUse(f"look-{number}", "search", {"query": "cats"})


def test_called_at_once() -> None:
    with ScriptedModel([Step(give(RIGHT), tools=["search", "Report"], choice="")]) as model:
        agent = Agent([search], model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert first_breach(agent.messages) is None
    assert agent.registry.names == ["search"]


def test_called_after_another_tool() -> None:
    with ScriptedModel([look(), Step(give(RIGHT), says="found cats", choice="")]) as model:
        assert Agent([search], model=model).structured_output(Report, "write it") == REPORT


def test_forgotten_then_forced_with_this_tool_alone() -> None:
    steps = [
        Step("Here it is.", choice=""),
        Step(give(RIGHT), tools=["Report"], choice="Report", says="call the tool 'Report'"),
    ]
    with ScriptedModel(steps) as model:
        agent = Agent([search], model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert first_breach(agent.messages) is None


def test_what_the_forced_turn_says_can_be_chosen() -> None:
    with ScriptedModel(["Done.", Step(give(RIGHT), says="Now as JSON, please")]) as model:
        context = StructuredOutputContext(Report, prompt="Now as JSON, please")
        assert Agent(model=model).structured_output(context, "write it") == REPORT
    assert context.value == REPORT


def test_forced_and_refused() -> None:
    with ScriptedModel(["Done.", "I said done."]) as model:
        agent = Agent([search], model=model)
        with pytest.raises(StructuredOutputException) as refused:
            agent.structured_output(Report, "write it")
    assert (refused.value.tool, refused.value.attempts) == ("Report", 0)
    assert first_breach(agent.messages) is None
    assert agent.registry.names == ["search"]


def test_forced_with_nothing_to_say() -> None:
    with (
        ScriptedModel([[], []]) as model,
        pytest.raises(StructuredOutputException, match="did not call 'Report'"),
    ):
        Agent(model=model).structured_output(Report, "write it")


def test_wrong_told_right() -> None:
    steps = [give(WRONG), Step(give(RIGHT, 2), says="2 faults in the input:", choice="")]
    with ScriptedModel(steps) as model:
        assert Agent(model=model).structured_output(Report, "write it") == REPORT
    told = model.asked[1].new[-1].content[0]
    assert getattr(told, "text", "").splitlines()[1:] == [
        "- title: expected text, got 1",
        "- pages: expected a value of at least 1, got 0",
    ]


def test_wrong_while_forced_stays_forced() -> None:
    steps = [
        "Done.",
        Step(give(WRONG), choice="Report"),
        Step(give(RIGHT, 2), choice="Report", tools=["Report"]),
    ]
    with ScriptedModel(steps) as model:
        assert Agent([search], model=model).structured_output(Report, "write it") == REPORT


@pytest.mark.parametrize("most", [1, 2, 7])
def test_wrong_for_ever_ends_after_so_many_attempts(most: int) -> None:
    depths = []

    def stubborn(messages: Any) -> ToolUse:
        depths.append(depth())
        return give(WRONG, len(messages))

    agent = Agent(model=FunctionModel(stubborn))
    with pytest.raises(StructuredOutputException) as refused:
        agent.structured_output(StructuredOutputContext(Report, max_attempts=most), "write it")
    assert refused.value.attempts == most == len(depths)
    assert {place for place, _ in refused.value.faults} == {"title", "pages"}
    assert len(set(depths)) == 1
    assert first_breach(agent.messages) is None


def test_a_thousand_wrong_attempts_need_no_deeper_stack() -> None:
    depths = set()

    async def stubborn(messages: Any) -> ToolUse:
        depths.add(depth())
        return give(WRONG, len(messages))

    agent = Agent(model=FunctionModel(stubborn), max_turns=2000)
    context = StructuredOutputContext(Report, max_attempts=1000)
    with pytest.raises(StructuredOutputException):
        agent.structured_output(context, "write it")
    assert context.attempts == 1000
    assert len(depths) == 1


def test_other_tools_called_in_the_same_turn_still_run() -> None:
    ran = []

    @tool
    def note(text: str) -> str:
        """Note."""
        ran.append(text)
        return "noted"

    both = [ToolUse("note-1", "note", {"text": "x"}), give(RIGHT)]
    with ScriptedModel([both]) as model:
        agent = Agent([note], model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert ran == ["x"]
    assert first_breach(agent.messages) is None


def test_a_forced_turn_runs_no_tool_that_was_not_shown() -> None:
    ran = []

    @tool
    def erase(path: str) -> str:
        """Erase."""
        ran.append(path)
        return "erased"

    both = [ToolUse("erase-1", "erase", {"path": "/"}), give(RIGHT)]
    with ScriptedModel(["Done.", Step(both, tools=["Report"])]) as model:
        agent = Agent([erase], model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert ran == []
    assert "'erase' was not run: call 'Report' alone" in str(agent.messages[-1])


def test_a_forced_turn_that_calls_another_tool_is_a_refusal() -> None:
    with (
        ScriptedModel(["Done.", look()]) as model,
        pytest.raises(StructuredOutputException, match="though it was forced to"),
    ):
        Agent([search], model=model).structured_output(Report, "write it")


def test_two_calls_in_one_turn_give_the_first_that_is_right() -> None:
    calls = [give(WRONG), give(RIGHT, 2), give({"title": "Other", "pages": 1}, 3)]
    with ScriptedModel([calls]) as model:
        assert Agent(model=model).structured_output(Report, "write it") == REPORT


def test_two_wrong_calls_in_one_turn_are_one_attempt() -> None:
    with ScriptedModel([[give(WRONG), give(WRONG, 2)], give(RIGHT, 3)]) as model:
        context = StructuredOutputContext(Report, max_attempts=2)
        assert Agent(model=model).structured_output(context, "write it") == REPORT
    assert context.attempts == 1


def test_calls_with_one_id_are_told_apart() -> None:
    with ScriptedModel([[give(WRONG), give(RIGHT)]]) as model:
        agent = Agent(model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert first_breach(agent.messages) is None


@pytest.mark.parametrize("between", [True, False], ids=["object after it", "object with it"])
def test_an_interrupt_in_between(between: bool) -> None:  # noqa: FBT001 - a row of the table
    @tool
    def erase(path: str, context: ToolContext) -> str:
        """Erase."""
        return f"erased {path}: {context.interrupt('sure', path)}"

    ask = ToolUse("erase-1", "erase", {"path": "a"})
    steps = [ask, Step(give(RIGHT), says="erased a: yes")] if between else [[ask, give(RIGHT)]]
    with ScriptedModel(steps) as model:
        agent = Agent([erase], model=model)
        asked = agent("write it", output=Report)
        assert [each.name for each in asked.pending[0].interrupts] == ["sure"]
        assert asked.output is None
        assert agent.registry.names == ["erase"]
        done = agent.resume({"erase-1": {"sure": "yes"}})
    assert done.output == REPORT
    assert done.pending == ()
    assert first_breach(agent.messages) is None
    assert "erased a: yes" in str(agent.messages)


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "T", "pages": 3}',
        '  {"title": "T", "pages": 3}\n',
        'Here:\n```json\n{"title": "T", "pages": 3}\n```\nThat is all.',
        'Sure! {"title": "T", "pages": 3} Anything else?',
        '```text\nnote\n```\n```json\n{"title": "T", "pages": 3}\n```',
    ],
)
def test_a_model_that_answers_with_json_text_instead(text: str) -> None:
    with ScriptedModel([text, Step(text, choice="Report")]) as model:
        agent = Agent(model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert first_breach(agent.messages) is None


def test_wrong_json_text_is_told_its_faults_and_counts_as_an_attempt() -> None:
    steps = ["Done.", '{"title": 1}', Step('{"title": "T", "pages": 3}', says="pages: required")]
    with ScriptedModel(steps) as model:
        context = StructuredOutputContext(Report)
        assert Agent(model=model).structured_output(context, "write it") == REPORT
    assert context.attempts == 1


def test_two_values_in_one_text_are_no_answer() -> None:
    fence = '```json\n{"title": "T", "pages": 3}\n```\n'
    with (
        ScriptedModel(["Done.", fence * 2]) as model,
        pytest.raises(StructuredOutputException, match="did not call"),
    ):
        Agent(model=model).structured_output(Report, "write it")


def test_a_validator_that_raises_anything_is_an_attempt_in_a_call_and_in_a_text() -> None:
    class Odd(BaseModel):
        a: int

        @field_validator("a")
        @classmethod
        def check(cls, value: int) -> int:
            if value < 2:
                raise LookupError(f"{value} is not there")
            return value

    steps = [ToolUse("1", "Odd", {"a": 0}), "Done.", '{"a": 1}', '{"a": 2}']
    with ScriptedModel([steps[0], Step("Done.", says="0 is not there"), *steps[2:]]) as model:
        context = StructuredOutputContext(Odd)
        assert Agent(model=model).structured_output(context, "write it") == Odd(a=2)
    assert context.attempts == 2


def test_json_text_that_stays_wrong_ends_too() -> None:
    context = StructuredOutputContext(Report, max_attempts=2)
    with (
        ScriptedModel(["Done.", "[1]", "[1]"]) as model,
        pytest.raises(StructuredOutputException) as refused,
    ):
        Agent(model=model).structured_output(context, "write it")
    assert refused.value.attempts == 2


def test_json_text_for_what_would_be_wrapped() -> None:
    with ScriptedModel(["Done.", "[1, 2]"]) as model:
        assert Agent(model=model).structured_output(list[int], "write it") == [1, 2]


def test_words_are_no_object_even_where_text_is_wanted() -> None:
    with (
        ScriptedModel(["Done.", "not JSON"]) as model,
        pytest.raises(StructuredOutputException),
    ):
        Agent(model=model).structured_output(str, "write it")


def test_null_can_be_what_is_wanted() -> None:
    with ScriptedModel([ToolUse("u", "int_or_None", {"value": None})]) as model:
        result = Agent(model=model)("write it", output=int | None)
    assert result.output is None
    assert result.turns == 1


def test_a_type_without_a_schema_says_so_before_anything_is_asked() -> None:
    with ScriptedModel([]) as model:
        agent = Agent(model=model)
        with pytest.raises(DefinitionError):
            agent.structured_output(object(), "write it")
    assert agent.messages == []


def test_the_next_prompt_goes_on_where_the_object_was_given() -> None:
    with ScriptedModel([give(RIGHT), Step("You're welcome.", tools=[], choice="")]) as model:
        agent = Agent(model=model)
        agent.structured_output(Report, "write it")
        assert str(agent("thanks")) == "You're welcome."
    assert [message.role for message in agent.messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert isinstance(agent.messages[2], Message)
    assert agent.messages[2].content[-1] == Text("thanks")


def test_a_context_can_be_used_again() -> None:
    context = StructuredOutputContext(Report, max_attempts=2)
    with ScriptedModel([give(WRONG), give(RIGHT, 2), give(WRONG, 3), give(RIGHT, 4)]) as model:
        agent = Agent(model=model)
        assert agent.structured_output(context, "once") == REPORT
        assert agent.structured_output(context, "twice") == REPORT
    assert context.attempts == 1


def test_a_users_tool_of_that_name_keeps_it() -> None:
    @tool(name="Report")
    def mine() -> str:
        """Mine."""
        return "mine"

    use = ToolUse("u", "Report_output", RIGHT)
    with ScriptedModel([Step(use, tools=["Report", "Report_output"])]) as model:
        agent = Agent([mine], model=model)
        assert agent.structured_output(Report, "write it") == REPORT
    assert agent.registry.names == ["Report"]
