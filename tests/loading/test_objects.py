"""Objects as sources: functions, instances, factories, lists, and what is none of these."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

from toolkit import ToolRegistry, ToolSpec, tool
from toolkit.errors import LoadError

from .folder import names, write


def plain(x: int) -> int:
    """Plain."""
    return x


@tool
def made(x: int) -> int:
    return x


class Service:
    @tool
    def method(self, x: int) -> int:
        return x


class Own:
    """A tool of another kind."""

    spec = ToolSpec("own", "Own.", {"type": "object"})

    async def invoke(self, use: Any, context: Any) -> Any:
        return [use.name, context.tool_use.name]


class Agentish:
    def as_tool(self) -> Any:
        return [tool(plain, name="of_agent")]


class Doubler:
    def __call__(self, x: int) -> int:
        return x


class Untouchable:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("touched")

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"asked for {name}")

    def __repr__(self) -> str:
        raise RuntimeError("shown")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (plain, ["plain"]),
        (made, ["made"]),
        (lambda: [made], ["<lambda>"]),
        (functools.partial(plain, x=1), ["plain"]),
        (functools.cache(plain), ["plain"]),
        (json.dumps, ["dumps"]),
        ("json:dumps", ["dumps"]),
        (Service(), ["method"]),
        (Service().method, ["method"]),
        (Own(), ["own"]),
        (Agentish(), ["of_agent"]),
        (Doubler(), ["Doubler"]),
        ([made, [plain, (Own(),)]], ["made", "plain", "own"]),
        ((each for each in [made, plain]), ["made", "plain"]),
        ([], []),
    ],
)
def test_an_object_gives_its_tools(source: Any, wanted: list[str]) -> None:
    registry = ToolRegistry(source)
    if wanted == ["<lambda>"]:
        assert [each.code for each in registry.problems] == ["N002"]
    else:
        assert registry.problems == []
        assert registry.names == wanted


@pytest.mark.parametrize("source", [5, None, 1.5, {"a": made}, object()])
def test_what_is_none_of_these_is_an_error_that_says_what_came(source: Any) -> None:
    with pytest.raises(LoadError, match="can't make tools of"):
        ToolRegistry(source)


def test_an_object_that_cannot_be_touched_is_an_error_too() -> None:
    odd = Untouchable()
    with pytest.raises(LoadError, match=r"can't make tools of <.*Untouchable object"):
        ToolRegistry([odd])


def test_a_class_is_no_instance() -> None:
    registry = ToolRegistry(Service)
    assert registry.names == []
    assert [each.code for each in registry.problems] == ["F003"]


def test_the_objects_of_a_module_are_looked_at_without_being_touched() -> None:
    module = ModuleType("odd_objects")
    vars(module).update(odd=Untouchable(), mock=MagicMock(), made_here=tool(plain, name="here"))
    vars(module)["made_here"].made_in = "odd_objects"
    assert names(module) == ["here"]


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("factory()", ["one", "two"]),
        ("several", ["three"]),
        ("service", ["method"]),
        ("service.method", ["method"]),
        ("Group.inner", ["inner"]),
        ("plain", ["plain"]),
        ("agent", ["of_agent"]),
    ],
)
def test_a_file_s_object_is_named_behind_a_colon(
    tmp_path: Path, expression: str, wanted: list[str]
) -> None:
    write(
        tmp_path,
        objects="""
            def plain(x: int) -> int:
                return x
            def factory():
                return [tool(plain, name="one"), (tool(plain, name="two"),)]
            several = [tool(plain, name="three")]
            class Service:
                @tool
                def method(self) -> int:
                    return 1
            service = Service()
            class Group:
                @staticmethod
                def inner(x: int) -> int:
                    return x
            class Agent:
                def as_tool(self):
                    return tool(plain, name="of_agent")
            agent = Agent()
        """,
    )
    assert names(f"{tmp_path / 'objects.py'}:{expression}") == wanted


def test_a_factory_that_fails_is_an_error_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, failing="def factory():\n    raise RuntimeError('no key')\n")
    with pytest.raises(LoadError, match="RuntimeError: no key") as caught:
        ToolRegistry(f"{tmp_path / 'failing.py'}:factory()")
    assert caught.value.line == 4
