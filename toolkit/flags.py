"""An input schema as command-line flags: names, kinds, and the help that lists them."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

from .errors import UsageError

if TYPE_CHECKING:
    from .types import ToolSpec

__all__ = ["Flag", "flags_of", "help_text", "kind_of", "kinds_of", "words_for"]

DEEPEST = 4  # levels of dotted flags
MOST_COMBINED = 2  # combinators within combinators
COMBINATORS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Flag:
    """One property of the schema as a flag; `path` has more than one part for a dotted flag."""

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    kinds: frozenset[str]
    required: bool

    @property
    def names(self) -> list[str]:
        """`--max-results` and `--max_results`."""
        dotted = ".".join(self.path)
        return list(dict.fromkeys([f"--{dotted.replace('_', '-')}", f"--{dotted}"]))

    @property
    def is_switch(self) -> bool:
        """Whether it stands without a value."""
        return self.kinds - {"null"} == {"boolean"}

    @property
    def repeats(self) -> bool:
        """Whether it may be given several times."""
        return "array" in self.kinds and not self.kinds & {"string", "object"}

    @property
    def metavar(self) -> str:
        """What its value looks like."""
        choices = self.schema.get("enum")
        if choices:
            return "|".join(str(each) for each in choices)
        words = {"integer": "INTEGER", "number": "NUMBER", "string": "TEXT", "object": "JSON"}
        if self.repeats:
            items = self.schema.get("items")
            inner = kinds_of(items if isinstance(items, Mapping) else {}, {})
            return "|".join(words[each] for each in sorted(inner) if each in words) or "VALUE"
        kinds = [words[each] for each in sorted(self.kinds) if each in words]
        return "|".join(kinds) or "VALUE"


def kinds_of(schema: Any, root: Mapping[str, Any], *, depth: int = 0) -> frozenset[str]:
    """The JSON types that a schema allows; all of them where it does not say."""
    every = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
    if not isinstance(schema, Mapping) or depth > DEEPEST * 4:
        return every
    schema = resolved(schema, root)
    declared = schema.get("type")
    if isinstance(declared, str):
        return frozenset({declared})
    if isinstance(declared, list):
        return frozenset(str(each) for each in declared)
    for key in ("anyOf", "oneOf"):
        members = schema.get(key)
        if isinstance(members, list) and members:
            return frozenset().union(*(kinds_of(each, root, depth=depth + 1) for each in members))
    if "const" in schema:
        return frozenset({kind_of(schema["const"])})
    if isinstance(schema.get("enum"), list):
        return frozenset(kind_of(each) for each in schema["enum"])
    return every


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    return "null" if value is None else kinds.get(type(value), "object")


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema behind a local `$ref`, with what stands beside it."""
    for _ in range(DEEPEST * 4):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        found: Any = root
        for part in unquote(reference[2:]).split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping):
            return schema
        schema = _beside(found, {key: value for key, value in schema.items() if key != "$ref"})
    return schema


