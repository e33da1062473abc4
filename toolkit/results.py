"""A returned value as the content of a result; nothing that a tool returns can break this."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from pydantic_core import from_json, to_json, to_jsonable_python

from .errors import CallError, MCPError
from .formats.bedrock import read_result
from .formats.wire import image_format
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
BLOCKS = {"text": str, "json": object, "image": dict, "document": dict}
MOST = 1_000_000  # items of an iterator that may have no end
SCALARS = frozenset({int, float, bool, type(None)})
ENDING = frozenset({str, int, float, bool, dict, list, tuple, type(None)})
ITERABLE = (Sequence, Iterator, AbstractSet, ValuesView, deque)
SHOWN = 5  # errors of a group that are told
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
    kind = type(value)  # what an instance says of itself may be anything
    if kind is dict and _is_result(value):
        return _passed_on(use, read_result(value), metadata)
    if kind not in ENDING and issubclass(kind, ToolResult):
        return _passed_on(use, value, metadata)
    content, plain = _content(value, kind, structured=structured)
    return ToolResult(use.tool_use_id, "success", content, structured=plain, metadata=metadata)


def _passed_on(use: ToolUse, given: ToolResult, metadata: dict[str, Any]) -> ToolResult:
    return replace(
        given,
        tool_use_id=use.tool_use_id,
        content=tuple(map(_sound, _listed(given.content))),
        structured=None if given.structured is None else _strict(given.structured),
        metadata={**given.metadata, **metadata},
    )


def error_result(use: ToolUse, error: BaseException, *, context: ToolContext) -> ToolResult:
    """`Error: <Type>: <message>`; our own errors and a server's speak for themselves."""
    if isinstance(error, CallError):
        text = error.message
    elif isinstance(error, MCPError):
        text = f"Error: {error.message}"
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
        if isinstance(error, BaseExceptionGroup):
            return f"{error}: " + "; ".join(map(_within, error.exceptions[:SHOWN]))
        return str(error)
    except BaseException:  # noqa: BLE001 - an exception whose own text fails
        return ""


def _within(error: BaseException) -> str:
    """What one of a group's errors says: the group itself only counts them."""
    message = _message(error)
    return type(error).__name__ + (f": {message}" if message else "")


def _metadata(context: ToolContext) -> dict[str, Any]:
    if not context.notes:
        return {}
    notes = [dataclasses.asdict(note) for note in context.notes]
    return {"notes": notes}


def _is_result(value: dict[Any, Any]) -> bool:
    """Whether a dict is a result and not data that merely has such keys."""
    status, blocks = value.get("status"), value.get("content")
    if not isinstance(status, str) or status not in ("success", "error"):
        return False
    return isinstance(blocks, list) and all(map(_is_block, blocks))


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict) or len(block) != 1:
        return False
    ((kind, inner),) = block.items()
    if kind not in BLOCKS or not isinstance(inner, BLOCKS[kind]):
        return False
    if isinstance(inner, dict) and kind in ("image", "document"):
        return "format" in inner and isinstance(inner.get("source"), dict)
    return True


def _content(value: Any, kind: type, *, structured: bool) -> tuple[tuple[Content, ...], Any]:
    if issubclass(kind, str):
        return (Text(_encodable(str.__str__(value))),), None
    if kind in SCALARS:
        text = to_json(value, inf_nan_mode="null").decode()
        return (Text(text),), _read(text) if structured else None
    if kind not in ENDING and issubclass(kind, CONTENT):
        return (_sound(value),), None
    if kind in (list, tuple) and any(issubclass(each, CONTENT) for each in set(map(type, value))):
        return tuple(map(_beside, value)), None
    if issubclass(kind, bytes | bytearray):
        return (_from_bytes(bytes(value)),), None
    text, is_json = _json_text(value)
    return (Text(text),), _read(text) if structured and is_json else None


def _listed(content: Any) -> list[Any]:
    """The parts of a ready-made result, also where its author gave one part alone."""
    return list(content) if isinstance(content, list | tuple) else [content]


def _beside(part: Any) -> Content:
    """A part of a list that holds content: what stands beside an image is content too."""
    return _from_bytes(bytes(part)) if isinstance(part, bytes | bytearray) else _sound(part)


