"""The shape of OpenAI's Responses: a flat list of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    write_arguments,
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

# Items that tell of a call which OpenAI ran itself.
PROVIDER_RUN = frozenset(
    {
        "code_interpreter_call",
        "file_search_call",
        "image_generation_call",
        "mcp_call",
        "mcp_list_tools",
        "tool_search_call",
        "web_search_call",
    }
)


def write_spec(spec: ToolSpec, *, strict: bool = False) -> Converted[dict[str, Any]]:
    """Write the flat declaration; `parameters` and `strict` are always there, as the API wants."""
    limits = profile("openai-strict" if strict else "openai")
    adapted = adapt(spec, limits)
    wire: dict[str, Any] = {"type": "function", "name": spec.name}
    if spec.description:
        wire["description"] = json_ready(spec.description)
    wire["parameters"] = adapted.value
    wire["strict"] = strict
    if spec.output_schema is not None:
        wire["output_schema"] = json_ready(spec.output_schema)
    lost = lost_fields(spec, limits, kept=frozenset({"outputSchema"}))
    return Converted(wire, (*adapted.findings, *lost))


def read_spec(wire: Mapping[str, Any]) -> Converted[ToolSpec]:
    """Read a declaration; a DefinitionError where it is none."""
    if wire.get("type", "function") != "function":
        raise DefinitionError(f"a tool of type '{wire.get('type')}' is no function")
    known = ("strict",)
    return read_declaration(
        wire, schema="parameters", provider="OpenAI", known=known, output="output_schema"
    )


def write_use(use: ToolUse) -> dict[str, Any]:
    """Write a `function_call` item; its arguments are JSON text."""
    return {
        "type": "function_call",
        "call_id": use.tool_use_id,
        "name": use.name,
        "arguments": write_arguments(use.input),
    }


def read_use(wire: Mapping[str, Any]) -> ToolUse:
    """Read a `function_call` or `custom_tool_call` item; a custom tool's text is its `input`."""
    identity, name = str(wire.get("call_id") or ""), str(wire.get("name") or "")
    if wire.get("type") == "custom_tool_call":
        return ToolUse(identity, name, {"input": wire.get("input")})
    return ToolUse(identity, name, read_arguments(wire.get("arguments")))


def write_result(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    """Write a `function_call_output` item: a text, or a list where it holds images or files.

    There is no mark for an error: the text of an error says so itself.
    """
    parts = [_write_part(part) for part in result.content]
    plain = all(part.get("type") == "input_text" for part in parts)
    output: Any = "\n".join(part["text"] for part in parts) if plain else parts
    identity = result.tool_use_id or use.tool_use_id
    return {"type": "function_call_output", "call_id": identity, "output": output}


def write_results(pairs: Sequence[tuple[ToolUse, ToolResult]]) -> list[dict[str, Any]]:
    """Write the items that answer a turn: one for each use, in order."""
    return [write_result(use, result) for use, result in pairs]


def write_message(message: Message, *, uses: Sequence[ToolUse] = ()) -> list[dict[str, Any]]:
    """Write the items of a message, in order."""
    del uses
    items: list[dict[str, Any]] = []
    for part in message.content:
        match part:
            case ToolUse():
                items.append(write_use(part))
            case ToolResult():
                items.append(write_result(ToolUse(part.tool_use_id, ""), part))
            case Opaque(kind, raw) if kind.startswith("openai-responses:item:"):
                items.append(dict(raw))
            case _ if message.role == "assistant":
                # What the model said goes back as bare text: its parts would need ids.
                said = json_ready(stand_in(part))
                items.append({"type": "message", "role": "assistant", "content": said})
            case _:
                if not items or items[-1].get("type") != "message":
                    items.append({"type": "message", "role": "user", "content": []})
                items[-1]["content"].append(_write_part(part))
    return items


def _write_part(part: Content) -> dict[str, Any]:
    match part:
        case Image(format, data):
            url = f"data:{media_type('image', format)};base64,{encoded(data)}"
            return {"type": "input_image", "detail": "auto", "image_url": url}
        case Document(name, format, data):
            url = f"data:{media_type('document', format)};base64,{encoded(data)}"
            return {"type": "input_file", "filename": name, "file_data": url}
        case Opaque(kind, raw) if kind.startswith("openai-responses:part:"):
            return dict(raw)
    return {"type": "input_text", "text": json_ready(stand_in(part))}


def read_message(wire: Mapping[str, Any] | Sequence[Any]) -> Message:
    """Read one item, or the items of one response."""
    items = [wire] if isinstance(wire, Mapping) else wire
    parts = [part for item in items if isinstance(item, Mapping) for part in _read_item(item)]
    results = any(isinstance(part, ToolResult) for part in parts)
    user = results or any(isinstance(one, Mapping) and one.get("role") == "user" for one in items)
    return Message("user" if user else "assistant", tuple(parts))


def _read_item(item: Mapping[str, Any]) -> Iterable[Content | ToolUse | ToolResult]:
    kind = item.get("type", "message")
    if kind in ("function_call", "custom_tool_call"):
        return (read_use(item),)
    if kind in ("function_call_output", "custom_tool_call_output"):
        content = read_content(item.get("output"))
        return (ToolResult(str(item.get("call_id") or ""), "success", content),)
    if kind == "message":
        return read_content(item.get("content"))
    return (Opaque(f"openai-responses:item:{kind}", dict(item)),)


def read_content(content: Any) -> tuple[Content, ...]:
    """Read a text, or a list of parts."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    parts = content if isinstance(content, list | tuple) else ()
    return tuple(_read_part(part) for part in parts if isinstance(part, Mapping))


def _read_part(part: Mapping[str, Any]) -> Content:
    match part:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
            return Text(text)
        case {"type": "input_image", "image_url": str(url)} if url.startswith("data:image/"):
            media, _, data = url.removeprefix("data:").partition(";base64,")
            if (image := decoded(data)) is not None:
                return Image(short_format(media), image)
        case {"type": "input_file", "filename": str(name), "file_data": str(url)}:
            media, _, data = url.removeprefix("data:").partition(";base64,")
            if (document := decoded(data)) is not None:
                return Document(name, short_format(media), document)
    return Opaque(f"openai-responses:part:{part.get('type')}", dict(part))


def read_uses(wire: Mapping[str, Any] | Sequence[Any]) -> tuple[ToolUse, ...]:
    """Read the tool uses of an item or a response, in order."""
    return tuple(part for part in read_message(wire).content if isinstance(part, ToolUse))
