"""Values: enums, defaults and examples that don't fit, and schemas that nothing fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...schema.faults import short
from ..fits import faults_of, is_of_type, number
from ..rule import Fault, rule
from .example import taking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

_SPAN = {"type": "string", "enum": ["day", "week"], "description": "The time to tell of."}
_DAYS = {"type": "integer", "minimum": 1, "maximum": 7, "description": "How many days to tell."}


def _types(schema: Mapping[str, Any]) -> list[Any]:
    kind = schema.get("type")
    return kind if isinstance(kind, list) else [] if kind is None else [kind]


def _kind(value: Any) -> str:
    names = (("boolean", bool), ("number", int | float), ("string", str), ("null", type(None)))
    return next((name for name, kind in names if isinstance(value, kind)), type(value).__name__)


@rule(
    "S010 empty-or-mixed-enum",
    Severity.ERROR,
    bad=taking({**_SPAN, "enum": ["day", 7]}),
    good=taking(_SPAN),
    evidence="providers refuse an empty enum, and values that are not of the type",
)
def empty_or_mixed_enum(tool: Subject, using: Using) -> Iterator[Fault]:
    """An enum is empty, mixes kinds of values, or has a value that is not of its type.

    The model may choose what the tool then refuses, or can choose nothing at all.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        values = schema.get("enum") if isinstance(schema, Mapping) else None
        if not isinstance(values, list):
            continue
        at: Path = (part, *path, "enum")
        types = _types(schema)
        odd = [each for each in values if types and not any(is_of_type(each, t) for t in types)]
        odd = [each for each in odd if each is not None or schema.get("nullable") is not True]
        kinds = {_kind(each) for each in values} - {"null"}
        if not values:
            yield Fault("the enum is empty: nothing can be chosen", at)
        elif odd:
            shown = ", ".join(short(each) for each in odd[:3])
            yield Fault(f"the enum has {shown}, which is not of type {types}", at)
        elif len(kinds) > 1 and not types:
            message = f"the enum mixes {' and '.join(sorted(kinds))}"
            yield Fault(message, at, severity=Severity.WARNING)


