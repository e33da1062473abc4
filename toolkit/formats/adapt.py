"""Bend a tool's schema to what a provider takes, and say what that lost or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import Finding, Severity
from .jsonschema import DIALECT
from .limits import check_declaration, check_schema
from .rewriting import move, rewrite
from .roots import described, flatten_root, pruned, recursive_references
from .schemas import children, merge, modernise, resolve, types_of
from .shaping import shape, typed
from .spot import Spot, Work
from .tidy import tidy
from .wire import Converted, finding, json_ready

if TYPE_CHECKING:
    from ..types import ToolSpec
    from .profiles import Profile

__all__ = ["adapt", "lost_fields"]

_DEEPEST = 64
_MOST_NODES = 20_000


def adapt(spec: ToolSpec, profile: Profile) -> Converted[dict[str, Any]]:
    """Return the input schema as this provider takes it.

    What it lacks a keyword for is moved into the descriptions. An error among the findings means
    that the provider would refuse the tool.
    """
    work = Work(spec.name, profile)
    schema = _root(json_ready(spec.input_schema), work)
    work.findings += check_declaration(spec, profile)
    work.findings += check_schema(schema, profile, tool=spec.name)
    return Converted(schema, tuple(work.findings))


def lost_fields(
    spec: ToolSpec, profile: Profile, *, kept: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """Say which parts of a spec this provider's declaration has no place for."""
    fields = {
        "title": spec.title,
        "outputSchema": spec.output_schema,
        "annotations": spec.annotations,
        "examples": spec.examples,
        "_meta": spec.meta,
    }
    return tuple(
        finding(
            "F201 lost-field",
            f"there is no place for '{name}'",
            severity=Severity.INFO,
            tool=spec.name,
            pointer=f"/{name}",
            profile=profile.name,
        )
        for name, value in fields.items()
        if value and name not in kept
    )


def _root(schema: Any, work: Work) -> dict[str, Any]:
    """Adapt the root, which every provider wants to be an object."""
    at = Spot(work)
    if not isinstance(schema, dict):
        at.refuse("the input schema is no object")
        return {"type": "object", "properties": {}}
    sound, faults = tidy(schema)
    for fault in faults:
        at.inside(*fault.pointer).refuse(fault.message)
    modern = modernise(sound)
    if modern.get("$schema", DIALECT).rstrip("#") != DIALECT:
        del modern["$schema"]  # it was brought up to date
    flat = flatten_root(modern, tuple(work.profile.get("root.refused", ())))
    for key in flat.lost:
        at.say(
            "F213 lost-keyword",
            f"'{key}' is not taken at the root; its properties joined the root's, and what it "
            "demands stands in the description",
            key=key,
        )
    work.whole = flat.schema
    work.cycles = recursive_references(flat.schema)
    kinds = types_of(flat.schema)
    if kinds not in ((), ("object",)):
        at.refuse(f"the root is {' or '.join(kinds)}, not object")
    rooted = {"type": "object", **flat.schema, **({"type": "object"} if kinds else {})}
    adapted = pruned(described(_node(rooted, at), flat.notes))
    gone = [name for name in rooted.get("$defs", ()) if name not in adapted.get("$defs", ())]
    places = tuple(f"/inputSchema/$defs/{name}/" for name in gone)
    work.findings = [one for one in work.findings if not f"{one.place.pointer}/".startswith(places)]
    return adapted


def _node(node: Any, at: Spot) -> dict[str, Any]:
    """Adapt one schema and all in it."""
    at.work.nodes += 1
    if at.pointer.count("/") > 2 * _DEEPEST or at.work.nodes > _MOST_NODES:
        if not at.work.overflown:
            Spot(at.work).refuse("too deep or too large")
        at.work.overflown = True
        return {}
    if isinstance(node, bool):
        return typed({}, at) if node else {"not": {}}
    if not isinstance(node, dict):
        at.refuse("this is no schema")
        return {}
    node = _inlined(dict(node), at)
    rewrite(node, at)
    move(node, at)
    _inner(node, at)
    if "$ref" not in node:
        node = shape(node, at)
    return described(node, at.notes)


def _inlined(node: dict[str, Any], at: Spot) -> dict[str, Any]:
    """Write a reference out where the provider wants that; say where it leads nowhere."""
    refs = at.work.profile.get("refs", "any")
    while isinstance(ref := node.get("$ref"), str):
        target = resolve(at.work.whole, ref)
        rest = {key: value for key, value in node.items() if key != "$ref"}
        if not isinstance(target, dict):
            at.refuse(f"'{ref}' leads nowhere")
            return rest
        recursive = ref in at.seen or (refs == "tree" and ref in at.work.cycles)
        if refs in ("none", "tree") and (recursive or ref == "#"):
            at.refuse(f"'{ref}' is recursive, which is not taken")
            return {"type": "object", "properties": {}, "additionalProperties": False}
        plain = ref == "#" or ref.startswith("#/$defs/")
        if refs == "any" or (plain and refs != "none" and not rest):
            return node
        joined = merge(rest, target)
        if joined is None or recursive:
            at.say("F213 lost-keyword", f"what stands beside '{ref}' is lost: {', '.join(rest)}")
            return {"$ref": ref} if plain else dict(target)
        node, at.seen = joined, (*at.seen, ref)
    return node


def _inner(node: dict[str, Any], at: Spot) -> None:
    """Adapt the schemas inside."""
    if at.work.profile.get("refs") == "none":
        node.pop("$defs", None)
    for keys, child in list(children(node)):
        seen = (f"#/$defs/{keys[1]}",) if keys[0] == "$defs" else at.seen
        adapted = _node(child, at.inside(*keys, seen=seen))
        if len(keys) == 1:
            node[keys[0]] = adapted
        elif isinstance(node[keys[0]], list):
            node[keys[0]] = [*node[keys[0]]]
            node[keys[0]][int(keys[1])] = adapted
        else:
            node[keys[0]] = {**node[keys[0]], keys[1]: adapted}
