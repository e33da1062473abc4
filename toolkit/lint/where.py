"""Where a fault stands: line and column in Python, pointer, line and column in a JSON document."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..findings import Place, shown_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..schema.source import FunctionSource, Span
    from .rule import Path
    from .subject import Subject
from .pattern import Pattern

__all__ = ["Piece", "document_path", "pieces", "placed", "pointer"]

_BLANKS = Pattern(r"[ \t\r\n]*")
_decoder = json.JSONDecoder()


def pointer(path: Path) -> str:
    """A path as a JSON pointer."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join(f"/{step}" for step in steps)


def document_path(subject: Subject, at: Path) -> Path:
    """A path in a declaration as a path in the document that holds it."""
    own = tuple(_steps(subject.pointer))
    if not at:
        return own
    part = subject.parts.get(str(at[0]), (str(at[0]),))
    return (*own, *part, *at[1:])


def _steps(text: str) -> list[str | int]:
    steps = (each.replace("~1", "/").replace("~0", "~") for each in text.split("/")[1:])
    return [int(each) if each.isdigit() else each for each in steps]


def placed(subject: Subject, at: Path) -> Place:
    """The place of a fault at a path of the declaration."""
    path = shown_path(subject.place.path)
    if subject.source is not None:
        span = _span(subject, subject.source, at)
        return Place(path, span.line, span.column, pointer(at) or None)
    if subject.dialect is None or subject.document is None:
        return Place(path, subject.place.line, None, pointer(at) or None, subject.place.server)
    steps = document_path(subject, at)
    line, column = position(subject.document, steps)
    return Place(path, line, column, pointer(steps) or None)


def _span(subject: Subject, source: FunctionSource, at: Path) -> Span:
    part = at[0] if at else "name"
    if part == "description" and source.docstring is not None:
        line = source.docstring_lines[0]
        text = source.lines[line - 1]
        return type(source.name)(line, len(text) - len(text.lstrip()) + 1, len(text) + 1)
    if part == "inputSchema" and at[1:2] == ("properties",) and len(at) > 2:  # noqa: PLR2004
        return _of_parameter(subject, source, at)
    if part == "outputSchema" and "return" in source.annotations:
        return source.span(source.annotations["return"])
    if part in ("annotations", "examples", "title", "_meta") and source.node.decorator_list:
        return source.span(source.node.decorator_list[0])
    return source.name


def _of_parameter(subject: Subject, source: FunctionSource, at: Path) -> Span:
    """A parameter may be known by its alias: then the one that is no property counts."""
    name = str(at[2])
    if name not in source.parameters:
        others = [each for each in source.parameters if each not in subject.properties]
        name = next((each for each in others if name.lower() in each.lower()), name)
    if at[-1] == "description" and (documented := source.documented(name)):
        return documented
    return source.parameters.get(name, source.name)


class Piece(NamedTuple):
    """Where a value of a document stands: its key's offset (or its own), its own, and its end."""

    key: int
    start: int
    end: int


def position(text: str, path: Path) -> tuple[int | None, int | None]:
    """The line and column, from 1, of the value at a path; of the nearest one that is there."""
    found = pieces(text)
    while path not in found and path:
        path = path[:-1]
    if path not in found:
        return None, None
    offset = found[path].key
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


@functools.lru_cache(maxsize=4)
def pieces(text: str) -> Mapping[Path, Piece]:
    """Where each value of a document stands; of JSON Lines, each line is an item."""
    found: dict[Path, Piece] = {}
    try:
        end = _scan(text, (), _blank(text, text.startswith("\ufeff")), found)
        if _blank(text, end) < len(text):
            found.clear()
            _lines(text, found)
    except (ValueError, IndexError, RecursionError):
        return found
    return found


def _lines(text: str, found: dict[Path, Piece]) -> None:
    at, number = _blank(text, 0), 0
    while at < len(text):
        at = _blank(text, _scan(text, (number,), at, found))
        number += 1


def _scan(text: str, path: Path, at: int, found: dict[Path, Piece], key: int | None = None) -> int:
    """Note a value and all below it; the offset behind it."""
    start = at
    if text[at] not in "{[":
        end = int(_decoder.raw_decode(text, at)[1])
    else:
        closing = "}" if text[at] == "{" else "]"
        at, index = _blank(text, at + 1), 0
        while text[at] != closing:
            step: Any = index
            begin = at
            if closing == "}":
                step, at = _decoder.raw_decode(text, at)
                at = _blank(text, _blank(text, at) + 1)  # behind the colon
            at = _blank(text, _scan(text, (*path, step), at, found, begin))
            at = _blank(text, at + 1) if text[at] == "," else at
            index += 1
        end = at + 1
    found[path] = Piece(start if key is None else key, start, end)
    return end


def _blank(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at