@rule(
    "S011 default-violates-schema",
    Severity.ERROR,
    bad=taking({**_DAYS, "default": 0}),
    good=taking({**_DAYS, "default": 1}),
    evidence="a model that repeats the default is refused",
)
def default_violates_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """A default does not fit the schema beside it.

    A model that gives the default, as it was told, gets an error.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        if not isinstance(schema, Mapping) or "default" not in schema:
            continue
        value = schema["default"]
        if value is None:
            continue  # it only says that there is none
        rest = {key: each for key, each in schema.items() if key not in ("default", "examples")}
        root = tool.input_schema if part == "inputSchema" else tool.output_schema
        faults = faults_of(value, rest, root=root)
        if faults:
            message = f"the default {short(value)} does not fit its schema: {faults[0]}"
            yield Fault(message, (part, *path, "default"))


@rule(
    "S012 example-violates-schema",
    Severity.ERROR,
    bad=taking({**_DAYS, "examples": [14]}),
    good=taking({**_DAYS, "examples": [7]}),
    evidence="models follow examples before they follow schemas",
)
def example_violates_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """An example does not fit the schema that it is an example of.

    A model follows examples first, and its call is refused.
    """
    del using
    for path, _, schema in tool.spots:
        if not isinstance(schema, Mapping):
            continue
        rest = {key: each for key, each in schema.items() if key not in _INSTANCES}
        if isinstance(schema.get("examples"), list):
            at: Path = ("inputSchema", *path, "examples")
            yield from _examples(schema["examples"], rest, at, tool)
        if "example" in schema and faults_of(schema["example"], rest, root=tool.input_schema):
            message = f"the example {short(schema['example'])} does not fit its schema"
            yield Fault(message, ("inputSchema", *path, "example"))
    if isinstance(tool.examples, list | tuple) and isinstance(tool.input_schema, Mapping):
        yield from _examples(tool.examples, tool.input_schema, ("examples",), tool)


def _examples(values: Sequence[Any], schema: Any, at: Path, tool: Subject) -> Iterator[Fault]:
    for index, value in enumerate(values):
        faults = faults_of(value, schema, root=tool.input_schema)
        if faults:
            message = f"the example {short(value)} does not fit its schema: {faults[0]}"
            yield Fault(message, (*at, index))


_INSTANCES = ("default", "example", "examples")
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)


@rule(
    "S013 unsatisfiable",
    Severity.ERROR,
    bad=taking({**_DAYS, "minimum": 8}),
    good=taking(_DAYS),
    evidence="no call can be right",
)
def unsatisfiable(tool: Subject, using: Using) -> Iterator[Fault]:
    """Nothing can fit a schema: bounds that cross, a const outside of the enum, and their kin.

    Every call that gives the parameter is refused.
    """
    del using
    for part, (path, _, schema) in tool.all_spots:
        if isinstance(schema, Mapping):
            for message, step in _contradictions(schema):
                yield Fault(message, (part, *path, *step))


def _contradictions(schema: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    for lower, upper in _BOUNDS:
        low, high = number(schema.get(lower)), number(schema.get(upper))
        if low is not None and high is not None and low > high:
            yield f"{lower} {low} is above {upper} {high}", (lower,)
    yield from _open_bounds(schema)
    enum = schema.get("enum")
    if "const" in schema and isinstance(enum, list) and schema["const"] not in enum:
        yield f"the const {short(schema['const'])} is none of the enum", ("const",)
    types = _types(schema)
    if types and "const" in schema and not any(is_of_type(schema["const"], t) for t in types):
        yield f"the const {short(schema['const'])} is not of type {types}", ("const",)
    yield from _parts(schema)
    yield from _closed(schema, types)
    yield from _choices(schema)


def _choices(schema: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """An enum of which nothing fits what stands beside it, or too small for what is wanted."""
    enum, least = schema.get("enum"), number(schema.get("minItems"))
    beside = {key: each for key, each in schema.items() if key in _NARROWS}
    if isinstance(enum, list) and enum and beside and all(faults_of(v, beside) for v in enum):
        yield f"no value of the enum fits the {' and '.join(beside)} beside it", ("enum",)
    items = schema.get("items")
    few = items.get("enum") if isinstance(items, Mapping) else None
    if schema.get("uniqueItems") is True and isinstance(few, list) and (least or 0) > len(few):
        yield f"minItems is {least}, and there are {len(few)} different items", ("minItems",)


_NARROWS = (
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
)


def _open_bounds(schema: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Bounds that are excluded themselves."""
    above, below = number(schema.get("exclusiveMinimum")), number(schema.get("exclusiveMaximum"))
    low, high = number(schema.get("minimum")), number(schema.get("maximum"))
    for one, other in ((above, below), (above, high), (low, below)):
        if one is not None and other is not None and one >= other:
            yield f"nothing lies between the bounds {one} and {other}", ()


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Types and consts of an allOf that exclude each other."""
    branches = schema.get("allOf")
    if not isinstance(branches, list):
        return
    parts = [each for each in (schema, *branches) if isinstance(each, Mapping)]
    for lower, upper in _BOUNDS:
        lows = [low for each in parts if (low := number(each.get(lower))) is not None]
        highs = [high for each in parts if (high := number(each.get(upper))) is not None]
        apart = not any(lower in each and upper in each for each in parts)
        if lows and highs and apart and max(lows) > min(highs):
            yield f"in allOf {lower} {max(lows)} is above {upper} {min(highs)}", ("allOf",)
    sets = [_fitting(each) for each in parts]
    known = [each for each in sets if each]
    if known and not frozenset.intersection(*known):
        yield "the types in allOf exclude each other", ("allOf",)


def _fitting(schema: Mapping[str, Any]) -> frozenset[str]:
    types = {each for each in _types(schema) if isinstance(each, str)}
    return frozenset(types | ({"integer"} if "number" in types else set()))


def _closed(schema: Mapping[str, Any], types: Sequence[Any]) -> Iterator[tuple[str, Path]]:
    """More properties wanted than a closed object has."""
    known, items = schema.get("properties"), schema.get("prefixItems")
    allowed = len(known) if isinstance(known, Mapping) else 0
    least, fewest = number(schema.get("minProperties")), number(schema.get("minItems"))
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if closed and least is not None and least > allowed:
        yield f"minProperties is {least}, and {allowed} are allowed", ("minProperties",)
    count = len(items) if isinstance(items, list) else 0
    if schema.get("items") is False and types == ["array"] and (fewest or 0) > count:
        yield "minItems is above the number of items that are allowed", ("minItems",)
