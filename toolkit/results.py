"""A returned value as the content of a result; nothing that a tool returns can break this."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from pydantic_core import from_json, to_json, to_jsonable_python

from .errors import CallError
from .formats.bedrock import read_result
from .types import (
    Audio,
    Content,
    Document,
    Image,
    Json,
    Opaque,
    Resource,
    Text,
    ToolResult,
)

if TYPE_CHECKING:
    from .types import ToolContext, ToolUse

__all__ = ["error_result", "from_value"]

CONTENT = (Text, Json, Image, Audio, Document, Resource, Opaque)
BLOCKS = {"text": str, "json": object, "image": Mapping, "document": Mapping}
MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}
DEEPEST = 100  # levels that the slow way follows before a part becomes its text


def from_value(
    use: ToolUse, value: Any, *, context: ToolContext, structured: bool = False
) -> ToolResult:
    """The result of a call that returned `value`.

    A ToolResult, or a dict that is a valid `{status, content}`, is passed on as a copy with the
    id of this use. Content objects are content, text is text, bytes that are an image become an
    image, and everything else becomes JSON text. With `structured` the JSON value is kept beside.
    """
    metadata = _metadata(context)
    if isinstance(value, ToolResult):
        merged = {**value.metadata, **metadata}
        return replace(value, tool_use_id=use.tool_use_id, metadata=merged)
    if _is_result(value):
        return replace(read_result(value), tool_use_id=use.tool_use_id, metadata=metadata)
    content, plain = _content(value, structured=structured)
    return ToolResult(use.tool_use_id, "success", content, structured=plain, metadata=metadata)


def error_result(use: ToolUse, error: BaseException, *, context: ToolContext) -> ToolResult:
    """`Error: <Type>: <message>`; our own errors speak for themselves."""
    if isinstance(error, CallError):
        text = error.message
    else:
        message = _message(error)
        text = f"Error: {type(error).__name__}" + (f": {message}" if message else "")
    return ToolResult(
        use.tool_use_id,
        "error",
        (Text(_encodable(text)),),
        metadata=_metadata(context),
        exception=error,
    )


def _message(error: BaseException) -> str:
    try:
        if isinstance(error, KeyError) and len(error.args) == 1:
            return f"key {error.args[0]!r} is missing"
        return str(error)
    except BaseException:  # noqa: BLE001 - an exception whose own text fails
        return ""


def _metadata(context: ToolContext) -> dict[str, Any]:
    if not context.notes:
        return {}
    notes = [dataclasses.asdict(note) for note in context.notes]
    return {"notes": notes}


def _is_result(value: Any) -> bool:
    """Whether a dict is a result and not data that merely has such keys."""
    if not isinstance(value, dict) or value.get("status") not in ("success", "error"):
        return False
    blocks = value.get("content")
    return isinstance(blocks, list) and all(map(_is_block, blocks))


def _is_block(block: Any) -> bool:
    if not isinstance(block, Mapping) or len(block) != 1:
        return False
    ((kind, inner),) = block.items()
    if kind not in BLOCKS or not isinstance(inner, BLOCKS[kind]):
        return False
    if isinstance(inner, Mapping) and kind in ("image", "document"):
        return "format" in inner and isinstance(inner.get("source"), Mapping)
    return True


def _content(value: Any, *, structured: bool) -> tuple[tuple[Content, ...], Any]:
    if isinstance(value, CONTENT):
        return (value,), None
    if isinstance(value, list | tuple) and value and all(isinstance(v, CONTENT) for v in value):
        return tuple(value), None
    if isinstance(value, str):
        return (Text(_encodable(str.__str__(value))),), None
    if isinstance(value, bytes | bytearray):
        return (_from_bytes(bytes(value)),), None
    if type(value) in (int, bool, type(None)):
        return (Text(to_json(value).decode()),), None
    text = _json_text(value)
    return (Text(text),), from_json(text) if structured else None


def _from_bytes(data: bytes) -> Content:
    for magic, format_ in MAGIC.items():
        if data.startswith(magic):
            return Image(format_, data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Image("webp", data)
    try:
        return Text(data.decode())
    except UnicodeDecodeError:
        return Text(str(data))


def _encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 can't hold, written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _json_text(value: Any) -> str:
    try:
        return to_json(value, inf_nan_mode="null", by_alias=True, bytes_mode="utf8").decode()
    except Exception:  # noqa: BLE001 - some part has no JSON form; find out which
        plain = _plain(value, ())
    if isinstance(plain, _Fallback):
        return plain.text
    return to_json(plain, inf_nan_mode="null").decode()


class _Fallback(str):
    """The text of a part that has no JSON form."""

    __slots__ = ()

    @property
    def text(self) -> str:
        return str.__str__(self)


def _plain(value: Any, above: tuple[int, ...]) -> Any:
    """JSON's own types; only a part that has no JSON form becomes its `str()`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _encodable(str.__str__(value))
    if id(value) in above or len(above) >= DEEPEST:
        return _text(value)
    within = (*above, id(value))
    if isinstance(value, Mapping):
        return {_key(key): _plain(each, within) for key, each in value.items()}
    if isinstance(value, list | tuple | AbstractSet | Iterator):
        return [_plain(each, within) for each in value]
    if isinstance(value, BaseModel):
        return {key: _plain(each, within) for key, each in value}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = dataclasses.fields(value)
        return {each.name: _plain(getattr(value, each.name), within) for each in members}
    try:
        return to_jsonable_python(value, inf_nan_mode="null", by_alias=True)
    except Exception:  # noqa: BLE001 - this very part has no JSON form
        return _text(value)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return _encodable(str.__str__(key))
    plain = _plain(key, ())
    return plain if isinstance(plain, str) else to_json(plain, inf_nan_mode="null").decode()


def _text(value: Any) -> _Fallback:
    try:
        return _Fallback(_encodable(str(value)))
    except RecursionError:
        return _Fallback(f"<{type(value).__name__} nested too deeply>")
