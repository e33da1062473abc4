"""The decorator's options: what they change in the spec, and in a call."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool

GIVEN = {
    "type": "object",
    "properties": {"a": {"type": "integer", "maximum": 5}, "more": {"type": "string"}},
    "required": ["a"],
}


def add(a: int, b: int = 2) -> int:
    """Add.

    Args:
        a: One.
        b: Other.
    """
    return a + b


def result_of(made: Any, given: dict[str, Any]) -> tuple[str, str]:
    registry = ToolRegistry()
    registry.register(made)
    use = ToolUse("t1", made.name, given)
    result = asyncio.run(ToolExecutor(registry).run(use))
    return result.status, result.text


def test_name_and_description_replace_the_function_s_own() -> None:
    spec = tool(add, name="plus", description="Sum up.").spec
    assert (spec.name, spec.description) == ("plus", "Sum up.")
    assert spec.input_schema["properties"]["a"]["description"] == "One."
    assert add.__name__ == "add"


def test_annotations_and_examples_stand_in_the_spec() -> None:
    spec = tool(add, annotations={"readOnlyHint": True}, examples=[{"a": 1}]).spec
    assert spec.annotations == {"readOnlyHint": True}
    assert spec.examples == ({"a": 1},)


@pytest.mark.parametrize("schema", [GIVEN, {"json": GIVEN}])
def test_a_given_schema_is_shown_in_place_of_the_signature_s(schema: dict[str, Any]) -> None:
    assert tool(add, input_schema=schema).spec.input_schema == GIVEN


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"a": 1}, ("success", "3")),
        ({"a": 1, "b": "3"}, ("success", "4")),
        ({"a": 1, "more": "x"}, ("success", "3")),
        ({"a": 6}, ("error", "a: expected at most 5, got 6")),
        ({"a": "1"}, ("error", 'a: expected an integer, got "1"')),
        ({"a": 1, "b": "x"}, ("error", 'b: expected an integer, got "x"')),
        ({}, ("error", "a: is required, but missing")),
    ],
)
def test_both_a_given_schema_and_the_signature_must_accept(
    given: dict[str, Any], wanted: tuple[str, str]
) -> None:
    assert result_of(tool(add, input_schema=GIVEN), given) == wanted


def test_a_schema_that_says_little_is_made_whole() -> None:
    def anything(**given: Any) -> Any:
        return given

    made = tool(anything, input_schema={"properties": {"q": {}}})
    assert made.spec.input_schema == {"type": "object", "properties": {"q": {"type": "string"}}}
    assert result_of(made, {"q": "x", "r": 2}) == ("success", '{"q":"x","r":2}')


def test_options_of_two_tools_of_one_function_are_their_own() -> None:
    one, two = tool(add, name="one", timeout=1), tool(add, name="two")
    assert (one.timeout, two.timeout) == (1, None)
    assert (one.spec.name, two.spec.name) == ("one", "two")
    assert one != two
    assert one == tool(add, name="one", timeout=1)
