"""The frames of the user's own code, and only those."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from ...findings import shown_path

__all__ = ["user_frames"]

OURS = str(Path(__file__).resolve().parents[2])
NOT_THEIRS = (
    OURS,
    sysconfig.get_path("stdlib"),
    sysconfig.get_path("purelib"),
    sysconfig.get_path("platlib"),
)


def user_frames(error: BaseException, *, most: int = 8) -> list[str]:
    """`  file:line in function: source`, outermost first; the last `most` of a long chain."""
    shown = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(("<", *filter(None, NOT_THEIRS))):
            continue
        source = f": {frame.line}" if frame.line else ""
        path = shown_path(frame.filename)
        shown.append(f"  {path}:{frame.lineno} in {frame.name}{source}")
    return shown[-most:]
