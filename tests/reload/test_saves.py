"""Every kind of save is one report with the right content, by events and by polling."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.reload.editors import NO_CHANGES, SAVES, write
from tests.reload.folder import HELPED, told, tool_source
from tests.reload.watching import DEADLINE, watched
from toolkit.reload import watcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(params=["events", "polling"])
def poll(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(watcher, "POLL", 0.05)
    return bool(request.param == "polling")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "a.py").write_text(tool_source())
    return folder


@pytest.mark.parametrize("save", SAVES)
def test_a_save_is_one_report(
    save: Callable[[Path, str], None], tools: Path, *, poll: bool
) -> None:
    with watched(tools, poll=poll) as seen:
        assert seen.watcher.mode == ("polling" if poll else "events")
        save(tools / "a.py", tool_source(returns="'v2'", parameters="city: str, days: int = 1"))
        report = seen.next()
        assert told(report) == {"changed": ["weather"]}
        assert report.changed[0].diff[0] == "'days': added, integer, optional"
        assert seen.call() == "v2"
        seen.comes_alone(tools)


@pytest.mark.parametrize("act", NO_CHANGES)
def test_what_changes_no_content_is_no_report(
    act: Callable[[Path], None], tools: Path, *, poll: bool
) -> None:
    with watched(tools, poll=poll) as seen:
        act(tools / "a.py")
        seen.comes_alone(tools)


@pytest.mark.parametrize("name", ["b.py", "new/b.py", "new/deep/b.py"])
def test_a_new_file_is_one_report(name: str, tools: Path, *, poll: bool) -> None:
    with watched(tools, poll=poll) as seen:
        (tools / name).parent.mkdir(parents=True, exist_ok=True)
        write(tools / name, tool_source("rain"))
        assert told(seen.next()) == {"added": ["rain"]}
        seen.comes_alone(tools)


def test_a_folder_that_is_moved_in_is_one_report(tools: Path, *, poll: bool) -> None:
    outside = tools.with_name("outside")
    outside.mkdir()
    write(outside / "b.py", tool_source("rain"))
    with watched(tools, poll=poll) as seen:
        outside.rename(tools / "inside")
        assert told(seen.next()) == {"added": ["rain"]}
        write(tools / "inside" / "b.py", tool_source("rain", "'v2'"))
        assert told(seen.next()) == {"changed": ["rain"]}
        (tools / "inside").rename(outside)
        assert told(seen.next()) == {"removed": ["rain"]}
        seen.comes_alone(tools)


def test_a_deleted_file_is_one_report(tools: Path, *, poll: bool) -> None:
    with watched(tools, poll=poll) as seen:
        (tools / "a.py").unlink()
        assert told(seen.next()) == {"removed": ["weather"]}
        seen.comes_alone(tools)


def test_a_renamed_file_is_one_report(tools: Path, *, poll: bool) -> None:
    with watched(tools, poll=poll) as seen:
        (tools / "a.py").rename(tools / "b.py")
        assert told(seen.next()) == {"changed": ["weather"]}
        seen.comes_alone(tools)


def test_a_file_saved_broken_and_mended_is_two_reports(tools: Path, *, poll: bool) -> None:
    with watched(tools, poll=poll) as seen:
        write(tools / "a.py", "def weather(:\n")
        assert told(seen.next()) == {"failed": ["a.py"]}
        assert [each.state for each in seen.watcher.tools] == ["stale"]
        assert seen.call() == "v1"
        write(tools / "a.py", tool_source(returns="'v3'"))
        assert told(seen.next()) == {"changed": ["weather"]}
        assert [each.state for each in seen.watcher.tools] == ["fresh"]
        seen.comes_alone(tools)


def test_an_edited_helper_in_a_sub_folder_is_one_report(tools: Path, *, poll: bool) -> None:
    (tools / "lib").mkdir()
    write(tools / "lib" / "_deep.py", "V = 'h1'\n")
    write(tools / "helper.py", "from lib._deep import V\n")
    write(tools / "a.py", HELPED)
    with watched(tools, poll=poll) as seen:
        assert seen.call() == "h1"
        write(tools / "lib" / "_deep.py", "V = 'h2'\n")
        assert told(seen.next()) == {"changed": ["weather"]}
        assert seen.call() == "h2"
        seen.comes_alone(tools)


def test_many_files_at_once_are_one_report(tools: Path, *, poll: bool) -> None:
    with watched(tools, poll=poll) as seen:
        for number in range(20):
            write(tools / f"n{number:02}.py", tool_source(f"n{number:02}"))
        assert told(seen.next()) == {"added": [f"n{number:02}" for number in range(20)]}
        seen.comes_alone(tools)


def test_of_a_hundred_rapid_saves_of_one_size_none_is_missed_or_stale(
    tools: Path, monkeypatch: pytest.MonkeyPatch, *, poll: bool
) -> None:
    """With byte code being written, which is told apart by whole seconds and size alone."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(watcher, "QUIET", 0.005)
    monkeypatch.setattr(watcher, "POLL", 0.005)
    # However long the disk takes between the emptying of a file and what is written to it.
    monkeypatch.setattr(watcher, "EMPTIED", DEADLINE * 2)
    write(tools / "helper.py", "V = '000'\n")
    write(tools / "a.py", HELPED)
    with watched(tools, poll=poll) as seen:
        for number in range(1, 101):
            write(tools / "helper.py", f"V = '{number:03}'\n")
            assert told(seen.next()) == {"changed": ["weather"]}
            assert seen.call() == f"{number:03}"
