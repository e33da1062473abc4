"""Content that is no text for a terminal, written into the folder that a person names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import UsageError
from ...types import Audio, Content, Document, Image, Resource
from ..console import say

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["save_parts", "save_resources"]

LONGEST = 60  # signs of a name: at most 240 bytes, and file systems take 255
ENDINGS = {"jpeg": "jpg", "svg+xml": "svg", "mpeg": "mp3"}


def save_parts(parts: Iterable[Content], folder: Path) -> None:
    """Write images, sounds, documents and resources with their contents, numbered as they stand.

    Names come from tools and servers: nothing in them leads out of the folder.
    """
    _make(folder)
    for number, part in enumerate(parts, 1):
        match part:
            case Resource():
                _write(_content(part), folder / f"{number}-{_end(part.uri) or 'resource'}")
            case Image() | Audio() | Document():
                stem = part.name if isinstance(part, Document) else type(part).__name__.lower()
                ending = _safe(ENDINGS.get(part.format, part.format), also="")
                _write(part.data, folder / f"{number}-{_safe(stem, also='-')}.{ending}")


def save_resources(contents: Iterable[Content], folder: Path) -> None:
    """Write resources under the ends of their URIs; of two with one name the later is numbered."""
    _make(folder)
    taken = set()
    for number, part in enumerate(contents, 1):
        if isinstance(part, Resource):
            name = _end(part.uri) or f"resource-{number}"
            name = f"{number}-{name}" if name in taken else name
            taken.add(name)
            _write(_content(part), folder / name)


def _content(part: Resource) -> bytes | None:
    """What there is of it: None for a bare link."""
    if part.data is not None:
        return part.data
    return None if part.text is None else part.text.encode("utf-8", "surrogatepass")


def _end(uri: str) -> str:
    return _safe(uri.rstrip("/").rpartition("/")[2], also="-.").lstrip(".")


def _safe(name: str, *, also: str) -> str:
    end = name[-LONGEST:]
    return "".join(sign if sign.isalnum() or sign == "_" or sign in also else "_" for sign in end)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"can't write into '{folder}': {error.strerror}") from None


def _write(data: bytes | None, path: Path) -> None:
    if data is None:
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"can't write '{path}': {error.strerror}") from None
    say(f"saved {path}")
