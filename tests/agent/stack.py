"""How deep the stack stands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["depth"]


def depth() -> int:
    """The frames above the caller."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to the stack
    count = 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count
