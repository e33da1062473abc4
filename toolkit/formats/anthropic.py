"""The shape of Anthropic's Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import DefinitionError
from ..types import Content, Document, Image, Message, Opaque, Text, ToolResult, ToolSpec, ToolUse
from .adapt import adapt, lost_fields
from .declared import read_declaration
from .profiles import profile
from .wire import (
    Converted,
    decoded,
    encoded,
    json_ready,
    media_type,
    read_arguments,
    short_format,
    stand_in,
    write_input,
)

__all__ = [
    "PROVIDER_RUN",
    "read_message",
    "read_spec",
    "read_use",
    "read_uses",
    "write_message",
    "write_result",
    "write_results",
    "write_spec",
    "write_use",
]

# Blocks that tell of a call which Anthropic ran itself.
PROVIDER_RUN = frozenset({"mcp_tool_use", "server_tool_use"})
_IMAGES = frozenset({"gif", "jpeg", "png", "webp"})


def write_spec(spec: ToolSpec, *, strict: bool = False) -> Converted[dict[str, Any]]:
    """Write `{name, description?, input_schema, input_examples?, strict?}`."""
    limits = profile("anthropic-strict" if strict else "anthropic")
    adapted = adapt(spec, limits)
    wire: dict[str, Any] = {"name": spec.name}
    if spec.description:
        wire["description"] = json_ready(spec.description)
    wire["input_schema"] = adapted.value
    if spec.examples:
        wire["input_examples"] = json_ready(spec.examples)
    if strict:
        wire["strict"] = True
    lost = lost_fields(spec, limits, kept=frozenset({"examples"}))
    return Converted(wire, (*adapted.findings, *lost))


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a declaration; a DefinitionError where it is none."""
    if wire.get("type", "custom") not in ("custom", None):
        raise DefinitionError(f"a tool of type '{wire.get('type')}' is run by Anthropic itself")
    return read_declaration(
        wire,
        schema="input_schema",
        provider="Anthropic",
        known=("strict",),
        examples="input_examples",
    )


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write a `tool_use` block."""
    return {
        "type": "tool_use",
        "id": use.tool_use_id,
        "name": use.name,
        "input": write_input(use.input),
    }


def read_use(wire: Mapping[str, Any]) -> ToolUse:
    """Read a `tool_use` block."""
    identity, name = str(wire.get("id") or ""), str(wire.get("name") or "")
    return ToolUse(identity, name, read_arguments(wire.get("input")))


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write a `tool_result` block; `is_error` stands there where it is one."""
    wire: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": result.tool_use_id or use.tool_use_id,
        "content": [_write_block(part) for part in result.content],
    }
    if result.status == "error":
        wire["is_error"] = True
    return wire


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> dict[str, Any]:
    """Write the one message that answers a turn: a result for each use, in order."""
    return {"role": "user", "content": [write_result(use, result) for use, result in pairs]}


def write_message(message: Message, *, uses: Sequence[ToolUse] = ()) -> dict[str, Any]:
    """Write a message."""
    del uses
    return {"role": message.role, "content": [_write_part(part) for part in message.content]}


def _write_part(part: Content | ToolUse | ToolResult) -> dict[str, Any]:
    if isinstance(part, ToolUse):
        return write_use(part)
    if isinstance(part, ToolResult):
        return write_result(ToolUse(part.tool_use_id, ""), part)
    return _write_block(part)


def _write_block(part: Content) -> dict[str, Any]:
    match part:
        case Image(format, data) if format in _IMAGES:
            return {"type": "image", "source": _base64(media_type("image", format), data)}
        case Document(name, "pdf", data):
            source = _base64("application/pdf", data)
            return {"type": "document", "title": name, "source": source}
        case Document(name, _, data) if (text := _as_text(data)) is not None:
            source = {"type": "text", "media_type": "text/plain", "data": text}
            return {"type": "document", "title": name, "source": source}
        case Opaque(kind, raw) if kind.startswith("anthropic:"):
            return dict(raw)
    return {"type": "text", "text": json_ready(stand_in(part))}


def _base64(media: str, data: bytes) -> dict[str, str]:
    return {"type": "base64", "media_type": media, "data": encoded(data)}


def _as_text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def read_message(wire: Mapping[str, Any]) -> Message:
    """Read a message; its content may also be a bare text."""
    content = tuple(_read_block(block) for block in _blocks(wire.get("content")))
    return Message("assistant" if wire.get("role") == "assistant" else "user", content)


def _blocks(content: Any) -> Sequence[Mapping[str, Any]]:
    if isinstance(content, str):
        return ({"type": "text", "text": content},) if content else ()
    blocks = content if isinstance(content, list | tuple) else ()
    return [block for block in blocks if isinstance(block, Mapping)]


def _read_block(block: Mapping[str, Any]) -> Content | ToolUse | ToolResult:
    match block:
        case {"type": "tool_use"}:
            return read_use(block)
        case {"type": "tool_result"}:
            content = tuple(_read_content(one) for one in _blocks(block.get("content")))
            return ToolResult(
                str(block.get("tool_use_id") or ""),
                "error" if block.get("is_error") is True else "success",
                content,
            )
    return _read_content(block)


def _read_content(block: Mapping[str, Any]) -> Content:
    match block:
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "image", "source": {"type": "base64", "media_type": str(media), "data": raw}}:
            if (data := decoded(raw)) is not None:
                return Image(short_format(media), data)
        case {"type": "document", "title": str(title), "source": {"type": str(kind), "data": raw}}:
            data = decoded(raw) if kind == "base64" else str(raw).encode()
            if data is not None:
                return Document(title, "pdf" if kind == "base64" else "txt", data)
    return Opaque(f"anthropic:{block.get('type')}", dict(block))


def read_uses(wire: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """Read the tool uses of a message, in order."""
    return tuple(part for part in read_message(wire).content if isinstance(part, ToolUse))
