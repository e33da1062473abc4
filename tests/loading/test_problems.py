"""What does not become a tool is a problem with its place, and hides nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolkit import ToolRegistry, ToolSpec
from toolkit.errors import LoadError

from .folder import call, problems, write

GOOD = "@tool\ndef {0}() -> str:\n    return '{0}'\n"


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("raise RuntimeError('boom')\n", 3, "RuntimeError: boom"),
        ("import nowhere_at_all\n", 3, "needs the module 'nowhere_at_all'"),
        ("def f(:\n", 3, "is not valid Python"),
        ("import sys\nsys.exit(3)\n", 4, "exits when it is imported"),
        ("from toolkit import nothing_of_the_kind\n", 3, "nothing_of_the_kind"),
        ("from . import missing_sibling\n", 3, "missing_sibling"),
        ("import helper_that_fails\n", 3, "division by zero"),
        ("class A(RuntimeError): ...\nraise A\n", 4, "can't be imported: A"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_a_problem_with_its_line(
    tmp_path: Path, body: str, line: int, said: str
) -> None:
    write(tmp_path, a_good=GOOD.format("first"), bad=body, z_good=GOOD.format("last"))
    write(tmp_path, _helper="", helper_that_fails="1 / 0" if "helper" in body else "")
    registry = ToolRegistry(tmp_path)
    assert registry.names == ["first", "last"]
    found = [each for each in registry.problems if each.place.path == str(tmp_path / "bad.py")]
    assert [(each.code, each.place.line) for each in found] == [("F001", line)]
    assert said in found[0].message


def test_a_file_that_is_named_itself_raises(tmp_path: Path) -> None:
    write(tmp_path, bad="raise RuntimeError('boom')\n")
    with pytest.raises(LoadError, match="boom") as caught:
        ToolRegistry(tmp_path / "bad.py")
    assert caught.value.line == 3


def test_bytes_that_are_no_text_are_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"x = '\xff\xfe'\n")
    with pytest.raises(LoadError, match="is not UTF-8"):
        ToolRegistry(tmp_path / "binary.py")


MANY = """
    import threading

    @tool
    def good(x: int) -> str:
        return str(x)

    @tool
    def no_json(x: threading.Thread): ...

    @tool
    def no_name(x: Nowhere): ...

    @tool(name="bad name!")
    def illegal(): ...

    @tool(context="ctx")
    def no_place(x: int): ...

    @tool(name="go-od")
    def twin_one(): ...

    @tool(name="go_od")
    def twin_two(): ...

    @tool(name="good")
    def again(): ...

    class Service:
        @tool
        def unbound(self): ...

    @tool(input_schema={"type": "array"})
    def no_object(x: int): ...

    @tool
    def last(x: int) -> str:
        return str(x)
"""


def test_one_bad_tool_among_many_spoils_itself_alone(tmp_path: Path) -> None:
    write(tmp_path, many=MANY)
    registry = ToolRegistry(tmp_path)
    found = problems(registry)
    assert sorted(found, key=lambda each: each[2] or 0) == [
        ("F002", "many.py", 10),
        ("F002", "many.py", 13),
        ("N002", "many.py", 16),
        ("F002", "many.py", 19),
        ("N001", "many.py", 25),
        ("N001", "many.py", 28),
        ("F003", "many.py", 32),
        ("F002", "many.py", 35),
    ]
    assert [spec.name for spec in registry.specs()] == ["good", "go-od", "last"]
    assert problems(registry) == found
    assert call(registry, "last", x=5) == "5"


def test_the_first_of_a_name_stays_and_both_places_are_told(tmp_path: Path) -> None:
    write(tmp_path, a=GOOD.format("same"), b=GOOD.format("same"), c=GOOD.format("other"))
    registry = ToolRegistry(tmp_path)
    assert registry.names == ["same", "other"]
    (found,) = registry.problems
    assert found.code == "N001"
    assert "a.py:3" in found.message
    assert "b.py:3" in found.message


def old(name: str, function: str, schema: str) -> str:
    spec = f'{{"name": "{name}", "description": "Old.", "inputSchema": {{"json": {schema}}}}}'
    return f"TOOL_SPEC = {spec}\ndef {function}(use, **state):\n    return str(use['input'])\n"


def test_old_modules_have_a_spec_and_a_function_of_its_name(tmp_path: Path) -> None:
    number = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
    write(
        tmp_path,
        by_name=old("old", "old", number),
        by_stem=old("other", "by_stem", "{}"),
        without=old("none", "another", "{}"),
        an_array=old("array", "array", '{"type": "array"}'),
    )
    registry = ToolRegistry(tmp_path)
    assert sorted(spec.name for spec in registry.specs()) == ["old", "other"]
    assert {(code, path) for code, path, _ in problems(registry)} == {
        ("F002", "without.py"),
        ("F002", "an_array.py"),
    }
    assert call(registry, "old", a=4) == "{'a': 4}"
    assert call(registry, "other") == "{}"
    refused = registry.tool.old(a="x")
    assert (refused.status, refused.text) == ("error", 'a: expected an integer, got "x"')


class Raising:
    @property
    def spec(self) -> ToolSpec:
        raise RuntimeError("no spec today")

    async def invoke(self, use: Any, context: Any) -> Any:
        return [use, context]


class Named(Raising):
    name = "named"


class OfDicts(Raising):
    spec = {"name": "of_dicts"}  # type: ignore[assignment]  # noqa: RUF012 - as people write it


class OfItsOwn:
    """A type whose own code fails while its schema is made."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        raise ZeroDivisionError("the type's own code")


def test_a_tool_of_somebody_else_s_class_spoils_itself_alone() -> None:
    def own(x: OfItsOwn) -> None:
        """Take what can't be read."""

    def good(x: int) -> int:
        return x

    registry = ToolRegistry(Raising(), Named(), OfDicts(), own, good)
    assert [spec.name for spec in registry.specs()] == ["good"]
    assert [each.message.partition(" (")[0] for each in registry.problems] == [
        "'Raising' gives no spec: RuntimeError: no spec today",
        "'OfDicts' gives no spec: AttributeError: 'dict' object has no attribute 'name'",
        "'named' gives no spec: RuntimeError: no spec today",
        (
            "'own': the type tests.loading.test_problems.OfItsOwn of parameter 'x' can't be used: "
            "the type's own code"
        ),
    ]
