"""One object of the user's, by the words that name it, as it stands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..errors import LoadError
from .collect import load_file, load_module, named

__all__ = ["object_of"]


def object_of(text: str) -> Any:
    """What `file.py:name`, `module:name` or `module:factory()` names.

    Where `collect` would make a tool of a class, this gives the class. Raises `LoadError`.
    """
    head, colon, rest = text.rpartition(":")
    if not colon or not head or not rest:
        raise LoadError(f"'{text}' names no object", hint="write FILE.py:NAME or MODULE:NAME")
    if Path(head).exists():
        return named(load_file(Path(head)), rest, text=text)
    if head.endswith(".py") or os.sep in head:
        raise LoadError(f"no such file: '{head}'", path=head)
    return named(load_module(head), rest, text=text)
