"""The root of a tool's schema: combinators taken off it, definitions kept only where used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .schemas import children, merge, resolve
from .wire import dump

__all__ = [
    "FlatRoot",
    "described",
    "flatten_root",
    "followed",
    "pruned",
    "recursive_references",
]

_COMBINATORS = frozenset({"allOf", "anyOf", "oneOf"})


@dataclass(frozen=True, slots=True)
class FlatRoot:
    """A root without the refused keywords: which were lost, and what to say of them."""

    schema: dict[str, Any]
    lost: tuple[str, ...]
    notes: tuple[str, ...]


def flatten_root(schema: dict[str, Any], refused: Sequence[str]) -> FlatRoot:
    """Take keywords off the root: the properties of their branches join the root's own.

    An `allOf` that says no more than one object could is merged without loss. A `$ref` at the
    root is followed.
    """
    node = _without_reference(schema)
    lost, notes = [], []
    for key in [key for key in refused if key in node]:
        value = node[key]
        rest = {name: one for name, one in node.items() if name != key}
        branches = [followed(schema, one) for one in value] if isinstance(value, list) else []
        if key == "allOf" and (joined := _joined(rest, branches, refused)) is not None:
            node = joined
            continue
        if key in _COMBINATORS:
            rest["properties"] = _union(rest.get("properties", {}), branches)
            rest["required"] = _required(rest, key, branches)
        node = rest
        lost.append(key)
        notes.append(_words(key, value, branches))
    return FlatRoot(node, tuple(lost), tuple(notes))


def _without_reference(schema: dict[str, Any]) -> dict[str, Any]:
    node, seen = schema, set()
    while isinstance(ref := node.get("$ref"), str) and ref not in seen:
        seen.add(ref)
        target = resolve(schema, ref)
        rest = {key: value for key, value in node.items() if key != "$ref"}
        joined = merge(rest, target) if isinstance(target, dict) and ref != "#" else None
        if joined is None:
            return node
        node = joined
    return node


def followed(whole: Mapping[str, Any], branch: Any) -> dict[str, Any]:
    """Return a branch, or what its reference points to; an empty schema where it is neither."""
    if isinstance(branch, dict) and isinstance(branch.get("$ref"), str):
        branch = resolve(whole, branch["$ref"])
    return branch if isinstance(branch, dict) else {}


def _joined(
    rest: dict[str, Any], branches: Sequence[dict[str, Any]], refused: Sequence[str]
) -> dict[str, Any] | None:
    joined: dict[str, Any] | None = rest
    for branch in branches:
        joined = None if joined is None else merge(joined, branch)
    return joined if joined is None or not any(key in joined for key in refused) else None


def _union(own: Mapping[str, Any], branches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    properties = dict(own)
    for branch in branches:
        theirs = branch.get("properties")
        for name, schema in (theirs if isinstance(theirs, Mapping) else {}).items():
            mine = properties.get(name)
            if mine is None or mine in ({}, True):
                properties[name] = schema
            elif name not in own and mine != schema:
                options = mine["anyOf"] if list(mine) == ["anyOf"] else [mine]
                if schema not in options:
                    properties[name] = {"anyOf": [*options, schema]}
    return properties


def _required(node: Mapping[str, Any], key: str, branches: Sequence[dict[str, Any]]) -> list[str]:
    own = [name for name in node.get("required", ()) if isinstance(name, str)]
    lists = [branch.get("required", []) for branch in branches]
    every = [name for one in lists for name in one]
    shared = every if key == "allOf" else [name for name in every if all(name in x for x in lists)]
    return list(dict.fromkeys([*own, *shared]))


def _words(key: str, value: Any, branches: Sequence[dict[str, Any]]) -> str:
    lists = [branch.get("required") for branch in branches]
    plain = all(set(branch) <= {"required"} and branch for branch in branches)
    if key in _COMBINATORS and plain and lists:
        sets = [" and ".join(f"'{name}'" for name in one or ()) for one in lists]
        joint = " and " if key == "allOf" else ", or "
        return f"{'exactly one set' if key == 'oneOf' else 'needed'}: {joint.join(sets)}"
    return f"must also fit the JSON Schema {dump({key: value})}"


def described(schema: dict[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    """Return a schema with notes behind its description."""
    if not notes:
        return schema
    said = "; ".join(dict.fromkeys(notes))
    said = f"{said[0].upper()}{said[1:]}."
    own = schema.get("description")
    text = f"{own.rstrip()}\n{said}" if isinstance(own, str) and own.strip() else said
    return {**schema, "description": text}


def pruned(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the definitions at the root that nothing refers to any more."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    body = {key: value for key, value in schema.items() if key != "$defs"}
    reached: set[str] = set()
    waiting = list(_references(body))
    while waiting:
        name = _name(waiting.pop())
        if name in definitions and name not in reached:
            reached.add(name)
            waiting += _references(definitions[name])
    kept = {name: one for name, one in definitions.items() if name in reached}
    return {**body, "$defs": kept} if kept else body


def recursive_references(schema: dict[str, Any]) -> frozenset[str]:
    """Return the references to definitions that lead back to themselves."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return frozenset()
    edges = {name: {_name(ref) for ref in _references(one)} for name, one in definitions.items()}
    found = set()
    for start, first in edges.items():
        waiting, seen = list(first), set[str]()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += edges.get(name, ())
        if start in seen:
            found.add(f"#/$defs/{start}")
    return frozenset(found)


def _references(schema: Any) -> list[str]:
    found, waiting = [], [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found.append(node["$ref"])
            waiting += [child for _, child in children(node)]
    return found


def _name(ref: str) -> str:
    part = ref.removeprefix("#/$defs/").partition("/")[0]
    return part.replace("~1", "/").replace("~0", "~")
