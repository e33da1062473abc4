"""Hold a declaration, a schema and a whole request against a provider's limits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..findings import Finding, Severity
from .schemas import children, types_of
from .wire import finding

if TYPE_CHECKING:
    from ..types import ToolSpec
    from .profiles import Profile

__all__ = ["check_declaration", "check_request", "check_schema"]


def check_declaration(spec: ToolSpec, profile: Profile) -> list[Finding]:
    """Check name and description."""
    said = [
        *_name(spec.name, profile),
        *_length("description", spec.description, profile),
    ]
    return [_finding(spec.name, profile, *one) for one in said]


_Said = tuple[str, str, str, Severity]


def _finding(
    tool: str | None, profile: Profile, code: str, message: str, pointer: str, severity: Severity
) -> Finding:
    return finding(
        code, message, severity=severity, tool=tool, pointer=pointer, profile=profile.name
    )


def _name(name: str, profile: Profile) -> Iterator[_Said]:
    pattern, length = profile.get("name.pattern"), profile.get("name.length")
    if pattern and not re.fullmatch(pattern, name):
        message = f"the name '{name}' is not of the form {pattern}"
        yield "F302 refused-name", message, "/name", Severity.ERROR
    if length and len(name) > length:
        message = f"the name has {len(name)} characters, {length} are taken"
        yield "F302 refused-name", message, "/name", Severity.ERROR
    advised = profile.get("name.advised")
    if advised and advised < len(name) <= length:
        message = f"the name has {len(name)} characters, some endpoints take {advised}"
        yield "F304 risky-name", message, "/name", Severity.INFO
    first = profile.get("name.first")
    if first and name and not re.match(first, name):
        message = "the name begins with no letter, which some models refuse"
        yield "F304 risky-name", message, "/name", Severity.INFO


def _length(part: str, text: str, profile: Profile) -> Iterator[_Said]:
    length = profile.get(f"{part}.length")
    if length and len(text) > length:
        message = f"the {part} has {len(text)} characters, {length} are taken"
        yield "F303 over-limit", message, f"/{part}", Severity.ERROR


@dataclass(slots=True)
class _Sizes:
    levels: int = 0
    properties: int = 0
    text: int = 0
    values: int = 0
    longest_enum: int = 0
    keys: list[tuple[str, str]] = field(default_factory=list)


def check_schema(schema: Mapping[str, Any], profile: Profile, *, tool: str) -> list[Finding]:
    """Check an adapted schema: its keys, depth, counts and texts."""
    sizes = _Sizes()
    _measure(schema, "", 0, sizes)
    said = [*_keys(sizes, schema, profile), *_sizes(sizes, profile)]
    return [_finding(tool, profile, *one) for one in said]


def _measure(node: Any, pointer: str, level: int, sizes: _Sizes) -> None:
    if not isinstance(node, Mapping):
        return
    level += "object" in types_of(node) or "properties" in node
    sizes.levels = max(sizes.levels, level)
    properties = node.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    sizes.properties += len(names)
    sizes.keys += [(name, f"{pointer}/properties/{name}") for name in names]
    definitions = node.get("$defs")
    names += list(definitions) if isinstance(definitions, Mapping) else []
    values = node["enum"] if isinstance(node.get("enum"), list) else []
    texts = [one for one in values if isinstance(one, str)]
    constant = node.get("const")
    sizes.text += sum(map(len, [*names, *texts, constant if isinstance(constant, str) else ""]))
    sizes.values += len(values)
    if len(texts) > 250:  # noqa: PLR2004 - the guide's own number, from which enum.text counts
        sizes.longest_enum = max(sizes.longest_enum, sum(map(len, texts)))
    for keys, child in children(node):
        # A definition begins its own count: the API does not follow references.
        below = 0 if keys[0] == "$defs" else level
        _measure(child, f"{pointer}/{'/'.join(keys)}", below, sizes)


def _keys(sizes: _Sizes, schema: Mapping[str, Any], profile: Profile) -> Iterator[_Said]:
    pattern = profile.get("keys.pattern")
    if not pattern:
        return
    own = set(schema.get("properties") or ())
    for name, pointer in sizes.keys:
        at_root = pointer == f"/properties/{name}" and name in own
        if (at_root or profile.get("keys.where") == "all") and not re.fullmatch(pattern, name):
            message = f"the key '{name}' is not of the form {pattern}"
            yield "F302 refused-name", message, f"/inputSchema{pointer}", Severity.ERROR


def _sizes(sizes: _Sizes, profile: Profile) -> Iterator[_Said]:
    counts = (
        ("schema.levels", sizes.levels, "levels of objects"),
        ("schema.properties", sizes.properties, "properties"),
        ("schema.text", sizes.text, "characters of names and values"),
        ("enum.values", sizes.values, "enum values"),
        ("enum.text", sizes.longest_enum, "characters in one enum"),
    )
    for key, count, words in counts:
        limit = profile.get(key)
        if limit is not None and count > limit:
            message = f"{count:,} {words}, {limit:,} are taken"
            yield "F303 over-limit", message, "/inputSchema", Severity.ERROR


def check_request(
    schemas: Sequence[tuple[str, Mapping[str, Any]]], profile: Profile
) -> tuple[Finding, ...]:
    """Check what only a whole request shows; `schemas` are (name, adapted schema) of its tools.

    Too many is a warning: nobody has to send all of them in one request.
    """
    optional = sum(_optional(schema) for _, schema in schemas)
    unions = sum(_unions(schema) for _, schema in schemas)
    counts = (
        ("tools.count", len(schemas), "tools in one request"),
        ("request.strict", len(schemas), "strict tools in one request"),
        ("request.optional", optional, "optional parameters in one request"),
        ("request.unions", unions, "parameters with a union of types in one request"),
    )
    found = []
    for key, count, words in counts:
        limit = profile.get(key)
        if limit is not None and count > limit:
            message = f"{count:,} {words}, {limit:,} are taken"
            found.append(_finding(None, profile, "F303 over-limit", message, "", Severity.WARNING))
    names = Counter(name for name, _ in schemas)
    for name, count in names.items():
        if count == 1:
            continue
        message = f"{count} tools are called '{name}'"
        found.append(_finding(name, profile, "F302 refused-name", message, "/name", Severity.ERROR))
    return tuple(found)


def _optional(schema: Mapping[str, Any]) -> int:
    properties = schema.get("properties") or {}
    own = sum(name not in schema.get("required", ()) for name in properties)
    return own + sum(_optional(child) for _, child in children(schema))


def _unions(schema: Mapping[str, Any]) -> int:
    properties = (schema.get("properties") or {}).values()
    own = sum(
        isinstance(one, Mapping) and ("anyOf" in one or isinstance(one.get("type"), list))
        for one in properties
    )
    return own + sum(_unions(child) for _, child in children(schema))
