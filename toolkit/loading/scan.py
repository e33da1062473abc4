"""Which files of a folder may define tools."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Survey", "counts", "is_tool_file", "survey", "tool_files"]

# Hidden, private, tests, backups, and what editors leave beside a file while they save it.
NOT_TOOLS = re.compile(
    r"[._].*|test_.*|.*_test\.py|conftest\.py|setup\.py|.*~|#.*#|.*\.(?:tmp|bak|orig|swp)\.py|4913"
)
NOT_FOLDERS = re.compile(r"[._].*|tests?|node_modules|.*\.egg-info|site-packages")
NOT_HELPERS = re.compile(r"\..*|test_.*|conftest\.py|.*~|.*\.(?:tmp|bak|orig|swp)\.py")


def is_tool_file(path: Path) -> bool:
    """Whether a file, by its name, may define tools: it is never imported otherwise."""
    return _may_define_tools(path.name)


def _may_define_tools(name: str) -> bool:
    return name.endswith(".py") and NOT_TOOLS.fullmatch(name) is None


def _may_help(name: str) -> bool:
    return name.endswith(".py") and NOT_HELPERS.fullmatch(name) is None


def counts(path: Path) -> bool:
    """Whether a file, by its name, may define tools or help those that do."""
    return _may_define_tools(path.name) or _may_help(path.name)


def tool_files(folder: Path) -> list[Path]:
    """Every file below `folder` that may define tools, sorted by path; links are followed once."""
    return survey(folder).tools


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies below a folder: files that may define tools, and helpers that these may import.

    `links` are the folders that a symbolic link leads to, where a watch has to look as well;
    `linked` are the files that are links, or lie below one.
    """

    tools: list[Path] = field(default_factory=list)
    helpers: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    linked: set[Path] = field(default_factory=set)


def survey(folder: Path) -> Survey:
    """Look through a folder and all below it, but for tests, environments and hidden ones."""
    found = Survey()
    _walk(folder, set(), found, below_link=False)
    found.tools.sort()
    return found


def _walk(folder: Path, seen: set[tuple[int, int]], found: Survey, *, below_link: bool) -> None:
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # deleted meanwhile, or not ours to read
    names = {entry.name for entry in entries}
    if (status.st_dev, status.st_ino) in seen or "pyvenv.cfg" in names:
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in entries:
        if entry.name.endswith(".py"):
            if entry.is_file():
                _take(entry, folder / entry.name, found, below_link=below_link)
        elif NOT_FOLDERS.fullmatch(entry.name) is None and entry.is_dir():
            path, is_link = folder / entry.name, entry.is_symlink()
            if is_link:
                found.links.append(path)
            _walk(path, seen, found, below_link=below_link or is_link)


def _take(entry: os.DirEntry[str], path: Path, found: Survey, *, below_link: bool) -> None:
    if _may_define_tools(entry.name):
        found.tools.append(path)
    elif _may_help(entry.name):
        found.helpers.append(path)
    if below_link or entry.is_symlink():
        found.linked.add(path)
