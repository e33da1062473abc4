"""Every difference between two schemas: whose values it refuses, and where, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .narrower import (
    SCALAR_RULES,
    Difference,
    Effect,
    Pair,
    kinds_changed,
    kinds_text,
    quoted,
    resolved,
    short,
    types_of,
)

__all__ = ["Difference", "Effect", "compare"]

# What is no assertion, or is judged before anything else.
SAID_ONLY = frozenset(
    {
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"),
        *("$comment", "$schema", "$id", "$anchor", "$defs", "definitions"),
    }
)
# Keywords whose every change is looked at; any other that changes can't be judged.
JUDGED = frozenset(
    {
        *("$ref", "type", "enum", "const", "pattern", "format", "uniqueItems"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        *("properties", "required", "additionalProperties", "items", "prefixItems"),
        *("anyOf", "oneOf"),
    }
)
UNIONS = frozenset({"anyOf", "oneOf"})
DEFINITIONS = ("$defs", "definitions")
ONLY_ADDED = frozenset({"propertyNames", "contains", "dependentRequired", "not", "allOf"})


def compare(old: Any, new: Any) -> list[Difference]:
    """Every difference between two schemas, in the order of the new one.

    A key that an open object does not declare counts for nothing: no caller sends it.
    """
    pair = Pair(old, new, old, new)
    return list(_compare(pair))


def _compare(pair: Pair) -> Iterator[Difference]:
    old, new = resolved(pair.old, pair.old_root), resolved(pair.new, pair.new_root)
    key = (id(old), id(new)) if _refers(pair.old) or _refers(pair.new) else None
    if key is not None and key in pair.seen:
        return
    seen = pair.seen | {key} if key is not None else pair.seen
    pair = replace(pair, old=old, new=new, seen=seen)
    yield from _said(pair)
    if _bare(old) == _bare(new) and not _has_refs(old) and not _has_refs(new):
        yield from _inside_said(pair)
        return
    if UNIONS & old.keys() or UNIONS & new.keys():
        yield from _unions(pair)
        return
    for rule in (*SCALAR_RULES, _arrays, _objects, _others):
        yield from rule(pair)


def _inside_said(pair: Pair) -> Iterator[Difference]:
    """Schemas that accept the same: only what is said inside of them can differ."""
    for name, new in _properties(pair.new).items():
        yield from _compare(pair.at(("properties", name), old=_properties(pair.old)[name], new=new))
    if isinstance(pair.new.get("items"), Mapping):
        yield from _compare(pair.at(("items",), old=pair.old["items"], new=pair.new["items"]))


def _said(pair: Pair) -> Iterator[Difference]:
    """Description and default: the same values are accepted, and a model reads something else."""
    if not pair.path:
        return  # the root's own words are the tool's, told by whoever compares tools
    old, new = pair.old.get("description"), pair.new.get("description")
    if old != new and str(old or "").split() != str(new or "").split():
        message = f"description {quoted(old)} → {quoted(new)}"
        yield pair.told("B182 description-changed", message, effect=Effect.UNKNOWN)
    if pair.old.get("default", ...) != pair.new.get("default", ...):
        old_text, new_text = (
            short(each["default"]) if "default" in each else "none" for each in (pair.old, pair.new)
        )
        message = f"default {old_text} → {new_text}"
        yield pair.told("B160 default-changed", message, effect=Effect.UNKNOWN)


# -- arrays and objects ----------------------------------------------------------------------


def _arrays(pair: Pair) -> Iterator[Difference]:
    if not pair.both({"array"}):
        return
    old, new = pair.old, pair.new
    if bool(old.get("uniqueItems")) != bool(new.get("uniqueItems")):
        strict = bool(new.get("uniqueItems"))
        message = "each item only once" if strict else "items may repeat"
        effect = Effect.NARROWED if strict else Effect.WIDENED
        yield pair.told("B133 unique-items-changed", message, effect=effect)
    if not _same(pair, old.get("prefixItems"), new.get("prefixItems")):
        yield pair.told("B151 items-changed", "the first items changed", effect=Effect.UNKNOWN)
    if "items" in old or "items" in new:
        yield from _compare(
            pair.at(("items",), old=old.get("items", True), new=new.get("items", True))
        )


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _required(schema: Mapping[str, Any]) -> set[str]:
    found = schema.get("required")
    return {str(each) for each in found} if isinstance(found, list | tuple) else set()


def _objects(pair: Pair) -> Iterator[Difference]:
    if not pair.both({"object"}):
        return
    old, new = _properties(pair.old), _properties(pair.new)
    needed, needs = _required(pair.old), _required(pair.new)
    for name in old:
        if name not in new:
            yield _removed(pair, name, was_required=name in needed)
    for name in new:
        if name not in old:
            yield from _added(pair, name, required=name in needs)
        else:
            yield from _compare(pair.at(("properties", name), old=old[name], new=new[name]))
            yield from _now_required(pair, name, before=name in needed, after=name in needs)
    for name in sorted((needs - needed) - set(new)):
        yield pair.told("B103 required-added", f"'{name}' is required now", effect=Effect.NARROWED)
    for name in sorted((needed - needs) - set(new) - set(old)):
        yield pair.told("B105 now-optional", f"'{name}' is optional now", effect=Effect.WIDENED)
    yield from _openness(pair)


def _removed(pair: Pair, name: str, *, was_required: bool) -> Difference:
    """What is not declared any more is refused by a closed object, ignored by an open one."""
    rest = pair.new.get("additionalProperties", True)
    effect = Effect.UNKNOWN if rest is True else Effect.NARROWED
    if was_required:
        effect = Effect.REPLACED
    at = pair.at(("properties", name), old=pair.old, new=pair.new)
    return at.told("B101 property-removed", "removed", effect=effect)


def _added(pair: Pair, name: str, *, required: bool) -> Iterator[Difference]:
    at = pair.at(("properties", name), old={}, new=_properties(pair.new)[name])
    kinds = kinds_text(at.new, pair.new_root)
    if required:
        yield at.told("B103 required-added", f"added, {kinds}, required", effect=Effect.NARROWED)
        return
    yield at.told("B106 optional-added", f"added, {kinds}, optional", effect=Effect.WIDENED)
    rest = pair.old.get("additionalProperties", True)
    if not isinstance(rest, bool):  # callers could send it before, as what the rest may be
        yield from _compare(pair.at(("properties", name), old=rest, new=at.new))
    patterns = pair.old.get("patternProperties")
    for pattern in patterns if isinstance(patterns, Mapping) else ():
        message = f"was judged by the pattern {quoted(pattern)}"
        yield at.told("B106 optional-added", message, effect=Effect.UNKNOWN)


def _now_required(pair: Pair, name: str, *, before: bool, after: bool) -> Iterator[Difference]:
    at = pair.at(("properties", name), old=pair.old, new=pair.new)
    if after and not before:
        yield at.told("B104 now-required", "required now", effect=Effect.NARROWED)
    if before and not after:
        yield at.told("B105 now-optional", "optional now", effect=Effect.WIDENED)


def _openness(pair: Pair) -> Iterator[Difference]:
    old = pair.old.get("additionalProperties", True)
    new = pair.new.get("additionalProperties", True)
    if old == new or (old in (True, {}) and new in (True, {})):
        return
    if new is False:
        message = "keys that are not declared are refused"
        yield pair.told("B140 object-closed", message, effect=Effect.NARROWED)
    elif old is False:
        message = "keys that are not declared are allowed"
        yield pair.told("B141 object-opened", message, effect=Effect.WIDENED)
    else:
        yield from _compare(pair.at(("additionalProperties",), old=old, new=new))


# -- unions, and what can't be judged --------------------------------------------------------


def _branches(schema: Mapping[str, Any], root: Any) -> list[Any] | None:
    """The alternatives of a schema, each with what stands beside them; None for no such list."""
    used = UNIONS & schema.keys()
    if not used:
        return [schema]
    listed = schema[next(iter(used))]
    if len(used) > 1 or not isinstance(listed, list):
        return None
    beside = {key: value for key, value in schema.items() if key not in UNIONS | SAID_ONLY}
    branches = [resolved(each, root) for each in listed]
    if any(beside.keys() & each.keys() - {"type"} for each in branches):
        return None
    return [{**beside, **each} for each in branches]


def _unions(pair: Pair) -> Iterator[Difference]:
    """Each old alternative must be accepted by a new one; else that one's callers are refused."""
    old, new = _branches(pair.old, pair.old_root), _branches(pair.new, pair.new_root)
    yield from kinds_changed(pair)
    if old is None or new is None:
        if not _same(pair, pair.old, pair.new):
            message = "alternatives changed"
            yield pair.told("B150 alternatives-changed", message, effect=Effect.UNKNOWN)
        return
    yield from _lost_and_come(pair, *_partners(pair, old, new))
    if (_exclusive(pair.new) and not _disjoint(new, pair.new_root)) or (
        _exclusive(pair.old) and not _disjoint(old, pair.old_root)
    ):
        message = "alternatives that exclude each other changed"
        yield pair.told("B150 alternatives-changed", message, effect=Effect.UNKNOWN)


