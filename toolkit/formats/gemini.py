"""The shape of Gemini: declarations in JSON Schema or in OpenAPI's words, calls without ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..types import (
    Audio,
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
from .adapt import adapt, lost_fields
from .declared import read_declaration
from .openapi import from_openapi, to_openapi
from .profiles import profile
from .wire import (
    Converted,
    camel,
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
    "NO_ID",
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

# An id that begins so was made up by us for a call that came without one, and is not sent.
NO_ID = "no-id-"


def write_spec(spec: ToolSpec, *, openapi: bool = False) -> Converted[dict[str, Any]]:
    """Write one of `functionDeclarations`, its schema in JSON Schema or OpenAPI's words."""
    limits = profile("gemini-openapi" if openapi else "gemini")
    adapted = adapt(spec, limits)
    wire: dict[str, Any] = {"name": spec.name, "description": json_ready(spec.description)}
    if openapi:
        wire["parameters"] = to_openapi(adapted.value)
    else:
        wire["parametersJsonSchema"] = adapted.value
    kept = set()
    if spec.output_schema is not None and not openapi:
        wire["responseJsonSchema"] = json_ready(spec.output_schema)
        kept.add("outputSchema")
    return Converted(wire, (*adapted.findings, *lost_fields(spec, limits, kept=frozenset(kept))))


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a declaration in either form; a DefinitionError where it is none."""
    plain = {camel(key): value for key, value in wire.items()}
    if isinstance(plain.get("parameters"), Mapping):
        plain["parametersJsonSchema"] = from_openapi(plain.pop("parameters"))
    if isinstance(plain.get("response"), Mapping):
        plain["responseJsonSchema"] = from_openapi(plain.pop("response"))
    return read_declaration(
        plain,
        schema="parametersJsonSchema",
        provider="Gemini",
        known=("parameters",),
        output="responseJsonSchema",
    )


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write a `functionCall` part."""
    return {"functionCall": {**_id(use.tool_use_id), "name": use.name, "args": _args(use)}}


def _args(use: ToolUse) -> Any:
    value = write_input(use.input)
    return value if isinstance(value, dict) else {"input": value}


def _id(identity: str) -> dict[str, str]:
    return {} if not identity or identity.startswith(NO_ID) else {"id": identity}


def read_use(wire: Mapping[str, Any]) -> ToolUse:
    """Read the inside of a `functionCall`; without an id it is an empty text."""
    identity, name = str(wire.get("id") or ""), str(wire.get("name") or "")
    return ToolUse(identity, name, read_arguments(wire.get("args")))


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write a `functionResponse` part, which repeats the tool's name.

    What the tool gave stands under `output` or `error`; images, sound and files are `parts`.
    """
    attached = [blob for part in result.content if (blob := _blob(part))]
    said = [part for part in result.content if not _blob(part)]
    output: Any = "\n".join(json_ready(stand_in(part)) for part in said)
    if len(said) == 1 and isinstance(said[0], Json):
        output = json_ready(said[0].value)
    key = "error" if result.status == "error" else "output"
    wire: dict[str, Any] = {**_id(result.tool_use_id), "name": use.name, "response": {key: output}}
    if attached:
        wire["parts"] = attached
    return {"functionResponse": wire}


def _blob(part: Content) -> dict[str, Any] | None:
    match part:
        case Image(format, data):
            return _inline(media_type("image", format), data)
        case Audio(format, data):
            return _inline(media_type("audio", format), data)
        case Document(name, format, data):
            return _inline(media_type("document", format), data, name)
    return None


def _inline(media: str, data: bytes, name: str | None = None) -> dict[str, Any]:
    named = {"displayName": name} if name else {}
    return {"inlineData": {"mimeType": media, "data": encoded(data), **named}}


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> dict[str, Any]:
    """Write the content that answers a turn: a response for each call, in order."""
    return {"role": "user", "parts": [write_result(use, result) for use, result in pairs]}


def write_message(message: Message, *, uses: Sequence[ToolUse] = ()) -> dict[str, Any]:
    """Write a content; `uses` are the calls whose names its results repeat."""
    names = {use.tool_use_id: use for use in uses}
    parts = [_write_part(part, names) for part in message.content]
    return {"role": "model" if message.role == "assistant" else "user", "parts": parts}


def _write_part(
    part: Content | ToolUse | ToolResult, names: Mapping[str, ToolUse]
) -> dict[str, Any]:
    if isinstance(part, ToolUse):
        return write_use(part)
    if isinstance(part, ToolResult):
        use = names.get(part.tool_use_id, ToolUse(part.tool_use_id, part.tool_use_id))
        return write_result(use, part)
    if isinstance(part, Opaque) and part.kind.startswith("gemini:"):
        return dict(part.raw)
    return _blob(part) or {"text": json_ready(stand_in(part))}


def read_message(wire: Mapping[str, Any]) -> Message:
    """Read a content; results without an id take the tool's name for one."""
    parts = wire.get("parts")
    listed = parts if isinstance(parts, list | tuple) else [parts]
    content = tuple(_read_part(part) for part in listed if isinstance(part, Mapping))
    return Message("assistant" if wire.get("role") == "model" else "user", content)


def _read_part(part: Mapping[str, Any]) -> Content | ToolUse | ToolResult:
    plain = {camel(key): value for key, value in part.items()}
    match plain:
        case {"functionCall": Mapping() as call}:
            return read_use(call)
        case {"functionResponse": Mapping() as response}:
            return _read_response(response)
        case {"text": str(text)} if not plain.get("thought"):
            return Text(text)
        case {"inlineData": Mapping() as blob}:
            content = _read_blob(blob)
            if content is not None:
                return content
    return Opaque(f"gemini:{next(iter(plain), 'part')}", dict(part))


def _read_response(wire: Mapping[str, Any]) -> ToolResult:
    body = wire.get("response")
    failed = isinstance(body, Mapping) and "error" in body and "output" not in body
    value = body
    if isinstance(body, Mapping):
        value = body["error"] if failed else body.get("output", body)
    said = Text(value) if isinstance(value, str) else Json(value)
    blobs = tuple(_read_blobs(wire.get("parts")))
    content = (() if said == Text("") and blobs else (said,)) + blobs
    identity = str(wire.get("id") or "")
    metadata = {} if identity else {"name": wire.get("name")}
    return ToolResult(identity, "error" if failed else "success", content, metadata=metadata)


def _read_blobs(parts: Any) -> Iterator[Content]:
    for part in parts if isinstance(parts, list | tuple) else ():
        named = part.items() if isinstance(part, Mapping) else ()
        plain = {camel(key): value for key, value in named}
        blob = plain.get("inlineData")
        content = _read_blob(blob) if isinstance(blob, Mapping) else None
        yield Opaque(f"gemini:{next(iter(plain), 'part')}", part) if content is None else content


def _read_blob(blob: Mapping[str, Any]) -> Content | None:
    plain = {camel(key): value for key, value in blob.items()}
    media, data = str(plain.get("mimeType") or ""), decoded(plain.get("data"))
    if data is None:
        return None
    if media.startswith("image/"):
        return Image(short_format(media), data)
    if media.startswith("audio/"):
        return Audio(short_format(media), data)
    name = str(plain.get("displayName") or "document")
    return Document(name, short_format(media), data)


def read_uses(wire: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """Read the calls of a content, in order."""
    return tuple(part for part in read_message(wire).content if isinstance(part, ToolUse))
