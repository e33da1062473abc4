"""What a watcher lives through: folders that come and go, links, and the system's limits."""

from __future__ import annotations

import errno
import shutil
import threading
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from watchdog import events
from watchdog.observers import Observer

from tests.reload.editors import sed, write
from tests.reload.folder import HELPED, told, tool_source
from tests.reload.watching import DEADLINE, watched
from toolkit import ToolRegistry, ToolWatcher
from toolkit.reload import disk, watcher

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at each second is looked at more often here."""
    monkeypatch.setattr(watcher, "POLL", 0.05)
    monkeypatch.setattr(watcher, "RESCAN", 0.1)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "a.py").write_text(tool_source())
    return folder


@pytest.fixture
def no_rescan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is heard counts."""
    monkeypatch.setattr(watcher, "RESCAN", DEADLINE * 2)


def building() -> set[threading.Thread]:
    """The threads on which something is imported."""
    return {each for each in threading.enumerate() if each.name == "toolkit-reload"}


@pytest.mark.parametrize(
    ("event", "heard"),
    [
        (events.FileModifiedEvent("/t/a.py"), True),
        (events.FileDeletedEvent("/t/a.py"), True),
        (events.FileMovedEvent("/t/a.py.tmp", "/t/a.py"), True),
        (events.FileMovedEvent("/t/a.py", "/elsewhere"), True),
        (events.DirMovedEvent("/t/sub", "/t/other"), True),
        (events.DirDeletedEvent("/t/sub"), True),
        (events.FileOpenedEvent("/t/a.py"), False),
        (events.FileClosedNoWriteEvent("/t/a.py"), False),
        (events.FileModifiedEvent("/t/tool.log"), False),
        (events.DirModifiedEvent("/t/__pycache__"), False),
    ],
)
def test_a_change_is_heard_and_mere_reading_is_not(
    event: events.FileSystemEvent, *, heard: bool
) -> None:
    """Else our own reading, and our own importing, would be heard again and again."""
    calls: list[bool] = []
    watcher._Ears(lambda: calls.append(True)).dispatch(event)  # noqa: SLF001
    assert calls == [True] * heard


def test_the_tools_are_there_when_the_block_begins(tools: Path) -> None:
    registry = ToolRegistry()
    with ToolWatcher(registry, tools) as watching:
        assert registry.names == ["weather"]
        assert watching.started_with is not None
        assert told(watching.started_with) == {"added": ["weather"]}
    assert registry.names == ["weather"]


def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    with watched(folder) as seen:
        assert seen.watcher.missing == [folder]
        outside = tmp_path / "outside"
        outside.mkdir()
        write(outside / "a.py", tool_source())
        folder.parent.mkdir()
        outside.rename(folder)
        assert told(seen.next()) == {"added": ["weather"]}
        assert seen.watcher.missing == []
        seen.comes_alone(folder)


def test_a_folder_that_is_deleted_and_comes_back(tools: Path) -> None:
    with watched(tools) as seen:
        kept = tools.with_name("kept")
        shutil.copytree(tools, kept)
        shutil.rmtree(tools)
        assert told(seen.next()) == {"removed": ["weather"]}
        kept.rename(tools)
        assert told(seen.next()) == {"added": ["weather"]}
        seen.comes_alone(tools)


def test_a_folder_that_another_took_the_place_of(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tools.with_name("other")
    other.mkdir()
    write(other / "a.py", tool_source(returns="'other'"))
    with watched(tools) as seen:
        tools.rename(tools.with_name("away"))
        other.rename(tools)
        while seen.call() != "other":
            seen.next()
        monkeypatch.setattr(watcher, "RESCAN", DEADLINE * 2)
        for text in ("'v2'", "'v3'"):  # from here on events alone tell
            write(tools / "a.py", tool_source(returns=text))
            assert told(seen.next()) == {"changed": ["weather"]}


@pytest.mark.usefixtures("no_rescan")
def test_events_alone_tell_of_a_save_behind_links(tools: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tools, target_is_directory=True)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "more").mkdir(parents=True)
    write(elsewhere / "b.py", tool_source("rain"))
    (tools / "b.py").symlink_to(elsewhere / "b.py")
    (tools / "more").symlink_to(elsewhere / "more", target_is_directory=True)
    with watched(link) as seen:
        sed(tools / "a.py", tool_source(returns="'v2'"))
        assert told(seen.next()) == {"changed": ["weather"]}
        sed(elsewhere / "b.py", tool_source("rain", "'v2'"))
        assert told(seen.next()) == {"changed": ["rain"]}
        write(elsewhere / "more" / "c.py", tool_source("snow"))
        assert told(seen.next()) == {"added": ["snow"]}


