"""Tools as methods: bound, of classes, inherited, overridden."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from toolkit import ToolRegistry, tool
from toolkit.decorator import FunctionTool

from .running import run, shown


class Service:
    class Setting(BaseModel):
        size: int = 1

    def __init__(self, name: str) -> None:
        self.name = name

    @tool
    def method(self, setting: Setting, other: Service.Setting | None = None) -> str:
        """Do it."""
        return f"{self.name} {setting.size} {other}"

    @tool
    async def later(self, number: int) -> str:
        return f"{self.name} {number}"

    @tool
    @classmethod
    def tool_of_class(cls, number: int) -> str:
        return f"{cls.__name__} {number}"

    @classmethod
    @tool
    def class_of_tool(cls, number: int) -> str:
        return f"{cls.__name__} {number}"

    @tool
    @staticmethod
    def tool_of_static(number: int) -> int:
        return number

    @staticmethod
    @tool
    def static_of_tool(number: int) -> int:
        return number

    @property
    def touched(self) -> Any:
        raise RuntimeError("a property was touched")

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"asked for {name}")


@dataclass
class Base:
    start: int = 1

    @tool
    def one(self, x: int) -> int:
        return self.start + x

    @tool
    def two(self) -> str:
        return "of the base"


@dataclass
class Child(Base):
    more: list[int] = field(default_factory=list)

    @tool
    def two(self) -> str:
        return "of the child"

    @tool(name="third")
    def three(self) -> int:
        return 3

    def __iter__(self) -> Any:
        raise RuntimeError("iterated")


class Silent(Base):
    two = None  # type: ignore[assignment]  # takes the tool away


class Plainly(Base):
    def two(self) -> str:  # type: ignore[override]
        return "a plain method"


SERVICE = Service("s")
NUMBER = {
    "coroutine": SERVICE.later,
    "tool of a classmethod": Service.tool_of_class,
    "classmethod of a tool": Service.class_of_tool,
    "tool of a staticmethod": Service.tool_of_static,
    "staticmethod of a tool": Service.static_of_tool,
    "tool of a classmethod, by an instance": SERVICE.tool_of_class,
    "tool of a staticmethod, by an instance": SERVICE.tool_of_static,
}


@pytest.mark.parametrize("name", NUMBER)
def test_a_method_of_any_kind_hides_what_python_binds(name: str) -> None:
    assert shown(NUMBER[name]) == (["number"], ["number"])


def test_a_bound_method_is_a_tool_of_its_instance() -> None:
    assert run(SERVICE.method, setting={"size": 3}) == "s 3 None"
    assert run(Service("t").method, setting={}, other={}) == "t 1 size=1"
    assert SERVICE.method(Service.Setting(size=2)) == "s 2 None"


def test_an_instance_gives_all_its_tools_and_nothing_of_it_is_touched() -> None:
    registry = ToolRegistry(SERVICE)
    assert registry.problems == []
    assert registry.names == [
        "method",
        "later",
        "tool_of_class",
        "class_of_tool",
        "tool_of_static",
        "static_of_tool",
    ]
    assert registry.tool.class_of_tool(number=1).text == "Service 1"
    assert registry.tool.tool_of_class(number=1).text == "Service 1"


def test_inherited_tools_come_first_and_the_last_definition_counts() -> None:
    registry = ToolRegistry(Child(5))
    assert registry.names == ["one", "two", "third"]
    assert registry.tool.one(x=1).text == "6"
    assert registry.tool.two().text == "of the child"


@pytest.mark.parametrize("cls", [Silent, Plainly])
def test_what_overrides_a_tool_and_is_none_takes_it_away(cls: type[Base]) -> None:
    assert ToolRegistry(cls()).names == ["one"]


def test_a_class_without_an_instance_gives_problems_and_no_tools() -> None:
    registry = ToolRegistry(Base)
    assert registry.names == []
    assert [each.tool for each in registry.problems] == ["one", "two"]
    assert all(each.place.path == __file__ and each.place.line for each in registry.problems)


def test_bound_tools_of_one_instance_are_equal_and_of_two_are_not() -> None:
    child = Child()
    assert child.one == child.one
    assert hash(SERVICE.method) == hash(SERVICE.method)
    assert SERVICE.method != Service("s").method
    assert SERVICE.method != SERVICE.later


@tool
def alone(x: int) -> int:
    return x


def test_a_tool_pickles_by_reference_and_a_bound_one_with_its_instance() -> None:
    assert pickle.loads(pickle.dumps(alone)) is alone
    again = pickle.loads(pickle.dumps(Child(4).one))
    assert isinstance(again, FunctionTool)
    assert again(2) == 6
    assert again.name == "one"


def test_a_tool_of_another_name_than_its_variable_pickles_with_its_options() -> None:
    renamed = tool(plain_one, name="renamed", timeout=2)
    again = pickle.loads(pickle.dumps(renamed))
    assert (again.name, again.timeout, again(1)) == ("renamed", 2, 1)
    assert copy.deepcopy(renamed)(1) == 1


def plain_one(x: int) -> int:
    return x


def local_service() -> Any:
    class Setting(BaseModel):
        size: int

    class Local:
        @classmethod
        @tool
        def of_class(cls, setting: Setting) -> str:
            return f"{cls.__name__} {setting.size}"

        @tool
        @staticmethod
        def of_none(setting: Setting) -> int:
            return setting.size

        @tool
        def of_self(self, setting: Setting) -> int:
            return setting.size

    return Local()


def test_methods_of_a_local_class_know_the_names_around_it() -> None:
    registry = ToolRegistry(local_service())
    assert [spec.name for spec in registry.specs()] == ["of_class", "of_none", "of_self"]
    assert registry.tool.of_class(setting={"size": 1}).text == "Local 1"
    assert registry.tool.of_none(setting={"size": "2"}).text == "2"
