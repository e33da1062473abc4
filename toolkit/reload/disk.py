"""What the disk holds: which files the sources name now, and a hash of each one's content."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..loading.scan import survey
from ..loading.units import digest_of

__all__ = ["Disk", "Found", "Signature", "Source", "find", "signature"]

COARSEST = 2_000_000_000  # nanoseconds between two times that the coarsest file system tells apart


class Signature(NamedTuple):
    """What the file system says of a file: any write, or another file in its place, changes it."""

    inode: int
    size: int
    written: int  # nanoseconds
    changed: int

    @property
    def latest(self) -> int:
        """When anything last happened to it."""
        return max(self.written, self.changed)


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder to watch; `expression` narrows a file to one object of it."""

    path: Path
    expression: str | None = None

    @classmethod
    def of(cls, given: str | os.PathLike[str]) -> Source:
        """From what a person names: a path, or `file.py:name`; it need not exist."""
        text = os.fspath(given)
        head, colon, rest = text.rpartition(":")
        if colon and head.endswith(".py") and not Path(text).exists():
            return cls(Path(head).absolute(), rest)
        return cls(Path(text).absolute())

    @property
    def is_file(self) -> bool:
        """Whether it names a file; a path that is not there yet is one where it ends in .py."""
        return self.path.is_file() or (self.path.suffix == ".py" and not self.path.is_dir())


@dataclass(slots=True)
class Found:
    """The files of some sources: tool files by their real path, in order, and all helpers.

    `links` are the real folders behind symbolic links, which a watch of the source does not see.
    """

    tools: dict[Path, tuple[Path | None, tuple[str, ...]]] = field(default_factory=dict)
    helpers: set[Path] = field(default_factory=set)
    links: set[Path] = field(default_factory=set)


def find(sources: list[Source]) -> Found:
    """Look through the sources; what is not there is not found, and that is no error."""
    found = Found()
    for source in sources:
        if not source.is_file:
            _take_folder(source.path, found)
        elif source.path.is_file():
            path = source.path.resolve()
            base, expressions = found.tools.get(path, (None, ()))
            whole = path in found.tools and not expressions
            more = () if whole or source.expression is None else (source.expression,)
            found.tools[path] = (base, (*expressions, *more) if source.expression else ())
    return found


def _take_folder(folder: Path, found: Found) -> None:
    base = folder.resolve()
    here = survey(base)
    real = {path: path.resolve() for path in here.linked}
    for path in here.tools:
        found.tools[real.get(path, path)] = (base, ())
    found.helpers |= {real.get(path, path) for path in here.helpers}
    found.links |= {link.resolve() for link in here.links}


@dataclass(slots=True)
class _Seen:
    signature: Signature
    digest: str
    moment: int  # when the content was read

    def vouched(self, now: Signature) -> bool:
        return self.signature == now and now.latest < self.moment - COARSEST


class Disk:
    """Content hashes, read again wherever the file system can't vouch that nothing changed.

    Size, inode, and both times to the nanosecond vouch for a file, unless it was written so
    shortly before it was read that a later write could bear the same time.
    """

    def __init__(self) -> None:
        self.read: dict[Path, bytes] = {}  # what was read since it was last cleared
        self._seen: dict[Path, _Seen] = {}

    def digest(self, path: Path) -> str | None:
        """The hash of a file's content; None where there is no file."""
        now = signature(path)
        if now is None:
            self._seen.pop(path, None)
            return None
        known = self._seen.get(path)
        if known is not None and known.vouched(now):
            return known.digest
        moment = time.time_ns()
        try:
            content = path.read_bytes()
        except OSError:  # deleted meanwhile, or not ours to read
            return None
        digest = digest_of(content)
        self.read[path] = content
        self._seen[path] = _Seen(now, digest, moment)
        return digest

    def keep_only(self, paths: set[Path]) -> None:
        """Forget every other file."""
        self._seen = {path: seen for path, seen in self._seen.items() if path in paths}


def signature(path: Path) -> Signature | None:
    """Inode, size, and the times of the last write and the last change; None for no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Signature(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
