"""What a parameter's text is, and which definitions can be no tool, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Annotated, Any, Protocol

import annotated_types
import pytest
from pydantic import Field
from typing_extensions import Doc

from toolkit import tool
from toolkit.errors import DefinitionError, InvalidSignatureError
from toolkit.types import ToolContext


class Shape(Protocol):
    def area(self) -> float:
        """How large."""


def plain(a: int) -> int:
    return a


def both_defaults(a: Annotated[list[int], Field(default_factory=list)] = None) -> Any:  # type: ignore[assignment]
    return a


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        (type[int], "it has no JSON form"),
        (Callable[[int], int], "it has no JSON form"),
        (list[ToolContext], "it has no JSON form"),
        (Thread | Event, "it has no JSON form"),
        (Thread | None, "it has no JSON form"),
        (dict[str, Thread | Event] | list[Event], "it has no JSON form"),
        (Shape, "it has no JSON form"),
        ("Nowhere", "name 'Nowhere' is not defined"),
        ("list[Nowhere]", "name 'Nowhere' is not defined"),
        ("an int", "must be an expression"),
        ("1 / 0", "division by zero"),
    ],
)
def test_a_type_that_cannot_be_used_is_named_with_its_place(hint: Any, why: str) -> None:
    def f(good: int, bad: Any) -> None:
        """Take what can't be given."""

    f.__annotations__ = {"good": int, "bad": hint}
    with pytest.raises(InvalidSignatureError) as caught:
        tool(f, name="mine").spec  # noqa: B018 - built on first use
    error = caught.value
    assert "'mine'" in error.message
    assert "'bad'" in error.message
    assert why in error.message
    assert (error.tool, error.parameter) == ("mine", "bad")
    assert error.path == __file__
    assert error.line == f.__code__.co_firstlineno


def test_two_defaults_for_one_parameter_are_told_of_it() -> None:
    with pytest.raises(InvalidSignatureError, match="'a' can't be used: cannot specify both"):
        tool(both_defaults).spec  # noqa: B018 - built on first use


TEXTS = {
    "a string": (Annotated[int, "by a string"], "by a string"),
    "the last string": (Annotated[int, "first", "last"], "last"),
    "a doc": (Annotated[int, Doc("by a doc")], "by a doc"),
    "a field": (Annotated[int, Field(description="by a field")], "by a field"),
    "inside an optional": (Annotated[int, "inside"] | None, "inside"),
    "of constraints alone": (Annotated[int, annotated_types.Ge(1)], "by the docstring"),
    "none": (int, "by the docstring"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_parameter_s_text_comes_from_the_annotation_before_the_docstring(name: str) -> None:
    hint, text = TEXTS[name]

    def f(x: Any) -> None:
        """Do.

        Args:
            x: by the docstring
        """

    f.__annotations__["x"] = hint
    spec = tool(f).spec
    assert spec.input_schema["properties"]["x"]["description"] == text
    assert spec.description == "Do."


def test_without_any_text_the_name_stands() -> None:
    spec = tool(lambda x: x, name="echo").spec
    assert spec.description == "echo"
    assert spec.input_schema["properties"]["x"]["description"] == "Parameter x"


def test_a_context_that_has_no_place_is_an_error_of_the_definition() -> None:
    with pytest.raises(DefinitionError, match="asks for a context"):
        tool(plain, context=True).spec  # noqa: B018 - built on first use
    with pytest.raises(DefinitionError, match="has no parameter 'ctx'"):
        tool(plain, context="ctx").spec  # noqa: B018 - built on first use


def test_an_alias_that_is_another_parameter_s_name_is_an_error_of_the_definition() -> None:
    def f(first: Annotated[int, Field(alias="second")], second: int) -> int:
        return first + second

    with pytest.raises(DefinitionError, match="'first' and 'second' are both called 'second'"):
        tool(f).spec  # noqa: B018 - built on first use


def test_a_class_is_documented_by_itself_and_by_what_makes_it() -> None:
    class Search:
        """Look something up."""

        def __init__(self, query: str, most: int = 3) -> None:
            """Make it.

            Args:
                query: What to look for.
            """
            self.query, self.most = query, most

    spec = tool(Search).spec
    assert spec.description == "Look something up."
    assert spec.input_schema["properties"]["query"]["description"] == "What to look for."
