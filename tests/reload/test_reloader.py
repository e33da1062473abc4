"""What a reloader makes of a folder, looked at once after each change; nothing watches here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.reload.folder import Folder, told, tool_source
from toolkit.loading.finder import finder
from toolkit.registry import ToolRegistry
from toolkit.reload.disk import Disk
from toolkit.reload.reloader import Reloader

if TYPE_CHECKING:
    from pathlib import Path

    from toolkit.types import ToolsChanged


def test_the_first_look_loads_everything(folder: Folder) -> None:
    folder.tool("a.py")
    folder.tool("sub/b.py", "rain")
    assert told(folder.look()) == {"added": ["weather", "rain"]}
    assert folder.call() == "v1"
    assert folder.states == {"weather": "fresh", "rain": "fresh"}


def test_where_nothing_changed_there_is_no_report(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.look()
    assert folder.reloader.look() is None
    path.touch()
    path.chmod(0o600)
    assert folder.reloader.look() is None


def test_a_save_changes_what_a_call_runs(folder: Folder) -> None:
    folder.tool("a.py")
    folder.look()
    folder.tool("a.py", returns="'v2'")
    report = folder.look()
    assert told(report) == {"changed": ["weather"]}
    assert report.changed[0].diff == ("the code changed",)
    assert not report.changed[0].breaking
    assert folder.call() == "v2"


def test_a_save_of_a_comment_is_a_report_without_a_change(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.look()
    path.write_text(path.read_text() + "# a comment\n")
    assert told(folder.look()) == {}


def test_only_the_tool_whose_code_changed_is_told(folder: Folder) -> None:
    two = tool_source("first") + tool_source("second")
    folder.write("a.py", two)
    folder.look()
    folder.write("a.py", two.replace("'v1'", "'v2'", 1))
    assert told(folder.look()) == {"changed": ["first"]}
    folder.write("a.py", two.replace("'v1'", "'v2'", 1) + "LIMIT = 3\n")
    assert told(folder.look()) == {"changed": ["first", "second"]}


def test_a_changed_spec_is_told_in_words_and_marked_where_it_breaks(folder: Folder) -> None:
    folder.tool("a.py")
    folder.look()
    folder.tool("a.py", parameters="city: str, days: int")
    (change,) = folder.look().changed
    assert change.breaking
    assert change.diff == ("breaking: 'days': added, integer, required",)


def test_a_renamed_function_is_one_gone_and_one_come(folder: Folder) -> None:
    folder.tool("a.py", "old")
    folder.look()
    folder.tool("a.py", "new")
    assert told(folder.look()) == {"added": ["new"], "removed": ["old"]}
    assert folder.registry.names == ["new"]


def test_a_deleted_file_takes_its_tools_along(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.look()
    path.unlink()
    assert told(folder.look()) == {"removed": ["weather"]}
    assert folder.registry.names == []
    folder.tool("a.py", returns="'back'")
    assert told(folder.look()) == {"added": ["weather"]}
    assert folder.call() == "back"


def test_a_renamed_file_moves_its_tools(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.look()
    path.rename(folder.path / "b.py")
    (change,) = folder.look().changed
    assert change.diff == (f"moved from {path}:4",)
    assert folder.call() == "v1"


def test_a_broken_file_keeps_its_last_good_tools(folder: Folder) -> None:
    folder.tool("a.py")
    folder.tool("b.py", "rain")
    folder.look()
    before = dict(sys.modules), dict(finder.units)
    folder.write("a.py", "def weather(:\n")
    report = folder.look()
    assert told(report) == {"failed": ["a.py"]}
    assert report.failed[0].place.line == 1
    assert folder.states == {"weather": "stale", "rain": "fresh"}
    assert folder.call() == "v1"
    assert (dict(sys.modules), dict(finder.units)) == before
    folder.tool("a.py", returns="'mended'")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "mended"
    assert folder.states == {"weather": "fresh", "rain": "fresh"}


def test_a_mended_file_is_fresh_again_without_any_change(folder: Folder) -> None:
    good = folder.tool("a.py").read_text()
    folder.look()
    folder.write("a.py", "1 / 0\n")
    folder.look()
    folder.write("a.py", good)
    folder.look()
    assert folder.states == {"weather": "fresh"}
    assert folder.registry.problems == []


def test_what_was_mended_is_over(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where places are shown relative to the working directory."""
    monkeypatch.chdir(folder.path.parent)
    good = folder.tool("a.py").read_text()
    folder.look()
    folder.write("a.py", "def (\n")
    assert folder.look().failed[0].place.path == "tools/a.py"
    folder.write("a.py", "def  (\n")
    assert told(folder.look()) == {"failed": ["a.py"]}
    assert folder.reloader.look() is None
    folder.write("a.py", good)
    assert told(folder.look()) == {}
    assert folder.reloader.look() is None


def test_a_broken_save_while_it_is_broken_is_told_again(folder: Folder) -> None:
    folder.write("a.py", "1 / 0\n")
    assert told(folder.look()) == {"failed": ["a.py"]}
    folder.write("a.py", "\n1 / 0\n")
    assert folder.look().failed[0].place.line == 2
    folder.tool("b.py", "rain")
    assert told(folder.look()) == {"added": ["rain"]}


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("x = (\n", 1, "not valid Python"),
        ("import no_such_module_anywhere\n", 1, "needs the module 'no_such_module_anywhere'"),
        ("\nimport sys\nsys.exit(3)\n", 3, "exits when it is imported"),
        ("raise KeyboardInterrupt\n", 1, "KeyboardInterrupt"),
        ("raise GeneratorExit\n", 1, "GeneratorExit"),
        (b"x = '\xff'\n", None, "not"),
        (b"x = 1\x00\n", None, "null"),
    ],
)
def test_every_way_to_be_broken_is_told_with_its_place(
    folder: Folder, source: str | bytes, line: int | None, words: str
) -> None:
    folder.write("a.py", source)
    folder.tool("b.py")
    report = folder.look()
    assert told(report) == {"added": ["weather"], "failed": ["a.py"]}
    assert words in report.failed[0].message
    assert line in (None, report.failed[0].place.line)


