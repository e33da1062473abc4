"""One edit is the same work among five files and among five hundred, counted and not timed."""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

import pytest

from tests.reload.editors import sed, vim, write
from tests.reload.folder import HELPED, Folder, told, tool_source
from tests.reload.watching import DEADLINE, watched
from toolkit.loading.units import digest_of
from toolkit.reload import watcher
from toolkit.reload.watcher import ToolWatcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# What a program asks of the file system, by the names of Python's own functions.
ASKING = {"stat", "lstat", "scandir", "listdir", "open", "readlink"}
FEW, MANY = 5, 500


class Work:
    """Counts, on every thread that begins while it counts, what is called."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.calls = 0

    def note(self, frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            self.calls += 1
            self.asked["digest_of"] += frame.f_code is digest_of.__code__
        elif event == "c_call" and getattr(argument, "__name__", "") in ASKING:
            self.asked[argument.__name__] += 1

    def __enter__(self) -> Self:
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def begin(self) -> None:
        self.asked.clear()
        self.calls = 0


def filled(path: Path, number: int) -> Folder:
    path.mkdir()
    for each in range(number):
        (path / f"n{each:03}.py").write_text(tool_source(f"n{each:03}"))
    (path / "_helper.py").write_text("V = 'h1'\n")
    (path / "a.py").write_text(HELPED.replace("helper", "_helper"))
    return Folder(path)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("n000.py", tool_source("n000", "'v2'"), {"changed": ["n000"]}),
        ("n000.py", tool_source("n000", parameters="day: int"), {"changed": ["n000"]}),
        ("n000.py", "def n000(:\n", {"failed": ["n000.py"]}),
        ("_helper.py", "V = 'h2'\n", {"changed": ["weather"]}),
    ],
)
def test_one_edit_is_the_same_work_among_many_files(
    name: str, text: str, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    works = []
    for number in (FEW, MANY):
        folder = filled(tmp_path / str(number), number)
        folder.look()
        path = folder.write(name, text)
        here = folder.reloader.narrowed([path])
        with Work() as work:
            report = folder.reloader.look(at=here)
        assert report is not None
        assert told(report) == expected
        works.append(work)
    few, many = works
    assert few.asked["stat"] > 0
    assert few.asked["digest_of"] > 0
    assert many.asked == few.asked
    assert many.calls <= few.calls * 1.1


@pytest.mark.parametrize("save", [write, sed, vim])
def test_a_save_is_looked_for_where_it_was_heard(
    save: Callable[[Path, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the event to the report, on the threads of the watcher and of what it imports."""
    monkeypatch.setattr(watcher, "RESCAN", DEADLINE * 2)
    asked = []
    for number in (FEW, MANY):
        path = filled(tmp_path / str(number), number).path
        with Work() as work, watched(path) as seen:
            sys.setprofile(None)  # what the test does itself is not counted
            assert len(seen.registry) == number + 1
            work.begin()
            save(path / "n001.py", tool_source("n001", "'v2'"))
            assert told(seen.next()) == {"changed": ["n001"]}
            asked.append(Counter(work.asked))
    assert asked[0]["stat"] > 0
    assert asked[1].total() <= asked[0].total() + FEW  # a save may be heard in two parts
    assert asked[1]["digest_of"] <= asked[0]["digest_of"] + 2


def test_a_start_reads_each_file_once(tmp_path: Path) -> None:
    per_file = []
    for number in (FEW * 10, MANY):
        folder = filled(tmp_path / str(number), number)
        with Work() as work:
            assert len(folder.look().added) == number + 1
        assert work.asked["open"] <= number + FEW * 2
        assert work.asked["scandir"] == 1
        per_file.append(work.calls / number)
    assert per_file[1] < per_file[0] * 1.2


def narrowed(folder: Folder, *names: str) -> set[str] | None:
    found = folder.reloader.narrowed([folder.path / name for name in names])
    return None if found is None else {path.name for path in found}


def test_where_to_look_is_told_by_what_is_known(folder: Folder) -> None:
    folder.tool("a.py")
    folder.write("_helper.py", "V = 1\n")
    folder.look()
    assert narrowed(folder, "a.py", "_helper.py") == {"a.py", "_helper.py"}
    assert narrowed(folder, "a.py", ".a.tmp.py", "test_a.py", "a.tmp.py") == {"a.py"}
    assert narrowed(folder) == set()
    assert narrowed(folder, "a.py", "new.py") is None


@pytest.mark.parametrize("how", ["gone", "a link", "a folder"])
def test_a_file_that_is_no_plain_file_any_more_means_to_look_everywhere(
    how: str, folder: Folder
) -> None:
    path = folder.tool("a.py")
    folder.look()
    path.unlink()
    if how == "a link":
        path.symlink_to(folder.tool("b.py", "rain"))
    elif how == "a folder":
        path.mkdir()
    assert narrowed(folder, "a.py") is None


