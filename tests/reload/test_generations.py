"""Old code ends among old code, new code comes from source, and nothing is left behind."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from typing import TYPE_CHECKING

from tests.reload.folder import HELPED, Folder, told
from toolkit.loading.finder import finder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_two_folders_with_helpers_of_one_name_never_mix(tmp_path: Path) -> None:
    folders = [Folder(tmp_path / name) for name in ("one", "two")]
    for number, each in enumerate(folders):
        each.write("helper.py", f"V = 'of {number}'\n")
        each.write("a.py", HELPED)
        each.look()
    assert [each.call() for each in folders] == ["of 0", "of 1"]
    folders[0].write("helper.py", "V = 'changed'\n")
    assert told(folders[0].look()) == {"changed": ["weather"]}
    assert folders[1].reloader.look() is None
    assert [each.call() for each in folders] == ["changed", "of 1"]


def test_two_registries_on_one_folder_both_follow(folder: Folder) -> None:
    folder.tool("a.py")
    other = Folder(folder.path)
    folder.look()
    other.look()
    folder.tool("a.py", returns="'v2'")
    assert told(folder.look()) == {"changed": ["weather"]}
    assert told(other.look()) == {"changed": ["weather"]}
    assert (folder.call(), other.call()) == ("v2", "v2")


def test_a_call_in_flight_ends_on_the_code_it_began_with(folder: Folder) -> None:
    folder.write("helper.py", "V = 'old'\n")
    folder.write("late.py", "W = 'old'\n")
    waits = (
        "import threading\nimport helper\nfrom toolkit import tool\n"
        "begun, goes_on = threading.Event(), threading.Event()\n"
        "@tool\ndef weather(city: str) -> str:\n"
        "    begun.set()\n    goes_on.wait(20)\n"
        "    import late\n    from helper import V\n"
        "    return f'{V} {late.W} {helper.V}'\n"
    )
    folder.write("a.py", waits)
    folder.write("b.py", "import late\n")
    folder.look()
    old = folder.module("a.py")
    results: list[str] = []
    thread = threading.Thread(target=lambda: results.append(folder.call()))
    thread.start()
    assert old.begun.wait(20)
    folder.write("helper.py", "V = 'new'\n")
    folder.write("late.py", "W = 'new'\n")
    folder.look()
    old.goes_on.set()
    thread.join(20)
    assert results == ["old old old"]
    folder.module("a.py").goes_on.set()
    assert folder.call() == "new new new"


def test_no_byte_code_is_ever_run(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder.write("a.py", HELPED)
    path = folder.write("helper.py", "V = '000'\n")
    folder.look()
    moment = path.stat().st_mtime_ns
    for number in range(1, 101):
        folder.write("helper.py", f"V = '{number:03}'\n")
        os.utime(path, ns=(moment, moment))
        assert told(folder.look()) == {"changed": ["weather"]}
        assert folder.call() == f"{number:03}"


def test_a_thousand_reloads_leave_no_module_behind(folder: Folder) -> None:
    folder.write("a.py", HELPED)
    folder.write("helper.py", "V = 0\n")
    folder.look()
    names = set(sys.modules)
    for number in range(1, 1002):
        broken = number % 10 == 0
        folder.write("helper.py", f"V = str({number})\n" + ("raise ValueError\n" if broken else ""))
        folder.look()
    assert set(sys.modules) == names
    gc.collect()
    alive = [
        each
        for each in gc.get_objects()
        if type(each) is type(sys)
        and str(getattr(each, "__file__", "")).startswith(str(folder.path))
    ]
    assert len(alive) == 2


def test_a_helper_that_two_folders_share_reaches_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "src"
    monkeypatch.syspath_prepend(str(source))
    monkeypatch.setattr(finder, "roots", [source])
    shared = Folder(source).write("shared_by_two.py", "V = 'h1'\n")
    folders = [Folder(tmp_path / name) for name in ("one", "two")]
    for each in folders:
        each.write("a.py", HELPED.replace("helper", "shared_by_two"))
        each.look()
    shared.write_text("V = 'h2'\n")
    assert [told(each.look()) for each in folders] == [{"changed": ["weather"]}] * 2
    assert [each.call() for each in folders] == ["h2", "h2"]
    assert [each.reloader.look() for each in folders] == [None, None]
    finder.retire(["shared_by_two"])


def test_a_tool_may_itself_be_kept_while_it_is_pickled(folder: Folder) -> None:
    """A tool is pickled by the name of its module, which a reload keeps."""
    folder.tool("a.py")
    folder.look()
    stored = pickle.dumps(folder.registry.get("weather"))
    folder.tool("a.py", returns="'v2'")
    folder.look()
    assert pickle.loads(stored)(city="Tokyo") == "v2"
