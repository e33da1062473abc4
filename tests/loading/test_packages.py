"""Files of packages: relative imports, dotted names, namespaces, modules as sources."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from toolkit import ToolRegistry
from toolkit.errors import LoadError

from .folder import call, names, write

MODULE = """
    from dataclasses import dataclass
    import pickle
    from . import helper
    from .helper import VALUE

    @dataclass
    class Record:
        a: int

    @tool
    def mine(record: Record) -> list:
        same = pickle.loads(pickle.dumps(record)) == record
        return [__name__.rpartition(".")[2], VALUE, helper.VALUE, same]
"""


def package(folder: Path, name: str) -> Path:
    """A package with an `__init__` that offers what a module below defines."""
    write(
        folder,
        **{
            f"{name}__mod": MODULE,
            f"{name}__helper": "VALUE = 7",
            f"{name}__sub__deep": "from ..helper import VALUE\n@tool\ndef deep(): return VALUE\n",
        },
    )
    (folder / name / "__init__.py").write_text("from .mod import mine\n", encoding="utf-8")
    (folder / name / "sub" / "__init__.py").write_text("", encoding="utf-8")
    return folder / name


RESULT = ["mod", 7, 7, True]


@pytest.mark.parametrize("source", [".", "pack", "pack/mod.py"])
def test_relative_imports_work_from_wherever_the_files_are_named(
    tmp_path: Path, source: str
) -> None:
    package(tmp_path, "pack")
    text = call(tmp_path / source, "mine", record={"a": 1})
    assert json.loads(text) == RESULT


def test_a_file_of_an_importable_package_has_its_dotted_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "real_package_one")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry = ToolRegistry(tmp_path / "real_package_one" / "mod.py")
    assert json.loads(call(registry, "mine", record={"a": 1})) == RESULT
    module = sys.modules["real_package_one.mod"]
    assert registry.tools[0] is module.mine


def test_a_package_offers_what_its_init_takes_from_its_own_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "real_package_two")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert names("real_package_two") == ["mine"]
    assert names("real_package_two.mod") == ["mine"]
    assert names("real_package_two.sub.deep:deep") == ["deep"]


def test_folders_without_an_init_are_namespaces(tmp_path: Path) -> None:
    write(
        tmp_path,
        outer__inner__mod="from . import side\n@tool\ndef f(): return side.VALUE\n",
        outer__inner__side="VALUE = 3",
    )
    assert call(tmp_path, "f") == "3"
    assert call(tmp_path / "outer" / "inner" / "mod.py", "f") == "3"


def test_a_module_itself_is_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, module_as_source="@tool\ndef f(): return 1\ndef plain(x: int): return x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import importlib

    module = importlib.import_module("module_as_source")
    assert names(module) == ["f"]
    assert names("module_as_source:plain") == ["plain"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no.such.module", "there is no file or module 'no.such.module'"),
        ("no_such_module:thing", "there is no file or module 'no_such_module'"),
        ("json.nothing:thing", "there is no file or module 'json.nothing'"),
        ("json:dumsp", "there is no 'dumsp' in 'json'"),
        ("nothing.py", "no such file: 'nothing.py'"),
        ("nothing/", "no such file: 'nothing/'"),
        ("", "'' names no tools"),
        (":x", "':x' names no tools"),
        ("json:", "'json:' names no tools"),
    ],
)
def test_a_source_that_is_not_there_is_an_error_that_says_so(source: str, said: str) -> None:
    with pytest.raises(LoadError) as caught:
        ToolRegistry(source)
    assert caught.value.message.startswith(said)


def test_a_name_that_is_nearly_right_is_told() -> None:
    with pytest.raises(LoadError) as caught:
        ToolRegistry("json:JSONDecodr")
    assert caught.value.hint == "did you mean 'JSONDecoder'?"
