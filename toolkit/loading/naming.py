"""Which module name a file of the user's has, and which file a module name stands for."""

from __future__ import annotations

import hashlib
import re
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["base_name", "file_of", "identifier", "parts_of"]

PREFIX = "_tools_"


def base_name(folder: Path) -> str:
    """The name under which the modules below a folder stand in `sys.modules`."""
    return PREFIX + hashlib.blake2b(str(folder).encode(), digest_size=4).hexdigest()


def identifier(part: str) -> str:
    """A part of a path as a part of a module's name."""
    if part.isidentifier():
        return part
    return f"{re.sub(r'[^0-9a-zA-Z_]', '_', part)}_{zlib.crc32(part.encode()):08x}"


def parts_of(path: Path) -> tuple[str, ...]:
    """The parts of the module's name for a path below an import root; a name may hold dots."""
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def file_of(folder: Path, part: str) -> Path | None:
    """The file or folder that a part of a module's name stands for; a package comes first."""
    if (folder / part / "__init__.py").is_file():
        return folder / part
    plain = folder / f"{part}.py"
    if plain.is_file():
        return plain
    if (folder / part).is_dir():
        return folder / part
    if not folder.is_dir() or not re.search(r"_[0-9a-f]{8}$", part):
        return None
    for each in folder.iterdir():
        stem = each.stem if each.suffix == ".py" else each.name
        if identifier(stem) == part:
            return each
    return None