def _lost_and_come(
    pair: Pair, partners: list[tuple[Any, Any]], old: list[Any], new: list[Any]
) -> Iterator[Difference]:
    for one, other in partners:
        yield from _compare(replace(pair, old=one, new=other))
    back = replace(pair, old_root=pair.new_root, new_root=pair.old_root)
    before, after = _branches(pair.old, pair.old_root), _branches(pair.new, pair.new_root)
    kinds = types_of(pair.old, pair.old_root), types_of(pair.new, pair.new_root)
    for each in old:  # of a kind that is gone altogether it is told as a type
        if not types_of(each, pair.old_root) & kinds[1]:
            continue
        covering = [other for other in after or () if _covers(pair, each, other)]
        if not covering:
            message = f"an alternative is gone: {kinds_text(each, pair.old_root)}"
            yield pair.told("B150 alternative-removed", message, effect=Effect.NARROWED)
            continue
        added = (_declared(replace(pair, old=each, new=other)) for other in covering)
        yield from min(added, key=len)  # what was a key that nobody had declared
    for each in new:
        own = types_of(each, pair.new_root)
        if own & kinds[0] and not any(_covers(back, each, other) for other in before or ()):
            message = f"an alternative more: {kinds_text(each, pair.new_root)}"
            yield pair.told("B150 alternative-added", message, effect=Effect.WIDENED)


