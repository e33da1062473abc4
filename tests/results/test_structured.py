"""With an output schema the result carries the value as data too."""

from __future__ import annotations

import asyncio
import dataclasses
import math
from typing import Any

import pytest
import typing_extensions
from pydantic import BaseModel, Field

from toolkit import ToolExecutor, ToolRegistry, ToolResult, ToolUse, tool
from toolkit.types import Text


class Model(BaseModel):
    a: int
    b: Any = Field(default=None, serialization_alias="B")


@dataclasses.dataclass
class Record:
    a: int
    b: Any = None


class Typed(typing_extensions.TypedDict):
    a: int


def run(function: Any) -> ToolResult:
    made = tool(function)
    registry = ToolRegistry()
    registry.register(made)
    return asyncio.run(ToolExecutor(registry).run(ToolUse("u", made.name)))


def model() -> Model:
    return Model(a=1, b=math.nan)


async def model_later() -> Model:
    return Model(a=1)


def record() -> Record:
    return Record(1, [2])


def typed() -> Typed:
    return {"a": 1}


@pytest.mark.parametrize(
    ("function", "structured"),
    [
        (model, {"a": 1, "B": None}),
        (model_later, {"a": 1, "B": None}),
        (record, {"a": 1, "b": [2]}),
        (typed, {"a": 1}),
    ],
)
def test_a_record_is_text_and_structured(function: Any, structured: Any) -> None:
    result = run(function)
    assert result.structured == structured
    assert result.text.startswith('{"a":1')


def untyped():  # type: ignore[no-untyped-def]  # noqa: ANN201 - what is tested
    return {"a": 1}


def number() -> int:
    return 3


def text() -> str:
    return "t"


@pytest.mark.parametrize("function", [untyped, number, text])
def test_without_an_output_schema_there_is_no_structured_value(function: Any) -> None:
    assert run(function).structured is None


def promises_a_model_and_gives_an_object() -> Model:
    return object()  # type: ignore[return-value]


def promises_a_model_and_gives_text() -> Model:
    return "sorry"  # type: ignore[return-value]


def promises_a_model_and_gives_a_huge_number() -> Model:
    return 10**5000  # type: ignore[return-value]


def promises_a_model_and_gives_a_result() -> Model:
    return ToolResult("", "error", (Text("none today"),))  # type: ignore[return-value]


@pytest.mark.parametrize(
    "function",
    [
        promises_a_model_and_gives_an_object,
        promises_a_model_and_gives_text,
        promises_a_model_and_gives_a_huge_number,
        promises_a_model_and_gives_a_result,
    ],
)
def test_a_broken_promise_breaks_no_call(function: Any) -> None:
    result = run(function)
    assert result.structured is None
    assert result.content
