"""The shape of Bedrock's Converse API, which is also the house's own on the wire."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import DefinitionError
from ..types import (
    Content,
    Document,
    Image,
    Json,
    Message,
    Opaque,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
)
from .wire import Converted, decoded, json_ready, read_arguments, stand_in, write_input

__all__ = [
    "read_content",
    "read_message",
    "read_result",
    "read_spec",
    "read_use",
    "read_uses",
    "result_json",
    "write_content",
    "write_message",
    "write_result",
    "write_results",
    "write_spec",
    "write_use",
]

# ImageFormat, DocumentFormat and the name's rule: Converse API reference.
IMAGES = frozenset({"png", "jpeg", "gif", "webp"})
DOCUMENTS = frozenset({"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"})
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9 \-()\[\]]+")


def write_spec(
    spec: ToolSpec, *, wrapped: bool = True, strict: bool = False
) -> Converted[dict[str, Any]]:
    """Write `{"toolSpec": {…}}` as Converse takes it, or the house's own richer form unwrapped.

    Unwrapped the schema is as it came, and `title`, `outputSchema` and `annotations` stand beside
    it where the spec has them.
    """
    if wrapped:
        return _write_tool(spec, strict=strict)
    wire: dict[str, Any] = {"name": spec.name}
    if spec.title is not None:
        wire["title"] = spec.title
    wire |= {"description": spec.description, "inputSchema": {"json": spec.input_schema}}
    if spec.output_schema is not None:
        wire["outputSchema"] = {"json": spec.output_schema}
    if spec.annotations:
        wire["annotations"] = spec.annotations
    return Converted(json_ready(wire))


def _write_tool(spec: ToolSpec, *, strict: bool) -> Converted[dict[str, Any]]:
    from .adapt import adapt, lost_fields
    from .profiles import profile

    limits = profile("bedrock-strict" if strict else "bedrock")
    adapted = adapt(spec, limits)
    wire: dict[str, Any] = {"name": spec.name}
    if spec.description:
        wire["description"] = json_ready(spec.description)
    wire["inputSchema"] = {"json": adapted.value}
    if strict:
        wire["strict"] = True
    return Converted({"toolSpec": wire}, (*adapted.findings, *lost_fields(spec, limits)))


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a declaration, wrapped or not; a DefinitionError where it is none."""
    inner = wire.get("toolSpec", wire)
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        raise DefinitionError("a Bedrock tool needs 'toolSpec' with a 'name'")
    spec = ToolSpec(
        name=inner["name"],
        description=_string(inner.get("description")) or "",
        input_schema=_schema(inner.get("inputSchema")) or {"type": "object", "properties": {}},
        output_schema=_schema(inner.get("outputSchema")),
        title=_string(inner.get("title")),
        annotations=_object(inner.get("annotations")),
    )
    return Converted(spec)


