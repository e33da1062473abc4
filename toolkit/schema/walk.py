"""Where schemas stand inside a schema, and where a reference in it leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from ..errors import SchemaTooDeepError

__all__ = [
    "LISTS",
    "MAPS",
    "MAX_DEPTH",
    "SINGLE",
    "Path",
    "Spot",
    "check_depth",
    "children",
    "pointer",
    "target",
    "unescaped",
    "walk",
]

Path: TypeAlias = tuple[str | int, ...]

MAX_DEPTH = 64

# Keywords by what they hold; all others hold instances or plain values, and nothing in them is
# a schema. JSON Schema 2020-12 core 10 and 11, and what draft-07 had besides.
MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
SINGLE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})


class Spot(NamedTuple):
    """A schema inside a schema; the root has depth 0."""

    path: Path
    depth: int
    schema: Any


def children(schema: Any) -> Iterator[tuple[Path, Any]]:
    """The schemas right inside a schema, each with its path from there, whatever they are."""
    if not isinstance(schema, Mapping):
        return
    for keyword, value in schema.items():
        if isinstance(value, Mapping) and (keyword in MAPS or keyword == "dependencies"):
            for name, inner in value.items():
                if keyword != "dependencies" or not isinstance(inner, list):
                    yield (keyword, name), inner
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            for index, inner in enumerate(value):
                yield (keyword, index), inner
        elif keyword in SINGLE or keyword == "items":
            yield (keyword,), value


def walk(schema: Any) -> Iterator[Spot]:
    """Every schema in a schema, itself first, in the order of the text.

    Raises SchemaTooDeepError where one stands more than 64 levels below the root. The walk
    needs no stack of its own size, so neither depth nor a cycle of objects can break it.
    """
    waiting = [Spot((), 0, schema)]
    while waiting:
        spot = waiting.pop()
        if spot.depth > MAX_DEPTH:
            raise _too_deep(spot.path)
        yield spot
        inner = [
            Spot(spot.path + step, spot.depth + 1, value) for step, value in children(spot.schema)
        ]
        waiting += reversed(inner)


def check_depth(schema: Any) -> int:
    """How many schemas there are; raises SchemaTooDeepError beyond 64 levels."""
    return sum(1 for _ in walk(schema))


def _too_deep(path: Path) -> SchemaTooDeepError:
    """The error for a schema that stands too deep; its path is cut to what one can read."""
    return SchemaTooDeepError(
        f"the schema is deeper than {MAX_DEPTH} levels, the greatest depth allowed",
        hint="Move inner objects to $defs and refer to them, or flatten the input.",
        depth=MAX_DEPTH,
        pointer=pointer(path[:6]),
    )


def pointer(path: Path) -> str:
    """A path as a JSON pointer in a URI fragment's form: `#/properties/a~1b`."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join(["#", *(f"/{step}" for step in steps)])


def unescaped(ref: str) -> tuple[str, ...] | None:
    """The steps of a local reference, `#` or `#/…`; None for any other."""
    if ref == "#":
        return ()
    if not ref.startswith("#/"):
        return None
    steps = unquote(ref[2:]).split("/")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def target(root: Any, steps: tuple[str, ...]) -> tuple[Path, Any] | None:
    """What stands at the steps of a pointer, with its path; None where nothing does."""
    here: Any = root
    path: list[str | int] = []
    for step in steps:
        if isinstance(here, Mapping) and step in here:
            path.append(step)
            here = here[step]
        elif isinstance(here, list) and step.isascii() and step.isdigit() and int(step) < len(here):
            path.append(int(step))
            here = here[int(step)]
        else:
            return None
    return tuple(path), here
