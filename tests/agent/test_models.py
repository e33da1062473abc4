"""What plays the model, and the rules that a script holds a conversation to."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from toolkit import (
    Agent,
    EchoModel,
    FunctionModel,
    Message,
    ScriptedModel,
    Step,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
    tool,
)
from toolkit.agent.legal import first_breach
from toolkit.errors import ScriptError

HI = Message("user", (Text("Hi"),))
USE = ToolUse("1", "add", {})
ASKS = Message("assistant", (USE,))
DONE = ToolResult("1", "success", (Text("2"),))


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def asked(
    model: Any, *messages: Message, specs: tuple[ToolSpec, ...] = (), choice: str | None = None
) -> Message:
    message: Message = asyncio.run(model(messages, specs, choice, None))
    return message


@pytest.mark.parametrize(
    "function",
    [
        lambda: "x",
        lambda _: "x",
        lambda _, __: "x",
        lambda _, __, ___: "x",
        lambda *_: "x",
        lambda _, __, ___, ____: Text("x"),
        lambda _: ["x"],
        lambda _: Message("assistant", (Text("x"),)),
    ],
)
def test_a_function_takes_what_it_wants_and_answers_as_it_likes(function: Any) -> None:
    assert asked(FunctionModel(function), HI) == Message("assistant", (Text("x"),))


def test_a_coroutine_function_and_a_callable_object() -> None:
    async def function(_: Any) -> ToolUse:
        return USE

    class Playing:
        async def __call__(self, _: Any) -> str:
            return "x"

    assert asked(FunctionModel(function), HI) == ASKS
    assert asked(FunctionModel(Playing()), HI).content == (Text("x"),)


def test_a_plain_function_holds_nobody_up() -> None:
    threads: list[threading.Thread] = []

    def function() -> str:
        threads.append(threading.current_thread())
        return "x"

    asked(FunctionModel(function), HI)
    assert threads[0] is not threading.current_thread()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("x", says="Bye"), "should say 'Bye', but says 'Hi'"),
        (Step("x", tools=["add"]), r"\['add'\] were expected, but \[\] shown"),
        (Step("x", choice="add"), "the choice 'add' was expected"),
    ],
)
def test_a_question_that_the_script_does_not_expect(step: Step, said: str) -> None:
    model = ScriptedModel([step])
    with pytest.raises(ScriptError, match=said):
        asked(model, HI)
    with pytest.raises(ScriptError, match=said):
        model.finish()


def test_a_check_may_assert_anything() -> None:
    def check(question: Any) -> None:
        assert question.system == "S"

    with pytest.raises(AssertionError):
        asked(ScriptedModel([Step("x", check=check)]), HI)


def test_a_script_that_is_too_long_or_too_short() -> None:
    model = ScriptedModel(["x"])
    with pytest.raises(ScriptError, match="1 of 1 steps were never asked for"), model:
        pass
    asked(model, HI)
    model.finish()
    with pytest.raises(ScriptError, match="question 2 is not in the script of 1 steps"):
        asked(model, HI)


def test_an_error_on_the_way_is_not_hidden_by_the_steps_that_are_left() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedModel(["x"]):
        _ = 1 / 0


def test_a_wrong_question_that_somebody_swallowed_still_fails() -> None:
    inner_model = ScriptedModel([Step("x", says="never said")])
    inner = Agent(model=inner_model, name="helper")
    Agent([inner], model=EchoModel())("Go")
    with pytest.raises(ScriptError, match="never said"):
        inner_model.finish()


@pytest.mark.parametrize(
    ("messages", "breach"),
    [
        ((HI,), None),
        ((HI, ASKS, Message("user", (DONE,))), None),
        ((HI, ASKS, Message("user", (DONE, Text("and")))), None),
        ((HI, HI), "two messages of the user in a row"),
        ((Message("user", ()),), "a message of the user is empty"),
        ((HI, ASKS), r"the uses \['1'\] are answered by \[\]"),
        ((HI, ASKS, HI), r"the uses \['1'\] are answered by \[\]"),
        ((HI, ASKS, Message("user", (DONE, DONE))), r"answered by \['1', '1'\]"),
        ((HI, Message("assistant", (Text("x"),)), Message("user", (DONE,))), r"\[\] are answered"),
        ((HI, Message("assistant", (USE, USE)), Message("user", (DONE, DONE))), "stands twice"),
        (
            (HI, Message("assistant", (ToolUse("1", "a b"),)), Message("user", (DONE,))),
            "illegal name",
        ),
        ((Message("user", (USE,)),), "the user asks for tools"),
    ],
)
def test_what_a_provider_would_refuse_is_seen(
    messages: tuple[Message, ...], breach: str | None
) -> None:
    found = first_breach(messages)
    if breach is None:
        assert found is None
        asked(ScriptedModel(["x"]), *messages)
    else:
        with pytest.raises(ScriptError, match=breach):
            asked(ScriptedModel(["x"]), *messages)


def test_an_echo_calls_every_tool_once_with_arguments_that_fit() -> None:
    @tool(examples=[{"word": "hello"}])
    def shout(word: str, times: int = 1) -> str:
        """Shout."""
        return word.upper() * times

    agent = Agent([add, shout], model=EchoModel())
    result = agent("Go")
    assert (str(result), result.turns) == ("2\nHELLO", 2)
    assert str(agent("Again")) == "Again"


def test_an_echo_calls_the_tool_that_it_is_forced_to() -> None:
    spec = add.spec
    used = (HI, ASKS, Message("user", (DONE,)))
    assert asked(EchoModel(), *used, specs=(spec,)).content == (Text("2"),)
    (use,) = asked(EchoModel(), *used, specs=(spec,), choice="add").content
    assert isinstance(use, ToolUse)
    assert (use.name, use.input) == ("add", {"a": 1, "b": 1})


def test_an_echo_of_nothing() -> None:
    assert asked(EchoModel()).content == (Text("nothing to echo"),)
