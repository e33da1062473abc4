"""A tool as the rules see it: its declaration leniently read, and where each part of it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import SchemaTooDeepError
from ..findings import Place, shown_path
from ..schema.walk import Spot, walk
from .metaschema import offences

if TYPE_CHECKING:
    from ..schema.source import FunctionSource
    from .rule import Path
from .pattern import Pattern

__all__ = ["String", "Subject"]

SCHEMAS = ("inputSchema", "outputSchema")
NOWHERE = Place()
MOST_STRINGS = 20_000  # a declaration of more is not read to its end
PROSE = frozenset({"description", "title", "$comment", "markdownDescription"})
NOT_WORDS = Pattern(r"[^0-9A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])")


class String(NamedTuple):
    """A text that a model may see; `prose` where it is a title or description."""

    path: Path
    text: str
    prose: bool


@dataclass
class Subject:
    """One declaration.

    The parts are as they came, of any JSON type. `dialect` is the format it was written in,
    None for a Python tool. `parts` tells for a JSON document where each part stands below
    `pointer`; `raw` is the declaration as it came. `described` is False where a description was
    made up from the name.
    """

    name: Any
    description: Any = ""
    input_schema: Any = None
    output_schema: Any = None
    title: Any = None
    annotations: Any = None
    examples: Any = ()
    meta: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    dialect: str | None = None
    place: Place = NOWHERE
    pointer: str = ""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: FunctionSource | None = None
    described: bool = True
    ignored: tuple[str, ...] = ()
    document: Any = None
    raw: Any = None

    @property
    def label(self) -> str:
        """The name, or what stands for it where there is none."""
        return self.name if isinstance(self.name, str) and self.name else self.pointer or "?"

    def at_line(self, line: int, column: int) -> Place:
        """A place in the file that the tool stands in."""
        return Place(shown_path(self.place.path), line, column)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name in lower case: `getUser_by-id` has get, user, by, id."""
        return tuple(each.lower() for each in NOT_WORDS.split(self.label) if each)

    @cached_property
    def text(self) -> str:
        """The description, empty where it is none."""
        return self.description if isinstance(self.description, str) else ""

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Every schema of the input; none where it is nested deeper than can be read."""
        return _spots(self.input_schema)

    @cached_property
    def all_spots(self) -> tuple[tuple[str, Spot], ...]:
        """Every schema of input and output, each with the part that it stands in."""
        found = [("inputSchema", spot) for spot in self.spots]
        return (*found, *(("outputSchema", spot) for spot in _spots(self.output_schema)))

    @cached_property
    def is_sound(self) -> bool:
        """Whether the input schema is valid, so that it can be given to those who rely on that."""
        spots = self.spots
        return bool(spots) and not any(True for s in spots for _ in offences(s.schema))

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """The parameters, by name."""
        return _map(_map(self.input_schema).get("properties"))

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the required parameters."""
        found = _map(self.input_schema).get("required")
        names = found if isinstance(found, list | tuple) else ()
        return tuple(each for each in names if isinstance(each, str))

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        """The annotations, empty where they are no object."""
        return _map(self.annotations)

    @cached_property
    def strings(self) -> tuple[String, ...]:
        """Every text of the declaration, keys that are names included."""
        return tuple(_strings(self.whole()))

    def whole(self) -> dict[str, Any]:
        """The declaration in one form, whatever dialect it came in; absent parts left out."""
        parts = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.annotations,
            "examples": self.examples,
            "_meta": self.meta,
            **self.extra,
        }
        return {key: value for key, value in parts.items() if value not in (None, (), {}, [])}


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _spots(schema: Any) -> tuple[Spot, ...]:
    if not isinstance(schema, Mapping):
        return ()
    try:
        return tuple(walk(schema))
    except SchemaTooDeepError:
        return ()  # that is said once, by the rule about depth


def _strings(whole: Any) -> Iterator[String]:
    waiting: list[tuple[Path, Any, bool]] = [((), whole, False)]
    count = 0
    while waiting and count < MOST_STRINGS:
        path, value, named = waiting.pop()
        count += 1
        if isinstance(value, str):
            yield String(path, value, len(path) > 0 and path[-1] in PROSE and not named)
        elif isinstance(value, Mapping):
            names = len(path) > 0 and path[-1] == "properties" and not named
            for key in value:
                if isinstance(key, str) and not key.isidentifier():
                    yield String((*path, key), key, prose=False)
            inner = [((*path, key), one, names) for key, one in value.items()]
            waiting += reversed(inner)
        elif isinstance(value, list | tuple):
            waiting += reversed([((*path, at), one, False) for at, one in enumerate(value)])
