"""`registry.tool.NAME(…)`: from Python, with or without a running loop, through the same path."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from toolkit import ToolContext, ToolExecutor, ToolRegistry, tool
from toolkit.caller import ToolCaller


class Place(BaseModel):
    city: str


class Counter:
    def __init__(self) -> None:
        self.total = 0

    @tool
    def add(self, n: int, times: int = 1) -> int:
        """Add."""
        self.total += n * times
        return self.total


class Remote:
    """A tool that is no function, as one of a server."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec

    async def invoke(self, use: Any, context: ToolContext) -> Any:
        return {"got": use.input, "agent": context.agent}


@tool
def weather(city: str, days: int = 1) -> str:
    return f"{city} {days}"


@tool
async def later(city: str, days: int = 1) -> str:
    await asyncio.sleep(0)
    return f"{city} {days}"


@tool(name="dash-ed")
def dashed() -> str:
    return "dashed"


@tool
def positional(a: int, /, b: int, *, c: int = 0) -> list[int]:
    return [a, b, c]


@tool
def with_context(context: ToolContext, city: str, agent: Any = None) -> list[Any]:
    return [city, context.tool_use.name, agent]


@tool
def aliased(n: Annotated[int, Field(alias="number")], m: int = 0) -> int:
    return n - m


@tool
def variadic(a: int, *args: int, **extra: int) -> list[Any]:
    return [a, list(args), extra]


@tool
def place(where: Place) -> str:
    return where.city


@tool
def fails() -> None:
    raise ValueError("no")


@tool
def named_self(self_: int, name: str = "n") -> str:
    return f"{self_} {name}"


EVERY: list[Any] = [weather, later, dashed, positional, with_context, aliased, variadic, place]


@pytest.fixture
def registry() -> ToolRegistry:
    made = ToolRegistry()
    for each in [*EVERY, fails, named_self, Counter().add]:
        made.register(each)
    return made


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("weather", (), {"city": "Tokyo"}, "Tokyo 1"),
    ("weather", ("Tokyo",), {}, "Tokyo 1"),
    ("weather", ("Tokyo", 3), {}, "Tokyo 3"),
    ("weather", ("Tokyo",), {"days": "3"}, "Tokyo 3"),
    ("later", ("Tokyo", 3), {}, "Tokyo 3"),
    ("dash_ed", (), {}, "dashed"),
    ("dash-ed", (), {}, "dashed"),
    ("positional", (1, 2), {"c": 3}, "[1,2,3]"),
    ("positional", (1,), {"b": 2}, "[1,2,0]"),
    ("with_context", ("Tokyo",), {}, '["Tokyo","with_context",null]'),
    ("aliased", (5,), {}, "5"),
    ("aliased", (5, 2), {}, "3"),
    ("aliased", (), {"number": 5}, "5"),
    ("variadic", (1,), {"x": 2}, '[1,[],{"x":2}]'),
    ("place", (Place(city="Rome"),), {}, "Rome"),
    ("place", ({"city": "Rome"},), {}, "Rome"),
    ("named_self", (1,), {"name": "x"}, "1 x"),
    ("add", (2, 3), {}, "6"),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "text"), CALLS)
@pytest.mark.parametrize("loop", ["none", "running", "async"])
def test_arguments_bind_as_in_the_function_with_and_without_a_loop(
    registry: ToolRegistry, name: str, args: Any, kwargs: Any, text: str, loop: str
) -> None:
    call = getattr(registry.tool, name)

    async def inside() -> Any:
        return await call.call_async(*args, **kwargs) if loop == "async" else call(*args, **kwargs)

    result = call(*args, **kwargs) if loop == "none" else asyncio.run(inside())
    assert (result.status, result.text) == ("success", text)


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "said"),
    [
        ("weather", ("a", 1, 2), {}, "'weather' takes 2 positional arguments, not 3"),
        ("weather", ("a",), {"city": "b"}, "'weather' got two values for 'city'"),
        ("positional", (1, 2, 3), {}, "'positional' takes 2 positional arguments, not 3"),
        ("variadic", (1, 2), {}, "'variadic' takes 1 positional arguments, not 2"),
    ],
)
def test_arguments_that_do_not_bind_are_a_type_error_of_the_caller(
    registry: ToolRegistry, name: str, args: Any, kwargs: Any, said: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        getattr(registry.tool, name)(*args, **kwargs)


def test_a_tool_without_a_python_signature_takes_keywords_alone(registry: ToolRegistry) -> None:
    remote = Remote(tool(lambda n: n, name="remote").spec)
    registry.register(remote)
    assert registry.tool.remote(n=1).text == '{"got":{"n":1},"agent":null}'
    with pytest.raises(TypeError, match="keyword arguments alone"):
        registry.tool.remote(1)


def test_what_fails_is_an_error_result_and_no_exception(registry: ToolRegistry) -> None:
    assert registry.tool.fails().text == "Error: ValueError: no"
    assert "days" in registry.tool.weather(city="a", days="many").text


@pytest.mark.parametrize(
    ("name", "meant"), [("wether", "weather"), ("dashed", "dash-ed"), ("whatever_else", None)]
)
def test_an_unknown_name_is_an_attribute_error_with_the_closest(
    registry: ToolRegistry, name: str, meant: str | None
) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(registry.tool, name)
    hint = f"; did you mean '{meant}'?" if meant else ""
    assert str(caught.value) == f"there is no tool '{name}'{hint}"
    assert not hasattr(registry.tool, "__wrapped__")


def test_the_names_are_offered_to_a_completing_shell(registry: ToolRegistry) -> None:
    assert {"weather", "dash_ed"} <= set(dir(registry.tool))


def test_a_caller_runs_in_its_own_executor_for_its_agent(registry: ToolRegistry) -> None:
    async def refuses(call: Any, handle: Any) -> Any:
        result = await handle(call)
        return type(result)(result.tool_use_id, "error", result.content)

    it = ToolExecutor(registry, middleware=[refuses])
    caller = ToolCaller(registry, executor=it, agent="me")
    result = caller.with_context("Rome")
    assert (result.status, result.text) == ("error", '["Rome","with_context","me"]')


def test_calls_from_many_threads_do_not_mix(registry: ToolRegistry) -> None:
    found: dict[int, str] = {}

    def call(n: int) -> None:
        found[n] = registry.tool.later(city=str(n)).text

    threads = [threading.Thread(target=call, args=(n,)) for n in range(16)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(20)
    assert found == {n: f"{n} 1" for n in range(16)}


def test_an_interrupt_from_the_keyboard_reaches_the_caller(registry: ToolRegistry) -> None:
    @tool
    async def interrupted() -> None:
        raise KeyboardInterrupt

    registry.register(interrupted)
    with pytest.raises(KeyboardInterrupt):
        registry.tool.interrupted()