def _sound(part: Any) -> Content:
    """A part that can be written: text that UTF-8 holds, strict JSON; no part is a value's text."""
    if isinstance(part, Text) and isinstance(part.text, str):
        text = _encodable(part.text)
        return part if text == part.text else Text(text)
    if isinstance(part, Json):
        return Json(_strict(part.value))
    if isinstance(part, CONTENT):
        return part
    return Text(_encodable(part) if isinstance(part, str) else _json_text([part])[0][1:-1])


def _strict(value: Any) -> Any:
    """The value in JSON's own types."""
    found = _read(_json_text([value])[0])  # a part of a result: it alone becomes its text
    return found[0] if found else None


def _read(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:  # a number of thousands of digits
        return None


def _from_bytes(data: bytes) -> Content:
    format_ = image_format(data)
    if format_ is not None:
        return Image(format_, data)
    try:
        return Text(data.decode())
    except UnicodeDecodeError:
        return Text(str(data))


def _encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 can't hold, written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _json_text(value: Any) -> tuple[str, bool]:
    """The value as JSON text; or its `str()`, and False, where it has no JSON form at all."""
    text = _serialised(value)
    if text is not None:
        return text, True
    plain = _plain(value, ())
    if isinstance(plain, _Fallback):
        return str.__str__(plain), False
    return to_json(plain, inf_nan_mode="null").decode(), True


def _serialised(value: Any) -> str | None:
    """The JSON text by the serialiser alone; None where some part needs a closer look."""

    def stand_in(part: Any) -> Any:
        if part is value:
            raise TypeError("no JSON form")
        return _plain(part, (id(value),))

    try:
        if _holds_iterator(value):  # the serialiser would follow one that has no end
            return None
        return to_json(
            value, inf_nan_mode="null", by_alias=True, bytes_mode="utf8", fallback=stand_in
        ).decode()
    except Exception:  # noqa: BLE001 - the author's types may raise anything
        return None


def _holds_iterator(value: Any) -> bool:
    """Whether it is an iterator, or has one among its own parts: a record's counter, say."""
    kind = type(value)
    if kind is dict:
        kinds = set(map(type, value.values()))
    elif kind in (list, tuple):
        kinds = set(map(type, value))
    else:
        kinds = {kind, *map(type, getattr(value, "__dict__", {}).values())}
    return not kinds <= ENDING and any(hasattr(each, "__next__") for each in kinds)


class _Fallback(str):
    """The text of a part that has no JSON form."""

    __slots__ = ()


def _plain(value: Any, above: tuple[int, ...]) -> Any:
    """JSON's own types; only a part that has no JSON form becomes its `str()`."""
    if id(value) in above or len(above) >= DEEPEST:
        return _said(value, above)
    try:
        return _parts(value, above)
    except Exception:  # noqa: BLE001 - this very part has no JSON form
        return _said(value, above)


def _said(value: Any, above: tuple[int, ...]) -> _Fallback:
    try:
        return _text(value)
    except Exception:
        if not above:  # nothing can be said of the whole
            raise
        return _Fallback(f"<{type(value).__name__} without a text>")


def _parts(value: Any, above: tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _encodable(str.__str__(value))
    within = (*above, id(value))
    if isinstance(value, Mapping):
        return {_key(key): _plain(each, within) for key, each in value.items()}
    if isinstance(value, ITERABLE) and not isinstance(value, bytes | bytearray | memoryview):
        return [_plain(each, within) for each in _bounded(value)]
    opened = _opened(value)
    if opened is not value:
        return _plain(opened, within)
    return to_jsonable_python(value, inf_nan_mode="null", by_alias=True)


def _opened(value: Any) -> Any:
    """A record as a dict, a number of somebody's as ours, an array as a list; else itself."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, warnings=False)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, memoryview):
        return bytes(value)
    if callable(getattr(type(value), "tolist", None)):
        return value.tolist()
    return value


def _bounded(items: Iterable[Any]) -> list[Any]:
    found = list(islice(items, MOST + 1))
    if isinstance(items, Iterator) and len(found) > MOST:
        raise ValueError("it may have no end")
    return found


def _key(key: Any) -> str:
    if isinstance(key, str):
        return _encodable(str.__str__(key))
    try:
        (plain,) = to_jsonable_python({key: None}, inf_nan_mode="null")
    except Exception:  # noqa: BLE001 - a key that has no JSON form
        return _encodable(str(key))
    return str(plain)


def _text(value: Any) -> _Fallback:
    try:
        return _Fallback(_encodable(str(value)))
    except RecursionError:
        return _Fallback(f"<{type(value).__name__} nested too deeply>")
