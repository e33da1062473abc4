"""Batches that wait for answers: closed without them, or as JSON for another process."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .errors import CallRefusedError, Interrupt, LoadError
from .formats.wire import decoded, dump, encoded, json_ready
from .results import error_result
from .types import (
    Audio,
    Batch,
    Content,
    Document,
    Image,
    Json,
    Malformed,
    Opaque,
    Resource,
    Text,
    ToolContext,
    ToolInterrupted,
    ToolResult,
    ToolUse,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["closed", "dump_batches", "load_batches", "lost_state"]

KIND = "pending batches"
VERSION = 1
CONTENT = {kind.__name__: kind for kind in (Text, Json, Image, Audio, Document, Resource, Opaque)}


def closed(batch: Batch) -> tuple[ToolResult, ...]:
    """A result for each use: what nobody answers, or was not begun, has an error result."""
    if None not in batch.results:
        return batch.results  # type: ignore[return-value] # it has just been looked at
    asked = {id(one.use): [each.name for each in one.interrupts] for one in batch.pending}
    return tuple(
        _unanswered(use, asked.get(id(use))) if result is None else result
        for use, result in zip(batch.uses, batch.results, strict=True)
    )


def _unanswered(use: ToolUse, questions: list[str] | None) -> ToolResult:
    why = f"'{use.name}' was not begun: a call before it waits for an answer"
    if questions:
        why = f"'{use.name}' waits for an answer: {', '.join(questions)}"
    return error_result(use, CallRefusedError(why), context=ToolContext(use))


def dump_batches(batches: Sequence[Batch], *, about: Mapping[str, Any] | None = None) -> str:
    """Write batches as one JSON document; `about` is what the caller wants back with them.

    Results are kept whole, bytes as base64; of an exception only its text in the result stays.
    State that has no JSON form is left out: `lost_state` names it.
    """
    document = {
        "toolkit": KIND,
        "version": VERSION,
        "about": dict(about or {}),
        "batches": [_batch(batch) for batch in batches],
    }
    return dump(document, indent=2)


def load_batches(text: str, *, path: str | None = None) -> tuple[list[Batch], dict[str, Any]]:
    """Read what `dump_batches` wrote; `LoadError` where the text is anything else."""
    try:
        document = _document(text)
        return [_read_batch(each) for each in document["batches"]], dict(document["about"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LoadError(
            f"'{path or 'the text'}' holds no pending batches",
            hint="name a file that --save-pending wrote",
            path=path,
            cause=error,
        ) from error


def _document(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    if (document["toolkit"], document["version"]) != (KIND, VERSION):
        raise ValueError(f"it is no document of {KIND}, version {VERSION}")
    return document


def lost_state(batches: Sequence[Batch]) -> list[str]:
    """The keys of the state whose values have no JSON form, and are not saved."""
    return sorted({str(key) for batch in batches for key in batch.state if not _keeps(batch, key)})


def _keeps(batch: Batch, key: Any) -> bool:
    try:
        text = json.dumps(batch.state[key], allow_nan=False)
        return isinstance(key, str) and bool(json.loads(text) == batch.state[key])
    except (TypeError, ValueError, RecursionError):
        return False


def _batch(batch: Batch) -> dict[str, Any]:
    asked = {id(one.use): one.interrupts for one in batch.pending}
    return {
        "uses": [
            {
                "toolUseId": use.tool_use_id,
                "name": use.name,
                "input": _input(use.input),
                "result": None if result is None else _result(result),
                "questions": [
                    {"name": each.name, "reason": json_ready(each.reason)}
                    for each in (asked.get(id(use), ()) if result is None else ())
                ],
            }
            for use, result in zip(batch.uses, batch.results, strict=True)
        ],
        "answers": {identity: dict(given) for identity, given in batch.answers.items()},
        "state": {key: batch.state[key] for key in batch.state if _keeps(batch, key)},
    }


def _input(value: Any) -> dict[str, Any]:
    if isinstance(value, Malformed):
        return {"malformed": {"text": value.text, "why": value.why}}
    return {"json": value}


def _result(result: ToolResult) -> dict[str, Any]:
    return {
        "status": result.status,
        "content": [_part(part) for part in result.content],
        "structured": result.structured,
        "metadata": dict(result.metadata),
    }


def _part(part: Content) -> dict[str, Any]:
    found = {each.name: getattr(part, each.name) for each in fields(part)}
    if isinstance(found.get("data"), bytes):
        found["data"] = encoded(found["data"])
    return {"type": type(part).__name__, **found}


def _read_batch(wire: Mapping[str, Any]) -> Batch:
    uses, results, pending = [], [], []
    for each in wire["uses"]:
        use = ToolUse(str(each["toolUseId"]), each["name"], _read_input(each["input"]))
        uses.append(use)
        results.append(_read_result(use, each["result"]))
        asked = tuple(Interrupt(str(one["name"]), one["reason"]) for one in each["questions"])
        if asked:
            pending.append(ToolInterrupted(use, asked))
    answers = {identity: dict(given) for identity, given in wire["answers"].items()}
    return Batch(tuple(results), tuple(pending), tuple(uses), answers, dict(wire["state"]))


def _read_input(wire: Mapping[str, Any]) -> Any:
    if "malformed" in wire:
        return Malformed(wire["malformed"]["text"], wire["malformed"]["why"])
    return wire["json"]


def _read_result(use: ToolUse, wire: Mapping[str, Any] | None) -> ToolResult | None:
    if wire is None:
        return None
    return ToolResult(
        use.tool_use_id,
        "error" if wire["status"] == "error" else "success",
        tuple(_read_part(part) for part in wire["content"]),
        structured=wire["structured"],
        metadata=dict(wire["metadata"]),
    )


def _read_part(wire: Mapping[str, Any]) -> Content:
    kind: Any = CONTENT[wire["type"]]
    given = {key: value for key, value in wire.items() if key != "type"}
    if isinstance(given.get("data"), str):
        given["data"] = decoded(given["data"])
    part: Content = kind(**given)
    return part
