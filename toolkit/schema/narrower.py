"""What a schema refuses that another accepts, for the keywords that hold no schemas."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias

from .walk import pointer, target, unescaped

__all__ = [
    "SCALAR_RULES",
    "Difference",
    "Effect",
    "Pair",
    "kinds_changed",
    "kinds_text",
    "named",
    "quoted",
    "resolved",
    "short",
    "types_of",
]

Schema: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]

# `number` is two kinds of values, so that `integer` is a part of it.
KINDS = {
    "null": {"null"},
    "boolean": {"boolean"},
    "string": {"string"},
    "array": {"array"},
    "object": {"object"},
    "integer": {"integer"},
    "number": {"integer", "fraction"},
}
ALL = frozenset(kind for kinds in KINDS.values() for kind in kinds)
NUMERIC = frozenset({"integer", "fraction"})
SIZES = (
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
)
MOST = 12  # values that a line shows, and references that are followed in a row
WIDEST = 60  # characters of one value in a line


class Effect(StrEnum):
    """What a difference does to the values that a schema accepts."""

    NARROWED = "narrowed"  # some are refused now
    WIDENED = "widened"  # more are accepted now
    REPLACED = "replaced"  # what everybody relied on is gone, whichever way values go
    UNKNOWN = "unknown"  # can't be told, or the same values mean something else


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: its code and name in the taxonomy, what it does, and where, in words."""

    code: str
    name: str
    message: str
    effect: Effect
    pointer: str = "#"


@dataclass(frozen=True, slots=True)
class Pair:
    """The two schemas that stand at one place, and the documents that they stand in."""

    old: Schema
    new: Schema
    old_root: Any
    new_root: Any
    path: Path = ()
    seen: frozenset[tuple[int, int]] = frozenset()

    def at(self, step: Path, *, old: Any, new: Any) -> Pair:
        """The pair that stands below this one."""
        return replace(self, old=old, new=new, path=self.path + step)

    def both(self, kinds: frozenset[str] | set[str]) -> bool:
        """Whether both accept a value of these kinds, so that keywords for these matter."""
        return bool(types_of(self.old, self.old_root) & types_of(self.new, self.new_root) & kinds)

    def told(self, code: str, message: str, *, effect: Effect, step: Path = ()) -> Difference:
        """A difference here; `code` is the number and the name."""
        number, _, name = code.partition(" ")
        where = pointer(self.path + step)
        return Difference(number, name, f"{named(self.path + step)}{message}", effect, where)


# -- what kind of value ----------------------------------------------------------------------


def types_of(schema: Any, root: Any, *, depth: int = 0) -> frozenset[str]:
    """The kinds of values that a schema can accept at all; `number` is integer and fraction."""
    if schema is False:
        return frozenset()
    if not isinstance(schema, Mapping) or depth > MOST:
        return ALL
    schema = resolved(schema, root)
    named = schema.get("type")
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else list(KINDS)
    found = frozenset(kind for name in names for kind in KINDS.get(str(name), ALL))
    values = _values(schema)
    if values is not None:
        found &= frozenset(_kind(value) for value in values.values())
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            branches = [types_of(each, root, depth=depth + 1) for each in schema[keyword]]
            found &= frozenset[str]().union(*branches)
    every = schema.get("allOf")
    for each in every if isinstance(every, list) else ():
        found &= types_of(each, root, depth=depth + 1)
    return found


def kinds_changed(pair: Pair) -> Iterator[Difference]:
    """Kinds of values that are refused, or accepted, now."""
    old, new = types_of(pair.old, pair.old_root), types_of(pair.new, pair.new_root)
    if old == new:
        return
    message = f"{_kinds(old)} → {_kinds(new)}"
    if not old & new:
        yield pair.told("B112 type-replaced", message, effect=Effect.REPLACED)
        return
    if old - new:
        yield pair.told("B110 type-narrowed", message, effect=Effect.NARROWED)
    if new - old:
        yield pair.told("B111 type-widened", message, effect=Effect.WIDENED)


