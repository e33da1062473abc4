"""Modules of a real package, under their real names, and packages below a folder of tools."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.reload.folder import Folder, told, tool_source
from toolkit.loading.finder import finder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    """A package `acme_tools` on the import path of the project."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(finder, "roots", [tmp_path])
    folder = Folder(tmp_path / "acme_tools")
    folder.write("__init__.py", "")
    folder.write("units.py", "V = 'u1'\n")
    yield folder
    finder.retire([name for name in finder.units if name.startswith("acme_tools")])


def test_a_module_of_a_package_keeps_its_real_name(package: Folder) -> None:
    package.write("a.py", "from .units import V\n" + tool_source(returns="V"))
    package.look()
    assert package.module("a.py").__name__ == "acme_tools.a"
    assert sys.modules["acme_tools.a"] is package.module("a.py")
    package.write("units.py", "V = 'u2'\n")
    assert told(package.look()) == {"changed": ["weather"]}
    assert package.call() == "u2"
    assert sys.modules["acme_tools.a"] is package.module("a.py")


@pytest.mark.parametrize(
    ("imports", "value"),
    [
        ("from . import units", "units.V"),
        ("from .units import V", "V"),
        ("from acme_tools import units", "units.V"),
        ("import acme_tools.units", "acme_tools.units.V"),
        ("import acme_tools.units as u", "u.V"),
        ("from acme_tools.units import *", "V"),
        ("import importlib\nunits = importlib.import_module('acme_tools.units')", "units.V"),
    ],
)
def test_every_way_to_import_a_helper_is_followed(
    package: Folder, imports: str, value: str
) -> None:
    package.write("a.py", f"{imports}\n" + tool_source(returns=value))
    package.look()
    assert package.call() == "u1"
    package.write("units.py", "V = 'u2'\n")
    assert told(package.look()) == {"changed": ["weather"]}
    assert package.call() == "u2"


@pytest.mark.parametrize(
    ("imports", "value"),
    [
        ("from lib import units", "units.V"),
        ("from lib.units import V", "V"),
        ("import lib.units", "lib.units.V"),
        ("from .lib import units", "units.V"),
        ("from .lib.units import V", "V"),
    ],
)
@pytest.mark.parametrize("initial", ["", None])
def test_a_package_below_a_folder_of_tools_is_followed(
    folder: Folder, imports: str, value: str, initial: str | None
) -> None:
    if initial is not None:
        folder.write("lib/__init__.py", initial)
    folder.write("lib/units.py", "V = 'u1'\n")
    folder.write("a.py", f"{imports}\n" + tool_source(returns=value))
    folder.look()
    assert folder.call() == "u1"
    folder.write("lib/units.py", "V = 'u2'\n")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "u2"


def test_a_package_built_afresh_still_has_its_modules(folder: Folder) -> None:
    folder.write("lib/__init__.py", "W = 'w1'\n")
    folder.write("lib/units.py", "V = 'u1'\n")
    folder.write("a.py", "import lib.units\n" + tool_source(returns="lib.units.V + lib.W"))
    folder.write("b.py", "import lib.units\n" + tool_source("rain", returns="lib.units.V"))
    folder.look()
    kept = sys.modules[f"{folder.module('a.py').__name__.rpartition('.')[0]}.lib.units"]
    folder.write("lib/__init__.py", "W = 'w2'\n")
    assert told(folder.look()) == {"changed": ["weather", "rain"]}
    assert (folder.call(), folder.call("rain")) == ("u1w2", "u1")
    assert sys.modules[kept.__name__] is kept


def test_tools_in_an_init_file_are_read_as_the_package(package: Folder) -> None:
    package.write("__init__.py", "from .units import V\n" + tool_source(returns="V"))
    package.reloader.sources[0] = type(package.reloader.sources[0]).of(package.path / "__init__.py")
    package.look()
    assert package.call() == "u1"
    package.write("units.py", "V = 'u2'\n")
    assert told(package.look()) == {"changed": ["weather"]}
    assert package.call() == "u2"


def test_two_modules_that_import_each_other_are_built_together(folder: Folder) -> None:
    folder.write("a.py", "import b\n" + tool_source(returns="b.word()"))
    folder.write("b.py", "import a\n\n\ndef word() -> str:\n    return 'b1 ' + a.__name__[-1]\n")
    folder.look()
    assert folder.call() == "b1 a"
    folder.write("b.py", "import a\n\n\ndef word() -> str:\n    return 'b2 ' + a.__name__[-1]\n")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "b2 a"


def test_a_load_that_fails_leaves_nothing(folder: Folder) -> None:
    folder.write("_helper.py", "V = 1\n")
    path = folder.write("a.py", "import _helper\n1 / 0\n")
    before = dict(sys.modules), dict(finder.units)
    with pytest.raises(ZeroDivisionError):
        finder.load(path, base=folder.path)
    after = dict(sys.modules), dict(finder.units)
    gone = [name for name in after[0].keys() - before[0].keys() if "." in name]
    assert gone == []
    assert after[1] == before[1]


def test_third_party_modules_are_never_built_again(folder: Folder) -> None:
    import jsonschema

    folder.write("a.py", "import jsonschema\n" + tool_source(returns="jsonschema.__name__"))
    folder.look()
    folder.write("a.py", "import jsonschema\n" + tool_source(returns="'v2'"))
    folder.look()
    assert folder.module("a.py").jsonschema is jsonschema
    assert sys.modules["jsonschema"] is jsonschema
