"""The process groups of the servers that run now, so that none outlives this process."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys

__all__ = ["forget", "group_lives", "kill_all", "register", "running", "signal_group"]

_live: set[int] = set()


def register(pid: int) -> None:
    """Remember the leader of a group that has to be gone when this process ends."""
    if not _live:
        atexit.register(kill_all)
    _live.add(pid)


def forget(pid: int) -> None:
    """Forget a group that has been stopped."""
    _live.discard(pid)
    if not _live:
        atexit.unregister(kill_all)


def running() -> frozenset[int]:
    """Return the leaders of the groups that run now."""
    return frozenset(_live)


def kill_all() -> None:
    """Kill every group that still runs, at once; safe from a signal handler or at exit."""
    for pid in tuple(_live):
        signal_group(pid, "KILL")
        _live.discard(pid)


def signal_group(pid: int, name: str) -> None:
    """Send TERM or KILL to the group that `pid` leads; one that has ended is no error."""
    if sys.platform == "win32":
        # There is no group to signal on Windows: its own tool ends the tree.
        command = ["taskkill", "/F", "/T", "/PID", str(pid)]
        subprocess.run(command, check=False, capture_output=True, timeout=5)  # noqa: S603
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL if name == "KILL" else signal.SIGTERM)


def group_lives(pid: int) -> bool:
    """Whether any process of the group is there; on Windows nobody can tell, so no."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
