"""Join the pieces of streamed answers into the whole messages that they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

from .wire import camel

__all__ = ["joined"]


class _Joiner(Protocol):
    def take(self, piece: Mapping[str, Any]) -> bool:
        """Take a piece; False where it begins another message."""

    def whole(self) -> list[dict[str, Any]]:
        """The messages or items that the pieces made."""


def joined(pieces: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Give what came, a run of streamed pieces replaced by its message at the first one's number.

    A stream that breaks off gives what had come of it.
    """
    joiner: _Joiner | None = None
    kind: str | None = None
    first = 0
    for number, piece in pieces:
        now = _kind(piece)
        if joiner is not None and now == kind and joiner.take(piece):
            continue
        if joiner is not None:
            yield from ((first, one) for one in joiner.whole())
            joiner = None
        kind = now
        if now is None:
            yield number, piece
            continue
        joiner, first = _JOINERS[now](), number
        joiner.take(piece)
    if joiner is not None:
        yield from ((first, one) for one in joiner.whole())


_ANTHROPIC = frozenset(
    {
        "content_block_delta",
        "content_block_start",
        "content_block_stop",
        "message_delta",
        "message_start",
        "message_stop",
        "ping",
    }
)
_BEDROCK = frozenset(
    {
        "contentBlockDelta",
        "contentBlockStart",
        "contentBlockStop",
        "messageStart",
        "messageStop",
        "metadata",
    }
)


def _kind(piece: Any) -> str | None:
    if not isinstance(piece, Mapping):
        return None
    kind = piece.get("type")
    kind = kind if isinstance(kind, str) else ""
    if kind.startswith("response."):
        return "responses"
    if kind in _ANTHROPIC:
        return "anthropic"
    if len(piece) == 1 and next(iter(piece)) in _BEDROCK:
        return "bedrock"
    if "candidates" in piece or ("usageMetadata" in piece and "modelVersion" in piece):
        return "gemini"
    choices = piece.get("choices")
    streamed = isinstance(choices, list) and any(
        isinstance(one, Mapping) and "delta" in one for one in choices
    )
    return "chat" if streamed or piece.get("object") == "chat.completion.chunk" else None


class _Chat:
    """`delta.tool_calls[].index` joins; id and name come only in the first piece."""

    def __init__(self) -> None:
        self.identity: Any = None
        self.choices: dict[int, dict[str, Any]] = {}

    def take(self, piece: Mapping[str, Any]) -> bool:
        identity = piece.get("id") or self.identity
        if self.identity not in (None, identity):
            return False
        self.identity = identity
        for at, choice in enumerate(_maps(piece.get("choices"))):
            delta = choice.get("delta")
            if isinstance(delta, Mapping):
                index = choice.get("index")
                self.delta(delta, index if isinstance(index, int) else at)
        return True

    def delta(self, delta: Mapping[str, Any], choice: int) -> None:
        empty: dict[str, Any] = {"role": "assistant", "content": "", "tool_calls": []}
        message = self.choices.setdefault(choice, empty)
        message["content"] += _text(delta.get("content"))
        for piece in _maps(delta.get("tool_calls")):
            call = self.call(message["tool_calls"], piece)
            call["id"] = call["id"] or piece.get("id")
            for part in ("function", "custom"):
                if not isinstance(piece.get(part), Mapping):
                    continue
                text = "arguments" if part == "function" else "input"
                inner = call.setdefault(part, {"name": None, text: ""})
                inner["name"] = inner["name"] or piece[part].get("name")
                inner[text] += _text(piece[part].get(text))

    def call(self, calls: list[dict[str, Any]], piece: Mapping[str, Any]) -> dict[str, Any]:
        index = piece.get("index")
        if not isinstance(index, int):
            # Some hosts leave the index out: a new id begins a new call.
            known = [one for one in calls if piece.get("id") in (None, one["id"])]
            index = known[-1]["index"] if known else len(calls)
        for call in calls:
            if call["index"] == index:
                return call
        calls.append({"index": index, "id": None, "type": piece.get("type") or "function"})
        return calls[-1]

    def whole(self) -> list[dict[str, Any]]:
        for message in self.choices.values():
            message["tool_calls"].sort(key=lambda call: call["index"])
            for call in message["tool_calls"]:
                del call["index"]
        return list(self.choices.values())


