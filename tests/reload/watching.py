"""A watched folder, and a way to wait for the next report with a deadline."""

from __future__ import annotations

import queue
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.reload.folder import told, tool_source
from toolkit.registry import ToolRegistry
from toolkit.reload.watcher import ToolWatcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolkit.types import ToolsChanged

__all__ = ["DEADLINE", "Watched", "watched"]

DEADLINE = 20.0  # seconds after which a test gives up


class Watched:
    """What a test sees of a watcher."""

    def __init__(self, *paths: Path, poll: bool = False, **options: Any) -> None:
        self.registry = ToolRegistry()
        self.reports: queue.Queue[ToolsChanged] = queue.Queue()
        self.heard = threading.Condition()
        options.setdefault("patience", DEADLINE)  # a busy machine is no hanging import
        self.watcher = ToolWatcher(self.registry, *paths, on_report=self.take, poll=poll, **options)
        self.sentinel = 0

    def take(self, report: ToolsChanged) -> None:
        with self.heard:
            self.reports.put(report)
            self.heard.notify_all()

    def after(self, generation: int) -> None:
        """Wait for a report behind a generation; where an edit undid another there is none."""
        with self.heard:
            self.heard.wait_for(lambda: self.watcher.generation > generation, timeout=0.7)

    def next(self) -> ToolsChanged:
        return self.reports.get(timeout=DEADLINE)

    def call(self, name: str = "weather") -> str:
        return str(getattr(self.registry.tool, name)(city="Tokyo").text)

    def comes_alone(self, folder: Path) -> None:
        """No other report comes before the one of a change that is made now."""
        self.sentinel += 1
        name = f"sentinel_{self.sentinel}"
        (folder / f"{name}.py").write_text(tool_source(name))
        assert told(self.next()) == {"added": [name]}


@contextmanager
def watched(*paths: Path, poll: bool = False, **options: Any) -> Iterator[Watched]:
    found = Watched(*paths, poll=poll, **options)
    with found.watcher:
        yield found
    assert found.watcher.errors == []