def kinds_text(schema: Any, root: Any) -> str:
    """The kinds of values of a schema as a person reads them: `integer|string`."""
    return _kinds(types_of(schema, root))


def _kinds(kinds: frozenset[str]) -> str:
    if kinds >= ALL:
        return "any"
    shown = kinds - {"fraction"}
    return "|".join(sorted(shown - {"integer"} | {"number"} if "fraction" in kinds else shown))


# -- which values ----------------------------------------------------------------------------


def _values(schema: Schema) -> dict[str, Any] | None:
    """The only values that are accepted, by their JSON text; None where they are not listed."""
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(listed, list):
        return {_text(value): value for value in listed}
    if schema.get("type") == "boolean":
        return {"true": True, "false": False}
    return None


def _choices(pair: Pair) -> Iterator[Difference]:
    old, new = _values(pair.old), _values(pair.new)
    if old is None and new is None:
        return
    if new is None:
        if pair.old.get("type") != "boolean":
            yield pair.told(
                "B123 choices-opened", "any value, not only choices", effect=Effect.WIDENED
            )
        return
    if old is None:
        if pair.new.get("type") != "boolean":
            message = f"only {_listed(new)} now"
            yield pair.told("B122 choices-introduced", message, effect=Effect.NARROWED)
        return
    kinds = types_of(pair.old, pair.old_root)
    gone = {key: each for key, each in old.items() if key not in new and _kind(each) in kinds}
    come = {key: value for key, value in new.items() if key not in old}
    if gone:
        message = f"{_listed(gone)} is no choice any more"
        yield pair.told("B120 choice-removed", message, effect=Effect.NARROWED)
    if come:
        yield pair.told(
            "B121 choice-added", f"{_listed(come)} is a choice now", effect=Effect.WIDENED
        )


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if value == value // 1 else "fraction"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


# -- how large -------------------------------------------------------------------------------


def _bounds(pair: Pair) -> Iterator[Difference]:
    if not pair.both(NUMERIC):
        return
    whole = "fraction" not in types_of(pair.old, pair.old_root)
    for low, names in (
        (True, ("minimum", "exclusiveMinimum")),
        (False, ("maximum", "exclusiveMaximum")),
    ):
        old, new = (_bound(each, names, whole=whole) for each in (pair.old, pair.new))
        if old == new:
            continue
        tighter = new > old if low else _upper(new) < _upper(old)
        yield _tightened(pair, _limits(pair.old, names), _limits(pair.new, names), tighter=tighter)
    old_step, new_step = (_step(each.get("multipleOf")) for each in (pair.old, pair.new))
    if old_step != new_step:
        step = Fraction(str(old_step)) if old_step is not None else Fraction(1)
        known = old_step is not None or whole
        fits = new_step is None or (known and (step / Fraction(str(new_step))).denominator == 1)
        yield _tightened(pair, f"multipleOf {short(old_step)}", short(new_step), tighter=not fits)


def _bound(schema: Schema, names: tuple[str, str], *, whole: bool) -> tuple[float, int]:
    """The bound as a pair that compares: its value, and 1 where the value itself is refused."""
    plain, strict = names
    low = plain == "minimum"
    nowhere = -math.inf if low else math.inf
    found = [(_number(schema.get(plain), nowhere), 0), (_number(schema.get(strict), nowhere), 1)]
    if whole:
        found = [(_inside(value, low=low, strict=bool(hard)), 0) for value, hard in found]
    if not low:
        return min(found, key=_upper)
    return max(found)


def _upper(bound: tuple[float, int]) -> tuple[float, int]:
    return bound[0], -bound[1]