@pytest.mark.usefixtures("no_rescan")
def test_events_alone_tell_of_a_helper_elsewhere(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolkit.loading.finder import finder

    source = tmp_path / "src"
    source.mkdir()
    monkeypatch.syspath_prepend(str(source))
    monkeypatch.setattr(finder, "roots", [source])
    write(source / "shared_values.py", "V = 'h1'\n")
    write(tools / "a.py", HELPED.replace("helper", "shared_values"))
    with watched(tools) as seen:
        assert seen.call() == "h1"
        sed(source / "shared_values.py", "V = 'h2'\n")
        assert told(seen.next()) == {"changed": ["weather"]}
        assert seen.call() == "h2"


def test_a_single_file_is_watched_without_its_neighbours(tools: Path) -> None:
    with watched(tools / "a.py") as seen:
        write(tools / "b.py", tool_source("rain"))
        sed(tools / "a.py", tool_source(returns="'v2'"))
        assert told(seen.next()) == {"changed": ["weather"]}
        assert seen.registry.names == ["weather"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_at_the_system_s_limits_it_polls_and_says_why(
    number: int, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise OSError(number, "inotify")

    monkeypatch.setattr(Observer, "schedule", refuse)
    with watched(tools) as seen:
        assert seen.watcher.mode == "polling"
        assert "fs.inotify" in str(seen.watcher.why_polling)
        write(tools / "a.py", tool_source(returns="'v2'"))
        assert told(seen.next()) == {"changed": ["weather"]}
        seen.comes_alone(tools)


def test_that_a_folder_is_watched_twice_is_no_warning(tools: Path) -> None:
    """As watchdog 7 says of folders that are made one in the other; here warnings are errors."""
    with watched(tools):
        warnings.warn(
            "Callback with id '1' already exists for watch x. It will be Overwritten.",
            RuntimeWarning,
            stacklevel=1,
        )
        (tools / "new" / "deep").mkdir(parents=True)
        with pytest.raises(RuntimeWarning):
            warnings.warn("another", RuntimeWarning, stacklevel=1)


def test_what_was_not_heard_is_found_all_the_same(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher._Ears, "dispatch", lambda *_: None)  # noqa: SLF001
    with watched(tools) as seen:
        assert seen.watcher.mode == "events"
        write(tools / "a.py", tool_source(returns="'v2'"))
        assert told(seen.next()) == {"changed": ["weather"]}


def test_an_import_that_hangs_is_told_and_holds_up_nothing(tools: Path) -> None:
    with watched(tools, patience=0.2) as seen:
        write(tools / "b.py", "import threading\nnever = threading.Event()\nnever.wait()\n")
        report = seen.next()
        assert told(report) == {"failed": ["b.py"]}
        assert "still being imported" in report.failed[0].message
        write(tools / "a.py", tool_source(returns="'v2'"))
        assert "weather" in told(seen.next())["changed"]
        write(tools / "b.py", tool_source("rain"))
        assert told(seen.next()) == {"added": ["rain"]}
        assert seen.watcher.failures == ()


def test_a_file_that_begins_to_hang_keeps_its_last_good_tools(tools: Path) -> None:
    hangs = "import threading\nthreading.Event().wait()\n"
    with watched(tools, patience=0.2) as seen:
        write(tools / "a.py", hangs + tool_source(returns="'v2'"))
        assert told(seen.next()) == {"failed": ["a.py"]}
        assert seen.call() == "v1"
        assert [each.state for each in seen.watcher.tools] == ["stale"]
        write(tools / "a.py", tool_source(returns="'v3'"))
        assert told(seen.next()) == {"changed": ["weather"]}
        assert seen.call() == "v3"


def test_a_slow_import_is_told_and_taken_once_it_has_ended(tools: Path) -> None:
    gate = threading.Event()
    registry_of_gates = vars(threading)
    registry_of_gates["_gate_of_a_test"] = gate
    try:
        slow = "import threading\nthreading._gate_of_a_test.wait()\n"
        with watched(tools, patience=0.2) as seen:
            write(tools / "b.py", slow + tool_source("rain"))
            assert told(seen.next()) == {"failed": ["b.py"]}
            gate.set()
            assert told(seen.next()) == {"added": ["rain"]}
            assert seen.watcher.failures == ()
    finally:
        del registry_of_gates["_gate_of_a_test"]


def test_an_import_that_loops_for_ever_is_ended_once_its_file_is_saved_again(tools: Path) -> None:
    before = building()
    with watched(tools, patience=0.2) as seen:
        write(tools / "b.py", "while True:\n    pass\n")
        assert told(seen.next()) == {"failed": ["b.py"]}
        (looping,) = building() - before
        write(tools / "b.py", tool_source("rain"))
        assert told(seen.next()) == {"added": ["rain"]}
        looping.join(DEADLINE)
        assert not looping.is_alive()
        seen.comes_alone(tools)


def test_what_hangs_is_ended_with_the_watch(tools: Path) -> None:
    before = building()
    with watched(tools, patience=0.2) as seen:
        write(tools / "b.py", "while True:\n    pass\n")
        assert told(seen.next()) == {"failed": ["b.py"]}
        (looping,) = building() - before
    looping.join(DEADLINE)
    assert not looping.is_alive()


def test_what_a_subscriber_raises_ends_nothing(tools: Path) -> None:
    heard = threading.Event()

    def on_report(report: object) -> NoReturn:
        heard.set()
        raise ValueError(report)

    with ToolWatcher(ToolRegistry(), tools, on_report=on_report) as watching:
        for text in ("'v2'", "'v3'"):
            heard.clear()
            write(tools / "a.py", tool_source(returns=text))
            assert heard.wait(DEADLINE)
    assert [type(error) for error in watching.errors] == [ValueError, ValueError]


def test_after_the_block_nothing_is_left(tools: Path) -> None:
    before = set(threading.enumerate())
    with watched(tools) as seen:
        assert set(threading.enumerate()) > before
    write(tools / "a.py", tool_source(returns="'v2'"))
    assert seen.reports.empty()
    assert [each for each in threading.enumerate() if each.name == "toolkit-watch"] == []
    assert seen.call() == "v1"


@pytest.mark.parametrize("poll", [False, True])
def test_a_file_that_stands_empty_is_being_saved(
    tools: Path, monkeypatch: pytest.MonkeyPatch, *, poll: bool
) -> None:
    asked: list[Path] = []
    true = disk.signature

    def finished_at_the_third(path: Path) -> object:
        asked.append(path)
        if len(asked) == 3:
            write(tools / "a.py", tool_source(returns="'v2'"))
        return true(path)

    monkeypatch.setattr(watcher, "signature", finished_at_the_third)
    with watched(tools, poll=poll) as seen:
        (tools / "a.py").write_text("")
        assert told(seen.next()) == {"changed": ["weather"]}
    assert len(asked) >= 3


@pytest.mark.parametrize("poll", [False, True])
def test_a_helper_that_stands_empty_is_waited_for_as_long_as_it_is_written(
    tools: Path, monkeypatch: pytest.MonkeyPatch, *, poll: bool
) -> None:
    """Longer than a save is waited for that never gets quiet, as on a machine under load."""
    monkeypatch.setattr(watcher, "QUIET", 0.005)
    monkeypatch.setattr(watcher, "LONGEST", 0.01)
    monkeypatch.setattr(watcher, "EMPTIED", DEADLINE * 2)
    write(tools / "helper.py", "V = 'h1'\n")
    write(tools / "a.py", HELPED)
    waited: list[Path] = []
    true = disk.signature

    def finished_at_last(path: Path) -> object:
        waited.append(path)
        if len(waited) == 20:
            write(tools / "helper.py", "V = 'h2'\n")
        return true(path)

    with watched(tools, poll=poll) as seen:
        monkeypatch.setattr(watcher, "signature", finished_at_last)
        (tools / "helper.py").write_text("")
        assert told(seen.next()) == {"changed": ["weather"]}
        assert seen.call() == "h2"
    assert len(waited) >= 20


@pytest.mark.parametrize("poll", [False, True])
def test_a_file_that_stays_empty_is_meant_so(
    tools: Path, monkeypatch: pytest.MonkeyPatch, *, poll: bool
) -> None:
    monkeypatch.setattr(watcher, "EMPTIED", 0.1)
    with watched(tools, poll=poll) as seen:
        (tools / "a.py").write_text("")
        assert told(seen.next()) == {"removed": ["weather"]}
        seen.comes_alone(tools)


def test_a_new_package_s_empty_file_holds_up_nothing(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "EMPTIED", DEADLINE * 2)
    with watched(tools) as seen:
        (tools / "lib").mkdir()
        write(tools / "lib" / "__init__.py", "")
        write(tools / "lib" / "b.py", tool_source("rain"))
        while not seen.registry.names.count("rain"):
            seen.next()
        assert seen.call("rain") == "v1"
