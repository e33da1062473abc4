"""Names that a model can call, for tools whose own names it could not."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LONGEST", "alias", "is_legal", "local_names"]

# What every provider takes; MCP itself allows dots, slashes and 128 characters.
LONGEST = 64
_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_HASH = 8


def is_legal(name: str) -> bool:
    """Whether a model can call a tool of this name."""
    return _LEGAL.fullmatch(name) is not None


def alias(wanted: str, own: str) -> str:
    """Return a legal name like `wanted` with a hash of `own`, the same wherever it is asked for."""
    mark = hashlib.sha256(own.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    plain = re.sub(r"[^a-zA-Z0-9_-]+", "_", wanted)[: LONGEST - _HASH - 1].strip("_-")
    return f"{plain or 'tool'}_{mark}"


def local_names(own: Iterable[str], *, prefix: str | None = None) -> dict[str, str]:
    """Give each of a server's tools (distinct own names) a legal and distinct name of ours.

    Where two differ only by `-` and `_`, the first in the alphabet keeps its name and the others
    get an alias, in whatever order the server lists them.
    """
    taken: set[str] = set()
    names: dict[str, str] = {}
    for name in sorted(own):
        wanted = f"{prefix}_{name}" if prefix else name
        local = wanted if is_legal(wanted) else alias(wanted, name)
        if _twin(local) in taken:
            local = alias(wanted, name)
        taken.add(_twin(local))
        names[name] = local
    return names


def _twin(name: str) -> str:
    return name.replace("-", "_")
