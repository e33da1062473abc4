"""The shape of the Model Context Protocol: tools as servers list them, results as they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from ..errors import DefinitionError
from ..findings import Finding, Severity
from ..types import (
    Audio,
    Content,
    Document,
    Image,
    Json,
    Opaque,
    Resource,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
)
from .shapes import misfits
from .wire import (
    Converted,
    compact,
    decoded,
    dump,
    encoded,
    finding,
    image_format,
    json_ready,
    media_type,
    short_format,
    stand_in,
    write_input,
)

__all__ = [
    "read_content",
    "read_result",
    "read_spec",
    "write_content",
    "write_result",
    "write_results",
    "write_spec",
    "write_use",
]

_NO_INPUT: Mapping[str, Any] = {"type": "object", "properties": {}}


def write_spec(spec: ToolSpec) -> Converted[dict[str, Any]]:
    """Write a tool as an item of `tools/list`; only its examples have no place there."""
    wire: dict[str, Any] = {"name": spec.name}
    if spec.title is not None:
        wire["title"] = spec.title
    wire["description"] = spec.description
    wire["inputSchema"] = json_ready(spec.input_schema)
    if spec.output_schema is not None:
        wire["outputSchema"] = json_ready(spec.output_schema)
    if spec.annotations:
        wire["annotations"] = json_ready(spec.annotations)
    lost: tuple[Finding, ...] = ()
    if spec.examples:
        lost = (
            finding(
                "F201 lost-field",
                "MCP has no place for 'examples'",
                severity=Severity.INFO,
                tool=spec.name,
                pointer="/examples",
            ),
        )
    return Converted(wire, lost)


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read an item of `tools/list`; a DefinitionError where no tool can be made of it.

    What is merely malformed beside name and input schema is left out, and said.
    """
    name = wire.get("name")
    if not isinstance(name, str) or not name:
        raise DefinitionError(
            "A tool has no name"
            if name is None or name == ""
            else f"A tool's name is {dump(name)}",
            hint="The server must name each of its tools by a text.",
        )
    spec = ToolSpec(
        name=name,
        description=_typed(wire.get("description"), str, ""),
        input_schema=_input_schema(name, wire),
        output_schema=_typed(wire.get("outputSchema"), Mapping, None),
        title=_typed(wire.get("title"), str, None),
        annotations=_typed(wire.get("annotations"), Mapping, {}),
        meta=_typed(wire.get("_meta"), Mapping, {}),
    )
    return Converted(spec, tuple(_malformed(name, wire)))


def _typed(value: Any, kind: type[Any], otherwise: Any) -> Any:
    return value if isinstance(value, kind) else otherwise


def _input_schema(name: str, wire: Mapping[str, Any]) -> Mapping[str, Any]:
    if "inputSchema" not in wire:
        return _NO_INPUT
    schema = wire["inputSchema"]
    if not isinstance(schema, Mapping):
        shown = dump(schema)
        raise DefinitionError(
            f"The inputSchema of '{name}' is {shown[:60]}, not an object",
            hint="The server must give a schema of type 'object'.",
            tool=name,
        )
    return schema


def _malformed(name: str, wire: Mapping[str, Any]) -> Iterable[Finding]:
    if "inputSchema" not in wire:
        yield finding(
            "F203 missing-field",
            f"'{name}' has no inputSchema, which MCP requires; it is taken to have no parameters",
            tool=name,
            pointer="/inputSchema",
        )
    for misfit in misfits(wire, "mcp"):
        yield finding(
            "F204 malformed-field",
            misfit.message,
            tool=name,
            pointer="".join(f"/{step}" for step in misfit.path),
        )


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write a use as the parameters of `tools/call`; MCP has no id for it."""
    return {"name": use.name, "arguments": write_input(use.input)}


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write a result as the object that answers `tools/call`, bytes in base64."""
    del use
    wire: dict[str, Any] = {
        "content": [write_content(part) for part in result.content],
        "isError": result.status == "error",
    }
    if isinstance(result.structured, Mapping):
        wire["structuredContent"] = json_ready(result.structured)
    return wire


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> list[dict[str, Any]]:
    """Write what answers each call of a turn, in order; the ids are those of JSON-RPC."""
    return [write_result(use, result) for use, result in pairs]


