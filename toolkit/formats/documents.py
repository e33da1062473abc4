"""A document of tool declarations in any provider's shape, whole requests too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import DefinitionError
from ..findings import Finding, Severity
from . import by_name
from .wire import Converted, dump, finding

if TYPE_CHECKING:
    from ..types import ToolSpec

__all__ = ["Entry", "detect", "entries", "read_document"]

# Where lists of tools stand in requests, in answers, and in our own output.
_INSIDE = ("toolConfig", "tool_config", "result", "params", "body", "config", "request")
_LISTS = ("tools", "functions", "functionDeclarations", "function_declarations", "toolSpecs")


class Entry(NamedTuple):
    """What should be a declaration: its pointer, its format where that shows, itself."""

    pointer: str
    format: str | None
    value: Any
    provider_run: str | None = None


def entries(document: Any) -> Iterator[Entry]:
    """Give every entry of a document as it stands, for those who judge what can't be read.

    `provider_run` names what a provider runs itself.
    """
    for pointer, entry in _entries(document, ""):
        shape = _shape(entry)
        yield Entry(pointer, shape, entry, None if shape else _provider_run(entry))


def detect(document: Any) -> str | None:
    """Return the name of the format that a document's declarations are in; None where it has none.

    Where they are mixed, the first one counts.
    """
    known = (_shape(entry) for _, entry in _entries(document, ""))
    return next((name for name in known if name is not None), None)


def read_document(document: Any) -> Converted[tuple[ToolSpec, ...]]:
    """Read every declaration in a document, in order.

    The document is one declaration, a list of them, or a request or answer that holds them. What
    is no declaration is an error finding with its JSON pointer; a tool that the provider runs
    itself is skipped, and said. Neither hides the rest.
    """
    specs: list[ToolSpec] = []
    found: list[Finding] = []
    for pointer, entry in _entries(document, ""):
        try:
            converted = _read(entry, pointer)
        except DefinitionError as error:
            found.append(_refused(entry, pointer, error))
            continue
        if isinstance(converted, Finding):
            found.append(converted)
            continue
        specs.append(converted.value)
        found += converted.findings
    return Converted(tuple(specs), tuple(found))


def _entries(document: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """Give every entry that should be a declaration, with its pointer."""
    if isinstance(document, list):
        for at, entry in enumerate(document):
            yield from _entry(entry, f"{pointer}/{at}")
    elif isinstance(document, Mapping):
        lists = [key for key in _LISTS if isinstance(document.get(key), list)]
        inner = [key for key in _INSIDE if isinstance(document.get(key), Mapping)]
        if _shape(document) is not None:
            yield pointer, document
        elif lists:
            for key in lists:
                yield from _entries(document[key], f"{pointer}/{key}")
        elif isinstance(document.get("servers"), list):
            yield from _entries(document["servers"], f"{pointer}/servers")
        else:
            for key in inner:
                yield from _entries(document[key], f"{pointer}/{key}")


def _entry(entry: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    holds = isinstance(entry, Mapping) and any(isinstance(entry.get(key), list) for key in _LISTS)
    if holds and _shape(entry) is None:
        yield from _entries(entry, pointer)
    else:
        yield pointer, entry


def _shape(entry: Any) -> str | None:
    """Name the format of one declaration by the keys that only it has."""
    if not isinstance(entry, Mapping):
        return None
    by_key = (
        ("toolSpec", "bedrock"),
        ("function", "openai"),
        ("input_schema", "anthropic"),
        ("parametersJsonSchema", "gemini"),
        ("parameters_json_schema", "gemini"),
    )
    for key, name in by_key:
        if isinstance(entry.get(key), Mapping):
            return name
    if not isinstance(entry.get("name"), str):
        return _schema_shape(entry)
    return _flat_shape(entry)


def _schema_shape(entry: Mapping[str, Any]) -> str | None:
    looks = "$schema" in entry or isinstance(entry.get("properties"), Mapping)
    return "jsonschema" if looks and isinstance(entry.get("title"), str) else None


def _flat_shape(entry: Mapping[str, Any]) -> str | None:
    schema = entry.get("inputSchema")
    if isinstance(schema, Mapping):
        wrapped = isinstance(schema.get("json"), Mapping) and "properties" not in schema
        return "toolspec" if wrapped else "mcp"
    if "inputSchema" in entry:
        return "mcp"
    if entry.get("type") == "function":
        return "openai-responses"
    parameters = entry.get("parameters")
    if isinstance(parameters, Mapping) and "type" not in entry:
        kind = str(parameters.get("type", ""))
        return "gemini-openapi" if kind.isupper() or "response" in entry else "openai-responses"
    plain = set(entry) <= {"name", "description", "title", "annotations", "behavior"}
    return "toolspec" if plain and "description" in entry else None


def _read(entry: Any, pointer: str) -> Converted[ToolSpec] | Finding:
    shape = _shape(entry)
    if shape is not None:
        converted: Converted[ToolSpec] = by_name(shape).room.read_spec(entry)
        return converted
    provider = _provider_run(entry)
    if provider is None:
        raise DefinitionError(f"this is no tool declaration: {_short(entry)}")
    return finding(
        "F102 provider-tool",
        f"'{provider}' is run by the provider itself; it is skipped",
        severity=Severity.INFO,
        tool=provider,
        pointer=pointer,
    )


def _provider_run(entry: Any) -> str | None:
    """Name what a provider runs itself: web_search, googleSearch, cachePoint and their kin."""
    if not isinstance(entry, Mapping):
        return None
    kind = entry.get("type")
    if isinstance(kind, str) and kind not in ("function", "custom", "object"):
        return str(entry.get("name") or kind)
    if len(entry) == 1:
        key, value = next(iter(entry.items()))
        if isinstance(value, Mapping) and key not in ("toolSpec", "function", *_LISTS):
            return str(key)
    return None


def _short(entry: Any) -> str:
    text = dump(entry)
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004 - a line of a terminal


def _refused(entry: Any, pointer: str, error: DefinitionError) -> Finding:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return finding(
        "F101 no-declaration",
        error.message,
        severity=Severity.ERROR,
        tool=name if isinstance(name, str) else None,
        pointer=pointer,
        hint=error.hint,
    )
