"""Everything that can be called becomes a tool: what a model sees, and what a call gives."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import math
import operator
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from toolkit import ToolRegistry, tool
from toolkit.decorator import FunctionTool
from toolkit.errors import DefinitionError, InvalidSignatureError

from .running import progress, run, shown


def greet(name: str, times: int = 1) -> str:
    """Greet somebody.

    Args:
        name: Whom.
        times: How often.
    """
    return " ".join([f"hello {name}"] * times)


async def wait_for(name: str) -> str:
    await asyncio.sleep(0)
    return f"after {name}"


def count(most: int) -> Iterator[int]:
    yield from range(most)


async def count_async(most: int) -> AsyncIterator[int]:
    for number in range(most):
        yield number


class Greeter:
    """Greets."""

    def __init__(self, greeting: str = "hi") -> None:
        self.greeting = greeting

    def __call__(self, name: str) -> str:
        """Greet by calling.

        Args:
            name: Whom to call.
        """
        return f"{self.greeting} {name}"

    def method(self, name: str) -> str:
        return f"{self.greeting} {name}"

    async def later(self, name: str) -> str:
        return f"{self.greeting} {name}"

    @classmethod
    def of_class(cls, name: str) -> str:
        return f"{cls.__name__} {name}"

    @staticmethod
    def of_none(name: str) -> str:
        return name


class AsyncGreeter:
    async def __call__(self, name: str) -> str:
        return f"hey {name}"


class Person(BaseModel):
    """A person."""

    name: str


@dataclasses.dataclass
class Thing:
    name: str


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def wrapped_async(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def inner(*args: Any, **kwargs: Any) -> Any:
        return await function(*args, **kwargs)

    return inner


def bare(function: Callable[..., Any]) -> Callable[..., Any]:
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


@dataclass(frozen=True)
class Row:
    """A callable, the names that a model sees and must give, an input and the text it gives."""

    callable: Any
    names: tuple[str, ...]
    required: tuple[str, ...]
    given: dict[str, Any]
    text: str


A = {"name": "A"}
NAME = ("name",)
BOTH = ("name", "times")
ROWS = {
    "function": Row(greet, BOTH, NAME, {"name": "A", "times": "2"}, "hello A hello A"),
    "coroutine function": Row(wait_for, NAME, NAME, A, "after A"),
    "generator": Row(count, ("most",), ("most",), {"most": 3}, "2"),
    "empty generator": Row(count, ("most",), ("most",), {"most": 0}, "null"),
    "async generator": Row(count_async, ("most",), ("most",), {"most": 3}, "2"),
    "empty async generator": Row(count_async, ("most",), ("most",), {"most": 0}, "null"),
    "partial": Row(functools.partial(greet, "B"), ("times",), (), {}, "hello B"),
    "partial by keyword": Row(functools.partial(greet, times=2), NAME, NAME, A, "hello A hello A"),
    "partial of a partial": Row(
        functools.partial(functools.partial(greet, times=1), "C"), (), (), {}, "hello C"
    ),
    "partial that was told whom it wraps": Row(
        functools.update_wrapper(functools.partial(greet, "G"), greet),
        ("times",),
        (),
        {},
        "hello G",
    ),
    "partial of a coroutine function": Row(functools.partial(wait_for, "D"), (), (), {}, "after D"),
    "partial of a generator": Row(functools.partial(count, 2), (), (), {}, "1"),
    "partial of a method": Row(functools.partial(Greeter().method, "E"), (), (), {}, "hi E"),
    "partial of an instance": Row(functools.partial(Greeter(), "F"), (), (), {}, "hi F"),
    "instance": Row(Greeter("yo"), NAME, NAME, A, "yo A"),
    "async instance": Row(AsyncGreeter(), NAME, NAME, A, "hey A"),
    "bound method": Row(Greeter("oh").method, NAME, NAME, A, "oh A"),
    "bound coroutine method": Row(Greeter().later, NAME, NAME, A, "hi A"),
    "class method": Row(Greeter.of_class, NAME, NAME, A, "Greeter A"),
    "static method": Row(Greeter.of_none, NAME, NAME, A, "A"),
    "lambda": Row(lambda x, y=2: x * y, ("x", "y"), ("x",), {"x": 2}, "4"),
    "wrapper": Row(wrapped(greet), BOTH, NAME, {"name": "A", "times": "1"}, "hello A"),
    "wrapper of a wrapper": Row(wrapped(wrapped(greet)), BOTH, NAME, A, "hello A"),
    "plain wrapper of a coroutine function": Row(wrapped(wait_for), NAME, NAME, A, "after A"),
    "async wrapper": Row(wrapped_async(wait_for), NAME, NAME, A, "after A"),
    "wrapper of a generator": Row(wrapped(count), ("most",), ("most",), {"most": 2}, "1"),
    "wrapper of an async generator": Row(
        wrapped(count_async), ("most",), ("most",), {"most": 2}, "1"
    ),
    "wrapper without wraps": Row(bare(greet), (), (), A, "hello A"),
    "cached": Row(functools.cache(greet), BOTH, NAME, A, "hello A"),
    "lru cache": Row(functools.lru_cache(maxsize=2)(greet), BOTH, NAME, A, "hello A"),
    "single dispatch": Row(functools.singledispatch(greet), BOTH, NAME, A, "hello A"),
    "model": Row(Person, NAME, NAME, A, '{"name":"A"}'),
    "dataclass": Row(Thing, NAME, NAME, A, '{"name":"A"}'),
    "builtin": Row(math.sqrt, ("x",), ("x",), {"x": 4}, "2.0"),
    "operator": Row(operator.add, ("a", "b"), ("a", "b"), {"a": 1, "b": 2}, "3"),
    "method of a builtin": Row(
        "-".join, ("iterable",), ("iterable",), {"iterable": ["a", "b"]}, "a-b"
    ),
    "tool": Row(tool(greet, name="other"), BOTH, NAME, A, "hello A"),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_model_sees_the_signature_and_a_call_gives_the_value(name: str) -> None:
    row = ROWS[name]
    assert shown(row.callable) == (list(row.names), list(row.required))
    assert run(tool(row.callable, name="it"), **row.given) == row.text


@pytest.mark.parametrize("made", [count, count_async, wrapped(count), wrapped(count_async)])
def test_every_item_of_a_generator_is_progress(made: Any) -> None:
    assert progress(tool(made, name="it"), most=3) == [0, 1, 2]


@pytest.mark.parametrize("made", [max, int, range])
def test_what_has_no_signature_is_an_error_that_says_what_to_do(made: Any) -> None:
    with pytest.raises(InvalidSignatureError, match="has no signature") as caught:
        tool(made, name="it").spec  # noqa: B018 - built on first use
    assert caught.value.hint


@pytest.mark.parametrize("made", [Greeter.method, str.upper])
def test_a_method_without_an_instance_is_an_error_that_says_what_to_do(made: Any) -> None:
    with pytest.raises(DefinitionError, match="without an instance") as caught:
        tool(made).spec  # noqa: B018 - built on first use
    assert "make an instance" in (caught.value.hint or "")


@pytest.mark.parametrize("made", [5, "greet", None.__class__.__doc__, [greet]])
def test_what_cannot_be_called_is_refused_at_once(made: Any) -> None:
    if made is not None:
        with pytest.raises(TypeError, match="something that can be called"):
            tool(made)


@pytest.mark.parametrize(
    ("made", "name", "description"),
    [
        (greet, "greet", "Greet somebody."),
        (functools.partial(greet, "x"), "greet", "Greet somebody."),
        (Greeter(), "Greeter", "Greet by calling."),
        (AsyncGreeter(), "AsyncGreeter", "AsyncGreeter"),
        (Greeter().method, "method", "method"),
        (wrapped(greet), "greet", "Greet somebody."),
        (Person, "Person", "A person."),
    ],
)
def test_name_and_description_are_the_callable_s_own(
    made: Any, name: str, description: str
) -> None:
    spec = tool(made).spec
    assert (spec.name, spec.description) == (name, description)


def test_a_lambda_without_a_name_is_refused_where_it_is_registered() -> None:
    with pytest.raises(DefinitionError, match="'<lambda>' is no legal tool name"):
        ToolRegistry().register(tool(lambda x: x))


def test_the_outer_decorator_of_two_has_the_last_word() -> None:
    inner = tool(name="inner", description="Inner.", timeout=3)(greet)
    outer = tool(name="outer")(inner)
    assert isinstance(outer, FunctionTool)
    assert (outer.name, outer.spec.description, outer.timeout) == ("outer", "Inner.", 3)
    assert outer.__wrapped__ is greet
    assert inner.name == "inner"


def test_two_closures_of_one_factory_are_two_tools() -> None:
    def adder(by: int) -> Any:
        def add(value: int) -> int:
            return value + by

        return tool(add, name=f"add_{by}")

    two, ten = adder(2), adder(10)
    assert (run(two, value="1"), run(ten, value=1)) == ("3", "11")


def test_an_unknown_option_is_a_type_error_as_with_any_function() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'nmae'"):
        tool(nmae="x")  # type: ignore[call-overload]
