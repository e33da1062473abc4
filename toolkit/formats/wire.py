"""What every wire shape needs: strict JSON, arguments as they came, and stand-ins in words."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..findings import Finding, Place, Severity
from ..types import Audio, Content, Document, Image, Json, Malformed, Opaque, Resource, Text

__all__ = [
    "Converted",
    "camel",
    "compact",
    "decoded",
    "dump",
    "encoded",
    "finding",
    "json_ready",
    "media_type",
    "read_arguments",
    "short_format",
    "stand_in",
    "write_arguments",
    "write_input",
]

T = TypeVar("T")

# Deeper values are shown as text: no provider takes them, and a cycle must end somewhere.
_DEEPEST = 200
FLOOD = 300  # characters without a blank that are no words
SHOWN = 60
_MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}

_TYPES = {"svg": "svg+xml", "jpg": "jpeg", "mp3": "mpeg"}
_DOCUMENTS = {
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
}
_SHORT = {media: short for short, media in _DOCUMENTS.items()}


@dataclass(frozen=True, slots=True)
class Converted(Generic[T]):
    """What a conversion gave, and what it lost, changed or could not say.

    An error among the findings means that the provider would refuse `value`.
    """

    value: T
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the provider would not take it."""
        return any(one.severity is Severity.ERROR for one in self.findings)


def finding(
    code: str,
    message: str,
    *,
    severity: Severity = Severity.WARNING,
    tool: str | None = None,
    pointer: str | None = None,
    profile: str | None = None,
    hint: str | None = None,
) -> Finding:
    """Build a finding of a conversion; `code` is `F201 lost-field`, both forms in one text."""
    number, _, name = code.partition(" ")
    place = Place(pointer=pointer)
    return Finding(
        number, name, message, severity, hint=hint, tool=tool, place=place, profile=profile
    )


def json_ready(value: Any) -> Any:
    """Return a copy that is strict JSON, whatever came.

    NaN and infinity become null, bytes base64, a lone surrogate its escape in words, a key text,
    anything without a JSON form its `str()`. What holds itself, or nests deeper than 200 levels,
    becomes "…" there.
    """
    return _ready(value, ())


