"""What events told since somebody last asked: where to look, or that it may be anywhere."""

from __future__ import annotations

import os
import threading
from pathlib import Path

__all__ = ["Heard"]


class Heard:
    """Collects on one thread, and is emptied on another.

    A folder that is said to have changed tells nothing where something in it was named as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._empty()

    def _empty(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._explained: set[str] = set()
        self._anywhere = False

    def file(self, path: str) -> None:
        """Something happened to a file that may count."""
        with self._lock:
            self._files.add(path)

    def folder(self, path: str) -> None:
        """Something happened in a folder."""
        with self._lock:
            self._folders.add(path)

    def explain(self, path: str) -> None:
        """What is here came, went or was written: that is how the folder around it changed."""
        with self._lock:
            self._explained.add(os.path.dirname(path))  # noqa: PTH120 - for every event there is

    def anything(self) -> None:
        """It can't be told what has happened."""
        with self._lock:
            self._anywhere = True

    def take(self) -> set[Path] | None:
        """The files to look at, maybe none; None for all. It begins anew then."""
        with self._lock:
            files, folders = self._files, self._folders - self._explained
            anywhere = self._anywhere or bool(folders)
            self._empty()
        return None if anywhere else {Path(each) for each in files}
