"""Schemas that others made: examined against the standard, and used to check inputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jsonschema
from jsonschema import validators
from referencing import Registry
from referencing.exceptions import Unresolvable

from ..errors import SchemaTooDeepError
from ..findings import Finding, Place, Severity
from .faults import short
from .normalise import normalise
from .references import Trouble, TroubledRef, troubled_refs
from .refusals import Refusal, told
from .walk import LISTS, MAPS, SINGLE, Path, pointer, walk

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["InputChecker", "checker", "normalise", "problems"]

_DRAFTS: dict[str, Any] = {
    str(draft.META_SCHEMA.get("$id", draft.META_SCHEMA.get("id"))).rstrip("#"): draft
    for draft in (
        jsonschema.Draft3Validator,
        jsonschema.Draft4Validator,
        jsonschema.Draft6Validator,
        jsonschema.Draft7Validator,
        jsonschema.Draft201909Validator,
        jsonschema.Draft202012Validator,
    )
}
_TEXTS = frozenset({"$comment", "description", "title"})
_ANYTHING = frozenset({"const", "default"})
_NAMING = MAPS | LISTS
_TYPES = "array, boolean, integer, null, number, object or string, or a list of them"
# ECMA-262 writes these otherwise than Python; the pattern itself means the same.
_ECMA = ((re.compile(r"\(\?<(?![=!])"), "(?P<"), (re.compile(r"\\k<"), "(?P="))


def problems(schema: Any, *, tool: str | None = None) -> tuple[Finding, ...]:
    """What is wrong with an input schema that we did not make; nothing is ever fetched.

    The codes: S001 invalid-json-schema, S002 root-not-object, S003 dangling-ref,
    S004 external-ref, S005 recursive-schema (it only refers to itself), S018 too-deep.
    """
    try:
        found = [*_root(schema), *_invalid(schema), *_references(schema)]
    except SchemaTooDeepError as error:
        place = Place(pointer=str(getattr(error, "pointer", "#")))
        found = [Finding("S018", "too-deep", error.message, hint=error.hint, place=place)]
    return tuple(
        Finding(
            one.code, one.name, one.message, one.severity, hint=one.hint, tool=tool, place=one.place
        )
        for one in found
    )


def _root(schema: Any) -> Iterator[Finding]:
    kind = schema.get("type", "object") if isinstance(schema, Mapping) else None
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        yield Finding(
            "S002",
            "root-not-object",
            f"the root must be an object, not {_rooted(schema)}",
            hint='Give the schema "type": "object" and put the input under "properties".',
            place=Place(pointer="#"),
        )


def _rooted(schema: Any) -> str:
    if isinstance(schema, Mapping):
        return str(schema.get("type"))
    return "null" if schema is None else type(schema).__name__


def _invalid(schema: Any) -> Iterator[Finding]:
    for path, keyword, message in _offences(schema):
        place = Place(pointer=pointer((*path, *keyword)))
        yield Finding("S001", "invalid-json-schema", message, place=place)
    for path, _, here in walk(schema):
        pattern = here.get("pattern") if isinstance(here, Mapping) else None
        if isinstance(pattern, str) and _compiled(pattern) is None:
            yield Finding(
                "S001",
                "invalid-json-schema",
                f"the pattern {pattern!r} is no regular expression that can be checked here",
                Severity.WARNING,
                place=Place(pointer=pointer((*path, "pattern"))),
            )


def _references(schema: Any) -> Iterator[Finding]:
    if not isinstance(schema, Mapping):
        return
    for trouble in troubled_refs(schema):
        code, name, message, severity, hint = _said_of(trouble)
        place = Place(pointer=pointer((*trouble.path, trouble.keyword)))
        yield Finding(code, name, message, severity, hint=hint, place=place)


def _said_of(trouble: TroubledRef) -> tuple[str, str, str, Severity, str]:
    ref = trouble.ref
    if trouble.trouble is Trouble.DANGLING:
        message = f'the reference "{ref}" leads to nothing in the schema'
        return "S003", "dangling-ref", message, Severity.ERROR, "Add what it names to $defs."
    if trouble.trouble is Trouble.EXTERNAL:
        message = f'the external $ref "{ref}" is not fetched, so what it says is not known'
        return "S004", "external-ref", message, Severity.WARNING, "Put the schema under $defs."
    message = (
        f'the reference "{ref}" only leads back to itself, so no value can ever be judged by it'
    )
    return (
        "S005",
        "recursive-schema",
        message,
        Severity.ERROR,
        "Recur through a property or an item.",
    )


def _offences(schema: Any) -> Iterator[tuple[Path, Path, str]]:
    """What the meta-schema refuses, one schema at a time, so that depth costs no stack.

    Each as the schema's path, the path from there, and words.
    """
    draft = _draft(schema)
    for path, _, here in walk(schema):
        bare = _alone(here)
        try:
            found = _known_offences(draft, json.dumps(bare, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            found = _own_offences(draft, bare)
        yield from ((path, *one) for one in found)


@lru_cache(maxsize=4096)
def _known_offences(draft: Any, text: str) -> tuple[tuple[Path, str], ...]:
    """Most schemas inside schemas are alike, and the meta-schema takes its time."""
    return _own_offences(draft, json.loads(text))


def _own_offences(draft: Any, bare: Any) -> tuple[tuple[Path, str], ...]:
    found: dict[tuple[Path, str], None] = {}
    for error in draft(draft.META_SCHEMA).iter_errors(bare):
        inner = tuple(error.absolute_path)
        if inner == ("type",):
            found[inner, f"expected {_TYPES}, got {short(error.instance)}"] = None
            continue
        for where, words in told([error]):
            found[inner, f"{where}: {words}" if where else words] = None
    return tuple(found)


def _alone(schema: Any) -> Any:
    """A schema with `{}` for each schema inside it, and without what may be anything."""
    if not isinstance(schema, Mapping):
        return schema
    bare = {
        key: "" if key in _TEXTS and isinstance(value, str) else value
        for key, value in schema.items()
        if key not in _ANYTHING
    }
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, Mapping):
            bare[keyword] = {name: {} for name in value}
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            bare[keyword] = [{} for _ in value]
        elif keyword in SINGLE:
            bare[keyword] = {}
    return bare


def _draft(schema: Any) -> Any:
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    found = _DRAFTS.get(named.rstrip("#")) if isinstance(named, str) else None
    return found or jsonschema.Draft202012Validator


# -- inputs -----------------------------------------------------------------------------------


class InputChecker:
    """Checks inputs against a schema as it came; built once, cheap for each call.

    What of the schema is broken (see `problems`) holds nobody back: it is left out of the check.
    Raises SchemaTooDeepError where the schema is deeper than 64 levels.
    """

    __slots__ = ("_validator",)

    def __init__(self, schema: Any) -> None:
        """Compile; the schema is not changed."""
        self._validator = _lenient(_draft(schema))(_sound(schema), registry=Registry())

    def __call__(self, instance: Any) -> list[Refusal]:
        """Every fault as (path such as `order.lines.0.qty`, words); none if it fits."""
        try:
            return told(self._validator.iter_errors(instance))
        except RecursionError:
            return [("", "is nested too deeply to be checked")]
        except Unresolvable:
            return []


def checker(schema: Any) -> InputChecker:
    """A function from an input to its faults."""
    return InputChecker(schema)


def _sound(schema: Any) -> Any:
    """The schema without the keywords that no validator could follow."""
    if not isinstance(schema, Mapping):
        return schema if isinstance(schema, bool) else True
    dropped: dict[Path, set[str]] = {}
    for path, inner, _ in _offences(schema):
        dropped.setdefault(path, set()).add(str(inner[0]) if inner else "")
    for trouble in troubled_refs(schema):
        dropped.setdefault(trouble.path, set()).add(trouble.keyword)
    return _kept(schema, dropped, ())


def _kept(schema: Any, dropped: Mapping[Path, set[str]], path: Path) -> Any:
    words = dropped.get(path, set())
    if schema is False and len(path) > 1 and path[-2] in _NAMING:
        return {"not": {}}  # the library forgets where a bare `false` stands
    if "" in words or not isinstance(schema, Mapping):
        return True if "" in words else schema
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        here = (*path, keyword)
        if keyword in words:
            continue
        if keyword in MAPS and isinstance(value, Mapping):
            kept[keyword] = {
                name: _kept(one, dropped, (*here, name)) for name, one in value.items()
            }
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            kept[keyword] = [_kept(one, dropped, (*here, at)) for at, one in enumerate(value)]
        elif keyword in SINGLE:
            kept[keyword] = _kept(value, dropped, here)
        else:
            kept[keyword] = value
    return kept


def _lenient(draft: Any) -> Any:
    """The draft's validator, with the two keywords that could raise on what is legal JSON."""
    extend: Any = validators.extend  # untyped in the library's stubs
    return extend(draft, {"pattern": _pattern, "multipleOf": _multiple_of})


def _pattern(
    _: Validator, pattern: str, instance: Any, __: Any
) -> Iterator[jsonschema.ValidationError]:
    expression = _compiled(pattern) if isinstance(instance, str) else None
    if expression and not expression.search(instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def _compiled(pattern: str) -> re.Pattern[str] | None:
    for ours, theirs in _ECMA:
        pattern = ours.sub(theirs, pattern)
    try:
        return re.compile(pattern)
    except re.error:
        return None


def _multiple_of(
    _: Validator, unit: float, instance: Any, __: Any
) -> Iterator[jsonschema.ValidationError]:
    """By the digits as written: 0.3 is a multiple of 0.1, as everyone but a float says."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return
    try:
        odd = Fraction(str(instance)) % Fraction(str(unit))
    except (ValueError, ZeroDivisionError):
        return
    if odd:
        yield jsonschema.ValidationError(f"{instance!r} is not a multiple of {unit}")