def _ready(value: Any, above: tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _escaped(str(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, bytes | bytearray | memoryview):
        return encoded(bytes(value))
    if not isinstance(value, Mapping | list | tuple | set | frozenset):
        return _escaped(str(value))
    if len(above) >= _DEEPEST or id(value) in above:
        return "…"
    inside = (*above, id(value))
    if isinstance(value, Mapping):
        return {_escaped(str(key)): _ready(item, inside) for key, item in value.items()}
    return [_ready(item, inside) for item in value]


def _escaped(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def dump(value: Any, *, indent: int | None = None) -> str:
    """Write `value` as strict JSON text, letters of any script as they are."""
    return json.dumps(json_ready(value), ensure_ascii=False, allow_nan=False, indent=indent)


def compact(value: Any) -> str:
    """Write `value` as strict JSON text without any white space between its parts."""
    ready = json_ready(value)
    return json.dumps(ready, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encoded(data: bytes) -> str:
    """Return bytes as base64 text."""
    return base64.b64encode(data).decode("ascii")


def decoded(data: Any) -> bytes | None:
    """Return the bytes of base64 text (either alphabet, padded or not); None where it is none."""
    if isinstance(data, bytes | bytearray):
        return bytes(data)
    if not isinstance(data, str):
        return None
    head, comma, rest = data[:100].partition(";base64,")
    if comma and head.startswith("data:"):  # a whole URL, where its data alone was wanted
        data = rest + data[100:]
    text = "".join(data.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def image_format(data: bytes) -> str | None:
    """The short format of an image by its first bytes: png, jpeg, gif or webp."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((format_ for magic, format_ in _MAGIC.items() if data.startswith(magic)), None)


def read_arguments(value: Any) -> dict[str, Any] | Malformed:
    """Read the input of a tool use, an object or its JSON text.

    Nothing, null and empty text mean an empty object; what is no object is kept as it came.
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        return Malformed(dump(value), f"is {_kind(value)}, not an object")
    if not value.strip():
        return {}
    try:
        parsed = json.loads(value, parse_constant=_no_constant)
    except RecursionError:
        return Malformed(value, "nests too deeply")
    except ValueError as error:
        return Malformed(value, f"is not JSON: {error}")
    if parsed is None:
        return {}
    if isinstance(parsed, dict):
        return parsed
    return Malformed(value, f"is {_kind(parsed)}, not an object")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _kind(value: Any) -> str:
    names: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "a boolean"),
        ((int, float), "a number"),
        (str, "a text"),
        ((list, tuple), "an array"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def write_arguments(value: Any) -> str:
    """Write an input as the JSON text that some providers carry; malformed text stays as it is."""
    return value.text if isinstance(value, Malformed) else dump({} if value is None else value)


def write_input(value: Any) -> Any:
    """Write an input as the JSON value that other providers carry."""
    if not isinstance(value, Malformed):
        return json_ready({} if value is None else value)
    try:
        return json.loads(value.text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return value.text


def media_type(kind: str, format: str) -> str:  # noqa: A002 - the field's own name
    """Return the media type of a short format: ("image", "png") gives image/png."""
    if "/" in format:
        return format
    if kind == "document":
        return _DOCUMENTS.get(format, f"application/{format}")
    return f"{kind}/{_TYPES.get(format, format)}"


def camel(key: str) -> str:
    """Return a key in camel case: `function_call` gives functionCall."""
    first, *rest = key.split("_")
    return first + "".join(part.title() for part in rest)


def short_format(media: str) -> str:
    """Return the short format of a media type: image/png gives png, text/plain gives txt."""
    plain = media.partition(";")[0].strip().lower()
    return _SHORT.get(plain) or plain.rpartition("/")[2] or "octet-stream"


def stand_in(content: Content) -> str:
    """Say in words what a provider can't carry: kind, name or URI, type and size.

    The text of a resource is given whole behind them.
    """
    match content:
        case Text(text):
            return text
        case Json(value):
            return dump(value)
        case Image(format, data):
            return _words("image", media_type("image", format), _size(len(data)))
        case Audio(format, data):
            return _words("audio", media_type("audio", format), _size(len(data)))
        case Document(name, format, data):
            return _words("document", name, media_type("document", format), _size(len(data)))
        case Resource():
            return _resource(content)
        case Opaque(kind, raw):
            return f"{_words(kind)} {dump(_without_floods(json_ready(raw)))}"


def _without_floods(raw: Any) -> Any:
    """The value with its longest texts cut: what is no picture may still be a megabyte."""
    if isinstance(raw, Mapping):
        return {key: _without_floods(each) for key, each in raw.items()}
    if isinstance(raw, list):
        return [_without_floods(each) for each in raw]
    if isinstance(raw, str) and len(raw) > FLOOD and " " not in raw[:FLOOD]:
        return f"{raw[:SHOWN]}… ({len(raw):,} characters)"
    return raw


def _resource(content: Resource) -> str:
    size = content.size if content.data is None else len(content.data)
    name = content.name if content.name != content.uri else None
    words = _words(
        "resource"
        if content.text is not None or content.data is not None
        else "link to a resource",
        content.uri,
        name,
        content.mime_type,
        None if size is None else _size(size),
        content.description,
    )
    return words if content.text is None else f"{words}\n{content.text}"


def _words(kind: str, *facts: str | None) -> str:
    said: Iterable[str] = (fact for fact in facts if fact)
    return f"[{kind}: {', '.join(said)}]" if any(facts) else f"[{kind}]"


def _size(count: int) -> str:
    return f"{count:,} byte{'' if count == 1 else 's'}"
