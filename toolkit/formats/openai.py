"""The shape of OpenAI's Chat Completions, which many other providers speak too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..errors import DefinitionError
from ..types import Content, Image, Message, Opaque, Text, ToolResult, ToolSpec, ToolUse
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
    write_arguments,
)

__all__ = [
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


def write_spec(spec: ToolSpec, *, strict: bool = False) -> Converted[dict[str, Any]]:
    """Write `{"type": "function", "function": {name, description, parameters, strict?}}`."""
    limits = profile("openai-strict" if strict else "openai")
    adapted = adapt(spec, limits)
    function: dict[str, Any] = {"name": spec.name}
    if spec.description:
        function["description"] = json_ready(spec.description)
    function["parameters"] = adapted.value
    if strict:
        function["strict"] = True
    findings = (*adapted.findings, *lost_fields(spec, limits))
    return Converted({"type": "function", "function": function}, findings)


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a declaration; a DefinitionError where it is none."""
    function = wire.get("function")
    if not isinstance(function, Mapping):
        raise DefinitionError("an OpenAI tool needs 'function' with a 'name'")
    return read_declaration(function, schema="parameters", provider="openai", known=("strict",))


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write one of an assistant's `tool_calls`; its arguments are JSON text."""
    function = {"name": use.name, "arguments": write_arguments(use.input)}
    return {"id": use.tool_use_id, "type": "function", "function": function}


def read_use(wire: Mapping[str, Any]) -> ToolUse:
    """Read one of an assistant's `tool_calls`; a custom tool's text stands under `input`."""
    identity = str(wire.get("id") or "")
    custom, function = wire.get("custom"), wire.get("function")
    if isinstance(custom, Mapping):
        return ToolUse(identity, str(custom.get("name") or ""), {"input": custom.get("input")})
    # Logs of libraries on top of it leave the level of `function` out.
    inner = function if isinstance(function, Mapping) else wire
    name = str(inner.get("name") or "")
    return ToolUse(identity, name, read_arguments(inner.get("arguments", inner.get("args"))))


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write a message of role `tool`.

    Chat has no mark for an error and takes text alone: the text of an error says so itself.
    """
    texts = [json_ready(stand_in(part)) for part in result.content]
    identity = result.tool_use_id or use.tool_use_id
    return {"role": "tool", "tool_call_id": identity, "content": "\n".join(texts)}


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> list[dict[str, Any]]:
    """Write the messages that answer a turn: one for each use, in order."""
    return [write_result(use, result) for use, result in pairs]


def write_message(message: Message, *, uses: Sequence[ToolUse] = ()) -> list[dict[str, Any]]:
    """Write a message, which takes several here where it holds results."""
    del uses
    results = [part for part in message.content if isinstance(part, ToolResult)]
    calls = [part for part in message.content if isinstance(part, ToolUse)]
    parts = [one for one in message.content if not isinstance(one, ToolResult | ToolUse)]
    written = [write_result(ToolUse(one.tool_use_id, ""), one) for one in results]
    if parts or calls or not written:
        content = [_write_part(one) for one in parts]
        plain = all(isinstance(one, Text) for one in parts)
        body: Any = "\n".join(one["text"] for one in content) if plain else content
        own: dict[str, Any] = {"role": message.role, "content": body if parts else None}
        if calls:
            own["tool_calls"] = [write_use(one) for one in calls]
        elif not parts:
            own["content"] = ""
        written.append(own)
    return written


def _write_part(part: Content) -> dict[str, Any]:
    match part:
        case Image(format, data):
            url = f"data:{media_type('image', format)};base64,{encoded(data)}"
            return {"type": "image_url", "image_url": {"url": url}}
        case Opaque(kind, raw) if kind.startswith("openai:"):
            return dict(raw)
    return {"type": "text", "text": json_ready(stand_in(part))}


def read_message(wire: Mapping[str, Any]) -> Message:
    """Read one message; a message of role `tool` becomes a user's with one result."""
    content = read_content(wire.get("content"))
    if wire.get("role") in ("tool", "function") or "tool_call_id" in wire:
        identity = str(wire.get("tool_call_id") or "")
        status: Literal["success", "error"] = "success"
        if wire.get("status") == "error":  # a mark of libraries on top of it
            status = "error"
        return Message("user", (ToolResult(identity, status, content),))
    role = wire.get("role")
    calls = wire.get("tool_calls")
    uses = [read_use(one) for one in _list(calls) if isinstance(one, Mapping)]
    function = wire.get("function_call")
    if isinstance(function, Mapping):
        uses.append(read_use({"function": function}))
    return Message("assistant" if role == "assistant" or uses else "user", (*content, *uses))


def read_content(content: Any) -> tuple[Content, ...]:
    """Read a text, or a list of parts."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    return tuple(_read_part(one) for one in _list(content) if isinstance(one, Mapping))


def _read_part(part: Mapping[str, Any]) -> Content:
    match part:
        case {"type": "text" | "refusal", "text": str(text)}:
            return Text(text)
        case {"type": "image_url", "image_url": {"url": str(url)}} if url.startswith("data:"):
            media, _, data = url.removeprefix("data:").partition(";base64,")
            image = decoded(data)
            if image is not None:
                return Image(short_format(media), image)
    return Opaque(f"openai:{part.get('type')}", dict(part))


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def read_uses(wire: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """Read the tool uses of a message, in order."""
    return tuple(part for part in read_message(wire).content if isinstance(part, ToolUse))
