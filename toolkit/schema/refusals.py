"""A JSON Schema validator's errors as faults: where, what was expected, what came."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from .faults import closest, short

__all__ = ["Refusal", "ValidationFault", "dotted", "told"]

Refusal: TypeAlias = tuple[str, str]

_MOST_NAMES = 12
_NOTHING = "nothing is allowed here"
_TYPES = {
    "array": "an array",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


class ValidationFault(Protocol):
    """What we read of a jsonschema ValidationError."""

    @property
    def validator(self) -> Any:
        """The keyword that refused."""

    @property
    def validator_value(self) -> Any:
        """The keyword's value."""

    @property
    def instance(self) -> Any:
        """What was refused."""

    @property
    def schema(self) -> Any:
        """The schema with the keyword."""

    @property
    def message(self) -> str:
        """The library's own words."""

    @property
    def absolute_path(self) -> Sequence[str | int]:
        """Where the refused value stands."""

    @property
    def relative_schema_path(self) -> Sequence[str | int]:
        """Where the keyword stands, from the union whose branch it is in."""

    @property
    def context(self) -> Sequence[ValidationFault] | None:
        """For a union: what each branch says."""


def told(errors: Iterable[ValidationFault]) -> list[Refusal]:
    """Every fault once, as (path with dots, words); the path is empty for the whole input."""
    return list(dict.fromkeys(fault for error in errors for fault in _told(error)))


def dotted(path: Iterable[str | int]) -> str:
    """`order.lines.0.qty`."""
    return ".".join(str(step) for step in path)


def _told(error: ValidationFault) -> Iterator[Refusal]:
    path = tuple(error.absolute_path)
    keyword = error.validator
    if keyword in _SPREAD:
        yield from _SPREAD[keyword](error, path)
        return
    words = _WORDS.get(keyword)
    came = short(error.instance, path=dotted(path))
    if keyword is None:
        said = f"{_NOTHING}, got {came}"
    elif words is None:
        said = f"does not fit the schema's {keyword}"
    else:
        said = words(error.validator_value, _Came(error.instance, came))
    if "propertyNames" in error.relative_schema_path:
        said = f"the property name {came} does not fit: {said}"
    yield dotted(path), said


class _Came(NamedTuple):
    """What came, and its short form."""

    value: Any
    short: str

    def __str__(self) -> str:
        """The short form."""
        return self.short


# From the keyword's value, and what came.
_Words: TypeAlias = Callable[[Any, _Came], str]


def _expected(what: str) -> _Words:
    return lambda value, came: f"expected {what.format(short(value))}, got {came}"


def _sized(limit: str, one: str, many: str) -> _Words:
    def words(value: Any, came: _Came) -> str:
        size = len(came.value)
        got = f"{size} ({came})" if isinstance(came.value, str) else str(size)
        return f"expected {limit} {value} {one if value == 1 else many}, got {got}"

    return words


_WORDS: dict[Any, _Words] = {
    "type": lambda value, came: f"expected {_types(value)}, got {came}",
    "enum": lambda value, came: f"expected {_one_of(value)}, got {came}",
    "const": _expected("{}"),
    "minimum": _expected("at least {}"),
    "maximum": _expected("at most {}"),
    "exclusiveMinimum": _expected("more than {}"),
    "exclusiveMaximum": _expected("less than {}"),
    "multipleOf": _expected("a multiple of {}"),
    "pattern": lambda value, came: f"expected text that matches {value}, got {came}",
    "format": lambda value, came: f"expected text in the format {value}, got {came}",
    "minLength": _sized("at least", "character", "characters"),
    "maxLength": _sized("at most", "character", "characters"),
    "minItems": _sized("at least", "item", "items"),
    "maxItems": _sized("at most", "item", "items"),
    "minProperties": _sized("at least", "property", "properties"),
    "maxProperties": _sized("at most", "property", "properties"),
    "uniqueItems": lambda _, came: f"expected different items, got {_repeated(came.value)}",
    "contains": lambda value, _: f"expected an item that is {_described(value)}, got none",
    "not": lambda value, came: (
        f"{came} is what the schema forbids here" if value else f"{_NOTHING}, got {came}"
    ),
}


def _missing(error: ValidationFault, path: tuple[str | int, ...]) -> Iterator[Refusal]:
    for name in error.validator_value:
        if name not in error.instance:
            yield dotted((*path, name)), "is required, but missing"


