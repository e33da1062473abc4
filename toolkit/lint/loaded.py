"""Loaded tools as subjects: their specs, and the source that they were made from."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..decorator import FunctionTool
from ..errors import ToolkitError
from ..loading.collect import place_of
from ..loading.finder import finder
from ..schema.source import FileSource
from .declarations import subject_of
from .subject import Subject

if TYPE_CHECKING:
    from ..findings import Place
    from ..types import Tool

__all__ = ["Sources", "subjects_of"]


class Sources:
    """The files of functions, each read and parsed once: the bytes that were loaded."""

    def __init__(self) -> None:
        self._files: dict[str, FileSource] = {}
        self._units = {str(unit.path): unit for unit in finder.units.values()}

    def file(self, path: str) -> FileSource:
        """The file of a path; empty where it can't be read."""
        if path not in self._files:
            self._files[path] = FileSource(self._bytes(path), path)
        return self._files[path]

    def _bytes(self, path: str) -> bytes:
        unit = self._units.get(path)
        if unit is not None:
            return unit.source
        try:
            return Path(path).read_bytes()
        except (OSError, ValueError):
            return b""


def subjects_of(tools: Iterable[Tool], sources: Sources | None = None) -> list[Subject]:
    """A subject for each tool; one whose spec can't be told is none, and no error here."""
    sources = sources or Sources()
    return [found for each in tools if (found := _subject(each, sources)) is not None]


def _subject(tool: Tool, sources: Sources) -> Subject | None:
    raw = getattr(tool, "raw", None)
    place = place_of(tool)
    if isinstance(raw, Mapping) and raw:
        return subject_of(raw, "mcp", place=place)
    try:
        spec = tool.spec
    except ToolkitError:
        return None  # the registry's problems tell of it
    schema = spec.input_schema
    if isinstance(tool, FunctionTool) and tool.options.get("input_schema") is not None:
        given = tool.options["input_schema"]
        schema = given.get("json", given) if isinstance(given, Mapping) else given
    subject = Subject(
        name=spec.name,
        description=spec.description,
        input_schema=schema,
        output_schema=spec.output_schema,
        title=spec.title,
        annotations=spec.annotations,
        examples=spec.examples,
        meta=spec.meta,
        place=place,
        described=_is_described(tool),
    )
    _find_source(subject, tool, place, sources)
    return subject


def _is_described(tool: Any) -> bool:
    if not isinstance(tool, FunctionTool):
        return True
    return bool(tool.options.get("description") or tool.compiled.description)


def _find_source(subject: Subject, tool: Any, place: Place, sources: Sources) -> None:
    function = getattr(tool, "__wrapped__", None)
    if function is None or place.line is None:
        return
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    if code is not None:
        subject.source = sources.file(code.co_filename).function_at(place.line, code.co_name)
