"""The child processes that tools leave behind, ended with the command."""

from __future__ import annotations

import os
import signal
from pathlib import Path

__all__ = ["children", "end_children"]


def end_children() -> None:
    """Kill every process below this one, where the system can list them (Linux's /proc)."""
    for identity in _below(os.getpid()):
        try:
            os.kill(identity, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def children() -> list[int]:
    """The ids of the processes below this one that still run."""
    return _below(os.getpid())


def _below(root: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
            state, above = after_name.split()[:2]
            if state == "Z":  # ended, and only not yet waited for
                continue
            parent = int(above)
        except (OSError, ValueError, IndexError):  # it ended meanwhile
            continue
        parents.setdefault(parent, []).append(int(entry.parent.name))
    found: list[int] = []
    queue = [root]
    while queue:
        children = parents.get(queue.pop(), [])
        found += children
        queue += children
    return found