def _partners(
    pair: Pair, old: list[Any], new: list[Any]
) -> tuple[list[tuple[Any, Any]], list[Any], list[Any]]:
    """The alternatives that are alone of their kind on both sides, and those left over."""
    before = [types_of(each, pair.old_root) for each in old]
    after = [types_of(each, pair.new_root) for each in new]
    lone = [kind for kind in before if before.count(kind) == 1 == after.count(kind)]
    lone = [k for k in lone if not any(k & o for o in (*before, *after) if o != k)]
    partners = [(old[before.index(kind)], new[after.index(kind)]) for kind in lone]
    return (
        partners,
        [each for each, kind in zip(old, before, strict=True) if kind not in lone],
        [each for each, kind in zip(new, after, strict=True) if kind not in lone],
    )


def _covers(pair: Pair, old: Any, new: Any) -> bool:
    """Whether a schema accepts all that another accepts, as far as can be told."""
    found = _compare(replace(pair, old=old, new=new))
    return all(each.effect is Effect.WIDENED or each.code in {"B182", "B160"} for each in found)


def _declared(pair: Pair) -> list[Difference]:
    """The properties that are declared anew: what callers sent under these names is judged now."""
    return [each for each in _compare(pair) if each.code == "B106"]


def _exclusive(schema: Mapping[str, Any]) -> bool:
    return isinstance(schema.get("oneOf"), list)


def _disjoint(branches: list[Any], root: Any) -> bool:
    kinds = [types_of(each, root) for each in branches]
    return sum(map(len, kinds)) == len(frozenset[str]().union(*kinds))


def _others(pair: Pair) -> Iterator[Difference]:
    """Keywords whose change nobody can judge in general."""
    for keyword in sorted((pair.old.keys() | pair.new.keys()) - SAID_ONLY - JUDGED):
        old, new = pair.old.get(keyword, ...), pair.new.get(keyword, ...)
        if _same(pair, old, new):
            continue
        effect = Effect.UNKNOWN
        if old is ... and keyword in ONLY_ADDED:
            effect = Effect.NARROWED
        if new is ... and keyword in ONLY_ADDED:
            effect = Effect.WIDENED
        how = "added" if old is ... else "removed" if new is ... else "changed"
        yield pair.told("B199 keyword-changed", f"{keyword} {how}", effect=effect)


def _same(pair: Pair, old: Any, new: Any) -> bool:
    """Whether two values say the same, the definitions included that they refer to."""
    return bool(old == new) and (
        not _has_refs(old)
        or all(_under(pair.old_root, key) == _under(pair.new_root, key) for key in DEFINITIONS)
    )


def _under(root: Any, key: str) -> Any:
    return root.get(key) if isinstance(root, Mapping) else None


def _bare(schema: Any) -> Any:
    """A schema without what is no assertion, at every depth."""
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    bare: dict[str, Any] = {}
    for key, value in schema.items():
        if key in {"properties", "patternProperties"} and isinstance(value, Mapping):
            bare[key] = {name: _bare(inner) for name, inner in value.items()}
        elif key in {"enum", "const", "required"}:
            bare[key] = sorted(_required(schema)) if key == "required" else value
        elif key not in SAID_ONLY:
            bare[key] = _bare(value)
    return bare


def _refers(schema: Any) -> bool:
    return isinstance(schema, Mapping) and "$ref" in schema


def _has_refs(schema: Any) -> bool:
    if isinstance(schema, Mapping):
        return "$ref" in schema or any(_has_refs(value) for value in schema.values())
    return isinstance(schema, list) and any(map(_has_refs, schema))
