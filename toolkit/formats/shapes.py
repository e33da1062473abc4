"""What each API wants the fields of a declaration to be, beside its name and its input schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..schema.faults import short

__all__ = ["HINTS", "Misfit", "misfits"]

Path: TypeAlias = tuple[str | int, ...]

# The hints of MCP's ToolAnnotations, all versions; beside them it has only a title.
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class Misfit(NamedTuple):
    """A field that is not of the kind that it must be: its path in the declaration as it came."""

    path: Path
    value: Any
    wanted: str

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        name = ".".join(str(step) for step in self.path)
        return f"'{name}' must be {self.wanted}, not {short(self.value)}"


class _Kind(NamedTuple):
    words: str
    fits: Callable[[Any], bool]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _one_of(*values: str) -> _Kind:
    *most, last = (f'"{each}"' for each in values)
    words = f"{', '.join(most)} or {last}" if most else last
    return _Kind(words, lambda value: value in values)


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and value.lower().startswith(("https:", "http:", "data:"))


_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_OBJECT = _Kind("an object", lambda value: isinstance(value, Mapping))
_LIST = _Kind("a list", lambda value: isinstance(value, list))
_TEXTS = _Kind("a list of texts", _are_texts)
_ADDRESS = _Kind("an http(s): or data: address", _is_address)

# A boolean is a schema too, and MCP's own lists of properties take none before 2026-07-28.
_NO_FLAG = _Kind("an object", lambda value: not isinstance(value, bool))

# "*" stands for each item of a list and each value of an object. MCP: schema.ts of 2025-03-26 to
# 2026-07-28, whose versions only add; the others: the types of the providers' own SDKs.
_MCP: tuple[tuple[tuple[str, ...], _Kind], ...] = (
    (("description",), _TEXT),
    (("title",), _TEXT),
    (("annotations",), _OBJECT),
    (("annotations", "title"), _TEXT),
    (("inputSchema", "properties", "*"), _NO_FLAG),
    (("outputSchema",), _OBJECT),
    (("outputSchema", "properties", "*"), _NO_FLAG),
    (("_meta",), _OBJECT),
    (("icons",), _LIST),
    (("icons", "*"), _OBJECT),
    (("icons", "*", "src"), _ADDRESS),
    (("icons", "*", "mimeType"), _TEXT),
    (("icons", "*", "sizes"), _TEXTS),
    (("icons", "*", "theme"), _one_of("light", "dark")),
    (("execution",), _OBJECT),
    (("execution", "taskSupport"), _one_of("forbidden", "optional", "required")),
)
_FIELDS: Mapping[str, tuple[tuple[tuple[str, ...], _Kind], ...]] = {
    "mcp": _MCP,
    "toolspec": ((("title",), _TEXT), (("annotations",), _OBJECT), (("outputSchema",), _OBJECT)),
    "bedrock": (
        (("toolSpec", "description"), _TEXT),
        (("toolSpec", "strict"), _FLAG),
    ),
    "openai": (
        (("type",), _one_of("function")),
        (("function", "description"), _TEXT),
        (("function", "strict"), _FLAG),
    ),
    "openai-responses": (
        (("description",), _TEXT),
        (("strict",), _FLAG),
        (("defer_loading",), _FLAG),
        (("allowed_callers",), _TEXTS),
        (("output_schema",), _OBJECT),
    ),
    "anthropic": (
        (("type",), _one_of("custom")),
        (("description",), _TEXT),
        (("strict",), _FLAG),
        (("defer_loading",), _FLAG),
        (("eager_input_streaming",), _FLAG),
        (("allowed_callers",), _TEXTS),
        (("input_examples",), _LIST),
        (("cache_control",), _OBJECT),
    ),
    "gemini": (
        (("description",), _TEXT),
        (("response",), _OBJECT),
        (("responseJsonSchema",), _OBJECT),
        (("behavior",), _one_of("UNSPECIFIED", "BLOCKING", "NON_BLOCKING")),
    ),
}
_ALIKE = {"gemini-openapi": "gemini"}
# What can't be left out of what holds it.
_WANTED = frozenset({("icons", "*", "src")})


def misfits(wire: Any, dialect: str, *, nulls: bool = False) -> Iterator[Misfit]:
    """Each field of a declaration that is not of its kind; what holds it comes before it.

    Null stands for a field that is not there, as several SDKs write it; with `nulls` it is of no
    kind, as in MCP's schema. Of name and input schema nothing else is said.
    """
    broken: list[Path] = []
    for steps, kind in _FIELDS.get(_ALIKE.get(dialect, dialect), ()):
        for path, value in _at(wire, steps, (), absent=steps in _WANTED):
            inside = any(path[: len(each)] == each for each in broken)
            if inside or (value is None and not nulls and steps not in _WANTED):
                continue
            if not kind.fits(value):
                broken.append(path)
                yield Misfit(path, value, kind.words)


def _at(
    value: Any, steps: Sequence[str], path: Path, *, absent: bool
) -> Iterator[tuple[Path, Any]]:
    """Every value at these steps; with `absent` None where only the last one is missing."""
    if not steps:
        yield path, value
    elif steps[0] == "*":
        for key, one in _inside(value):
            yield from _at(one, steps[1:], (*path, key), absent=absent)
    elif isinstance(value, Mapping) and (steps[0] in value or (absent and len(steps) == 1)):
        yield from _at(value.get(steps[0]), steps[1:], (*path, steps[0]), absent=absent)


def _inside(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        return ((str(key), one) for key, one in value.items())
    return enumerate(value) if isinstance(value, list) else ()
