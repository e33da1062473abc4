"""Links, folders that go and come back, and files that are no tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reload.folder import Folder, told

if TYPE_CHECKING:
    from pathlib import Path


def test_files_that_are_no_tools_are_never_imported(folder: Folder) -> None:
    names = ["test_a.py", "conftest.py", ".hidden.py", "a.py~", "#a.py#", ".#b.py", "c.tmp.py"]
    for name in names:
        folder.write(name, f"raise SystemExit({name!r})\n")
    (folder.path / ".#d.py").symlink_to("somebody@host.1234")
    folder.tool("a.py")
    assert told(folder.look()) == {"added": ["weather"]}


def test_a_tool_file_behind_a_link_is_followed(folder: Folder, tmp_path: Path) -> None:
    other = Folder(tmp_path / "elsewhere")
    real = other.tool("real.py")
    (folder.path / "a.py").symlink_to(real)
    (folder.path / "linked").symlink_to(other.path / "more", target_is_directory=True)
    other.tool("more/b.py", "rain")
    assert told(folder.look()) == {"added": ["weather", "rain"]}
    other.tool("real.py", returns="'v2'")
    other.tool("more/c.py", "snow")
    assert told(folder.look()) == {"changed": ["weather"], "added": ["snow"]}
    assert folder.call() == "v2"
    assert {other.path, other.path / "more"} <= set(folder.reloader.folders())


def test_a_link_that_leads_elsewhere_is_another_file(folder: Folder, tmp_path: Path) -> None:
    other = Folder(tmp_path / "elsewhere")
    link = folder.path / "a.py"
    link.symlink_to(other.tool("one.py", returns="'one'"))
    folder.look()
    link.unlink()
    link.symlink_to(other.tool("two.py", returns="'two'"))
    assert told(folder.look()) == {"changed": ["weather"]}
    assert folder.call() == "two"


def test_a_folder_that_goes_and_comes_back(folder: Folder) -> None:
    folder.tool("a.py")
    folder.look()
    away = folder.path.with_name("away")
    folder.path.rename(away)
    assert told(folder.look()) == {"removed": ["weather"]}
    assert folder.reloader.missing == [folder.path]
    away.rename(folder.path)
    assert told(folder.look()) == {"added": ["weather"]}
    assert folder.call() == "v1"
