"""A file of tools is a real module, whatever it is called and wherever it stands."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

import pytest

from toolkit import ToolRegistry

from .folder import call, names, write

RECORDS = """
    import copy
    import pickle
    from dataclasses import dataclass
    from enum import Enum
    from pydantic import BaseModel
    from typing_extensions import TypedDict

    @dataclass
    class Node:
        value: int
        next: Node | None = None

    class Model(BaseModel):
        node: Node
        other: Later | None = None

    class Later(BaseModel):
        keys: Keys

    class Keys(TypedDict):
        value: int

    class Colour(Enum):
        RED = "r"

    class Service:
        @tool
        def method(self, x: int) -> int:
            return x

    service = Service()

    @tool
    def nodes(node: Node, model: Model | None = None) -> list:
        return [node.next.value, type(model).__name__]

    @tool
    def pickled() -> list:
        kept = [Node, Node(1), Model(node=Node(2)), Colour.RED, pickled, Service]
        again = [pickle.loads(pickle.dumps(each)) == each for each in kept]
        bound = pickle.loads(pickle.dumps(service.method))
        return [*again, bound(3) == 3, copy.deepcopy(pickled) == pickled]
"""


def test_records_refer_to_each_other_under_postponed_annotations(tmp_path: Path) -> None:
    write(tmp_path, records=RECORDS)
    text = call(
        tmp_path / "records.py",
        "nodes",
        node={"value": 1, "next": {"value": "2"}},
        model={"node": {"value": 1}, "other": {"keys": {"value": 1}}},
    )
    assert json.loads(text) == [2, "Model"]


def test_classes_tools_and_instances_pickle(tmp_path: Path) -> None:
    write(tmp_path, records=RECORDS)
    assert json.loads(call(tmp_path, "pickled")) == [True] * 8


def test_a_file_may_be_called_like_a_module_of_python(tmp_path: Path) -> None:
    body = "import {0}\n@tool\ndef of_{0}() -> str:\n    return {0}.__name__\n"
    modules = ["json", "types", "typing", "dataclasses", "asyncio", "string"]
    write(tmp_path, **{name: body.format(name) for name in modules})
    registry = ToolRegistry(tmp_path)
    assert [call(registry, f"of_{name}") for name in sorted(modules)] == sorted(modules)
    assert sys.modules["json"] is json
    assert sys.modules["types"] is types


def test_a_file_may_be_called_like_a_package_that_it_imports(tmp_path: Path) -> None:
    body = "import {0}\n@tool\ndef of_{0}() -> str:\n    return {0}.__name__\n"
    packages = ["pydantic", "jsonschema", "docstring_parser", "rich"]
    write(tmp_path, **{name: body.format(name) for name in packages})
    registry = ToolRegistry(tmp_path)
    assert [call(registry, f"of_{name}") for name in packages] == packages


def test_two_files_of_one_stem_are_two_modules(tmp_path: Path) -> None:
    body = "class Thing: pass\n@tool\ndef {0}() -> str:\n    return Thing.__module__\n"
    write(tmp_path, same=body.format("first"), below__same=body.format("second"))
    registry = ToolRegistry(tmp_path)
    assert call(registry, "first") != call(registry, "second")
    assert "same" not in sys.modules


@pytest.mark.parametrize("name", ["with space", "with-dash", "weird.name", "1st", "class", "日本"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, **{name: "@tool\ndef mine() -> str:\n    return __name__\n"})
    assert names(tmp_path / f"{name}.py") == ["mine"]
    assert names(tmp_path) == ["mine"]


def test_helpers_beside_a_file_are_found_and_stay_private(tmp_path: Path) -> None:
    write(
        tmp_path,
        helper_of_one="VALUE = 1",
        sub__helper_of_two="VALUE = 2",
        sub__deeper__uses="""
            import helper_of_one
            from helper_of_two import VALUE

            @tool
            def uses() -> list:
                import helper_of_two as late
                return [helper_of_one.VALUE, VALUE, late.VALUE]
        """,
    )
    assert json.loads(call(tmp_path, "uses")) == [1, 2, 2]
    assert not {"helper_of_one", "helper_of_two"} & set(sys.modules)
    assert str(tmp_path) not in sys.path


def test_files_may_import_each_other(tmp_path: Path) -> None:
    write(
        tmp_path,
        one="""
            import two
            class Own:
                pass
            @tool
            def first(x: two.Thing) -> str:
                return str(x.value)
        """,
        two="""
            import one
            from dataclasses import dataclass
            @dataclass
            class Thing:
                value: int
            @tool
            def second() -> str:
                return one.Own.__name__
        """,
    )
    registry = ToolRegistry(tmp_path)
    assert call(registry, "first", x={"value": 3}) == "3"
    assert call(registry, "second") == "Own"


def test_a_tool_that_is_merely_imported_is_not_the_file_s_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        defines="@tool\ndef mine() -> int:\n    return 1\n",
        imports="from defines import mine\nimport defines\nfrom toolkit import ToolRegistry\n",
    )
    assert names(tmp_path) == ["mine"]
    assert names(tmp_path / "imports.py") == []


def test_tools_come_in_the_order_of_their_definition(tmp_path: Path) -> None:
    write(
        tmp_path,
        ordered="@tool\ndef zebra(): ...\n@tool\ndef apple(): ...\n@tool\ndef mango(): ...\n",
    )
    assert names(tmp_path / "ordered.py") == ["zebra", "apple", "mango"]


def test_the_guard_of_a_script_does_not_run(tmp_path: Path) -> None:
    write(
        tmp_path,
        script="""
            @tool
            def mine() -> str:
                return __name__
            if __name__ == "__main__":
                raise SystemExit("ran as a script")
        """,
    )
    name = call(tmp_path / "script.py", "mine")
    assert sys.modules[name].__name__ == name


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        (
            b"# coding: latin-1\nfrom toolkit import tool\n@tool\ndef f(): return 'caf\xe9'\n",
            "café",
        ),
        (b"\xef\xbb\xbffrom toolkit import tool\r\n@tool\r\ndef f(): return 'bom'\r\n", "bom"),
        ("from toolkit import tool\n@tool\ndef f(): return '日本'\n".encode(), "日本"),
    ],
)
def test_a_file_may_have_any_encoding_that_python_reads(
    tmp_path: Path, text: bytes, gives: str
) -> None:
    (tmp_path / "encoded.py").write_bytes(text)
    assert call(tmp_path / "encoded.py", "f") == gives


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    write(tmp_path, real__one="@tool\ndef mine() -> str:\n    return __name__\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "linked.py").symlink_to(tmp_path / "real" / "one.py")
    (tmp_path / "tools" / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "tools" / "loop").symlink_to(tmp_path)
    registry = ToolRegistry(tmp_path / "tools")
    assert registry.names == ["mine"]


def test_what_no_tool_file_is_called_is_not_imported(tmp_path: Path) -> None:
    broken = "raise RuntimeError('imported')"
    write(tmp_path, _private=broken, test_it=broken, conftest=broken, mine="@tool\ndef f(): ...\n")
    write(tmp_path / "tests", a=broken)
    write(tmp_path / ".venv", a=broken)
    (tmp_path / "backup.py~").write_text(broken, encoding="utf-8")
    assert names(tmp_path) == ["f"]