def _inside(value: float, *, low: bool, strict: bool) -> float:
    """The first whole number inside a bound."""
    if isinstance(value, float) and math.isinf(value):
        return value
    if low:
        return math.floor(value) + 1 if strict else math.ceil(value)
    return math.ceil(value) - 1 if strict else math.floor(value)


def _number(value: Any, default: float) -> float:
    """A number; the default for anything else, NaN included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return default if value != value else value  # noqa: PLR0124 - only NaN differs from itself


def _step(value: Any) -> int | float | None:
    number = _number(value, 0)
    return number if 0 < number < math.inf else None


def _limits(schema: Schema, names: tuple[str, str]) -> str:
    given = [f"{name} {short(schema[name])}" for name in names if name in schema]
    return ", ".join(given) or f"no {names[0]}"


def _tightened(pair: Pair, old: str, new: str, *, tighter: bool) -> Difference:
    if tighter:
        return pair.told("B130 bound-tightened", f"{old} → {new}", effect=Effect.NARROWED)
    return pair.told("B131 bound-loosened", f"{old} → {new}", effect=Effect.WIDENED)


def _sizes(pair: Pair) -> Iterator[Difference]:
    for kind, low, high in SIZES:
        if not pair.both({kind}):
            continue
        for name, nowhere in ((low, 0.0), (high, math.inf)):
            old, new = (_number(each.get(name), nowhere) for each in (pair.old, pair.new))
            if old != new:
                tighter = new > old if name == low else new < old
                texts = [
                    f"{name} {short(each[name])}" if name in each else f"no {name}"
                    for each in (pair.old, pair.new)
                ]
                yield _tightened(pair, *texts, tighter=tighter)


def _texts(pair: Pair) -> Iterator[Difference]:
    if not pair.both({"string"}):
        return
    for name, code in (("pattern", "B132 pattern"), ("format", "B113 format")):
        old, new = pair.old.get(name), pair.new.get(name)
        if old == new:
            continue
        message = f"{name} {quoted(old)} → {quoted(new)}"
        effect = Effect.UNKNOWN
        if new is None:
            effect = Effect.WIDENED
        elif old is None and name == "pattern":
            effect = Effect.NARROWED
        yield pair.told(f"{code}-changed", message, effect=effect)


SCALAR_RULES: tuple[Callable[[Pair], Iterator[Difference]], ...] = (
    kinds_changed,
    _choices,
    _bounds,
    _sizes,
    _texts,
)


# -- words -----------------------------------------------------------------------------------


def resolved(schema: Any, root: Any) -> Any:
    """The schema that a local reference leads to, with what stands beside it; `True` is `{}`."""
    for _ in range(MOST):
        if not isinstance(schema, Mapping):
            return {} if schema is not False else {"enum": []}
        steps = unescaped(schema["$ref"]) if isinstance(schema.get("$ref"), str) else None
        found = target(root, steps) if steps is not None else None
        if found is None or not isinstance(found[1], Mapping):
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**found[1], **beside} if beside else found[1]
    return schema


def named(path: Path) -> str:
    """Where a difference stands, as a person says it: `'address.street': `; empty at the root."""
    shown, steps = "", iter(path)
    for step in steps:
        if step in {"properties", "patternProperties"}:
            name = next(steps, "")
            shown += f".{name}" if shown else str(name)
        elif step == "items":
            shown += "[]"
        elif step == "additionalProperties":
            shown += ".*" if shown else "*"
    return f"'{shown}': " if shown else ""


def quoted(value: Any) -> str:
    """A text in quotes, shortened; `none` where there is none."""
    return "none" if value is None else f"'{_cut(str(value))}'"


def short(value: Any) -> str:
    """A value as JSON, shortened; `none` where there is none."""
    return "none" if value is None else _cut(_text(value))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"


def _listed(values: Mapping[str, Any]) -> str:
    shown = [_cut(key) for key in list(values)[:MOST]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _text(value: Any) -> str:
    """JSON as text, equal for equal values: 1 and 1.0 are one number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