def _schema(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("json", value)
    return inner if isinstance(inner, Mapping) else None


def _object(value: Any) -> Mapping[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write `{"toolUse": {toolUseId, name, input}}`."""
    return {
        "toolUse": {
            "toolUseId": use.tool_use_id,
            "name": use.name,
            "input": write_input(use.input),
        }
    }


def read_use(wire: Mapping[str, Any]) -> ToolUse:
    """Read the inside of a toolUse block; a missing name or id is an empty text."""
    identity, name = wire.get("toolUseId"), wire.get("name")
    return ToolUse(
        "" if identity is None else str(identity),
        "" if name is None else str(name),
        read_arguments(wire.get("input")),
    )


def write_content(content: Content) -> dict[str, Any]:
    """Write one block of a result; the bytes of images and documents stay bytes, as boto3 wants.

    What Converse can't carry becomes text that says kind, name or URI, type and size.
    """
    match content:
        case Text(text):
            return {"text": json_ready(text)}
        case Json(value):
            return {"json": json_ready(value)}
        case Image(format, data) if format in IMAGES:
            return {"image": {"format": format, "source": {"bytes": data}}}
        case Document():
            return _document(content)
        case Opaque(kind, raw) if kind.startswith("bedrock:"):
            return {kind.removeprefix("bedrock:"): raw}
    return {"text": json_ready(stand_in(content))}


def _document(content: Document) -> dict[str, Any]:
    format = content.format  # noqa: A001 - the field's own name
    if format not in DOCUMENTS:
        try:
            content.data.decode()
        except UnicodeDecodeError:
            return {"text": stand_in(content)}
        format = "txt"  # noqa: A001
    name = " ".join(_NOT_IN_A_NAME.sub(" ", content.name).split()) or "document"
    return {"document": {"name": name, "format": format, "source": {"bytes": content.data}}}


def read_content(wire: Mapping[str, Any]) -> Content:
    """Read one block; what we have no word for is kept as it came."""
    for key, value in wire.items():
        match key, value:
            case "text", str():
                return Text(value)
            case "json", _:
                return Json(value)
            case "image", {"format": str(format), "source": {"bytes": data}}:
                if (bytes_ := decoded(data)) is not None:
                    return Image(format, bytes_)
            case "document", {"name": str(name), "format": str(format), "source": {"bytes": data}}:
                if (bytes_ := decoded(data)) is not None:
                    return Document(name, format, bytes_)
    key = next(iter(wire), "block")
    return Opaque(f"bedrock:{key}", wire.get(key))


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write `{"toolResult": {toolUseId, status, content}}`."""
    content = [write_content(part) for part in result.content]
    identity = result.tool_use_id or use.tool_use_id
    return {"toolResult": {"toolUseId": identity, "status": result.status, "content": content}}


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> dict[str, Any]:
    """Write the message that answers a turn: one result for each use, in order."""
    return {"role": "user", "content": [write_result(use, result) for use, result in pairs]}


def result_json(result: ToolResult) -> dict[str, Any]:
    """Write a result as strict JSON, bytes in base64, with what only a program reads.

    `{toolUseId, status, content, structuredContent?, metadata?}`
    """
    wire: dict[str, Any] = {
        "toolUseId": result.tool_use_id,
        "status": result.status,
        "content": [write_content(part) for part in result.content],
    }
    if result.structured is not None:
        wire["structuredContent"] = result.structured
    if result.metadata:
        wire["metadata"] = result.metadata
    ready: dict[str, Any] = json_ready(wire)
    return ready


def read_result(wire: Mapping[str, Any]) -> ToolResult:
    """Read the inside of a toolResult block."""
    blocks = wire.get("content")
    content = tuple(
        read_content(block) for block in _list(blocks) if isinstance(block, Mapping) and block
    )
    return ToolResult(
        str(wire.get("toolUseId") or ""),
        "error" if wire.get("status") == "error" else "success",
        content,
        structured=wire.get("structuredContent"),
        metadata=_object(wire.get("metadata")),
    )


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def write_message(message: Message, *, uses: Sequence[ToolUse] = ()) -> dict[str, Any]:
    """Write a message; `uses` are needed only by shapes whose results repeat the tool's name."""
    del uses
    return {"role": message.role, "content": [_write_block(part) for part in message.content]}


def _write_block(part: Content | ToolUse | ToolResult) -> dict[str, Any]:
    if isinstance(part, ToolUse):
        return write_use(part)
    if isinstance(part, ToolResult):
        return write_result(ToolUse(part.tool_use_id, ""), part)
    return write_content(part)


def read_message(wire: Mapping[str, Any]) -> Message:
    """Read a message; its content may also be a bare text."""
    blocks = wire.get("content")
    parts = [{"text": blocks}] if isinstance(blocks, str) else _list(blocks)
    content = tuple(_read_block(block) for block in parts if isinstance(block, Mapping))
    return Message("assistant" if wire.get("role") == "assistant" else "user", content)


def _read_block(block: Mapping[str, Any]) -> Content | ToolUse | ToolResult:
    use, result = block.get("toolUse"), block.get("toolResult")
    if isinstance(use, Mapping) and not _run_elsewhere(use):
        return read_use(use)
    if isinstance(result, Mapping) and not _run_elsewhere(result):
        return read_result(result)
    return read_content(block)


def _run_elsewhere(block: Mapping[str, Any]) -> bool:
    # ToolUseType / ToolResultBlock.type: what Bedrock ran itself.
    return str(block.get("type") or "").startswith("server_tool")


def read_uses(wire: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """Read the tool uses of a message, in order."""
    return tuple(part for part in read_message(wire).content if isinstance(part, ToolUse))
