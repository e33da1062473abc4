"""Which files of a folder may define tools."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Survey", "is_tool_file", "survey", "tool_files"]

# Hidden, private, tests, backups, and what editors leave beside a file while they save it.
NOT_TOOLS = re.compile(
    r"[._].*|test_.*|.*_test\.py|conftest\.py|setup\.py|.*~|#.*#|.*\.(?:tmp|bak|orig|swp)\.py|4913"
)
NOT_FOLDERS = re.compile(r"[._].*|tests?|node_modules|.*\.egg-info|site-packages")
NOT_HELPERS = re.compile(r"\..*|test_.*|conftest\.py|.*~|.*\.(?:tmp|bak|orig|swp)\.py")


def is_tool_file(path: Path) -> bool:
    """Whether a file, by its name, may define tools: it is never imported otherwise."""
    return path.suffix == ".py" and NOT_TOOLS.fullmatch(path.name) is None


def tool_files(folder: Path) -> list[Path]:
    """Every file below `folder` that may define tools, sorted by path; links are followed once."""
    return survey(folder).tools


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies below a folder: files that may define tools, and helpers that these may import.

    `links` are the folders that a symbolic link leads to, where a watch has to look as well.
    """

    tools: list[Path]
    helpers: list[Path]
    links: list[Path]


def survey(folder: Path) -> Survey:
    """Look through a folder and all below it, but for tests, environments and hidden ones."""
    found = Survey([], [], [])
    _walk(folder, set(), found)
    found.tools.sort()
    return found


def _walk(folder: Path, seen: set[tuple[int, int]], found: Survey) -> None:
    try:
        status = folder.stat()
        entries = list(os.scandir(folder))
    except OSError:
        return  # deleted meanwhile, or not ours to read
    names = {entry.name for entry in entries}
    if (status.st_dev, status.st_ino) in seen or "pyvenv.cfg" in names:
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in sorted(entries, key=lambda entry: entry.name):
        path = folder / entry.name
        if path.suffix == ".py" and entry.is_file():
            if is_tool_file(path):
                found.tools.append(path)
            elif NOT_HELPERS.fullmatch(path.name) is None:
                found.helpers.append(path)
        elif path.suffix != ".py" and NOT_FOLDERS.fullmatch(entry.name) is None and entry.is_dir():
            if entry.is_symlink():
                found.links.append(path)
            _walk(path, seen, found)
