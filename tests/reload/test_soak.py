"""Many writers at once for a while: at the end the registry is what a fresh process loads.

SOAK_EDITS says how many edits (2,000 take about a minute); without it it is a short run.
"""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reload.editors import SAVES, link_swapped
from tests.reload.folder import tool_source
from tests.reload.watching import DEADLINE, Watched, watched

if TYPE_CHECKING:
    from collections.abc import Callable

EDITS = int(os.environ.get("SOAK_EDITS", "200"))
FILES, WRITERS = 50, 4
ROOT = Path(__file__).parents[2]
HOWS = [save for save in SAVES if save is not link_swapped]


class Writer(threading.Thread):
    """Edits its own share of the files at random, and leaves every one of them sound."""

    def __init__(self, folder: Path, number: int) -> None:
        super().__init__(daemon=True)
        self.chance = random.Random(number)
        self.folder = folder / f"part{number}"
        self.folder.mkdir()
        self.names = [f"t{number}_{each}" for each in range(FILES // WRITERS)]
        self.failure: BaseException | None = None
        self.seen: Watched | None = None
        for name in self.names:
            self.write(name, self.sound(name, 0))
        (self.folder / "_shared.py").write_text("V = 0\n")

    def sound(self, name: str, version: int) -> str:
        parameters = self.chance.choice(["city: str", "city: str, days: int = 1"])
        head = "import _shared\n" if self.chance.random() < 0.3 else ""
        return head + tool_source(name, f"'{version}'", parameters)

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text)

    def run(self) -> None:
        try:
            for version in range(EDITS // WRITERS):
                self.edit(version)
                if self.seen is not None and version % 5 == 0:
                    self.seen.after(self.seen.watcher.generation)
        except BaseException as error:  # noqa: BLE001 - told by the test
            self.failure = error
        for name in self.names:
            self.write(name, self.sound(name, 10**6))
        (self.folder / "_shared.py").write_text("V = 1\n")

    def edit(self, version: int) -> None:
        name = self.chance.choice(self.names)
        path = self.folder / f"{name}.py"
        kind = self.chance.random()
        if kind < 0.1:
            path.unlink(missing_ok=True)
        elif kind < 0.2:
            self.write(name, "def (\n")
        elif kind < 0.3:
            (self.folder / "_shared.py").write_text(f"V = {version}\n")
        elif path.exists():
            how: Callable[[Path, str], None] = self.chance.choice(HOWS)
            for left in (path.with_name(f"{path.name}~"), path.parent.with_name("elsewhere.py")):
                left.unlink(missing_ok=True)
            if how.__name__ != "from_outside":  # its place outside belongs to nobody
                how(path, self.sound(name, version))
        else:
            self.write(name, self.sound(name, version))


def fresh(folder: Path) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-m", "toolkit", "spec", str(folder)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_after_many_edits_the_registry_is_what_a_fresh_process_loads(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    writers = [Writer(folder, number) for number in range(WRITERS)]
    with watched(folder) as seen:
        for writer in writers:
            writer.seen = seen
            writer.start()
        for writer in writers:
            writer.join(DEADLINE * 30)
            assert writer.failure is None
        expected = fresh(folder)
        while [each.call() for each in map(Called, seen.registry.tools)] != ["1000000"] * len(
            expected
        ):
            seen.next()
        names = [spec.name for spec in seen.registry.specs()]
        assert names == [each["name"] for each in expected]
        schemas = [spec.input_schema for spec in seen.registry.specs()]
        assert schemas == [each["inputSchema"]["json"] for each in expected]  # type: ignore[index]
        assert [state.state for state in seen.watcher.tools] == ["fresh"] * len(names)
        assert seen.registry.problems == []
    while not seen.reports.empty():  # a failure keeps its traceback, and that the modules in it
        seen.reports.get()
    gc.collect()
    modules = [each for each in gc.get_objects() if type(each) is type(sys)]
    ours = [each for each in modules if str(getattr(each, "__file__", "")).startswith(str(folder))]
    if "SOAK_EDITS" in os.environ:
        sys.stderr.write(f"{EDITS} edits, {seen.watcher.generation} reloads\n")
    files = sum(1 for _ in folder.rglob("*.py"))
    assert len(ours) <= files


class Called:
    """A tool as a plain function."""

    def __init__(self, tool: object) -> None:
        self.tool = tool

    def call(self) -> str:
        return str(self.tool("Tokyo"))  # type: ignore[operator]
