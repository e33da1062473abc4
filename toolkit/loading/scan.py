"""Which files of a folder may define tools."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["is_tool_file", "tool_files"]

# Hidden, private, tests, backups, and what editors leave beside a file while they save it.
NOT_TOOLS = re.compile(
    r"[._].*|test_.*|.*_test\.py|conftest\.py|setup\.py|.*~|#.*#|.*\.(?:tmp|bak|orig|swp)\.py|4913"
)
NOT_FOLDERS = re.compile(r"[._].*|tests?|node_modules|.*\.egg-info|site-packages")


def is_tool_file(path: Path) -> bool:
    """Whether a file, by its name, may define tools: it is never imported otherwise."""
    return path.suffix == ".py" and NOT_TOOLS.fullmatch(path.name) is None


def tool_files(folder: Path) -> list[Path]:
    """Every file below `folder` that may define tools, sorted by path; links are followed once."""
    return sorted(_walk(folder, set()))


def _walk(folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path]:
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # deleted meanwhile, or not ours to read
    if (status.st_dev, status.st_ino) in seen or (folder / "pyvenv.cfg").exists():
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in entries:
        path = folder / entry.name
        if entry.is_dir():
            if NOT_FOLDERS.fullmatch(entry.name) is None:
                yield from _walk(path, seen)
        elif is_tool_file(path) and entry.is_file():
            yield path
