"""Find the messages in what was recorded: text to JSON values, envelopes to messages, shapes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..findings import Finding, Place, Severity
from .openai_responses import PROVIDER_RUN

__all__ = ["messages", "shape_of", "values"]

# Lists of messages, in requests and answers; then envelopes that logs put around these.
_LISTS = ("messages", "input", "contents", "history", "conversation", "turns", "items", "output")
_ENVELOPES = ("request", "body", "response", "message", "payload", "item", "output", "content")
_ITEMS = frozenset(
    {
        "custom_tool_call",
        "custom_tool_call_output",
        "function_call",
        "function_call_output",
        "reasoning",
    }
)


def values(text: str) -> tuple[list[tuple[int, Any]], list[Finding]]:
    """Read every JSON value in a text, with the line on which it begins.

    One value, JSON Lines, values that follow each other, and server-sent events are all taken;
    what is no JSON is a finding, and hides nothing else.
    """
    decoder = json.JSONDecoder()
    found: list[tuple[int, Any]] = []
    faults: list[Finding] = []
    at, line = 0, 1
    while True:
        start = at
        while at < len(text) and text[at] in " \t\r\n\ufeff":
            at += 1
        line += text.count("\n", start, at)
        if at == len(text):
            return found, faults
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        skip = _event_prefix(text, at, end)
        if skip is None:
            at = end
            continue
        try:
            value, after = decoder.raw_decode(text, at + skip)
        except (ValueError, RecursionError) as error:
            faults.append(_fault(line, text[at:end], error))
            # What is cut off in the middle of a value of many lines ends there.
            cut = text[at] in "{[" and text[end + 1 : end + 2] in tuple(' \t}]"')
            after = len(text) if cut else end
        else:
            found.append((line, value))
        line += text.count("\n", at, after)
        at = after


def _event_prefix(text: str, at: int, end: int) -> int | None:
    """How much of a line of a server-sent event to skip; None where all of it."""
    row = text[at:end].strip()
    if row.startswith(("event:", "id:", "retry:", ":")) or row == "data: [DONE]":
        return None
    if not row.startswith("data:"):
        return 0
    rest = text[at:end].removeprefix("data:")
    return len("data:") + len(rest) - len(rest.lstrip())


def _fault(line: int, row: str, error: Exception) -> Finding:
    shown = row if len(row) <= 60 else f"{row[:59]}…"  # noqa: PLR2004 - a line of a terminal
    why = getattr(error, "msg", str(error))
    return Finding(
        "F501",
        "no-json",
        f"line {line} is no JSON ({why}): {shown}",
        Severity.ERROR,
        place=Place(line=line),
    )


def messages(value: Any) -> Iterator[Any]:
    """Give the messages, items and streamed pieces in a value, in order."""
    if isinstance(value, list):
        for one in value:
            yield from messages(one)
        return
    if not isinstance(value, Mapping) or shape_of(value) is not None or _streamed(value):
        yield value
        return
    inside = list(_inside(value))
    if not inside:
        yield value
    for one in inside:
        yield from messages(one)


def _inside(value: Mapping[str, Any]) -> Iterator[Any]:
    for key in _LISTS:
        if isinstance(value.get(key), list):
            yield value[key]
    for choice in _listed(value.get("choices")):
        if isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping):
            yield choice["message"]
    for key in _ENVELOPES:
        if isinstance(value.get(key), Mapping):
            yield value[key]


def _streamed(value: Mapping[str, Any]) -> bool:
    kind = value.get("type")
    if isinstance(kind, str) and kind.startswith(("response.", "content_block_", "message_")):
        return True
    return "candidates" in value or any(
        isinstance(one, Mapping) and "delta" in one for one in _listed(value.get("choices"))
    )


def shape_of(value: Any) -> str | None:
    """Name the format of one message or item; "" for a message that any format could hold."""
    if not isinstance(value, Mapping):
        return None
    kind = value.get("type")
    kind = kind if isinstance(kind, str) else None
    if kind in _ITEMS or kind in PROVIDER_RUN:
        return "openai-responses"
    if isinstance(value.get("parts"), list):
        return "gemini"
    if "toolUse" in value or "toolResult" in value:
        return "bedrock"
    if kind in ("tool_use", "tool_result", "server_tool_use", "mcp_tool_use"):
        return "anthropic"
    if value.get("role") in ("tool", "function") or {"tool_calls", "tool_call_id"} & set(value):
        return "openai"
    if "role" not in value:
        return None
    content = value.get("content")
    return _by_blocks(content) if isinstance(content, list | tuple) else ""


def _by_blocks(content: Sequence[Any]) -> str:
    blocks = [block for block in content if isinstance(block, Mapping)]
    kinds = {one if isinstance(one := block.get("type"), str) else None for block in blocks}
    if blocks and kinds == {None}:
        return "bedrock"
    if kinds & {"input_text", "output_text", "input_image", "input_file"}:
        return "openai-responses"
    if kinds & {"image_url", "input_audio", "refusal", "file"}:
        return "openai"
    if any(isinstance(kind, str) and kind.endswith(("tool_use", "tool_result")) for kind in kinds):
        return "anthropic"
    if kinds & {"thinking", "redacted_thinking", "image", "document"}:
        return "anthropic"
    return ""


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