def _beside(behind: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What a reference means together with what stands beside it: the properties of both."""
    both = {**behind, **own}
    for key in ("properties", "required"):
        ones = [each[key] for each in (behind, own) if key in each]
        if len(ones) > 1 and all(isinstance(each, Mapping) for each in ones):
            both[key] = {**ones[0], **ones[1]}
        elif len(ones) > 1 and all(isinstance(each, list) for each in ones):
            both[key] = [*ones[0], *ones[1]]
    return both


def flags_of(schema: Mapping[str, Any]) -> list[Flag]:
    """The flags of an input schema, in its order, dotted ones behind their object.

    What stands behind a reference or in a combinator at the root has flags too; a property that
    several alternatives have is one flag that takes what any of them takes.
    """
    found: dict[tuple[str, ...], Flag] = {}
    for flag in _flags(schema, schema, (), required=True):
        first = found.get(flag.path)
        found[flag.path] = flag if first is None else _either(first, flag)
    return list(found.values())


def _either(one: Flag, other: Flag) -> Flag:
    choices = [_choices(each.schema) for each in (one, other)]
    schema = {key: value for key, value in one.schema.items() if key not in ("const", "enum")}
    if all(choices):
        schema["enum"] = list(dict.fromkeys(choices[0] + choices[1]))
    required = one.required or other.required
    return Flag(one.path, schema, one.kinds | other.kinds, required)


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def _flags(
    schema: Mapping[str, Any],
    root: Mapping[str, Any],
    above: tuple[str, ...],
    *,
    required: bool,
    combined: int = 0,
) -> Iterable[Flag]:
    """`combined` counts the combinators that the schema itself stands in."""
    schema = resolved(schema, root)
    properties = schema.get("properties")
    needed = schema.get("required") or ()
    for name, raw in (properties if isinstance(properties, Mapping) else {}).items():
        inner = resolved(raw, root) if isinstance(raw, Mapping) else {}
        must = required and name in needed
        yield Flag((*above, name), inner, kinds_of(inner, root), must)
        if len(above) < DEEPEST and "object" in kinds_of(inner, root):
            yield from _flags(inner, root, (*above, name), required=False)
    for key in COMBINATORS if combined < MOST_COMBINED else ():
        for member in _objects(schema.get(key), root):
            must = required and key == "allOf"
            yield from _flags(member, root, above, required=must, combined=combined + 1)


def _objects(members: Any, root: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    for each in members if isinstance(members, list) else ():
        if isinstance(each, Mapping) and "object" in kinds_of(each, root):
            yield each


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def help_text(spec: ToolSpec, *, width: int = 80) -> str:
    """The help of a tool: its description, and its flags with type, default and choices."""
    parser = _Parser(
        prog=f"toolkit call {spec.name}",
        description=_escaped(spec.description),
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(
            prog, max_help_position=30, width=width
        ),
        add_help=False,
        allow_abbrev=False,
    )
    required = parser.add_argument_group("required")
    optional = parser.add_argument_group("optional")
    for flag in flags_of(spec.input_schema):
        group = required if flag.required else optional
        group.add_argument(
            flag.names[0],
            required=flag.required,
            help=_escaped(_help(flag)),
            **_shape(flag),
        )
    toolkit_group = parser.add_argument_group("toolkit")
    toolkit_group.add_argument("-h", "--help", action="help", help="Show this help.")
    toolkit_group.add_argument(
        "--input", metavar="JSON", help="The whole input, as a model would send it (or @file, -)."
    )
    parser.epilog = "The options of `toolkit call` (--json, --timeout …) may stand here too."
    return parser.format_help()


def _shape(flag: Flag) -> dict[str, Any]:
    if flag.is_switch:
        return {"action": argparse.BooleanOptionalAction, "default": argparse.SUPPRESS}
    shape: dict[str, Any] = {"metavar": _escaped(flag.metavar)}
    if flag.repeats:
        shape["action"] = "append"
    return shape


def _help(flag: Flag) -> str:
    parts = [" ".join(str(flag.schema.get("description") or "").split())]
    if flag.repeats:
        parts.append("May be repeated.")
    limits = [f"{word} {flag.schema[key]}" for key, word in LIMITS.items() if key in flag.schema]
    if limits:
        parts.append(f"({', '.join(limits)})")
    if "default" in flag.schema:
        parts.append(f"[default: {json.dumps(flag.schema['default'], ensure_ascii=False)}]")
    return " ".join(filter(None, parts))


LIMITS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
    "minLength": "length at least",
    "maxLength": "length at most",
    "pattern": "matching",
    "format": "format",
    "minItems": "items at least",
    "maxItems": "items at most",
}


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def words_for(spec: ToolSpec, input_: Mapping[str, Any]) -> str:
    """The command line that makes this input again."""
    words = ["toolkit", "call", spec.name]
    flags = {flag.path[0]: flag for flag in flags_of(spec.input_schema) if len(flag.path) == 1}
    for name, value in input_.items():
        flag = flags.get(name)
        if flag is None:
            words.append(f"{name}:={json.dumps(value, ensure_ascii=False)}")
        elif flag.is_switch and isinstance(value, bool):
            words.append(flag.names[0] if value else f"--no-{flag.names[0][2:]}")
        elif isinstance(value, str) and "string" in flag.kinds:
            words.append(f"{flag.names[0]}={value}")
        else:
            words.append(f"{flag.names[0]}={json.dumps(value, ensure_ascii=False)}")
    return shlex.join(words)