def test_the_first_of_a_name_stays_and_the_next_takes_its_place(folder: Folder) -> None:
    first = folder.tool("a.py", returns="'a'")
    folder.tool("b.py", returns="'b'")
    folder.write("c.py", tool_source("x").replace("@tool", "@tool(name='Weather-x')"))
    folder.tool("d.py", "Weather_x")
    folder.look()
    assert [each.name for each in folder.registry.problems] == ["duplicate-tool-name"] * 2
    assert folder.call() == "a"
    first.unlink()
    (change,) = folder.look().changed
    assert change.diff == (f"moved from {first}:4",)
    assert folder.call() == "b"
    assert len(folder.registry.problems) == 1


def test_a_tool_of_somebody_else_keeps_its_name(folder: Folder) -> None:
    def weather(city: str) -> str:
        """Not of the folder."""
        return f"mine, {city}"

    folder.registry.process_tools(weather)
    folder.tool("a.py")
    folder.look()
    assert folder.call() == "mine, Tokyo"
    assert [each.name for each in folder.registry.problems] == ["duplicate-tool-name"]


def test_tools_that_were_loaded_before_are_taken_over(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.write("b.py", "1 / 0\n")
    folder.registry.process_tools(str(folder.path))
    assert told(folder.look()) == {"failed": ["b.py"]}
    assert len(folder.registry.problems) == 1
    folder.tool("a.py", returns="'v2'")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "v2"
    path.unlink()
    folder.look()
    assert folder.registry.names == []


def test_the_order_is_that_of_a_fresh_start(folder: Folder) -> None:
    for letter in "ace":
        folder.tool(f"{letter}.py", letter)
    folder.look()
    folder.tool("b.py", "b")
    folder.tool("a.py", "a", returns="'v2'")
    folder.look()
    assert folder.registry.names == ["a", "b", "c", "e"]
    assert folder.registry.names == ToolRegistry(str(folder.path)).names


def test_a_pattern_narrows_the_tools(folder: Folder) -> None:
    folder.tool("a.py", "get_rain")
    folder.tool("b.py", "set_rain")
    reloader = Reloader(folder.registry, folder.path, pattern="get_*")
    reloader.look()
    assert folder.registry.names == ["get_rain"]


def test_one_object_of_a_file_can_be_watched(folder: Folder) -> None:
    path = folder.write("a.py", "def plain(x: int) -> int:\n    return x\n" + tool_source())
    reloader = Reloader(folder.registry, f"{path}:plain")
    reloader.look()
    assert folder.registry.names == ["plain"]
    folder.write("a.py", "def plain(x: str) -> str:\n    return x\n")
    report = reloader.look()
    assert report is not None
    assert report.changed[0].breaking
    folder.write("a.py", "def other() -> None: ...\n")
    report = reloader.look()
    assert report is not None
    assert told(report) == {"failed": ["a.py:plain"]}
    assert [each.state for each in reloader.tools] == ["stale"]


def test_subscribers_are_told(folder: Folder) -> None:
    heard: list[ToolsChanged] = []
    folder.registry.subscribe(heard.append)
    folder.tool("a.py")
    assert folder.look() is heard[0]
    assert heard[0].generation == 1
    assert heard[0].seconds > 0


def test_an_illegal_name_is_a_problem_and_nothing_else(folder: Folder) -> None:
    folder.write("a.py", tool_source().replace("@tool", "@tool(name='no good')"))
    folder.tool("b.py", "rain")
    assert told(folder.look()) == {"added": ["rain"]}
    assert [each.name for each in folder.registry.problems] == ["name-charset"]


def test_an_invalid_spec_does_not_stop_the_others(folder: Folder) -> None:
    folder.tool("a.py", parameters="city: 'Nowhere'")
    folder.tool("b.py", "rain")
    folder.look()
    assert [spec.name for spec in folder.registry.specs()] == ["rain"]
    folder.tool("a.py")
    (change,) = folder.look().changed
    assert change.diff == ("has a valid spec",)
    assert folder.registry.problems == []


def test_a_file_that_was_emptied_can_be_left_for_later(folder: Folder) -> None:
    folder.tool("a.py")
    folder.look()
    folder.write("a.py", "")
    assert folder.reloader.look(while_emptied=False) is None
    assert folder.reloader.unfinished
    assert folder.call() == "v1"
    folder.tool("a.py", returns="'v2'")
    folder.write("b.py", "")
    assert folder.reloader.look(while_emptied=False) is None
    assert told(folder.look()) == {"changed": ["weather"]}
    folder.write("a.py", "")
    assert told(folder.look()) == {"removed": ["weather"]}


def test_what_was_compared_is_what_is_built(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save that begins in the middle of a look waits for the next one."""
    path = folder.tool("a.py")
    folder.look()
    folder.tool("a.py", returns="'v2'")
    digest = Disk.digest

    def racing(disk: Disk, read: Path) -> str | None:
        found = digest(disk, read)
        path.write_text("")
        return found

    monkeypatch.setattr(Disk, "digest", racing)
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "v2"
    monkeypatch.undo()
    assert told(folder.look()) == {"removed": ["weather"]}