def read_result(wire: Mapping[str, Any], tool_use_id: str = "") -> ToolResult:
    """Read the object that answers `tools/call`; nothing of it is dropped.

    Structured content with no other content is also given as JSON, for the model to see.
    What the server says of its blocks (`annotations`, `_meta`) stands in the metadata.
    """
    blocks = wire.get("content")
    listed = blocks if isinstance(blocks, list | tuple) else [] if blocks is None else [blocks]
    if blocks is None and "toolResult" in wire:  # before there were blocks (2024-10-07)
        listed = [_older(wire["toolResult"])]
    structured = wire.get("structuredContent")
    content = tuple(read_content(block) for block in listed)
    if not content and structured is not None:
        content = (Json(structured),)
    metadata: dict[str, Any] = {}
    if meta := _own_meta(wire.get("_meta")):
        metadata["_meta"] = meta
    said = [
        {"index": index, **{key: block[key] for key in ("annotations", "_meta") if key in block}}
        for index, block in enumerate(listed)
        if isinstance(block, Mapping) and ("annotations" in block or "_meta" in block)
    ]
    if said:
        metadata["blocks"] = said
    status: Literal["success", "error"] = "error" if wire.get("isError") is True else "success"
    return ToolResult(tool_use_id, status, content, structured=structured, metadata=metadata)


def _older(value: Any) -> Mapping[str, Any]:
    return {"type": "text", "text": value if isinstance(value, str) else compact(value)}


def _own_meta(meta: Any) -> Mapping[str, Any]:
    """What a server says itself: the protocol's own stamps on every answer are no news."""
    if not isinstance(meta, Mapping):
        return {}
    return {key: meta[key] for key in meta if not str(key).startswith("io.modelcontextprotocol/")}


def read_content(wire: Any) -> Content:
    """Read one block; what we have no word for is kept as it came."""
    match wire:
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "image", "data": str(data)} if (held := decoded(data)) is not None:
            mime = _mime(wire, image_format(held) or "image/octet-stream")
            return Image(short_format(mime), held)
        case {"type": "audio", "data": str(data)} if (held := decoded(data)) is not None:
            return Audio(short_format(_mime(wire, "audio/octet-stream")), held)
        case {"type": "resource_link", "uri": str()}:
            return _resource(wire)
        case {"type": "resource", "resource": {"uri": str()} as inner}:
            return _resource(inner)
        case {"type": str(kind)}:
            return Opaque(f"mcp:{kind}", wire)
        case str(text):
            return Text(text)
    return Opaque("mcp:block", wire)


def _mime(wire: Mapping[str, Any], otherwise: str) -> str:
    return _typed(wire.get("mimeType"), str, "") or otherwise


def _resource(wire: Mapping[str, Any]) -> Content:
    data = decoded(wire["blob"]) if "blob" in wire else None
    if "blob" in wire and data is None:
        return Opaque("mcp:resource", wire)
    size = wire.get("size")
    return Resource(
        wire["uri"],
        name=_typed(wire.get("name"), str, None) or _typed(wire.get("title"), str, None),
        mime_type=_typed(wire.get("mimeType"), str, None),
        text=_typed(wire.get("text"), str, None),
        data=data,
        size=size if isinstance(size, int) and not isinstance(size, bool) else None,
        description=_typed(wire.get("description"), str, None),
    )


def write_content(content: Content) -> dict[str, Any]:
    """Write one block; a document becomes an embedded resource under a URI of its name."""
    match content:
        case Text(text):
            return {"type": "text", "text": json_ready(text)}
        case Image(format, data):
            mime = media_type("image", format)
            return {"type": "image", "data": encoded(data), "mimeType": mime}
        case Audio(format, data):
            mime = media_type("audio", format)
            return {"type": "audio", "data": encoded(data), "mimeType": mime}
        case Document(name, format, data):
            uri = f"document:///{quote(name)}"
            mime = media_type("document", format)
            return _embedded(Resource(uri, mime_type=mime, data=data))
        case Resource() if content.text is not None or content.data is not None:
            return _embedded(content)
        case Resource():
            return _link(content)
        case Opaque(kind, raw) if kind.startswith("mcp:") and isinstance(raw, Mapping):
            return dict(raw)
    return {"type": "text", "text": json_ready(stand_in(content))}


def _embedded(resource: Resource) -> dict[str, Any]:
    inner: dict[str, Any] = {"uri": resource.uri}
    if resource.mime_type is not None:
        inner["mimeType"] = resource.mime_type
    if resource.data is not None:
        inner["blob"] = encoded(resource.data)
    else:
        inner["text"] = json_ready(resource.text)
    return {"type": "resource", "resource": inner}


def _link(resource: Resource) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "type": "resource_link",
        "uri": resource.uri,
        "name": resource.name or resource.uri,
    }
    optional = {
        "mimeType": resource.mime_type,
        "size": resource.size,
        "description": resource.description,
    }
    return {**wire, **{key: value for key, value in optional.items() if value is not None}}
