"""Where the names of a hint are looked up, and when."""

from __future__ import annotations

import dataclasses
import functools
import threading
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from toolkit import tool
from toolkit.errors import InvalidSignatureError
from toolkit.schema.unseen import unseen

from .rows import properties, taken

if TYPE_CHECKING:
    import decimal
    from datetime import date
    from fractions import Fraction as Ratio

    from nowhere_at_all import Missing  # type: ignore[import-not-found]

    from toolkit import ToolContext

    class Agent:
        """Only a type checker knows it."""

    Amounts = dict[str, "decimal.Decimal"]
    Again = list["Other"]
    Other = list[Again]


def later(item: Later, items: list[Later] | None = None) -> Any:
    return item, items


LATER = tool(later)


@dataclasses.dataclass
class Later:
    value: int
    next: Later | None = None


def test_a_class_that_stands_further_down_is_found_when_the_spec_is_needed() -> None:
    given = {"item": {"value": "1", "next": {"value": 2}}}
    assert taken(later, given)["item"] == Later(1, Later(2))


def in_a_function() -> Any:
    class Before(BaseModel):
        a: int

    @tool
    def made(before: Before, after: After) -> str:
        return f"{before.a} {after.before.a}"

    class After(BaseModel):
        before: Before

    return made


def in_a_function_of_a_function() -> Any:
    def inner() -> Any:
        @tool
        def made(outer: Outer) -> int:
            return outer.a

        return made

    class Outer(BaseModel):
        a: int

    return inner()


def in_a_method_of_a_local_class() -> Any:
    class Setting(BaseModel):
        a: int

    class Service:
        @tool
        def made(self, setting: Setting) -> int:
            return setting.a

    return Service().made


def of_a_local_record() -> Any:
    @dataclasses.dataclass
    class Node:
        value: int
        others: list[Node] = dataclasses.field(default_factory=list)

    class Keys(typing.TypedDict, total=False):
        node: typing.Required[Node]
        inner: Keys  # type: ignore[misc]  # mypy has none at a function's scope

    @tool
    def made(keys: Keys) -> Any:
        return keys

    return made


def under_a_wrapper() -> Any:
    class Local(BaseModel):
        a: int

    def wrap(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return inner

    @tool
    @wrap
    def made(local: Local) -> int:
        return local.a

    return made


def as_a_partial() -> Any:
    class Local(BaseModel):
        a: int

    def made(first: int, local: Local) -> int:
        return first + local.a

    return tool(functools.partial(made, 1), name="made")


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (in_a_function, {"before": {"a": 1}, "after": {"before": {"a": 2}}}),
        (in_a_function_of_a_function, {"outer": {"a": 1}}),
        (in_a_method_of_a_local_class, {"setting": {"a": 1}}),
        (of_a_local_record, {"keys": {"node": {"value": 1}, "inner": {"node": {"value": 2}}}}),
        (under_a_wrapper, {"local": {"a": 1}}),
        (as_a_partial, {"local": {"a": 1}}),
    ],
)
def test_classes_of_the_enclosing_functions_are_found(
    make: Callable[[], Any], given: dict[str, Any]
) -> None:
    made = make()
    assert list(made.spec.input_schema["properties"]) == list(given)
    assert made.compiled.adapter.validate_python(given)


def test_a_frame_that_only_calls_the_decorator_lends_no_names() -> None:
    Later = int  # noqa: N806 - the name of another class, on purpose
    assert properties(later)["item"] != {"type": "integer"}
    assert Later is int


class Holder:
    class Inner(BaseModel):
        a: int

    Alias = typing.Literal["x", "y"]

    @tool
    def method(self, inner: Inner, alias: Alias = "x") -> Any:
        return inner, alias


def test_a_method_s_hints_are_read_in_its_class() -> None:
    schema = Holder().method.spec.input_schema
    assert schema["properties"]["alias"]["enum"] == ["x", "y"]


def for_type_checkers(
    day: date,
    amount: decimal.Decimal,
    ratio: Ratio | None,
    amounts: list[Amounts],
    context: ToolContext | None = None,
    agent: Agent | None = None,
) -> Any:
    return day, amount, ratio, amounts, context, agent


def test_an_import_for_type_checkers_is_made_when_a_hint_needs_it() -> None:
    shown = properties(for_type_checkers)
    assert shown["day"] == {"type": "string", "format": "date"}
    assert list(shown) == ["day", "amount", "ratio", "amounts"]
    given = {"day": "2024-01-02", "amount": "1.5", "ratio": "1/3", "amounts": [{"a": "2"}]}
    got = taken(for_type_checkers, given)
    assert [type(got[name]).__name__ for name in ("day", "amount", "ratio")] == [
        "date",
        "Decimal",
        "Fraction",
    ]
    assert "date" not in globals()


def missing(x: Missing) -> None:
    """Take what no module has."""


def circular(x: Again) -> None:
    """Take what is itself."""


@pytest.mark.parametrize(
    ("function", "why"),
    [(missing, "name 'Missing' is not defined"), (circular, "maximum recursion depth exceeded")],
)
def test_one_that_leads_nowhere_is_an_error_of_its_tool(function: Any, why: str) -> None:
    with pytest.raises(InvalidSignatureError, match=f"parameter 'x' can't be used: {why}"):
        tool(function).spec  # noqa: B018 - built on first use


def test_a_module_without_source_has_no_names_for_type_checkers() -> None:
    import sys

    with pytest.raises(LookupError):
        unseen("anything", sys)
    with pytest.raises(LookupError):
        unseen("anything", None)


def returning_nonsense(x: int) -> Nonsense:  # type: ignore[name-defined]  # noqa: F821 - on purpose
    return x


def test_a_return_hint_never_breaks_a_tool() -> None:
    assert properties(returning_nonsense) == {"x": {"type": "integer"}}


def beside(x: threading.Thread | str | None = None, y: list[threading.Event | int] = []) -> Any:  # noqa: B006
    return x, y


def test_a_type_without_json_form_is_left_out_of_a_union() -> None:
    assert properties(beside) == {
        "x": {"type": "string"},
        "y": {"type": "array", "items": {"type": "integer"}, "default": []},
    }