def _unknown(error: ValidationFault, path: tuple[str | int, ...]) -> Iterator[Refusal]:
    known = list(error.schema.get("properties", ()))
    patterns = list(error.schema.get("patternProperties", ()))
    quoted = re.findall(r"'((?:[^'\\]|\\.)*)'", error.message)
    for name in error.instance:
        if name in known or (error.validator != "additionalProperties" and name not in quoted):
            continue
        if any(_matches(pattern, name) for pattern in patterns):
            continue
        near = closest(name, known, most=1)
        hint = f'did you mean "{near[0]}"?' if near else _known(known)
        yield dotted((*path, name)), f"is not a known property{hint and '; '}{hint}"


def _dependent(error: ValidationFault, path: tuple[str | int, ...]) -> Iterator[Refusal]:
    for given, needed in error.validator_value.items():
        if given in error.instance and isinstance(needed, list):
            for name in needed:
                if name not in error.instance:
                    yield dotted((*path, name)), f'is required where "{given}" is given'


def _union(error: ValidationFault, path: tuple[str | int, ...]) -> Iterator[Refusal]:
    branches: dict[Any, list[ValidationFault]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    if not branches:
        yield dotted(path), "fits more than one of the forms that exclude each other"
        return
    close = [faults for faults in branches.values() if not _is_foreign(faults, path)]
    tags = _tags(list(branches.values()), path)
    if tags:
        name, values, here = tags
        if here:
            yield from (fault for faults in here for inner in faults for fault in _told(inner))
            return
        came = error.instance.get(name) if isinstance(error.instance, Mapping) else None
        where = dotted((*path, name))
        yield where, f"expected {_one_of(values)}, got {short(came, path=where)}"
    elif close:
        nearest = min(close, key=len)
        yield from (fault for inner in nearest for fault in _told(inner))
    else:
        forms = list(dict.fromkeys(_described(branch) for branch in error.validator_value))
        yield dotted(path), f"expected {_either(forms)}, got {short(error.instance)}"


def _is_foreign(faults: list[ValidationFault], path: tuple[str | int, ...]) -> bool:
    """Whether a branch is about another kind of value altogether."""
    return any(
        fault.validator in ("type", "const", "enum") and tuple(fault.absolute_path) == path
        for fault in faults
    )


def _tags(
    branches: list[list[ValidationFault]], path: tuple[str | int, ...]
) -> tuple[str, list[Any], list[list[ValidationFault]]] | None:
    """The property that says which branch is meant, its values, and the branch that it names."""
    found: dict[str, list[Any]] = {}
    refused: dict[str, set[int]] = {}
    for number, faults in enumerate(branches):
        for fault in faults:
            at = tuple(fault.absolute_path)
            if fault.validator in ("const", "enum") and len(at) == len(path) + 1:
                value = fault.validator_value
                found.setdefault(str(at[-1]), []).extend(
                    value if fault.validator == "enum" else [value]
                )
                refused.setdefault(str(at[-1]), set()).add(number)
    objects = {n for n, faults in enumerate(branches) if not _is_foreign(faults, path)}
    for name, values in found.items():
        left = objects - refused[name]
        if len(left) <= 1 and len(objects) > 1:
            return name, values, [branches[number] for number in left]
    return None


_SPREAD: dict[Any, Callable[[ValidationFault, tuple[str | int, ...]], Iterator[Refusal]]] = {
    "required": _missing,
    "additionalProperties": _unknown,
    "unevaluatedProperties": _unknown,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "anyOf": _union,
    "oneOf": _union,
}


def _described(schema: Any) -> str:
    """A branch of a union in a few words."""
    if not isinstance(schema, Mapping):
        return "anything" if schema else "nothing"
    if isinstance(schema.get("enum"), list):
        return _one_of(schema["enum"])
    if "const" in schema:
        return short(schema["const"])
    if isinstance(schema.get("title"), str):
        return str(schema["title"])
    if "type" in schema:
        return _types(schema["type"])
    return str(schema.get("$ref", "another form")).rpartition("/")[2]


def _types(value: Any) -> str:
    return _either([_TYPES.get(kind, str(kind)) for kind in _listed(value)])


def _one_of(values: Sequence[Any]) -> str:
    if len(values) == 1:
        return short(values[0])
    shown = ", ".join(short(value) for value in values[:_MOST_NAMES])
    return f"one of {shown}{', …' if len(values) > _MOST_NAMES else ''}"


def _either(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _known(names: Sequence[str]) -> str:
    return f"known are {', '.join(names[:_MOST_NAMES])}" if names else ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _repeated(items: Sequence[Any]) -> str:
    seen: list[Any] = []
    for item in items:
        if item in seen:
            return f"{short(item)} twice"
        seen.append(item)
    return short(items)


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False