class _Anthropic:
    """`content_block_start` opens a block, `input_json_delta` brings its input as text."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant"}
        self.blocks: dict[int, dict[str, Any]] = {}
        self.texts: dict[int, str] = {}
        self.started = self.stopped = False

    def take(self, piece: Mapping[str, Any]) -> bool:
        kind, index = piece["type"], _at(piece.get("index"))
        if self.stopped or (kind == "message_start" and self.started):
            return bool(kind == "ping")
        self.started = True
        self.stopped = kind == "message_stop"
        if kind == "message_start" and isinstance(piece.get("message"), Mapping):
            self.message |= piece["message"]
        elif kind == "content_block_start" and isinstance(piece.get("content_block"), Mapping):
            self.blocks[index] = dict(piece["content_block"])
        elif kind == "content_block_delta" and isinstance(piece.get("delta"), Mapping):
            self.delta(index, piece["delta"])
        return True

    def delta(self, index: int, delta: Mapping[str, Any]) -> None:
        block = self.blocks.setdefault(index, {"type": "text", "text": ""})
        if delta.get("type") == "input_json_delta":
            self.texts[index] = self.texts.get(index, "") + _text(delta.get("partial_json"))
        for key in ("text", "thinking"):
            if isinstance(delta.get(key), str):
                block[key] = _text(block.get(key)) + delta[key]

    def whole(self) -> list[dict[str, Any]]:
        for index, text in self.texts.items():
            if text:
                self.blocks[index]["input"] = text
        return [{**self.message, "content": [self.blocks[index] for index in sorted(self.blocks)]}]


class _Bedrock:
    """`contentBlockStart.start.toolUse` opens, `delta.toolUse.input` brings text."""

    def __init__(self) -> None:
        self.role = "assistant"
        self.blocks: dict[int, dict[str, Any]] = {}
        self.started = self.stopped = False

    def take(self, piece: Mapping[str, Any]) -> bool:
        kind, event = next(iter(piece.items()))
        if kind != "metadata" and (self.stopped or (kind == "messageStart" and self.started)):
            return False
        self.started = True
        self.stopped = self.stopped or kind == "messageStop"
        event = event if isinstance(event, Mapping) else {}
        index = _at(event.get("contentBlockIndex"))
        if kind == "messageStart":
            self.role = str(event.get("role") or "assistant")
        elif kind == "contentBlockStart" and isinstance(event.get("start"), Mapping):
            opened = event["start"].items()
            self.blocks[index] = {key: dict(one) for key, one in opened if isinstance(one, Mapping)}
        elif kind == "contentBlockDelta" and isinstance(event.get("delta"), Mapping):
            self.delta(self.blocks.setdefault(index, {}), event["delta"])
        return True

    def delta(self, block: dict[str, Any], delta: Mapping[str, Any]) -> None:
        if isinstance(delta.get("text"), str):
            block["text"] = _text(block.get("text")) + delta["text"]
        if isinstance(delta.get("toolUse"), Mapping):
            use = block.setdefault("toolUse", {})
            use["input"] = _text(use.get("input")) + _text(delta["toolUse"].get("input"))

    def whole(self) -> list[dict[str, Any]]:
        content = [self.blocks[index] for index in sorted(self.blocks) if self.blocks[index]]
        return [{"role": self.role, "content": content}] if self.started else []


class _Responses:
    """`response.completed` holds all; without it the items are built from their events."""

    def __init__(self) -> None:
        self.items: dict[int, dict[str, Any]] = {}
        self.complete: list[dict[str, Any]] | None = None
        self.started = False

    def take(self, piece: Mapping[str, Any]) -> bool:
        kind = piece["type"].removeprefix("response.")
        if kind == "created" and self.started:
            return False
        self.started = True
        index, response = _at(piece.get("output_index")), piece.get("response")
        if kind in ("completed", "incomplete", "failed") and isinstance(response, Mapping):
            self.complete = list(map(dict, _maps(response.get("output")))) or None
        elif kind in ("output_item.added", "output_item.done"):
            if isinstance(piece.get("item"), Mapping):
                self.items[index] = dict(piece["item"])
        elif kind.endswith(("arguments.delta", "custom_tool_call_input.delta")):
            key = "input" if "input" in kind else "arguments"
            item = self.items.setdefault(index, {"type": "function_call"})
            item[key] = _text(item.get(key)) + _text(piece.get("delta"))
        elif kind.endswith(("arguments.done", "custom_tool_call_input.done")):
            key = "input" if "input" in kind else "arguments"
            item = self.items.setdefault(index, {"type": "function_call"})
            item[key] = piece.get(key)
        return True

    def whole(self) -> list[dict[str, Any]]:
        items = [self.items[index] for index in sorted(self.items)]
        return [{"object": "response", "output": self.complete or items}]


class _Gemini:
    """Each piece is an answer of its own kind; only a Vertex call comes in parts."""

    def __init__(self) -> None:
        self.identity: Any = None
        self.parts: list[dict[str, Any]] = []
        self.finished = False

    def take(self, piece: Mapping[str, Any]) -> bool:
        identity = piece.get("responseId") or piece.get("response_id") or self.identity
        if self.finished or self.identity not in (None, identity):
            return False
        self.identity = identity
        for candidate in _maps(piece.get("candidates"))[:1]:
            content = candidate.get("content")
            for part in _maps(content.get("parts") if isinstance(content, Mapping) else None):
                self.part(part)
            self.finished = bool(candidate.get("finishReason") or candidate.get("finish_reason"))
        return True

    def part(self, part: Mapping[str, Any]) -> None:
        call = _plain(part.get("functionCall") or part.get("function_call"))
        last = self.parts[-1].get("functionCall") if self.parts else None
        if call and isinstance(last, dict) and last.pop("willContinue", False):
            self.join(last, call)
        elif "partialArgs" in call or "willContinue" in call:
            opened = {key: call[key] for key in ("id", "name") if key in call}
            given = call.get("args")
            args = dict(given) if isinstance(given, Mapping) else {}
            self.parts.append({"functionCall": {**opened, "args": args}})
            self.join(self.parts[-1]["functionCall"], call)
        else:
            self.parts.append(dict(part))

    def join(self, whole: dict[str, Any], call: Mapping[str, Any]) -> None:
        for piece in map(_plain, _maps(call.get("partialArgs"))):
            for key in [key for key in piece if key.endswith("Value")]:
                value = None if key == "nullValue" else piece[key]
                _put(whole["args"], str(piece.get("jsonPath") or "$"), value)
        if call.get("willContinue"):
            whole["willContinue"] = True

    def whole(self) -> list[dict[str, Any]]:
        for part in self.parts:
            if isinstance(part.get("functionCall"), dict):
                part["functionCall"].pop("willContinue", None)
        return [{"role": "model", "parts": self.parts}]


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]")


def _plain(value: Any) -> dict[str, Any]:
    """The keys of an object in camel case, those without a value left out."""
    named = value if isinstance(value, Mapping) else {}
    return {camel(key): one for key, one in named.items() if one is not None}


def _put(root: dict[str, Any], path: str, value: Any) -> None:
    """Put a value where a JSON path leads; texts for one place are joined."""
    steps = [key or quoted or int(at or 0) for key, at, quoted in _STEP.findall(path)]
    if not steps:
        return
    node: Any = root
    for step, after in pairwise(steps):
        node = _below(node, step, list if isinstance(after, int) else dict)
    before = _below(node, steps[-1], lambda: None)
    both = isinstance(before, str) and isinstance(value, str)
    node[steps[-1]] = before + value if both else value


def _below(node: Any, step: Any, fresh: Callable[[], Any]) -> Any:
    if isinstance(node, list):
        while len(node) <= step:
            node.append(fresh())
    elif step not in node:
        node[step] = fresh()
    return node[step]


def _at(index: Any) -> int:
    return index if isinstance(index, int) else 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _maps(value: Any) -> list[Mapping[str, Any]]:
    listed = value if isinstance(value, list | tuple) else []
    return [one for one in listed if isinstance(one, Mapping)]


_JOINERS: Mapping[str, Callable[[], _Joiner]] = {
    "anthropic": _Anthropic,
    "bedrock": _Bedrock,
    "chat": _Chat,
    "gemini": _Gemini,
    "responses": _Responses,
}
