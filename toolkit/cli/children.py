"""The child processes that tools leave behind, ended with the command."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

__all__ = ["children", "end_children"]


def end_children(*, all_: bool = True) -> None:
    """Kill every process below this one, where the system can list them (Linux's /proc).

    With `all_=False` MCP servers stay: who started them ends them.
    """
    for identity in _below(os.getpid()) if all_ else children():
        try:
            os.kill(identity, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def children() -> list[int]:
    """The ids of the processes below this one that still run, but for MCP servers."""
    servers = sys.modules.get("toolkit.mcp.children")
    return _below(os.getpid(), spared=frozenset() if servers is None else servers.running())


def _below(root: int, *, spared: frozenset[int] = frozenset()) -> list[int]:
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
        children = [each for each in parents.get(queue.pop(), []) if each not in spared]
        found += children
        queue += children
    return found
