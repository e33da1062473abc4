"""An edited helper reaches whatever imports it, and a broken one breaks nothing else."""

from __future__ import annotations

import pytest

from tests.reload.folder import HELPED, Folder, told, tool_source


def test_an_edited_helper_reaches_the_tools_that_import_it(folder: Folder) -> None:
    folder.write("helper.py", "V = 'h1'\n")
    folder.write("a.py", HELPED)
    folder.tool("b.py", "rain")
    folder.look()
    untouched = folder.registry.get("rain")
    folder.write("helper.py", "V = 'h2'\n")
    report = folder.look()
    assert told(report) == {"changed": ["weather"]}
    assert report.changed[0].diff == ("the code changed in helper.py",)
    assert folder.call() == "h2"
    assert folder.registry.get("rain") is untouched


@pytest.mark.parametrize("helper", ["_private.py", "sub/__init__.py", "sub/deep.py"])
def test_a_helper_of_a_helper_reaches_them_too(folder: Folder, helper: str) -> None:
    name = helper.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if "/" in helper:
        folder.write("sub/__init__.py", "")
    folder.write("helper.py", f"from {name} import V\n")
    folder.write(helper, "V = 'deep 1'\n")
    folder.write("a.py", HELPED)
    folder.look()
    assert folder.call() == "deep 1"
    folder.write(helper, "V = 'deep 2'\n")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "deep 2"


def test_a_broken_helper_is_told_once_and_makes_its_tools_stale(folder: Folder) -> None:
    folder.write("_helper.py", "V = 'h1'\n")
    folder.write("a.py", HELPED.replace("helper", "_helper"))
    folder.write("b.py", HELPED.replace("helper", "_helper").replace("weather", "rain"))
    folder.look()
    folder.write("_helper.py", "V = 'h2'\n)\n")
    report = folder.look()
    assert told(report) == {"failed": ["_helper.py"]}
    assert report.failed[0].place.line == 2
    assert folder.states == {"weather": "stale", "rain": "stale"}
    assert (folder.call("weather"), folder.call("rain")) == ("h1", "h1")
    folder.tool("c.py", "other")
    assert told(folder.look()) == {"added": ["other"]}
    assert folder.states["weather"] == "stale"
    folder.write("_helper.py", "V = 'h3'\n")
    assert told(folder.look()) == {"changed": ["weather", "rain"]}
    assert (folder.call("weather"), folder.call("rain")) == ("h3", "h3")


def test_one_of_two_dependants_that_fails_keeps_its_own_generation(folder: Folder) -> None:
    folder.write("_helper.py", "V = 'h1'\nW = 'w1'\n")
    folder.write("a.py", HELPED.replace("helper", "_helper"))
    needs = HELPED.replace("helper", "_helper").replace("weather", "rain").replace(".V", ".W")
    folder.write("b.py", needs.replace("import _helper", "import _helper\n_helper.W"))
    folder.look()
    folder.write("_helper.py", "V = 'h2'\n")
    report = folder.look()
    assert told(report) == {"changed": ["weather"], "failed": ["b.py"]}
    assert (folder.call("weather"), folder.call("rain")) == ("h2", "w1")


def test_a_deleted_helper_is_a_failure_of_those_who_need_it(folder: Folder) -> None:
    helper = folder.write("_helper.py", "V = 'h1'\n")
    folder.write("a.py", HELPED.replace("helper", "_helper"))
    folder.look()
    helper.unlink()
    assert told(folder.look()) == {"failed": ["a.py"]}
    assert folder.call() == "h1"
    folder.write("_helper.py", "V = 'h2'\n")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "h2"


@pytest.mark.parametrize("helper", ["helper2.py", "_helper2.py", "helper2/__init__.py"])
def test_a_new_helper_mends_the_import_that_failed(folder: Folder, helper: str) -> None:
    name = helper.removesuffix(".py").removesuffix("/__init__")
    folder.write("a.py", HELPED.replace("helper", name))
    assert told(folder.look()) == {"failed": ["a.py"]}
    folder.write(helper, "V = 'there'\n")
    assert "weather" in told(folder.look())["added"]
    assert folder.call() == "there"


def test_a_new_helper_is_found_by_those_who_went_on_without_it(folder: Folder) -> None:
    source = "try:\n    import fast\nexcept ImportError:\n    fast = None\n"
    folder.write("a.py", source + tool_source(returns="'fast' if fast else 'slow'"))
    folder.look()
    assert folder.call() == "slow"
    folder.write("fast.py", "")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "fast"