def test_what_others_did_to_the_registry_is_seen_also_where_one_looks_at_one_file(
    folder: Folder,
) -> None:
    folder.tool("a.py")
    folder.tool("b.py", "rain")
    folder.look()
    folder.registry.unregister("rain")
    path = folder.tool("a.py", returns="'v2'")
    assert told(folder.reloader.look(at={path}) or folder.look()) == {
        "added": ["rain"],
        "changed": ["weather"],
    }
    assert set(folder.registry.names) == {"rain", "weather"}


def test_of_two_reloaders_each_sees_that_the_other_replaced_a_module(folder: Folder) -> None:
    folder.tool("a.py")
    folder.tool("b.py", "rain")
    other = Folder(folder.path)
    folder.look()
    other.look()
    folder.tool("b.py", "rain", "'v2'")
    other.look()
    path = folder.tool("a.py", returns="'v2'")
    report = folder.reloader.look(at={path})
    assert report is not None
    assert told(report) == {"changed": ["weather", "rain"]}
    assert (folder.call(), folder.call("rain")) == ("v2", "v2")


@pytest.mark.parametrize(
    ("text", "expected", "names"),
    [
        ("", {"removed": ["weather"]}, ["rain"]),
        (tool_source("snow"), {"added": ["snow"], "removed": ["weather"]}, ["snow", "rain"]),
        (tool_source("rain"), {"changed": ["rain"], "removed": ["weather"]}, ["rain"]),
        (
            tool_source("hail") + tool_source(returns="'v2'"),
            {"added": ["hail"], "changed": ["weather"]},
            ["hail", "weather", "rain"],
        ),
    ],
)
def test_names_that_come_and_go_in_one_file_are_sorted_out_among_all(
    text: str, expected: dict[str, list[str]], names: list[str], folder: Folder
) -> None:
    path = folder.tool("a.py")
    folder.tool("b.py", "rain")
    folder.look()
    folder.write("a.py", text)
    report = folder.reloader.look(at={path})
    assert report is not None
    assert told(report) == expected
    assert folder.registry.names == names
    assert folder.reloader.look() is None


def test_a_name_that_was_refused_is_taken_once_its_holder_lets_go(folder: Folder) -> None:
    path = folder.tool("a.py")
    folder.tool("b.py", returns="'of b'")
    folder.look()
    assert [each.code for each in folder.registry.problems] == ["N001"]
    folder.tool("a.py", "rain")
    report = folder.reloader.look(at={path})
    assert report is not None
    assert told(report) == {"added": ["rain"], "changed": ["weather"]}
    assert folder.call() == "of b"
    assert folder.registry.problems == []


def test_a_new_import_is_followed_from_then_on(folder: Folder) -> None:
    path = folder.tool("a.py")
    helper = folder.write("helper.py", "V = 'h1'\n")
    folder.look()
    folder.write("a.py", HELPED)
    folder.reloader.look(at={path})
    assert folder.call() == "h1"
    folder.write("helper.py", "V = 'h2'\n")
    report = folder.reloader.look(at={helper})
    assert report is not None
    assert told(report) == {"changed": ["weather"]}
    assert folder.call() == "h2"
    assert folder.reloader.look() is None


def test_saves_without_end_do_not_keep_what_was_not_heard_from_being_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each save is heard before the next rescan is due, and one file's events are lost."""
    monkeypatch.setattr(watcher, "RESCAN", 0.3)
    true = watcher._Ears.dispatch  # noqa: SLF001

    def deaf(self: Any, event: Any) -> None:
        if not os.fsdecode(event.src_path).endswith("n001.py") and not event.is_directory:
            true(self, event)

    monkeypatch.setattr(watcher._Ears, "dispatch", deaf)  # noqa: SLF001
    path = filled(tmp_path / "tools", 2).path
    with watched(path) as seen:
        write(path / "n001.py", tool_source("n001", "'lost'"))
        number, names = 0, set[str]()
        while "n001" not in names and number < 1000:
            number += 1
            write(path / "n000.py", tool_source("n000", f"'v{number}'"))
            names |= set(told(seen.next())["changed"])
        assert seen.call("n001") == "lost"


def test_only_looking_again_without_a_place_looks_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "RESCAN", DEADLINE * 2)
    monkeypatch.setattr(watcher._Ears, "dispatch", lambda *_: None)  # noqa: SLF001
    path = filled(tmp_path / "tools", 2).path
    with watched(path) as seen:
        assert isinstance(seen.watcher, ToolWatcher)
        write(path / "n001.py", tool_source("n001", "'v2'"))
        seen.watcher.look_again()
        assert told(seen.next()) == {"changed": ["n001"]}
