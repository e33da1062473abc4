"""What a result is made of: texts, values, pictures, sound, files, and what we have no word for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = [
    "Audio",
    "Content",
    "Document",
    "Image",
    "Json",
    "Opaque",
    "Resource",
    "Text",
]


@dataclass(frozen=True, slots=True)
class Text:
    """Text for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value: null, boolean, finite number, text, list or object of these."""

    value: Any


@dataclass(frozen=True, slots=True)
class Image:
    """An image; `format` is the short name (png, jpeg, gif, webp, svg+xml …)."""

    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Audio:
    """Sound; `format` is the short name (wav, mpeg …)."""

    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Document:
    """A file for the model to read; `format` is the short name (pdf, csv, txt …)."""

    name: str
    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a URI names: a bare link, or with its `text` or `data`."""

    uri: str
    name: str | None = None
    mime_type: str | None = None
    text: str | None = None
    data: bytes | None = None
    size: int | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Opaque:
    """Content that we have no word for, kept as it came."""

    kind: str
    raw: Any


Content: TypeAlias = Text | Json | Image | Audio | Document | Resource | Opaque
