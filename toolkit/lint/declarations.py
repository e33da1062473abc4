"""JSON documents of declarations, in any provider's dialect, read as leniently as they come."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import LoadError
from ..findings import Finding, Place, Severity, shown_path
from ..formats.documents import Entry, entries
from .subject import Subject

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Document", "read_file", "read_text", "subject_of"]

# Where the parts of a declaration stand in each dialect.
_PARTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "mcp": {"inputSchema": ("inputSchema",), "outputSchema": ("outputSchema",)},
    "toolspec": {"inputSchema": ("inputSchema", "json"), "outputSchema": ("outputSchema", "json")},
    "bedrock": {
        "name": ("toolSpec", "name"),
        "description": ("toolSpec", "description"),
        "inputSchema": ("toolSpec", "inputSchema", "json"),
        "outputSchema": ("toolSpec", "outputSchema", "json"),
        "annotations": ("toolSpec", "annotations"),
    },
    "openai": {
        "name": ("function", "name"),
        "description": ("function", "description"),
        "inputSchema": ("function", "parameters"),
        "strict": ("function", "strict"),
    },
    "openai-responses": {"inputSchema": ("parameters",), "outputSchema": ("output_schema",)},
    "anthropic": {"inputSchema": ("input_schema",), "examples": ("input_examples",)},
    "gemini": {"inputSchema": ("parametersJsonSchema",), "outputSchema": ("responseJsonSchema",)},
    "gemini-openapi": {"inputSchema": ("parameters",), "outputSchema": ("response",)},
    "jsonschema": {"name": ("title",), "description": ("description",), "inputSchema": ()},
}
_OWN = ("name", "title", "description", "annotations", "examples", "_meta", "strict")
# Keys that tell a dialect where the declaration is too broken to be read by its own reader.
_TELLING = (
    ("toolSpec", "bedrock"),
    ("function", "openai"),
    ("input_schema", "anthropic"),
    ("parametersJsonSchema", "gemini"),
    ("inputSchema", "mcp"),
    ("parameters", "openai-responses"),
)
# In these a function that takes nothing may leave its schema out.
_WITHOUT_SCHEMA = frozenset(
    {"gemini", "gemini-openapi", "jsonschema", "openai", "openai-responses"}
)
# What an MCP tool has besides, and which a model or a host may see.
_SEEN = ("icons", "execution")


class Document(NamedTuple):
    """A document: its tools, what in it is none, and its text and value for places and fixes."""

    subjects: list[Subject]
    problems: list[Finding]
    text: str
    value: Any


def read_file(path: Path) -> Document:
    """Read a file; `LoadError` where it is no JSON."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise LoadError(f"no such file: '{path}'", path=str(path), cause=error) from error
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"'{path}' can't be read: {error}", path=str(path), cause=error) from error
    return read_text(text, path=str(path))


def read_text(text: str, *, path: str | None = None) -> Document:
    """Read a document; JSON Lines too. `LoadError` where it is neither."""
    value = _parsed(text, path)
    subjects: list[Subject] = []
    problems: list[Finding] = []
    for pointer, shape, entry, provider_run in _entries(value):
        if provider_run is not None and _guess(entry) is None:
            continue
        dialect = shape or _guess(entry)
        if dialect is None or not isinstance(entry, Mapping):
            problems.append(_no_declaration(entry, pointer, path))
            continue
        subject = subject_of(entry, dialect, pointer=pointer, place=Place(shown_path(path)))
        subject.document = text
        subjects.append(subject)
    return Document(subjects, problems, text, value)


def _entries(value: Any) -> list[Entry]:
    """What the document holds; a whole declaration is one however broken it is."""
    found = list(entries(value))
    alone = isinstance(value, Mapping) and any(key in value for key, _ in _TELLING)
    return found or ([Entry("", None, value)] if alone else [])


def _parsed(text: str, path: str | None) -> Any:
    where = path or "the document"
    try:
        return json.loads(text)
    except RecursionError:
        raise LoadError(f"'{where}' is nested too deeply", path=path) from None
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line) for line in lines]
        except ValueError:
            pass
        message = f"'{where}:{error.lineno}:{error.colno}' is no JSON: {error.msg}"
        raise LoadError(message, path=path, line=error.lineno, cause=error) from error


def _guess(entry: Any) -> str | None:
    if not isinstance(entry, Mapping):
        return None
    found = next((dialect for key, dialect in _TELLING if key in entry), None)
    if found is not None:
        return found
    named = isinstance(entry.get("name"), str) and "type" not in entry
    return "mcp" if named or {"name", "description"} <= entry.keys() else None


def subject_of(
    entry: Mapping[str, Any], dialect: str, *, pointer: str = "", place: Place | None = None
) -> Subject:
    """One declaration in a dialect; a part that is not there is None."""
    parts = {**{part: (part,) for part in _OWN}, **_PARTS.get(dialect, _PARTS["mcp"])}
    found = {part: _at(entry, steps) for part, steps in parts.items()}
    if dialect == "jsonschema":
        found["title"] = None
    missing = _absent(entry, parts["inputSchema"])
    schema = {"type": "object"} if missing and dialect in _WITHOUT_SCHEMA else ...
    if dialect == "gemini-openapi":
        found["inputSchema"], found["outputSchema"] = (
            _lowered(found.get(part)) for part in ("inputSchema", "outputSchema")
        )
    strict = {"strict": found["strict"]} if found.get("strict") is not None else {}
    seen = {key: entry[key] for key in _SEEN if key in entry} if dialect == "mcp" else {}
    return Subject(
        name=found["name"],
        description=found["description"],
        input_schema=found["inputSchema"] if schema is ... else schema,
        output_schema=found.get("outputSchema"),
        title=found["title"],
        annotations=found["annotations"],
        examples=found["examples"] or (),
        meta=found["_meta"],
        extra={**strict, **seen},
        dialect=dialect,
        place=place or Place(),
        pointer=pointer,
        parts=parts,
        ignored=_ignored(found["_meta"]),
        raw=entry,
    )


def _at(entry: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        if not isinstance(entry, Mapping):
            return entry  # `function: null`: what stands in the part's place is judged as it
        entry = entry.get(step)
    return entry


def _absent(entry: Any, steps: tuple[str, ...]) -> bool:
    for step in steps:
        if not isinstance(entry, Mapping):
            return False
        if step not in entry:
            return True
        entry = entry[step]
    return False


def _lowered(schema: Any) -> Any:
    """OpenAPI's `STRING` as JSON Schema's `string`."""
    if isinstance(schema, list):
        return [_lowered(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: value.lower() if key == "type" and isinstance(value, str) else _lowered(value)
        for key, value in schema.items()
    }


def _ignored(meta: Any) -> tuple[str, ...]:
    """The codes in `_meta."toolkit/ignore"`, a list or a text with commas."""
    given = meta.get("toolkit/ignore") if isinstance(meta, Mapping) else None
    if isinstance(given, str):
        return tuple(each for each in re.split(r"[,\s]+", given) if each)
    return tuple(each for each in given or () if isinstance(each, str))


def _no_declaration(entry: Any, pointer: str, path: str | None) -> Finding:
    text = json.dumps(entry, ensure_ascii=False)
    shown = text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004 - a line of a terminal
    return Finding(
        "F101",
        "no-declaration",
        f"this is no tool declaration: {shown}",
        Severity.ERROR,
        hint='a declaration has a "name", a "description" and a schema of its input',
        place=Place(shown_path(path), pointer=pointer),
    )
