"""Bend a tool's schema to what a provider takes, and say what that lost or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import Finding, Severity
from .limits import check_declaration, check_schema
from .roots import described, flatten_root, followed, pruned, recursive_references
from .schemas import (
    accepts_null,
    children,
    infer_type,
    merge,
    modernise,
    nullable,
    phrase,
    resolve,
    types_of,
)
from .wire import Converted, finding, json_ready

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..types import ToolSpec
    from .profiles import Profile

__all__ = ["adapt", "lost_fields"]

_DEEPEST = 64
_MOST_NODES = 20_000
# They say nothing to a model, or were brought up to date before.
_SILENT = frozenset(
    {"$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$schema", "discriminator"}
    | {"externalDocs", "nullable", "xml", "$vocabulary"}
)
_ANNOTATIONS = frozenset(
    {"default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)
_SCALARS = ("string", "number", "boolean")


def adapt(spec: ToolSpec, profile: Profile) -> Converted[dict[str, Any]]:
    """Return the input schema as this provider takes it.

    What it lacks a keyword for is moved into the descriptions. An error among the findings means
    that the provider would refuse the tool.
    """
    work = _Adapter(spec.name, profile)
    schema = work.root(json_ready(spec.input_schema))
    work.findings += check_declaration(spec, profile)
    work.findings += check_schema(spec.name, schema, profile)
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
            f"there is no place for “{name}”",
            severity=Severity.INFO,
            tool=spec.name,
            pointer=f"/{name}",
            profile=profile.name,
        )
        for name, value in fields.items()
        if value and name not in kept
    )


class _Adapter:
    """One schema on its way to one provider."""

    def __init__(self, tool: str, profile: Profile) -> None:
        self.tool = tool
        self.profile = profile
        self.findings: list[Finding] = []
        self.refused = frozenset(profile.get("keywords.refused", ()))
        self.allowed = frozenset(profile.get("keywords.allowed", ()))
        self.refs = profile.get("refs", "any")
        self.strict = bool(profile.get("objects.closed"))
        self.whole: dict[str, Any] = {}
        self.cycles: frozenset[str] = frozenset()
        self.nodes = 0
        self.overflown = False

    def say(
        self, code: str, message: str, pointer: str, severity: Severity = Severity.WARNING
    ) -> None:
        self.findings.append(
            finding(
                code,
                message,
                severity=severity,
                tool=self.tool,
                pointer=f"/inputSchema{pointer}",
                profile=self.profile.name,
            )
        )

    def takes(self, key: str) -> bool:
        """Whether the provider takes a keyword."""
        return key in self.allowed if self.allowed else key not in self.refused

    def root(self, schema: Any) -> dict[str, Any]:
        """Adapt the root, which every provider wants to be an object."""
        if not isinstance(schema, dict):
            self.say("F301 refused-schema", "the input schema is no object", "", Severity.ERROR)
            return {"type": "object", "properties": {}}
        modern = modernise(schema)
        modern, notes = self.flattened(modern)
        self.whole = modern
        self.cycles = recursive_references(modern)
        kinds = types_of(modern)
        if kinds not in ((), ("object",)):
            said = " or ".join(kinds)
            self.say("F301 refused-schema", f"the root is {said}, not object", "", Severity.ERROR)
        modern = {"type": "object", **modern, **({"type": "object"} if kinds else {})}
        adapted = pruned(described(self.node(modern, "", ()), notes))
        gone = [name for name in modern.get("$defs", ()) if name not in adapted.get("$defs", ())]
        places = tuple(f"/inputSchema/$defs/{name}/" for name in gone)
        self.findings = [
            one
            for one in self.findings
            if not f"{one.place.pointer}/".startswith(places or ("\n",))
        ]
        return adapted

    def flattened(self, schema: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        refused = tuple(self.profile.get("root.refused", ()))
        flat = flatten_root(schema, refused)
        for key in flat.lost:
            self.say(
                "F213 lost-keyword",
                f"“{key}” is not taken at the root; its properties joined the root's, and what it "
                "demands stands in the description",
                f"/{key}",
            )
        return flat.schema, list(flat.notes)

    def node(self, node: Any, pointer: str, seen: tuple[str, ...]) -> dict[str, Any]:
        """Adapt one schema and all in it; `seen` are the references that led here."""
        self.nodes += 1
        if pointer.count("/") > 2 * _DEEPEST or self.nodes > _MOST_NODES:
            if not self.overflown:
                self.say("F301 refused-schema", "too deep or too large", "", Severity.ERROR)
            self.overflown = True
            return {}
        if isinstance(node, bool):
            return self.typed({}, pointer) if node else {"not": {}}
        if not isinstance(node, dict):
            self.say("F301 refused-schema", "this is no schema", pointer, Severity.ERROR)
            return {}
        node, seen = self.inlined(dict(node), pointer, seen)
        notes: list[str] = []
        self.rewritten(node, pointer, notes)
        self.moved(node, pointer, notes)
        self.inner(node, pointer, seen)
        if "$ref" not in node:
            node = self.typed(node, pointer)
            self.arrays(node, pointer)
            self.objects(node, pointer)
        return described(node, notes)

    def inlined(
        self, node: dict[str, Any], pointer: str, seen: tuple[str, ...]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Write a reference out where the provider wants that; say where it leads nowhere."""
        while isinstance(ref := node.get("$ref"), str):
            target = resolve(self.whole, ref)
            if not isinstance(target, dict):
                self.say("F301 refused-schema", f"“{ref}” leads nowhere", pointer, Severity.ERROR)
                return {key: value for key, value in node.items() if key != "$ref"}, seen
            recursive = ref in seen or (self.refs == "tree" and ref in self.cycles)
            if self.refs in ("none", "tree") and (recursive or ref == "#"):
                self.say(
                    "F301 refused-schema",
                    f"“{ref}” is recursive, which is not taken",
                    pointer,
                    Severity.ERROR,
                )
                return {"type": "object", "properties": {}, "additionalProperties": False}, seen
            plain = ref == "#" or ref.startswith("#/$defs/")
            if self.refs == "any" or (plain and self.refs != "none" and len(node) == 1):
                return node, seen
            rest = {key: value for key, value in node.items() if key != "$ref"}
            joined = merge(rest, target)
            if joined is None or recursive:
                self.say(
                    "F213 lost-keyword",
                    f"what stands beside “{ref}” is lost: {', '.join(rest)}",
                    pointer,
                )
                return ({"$ref": ref} if plain else dict(target)), seen
            node, seen = joined, (*seen, ref)
        return node, seen

    def rewritten(self, node: dict[str, Any], pointer: str, notes: list[str]) -> None:
        """Say the same by other keywords where that can be done."""
        if "allOf" in node and not self.takes("allOf"):
            self.joined(node, pointer, notes)
        if "const" in node and not self.takes("const"):
            node["enum"] = [node.pop("const")]
        if "oneOf" in node and not self.takes("oneOf") and "anyOf" not in node:
            node["anyOf"] = node.pop("oneOf")
            self.say(
                "F212 changed-schema",
                "“oneOf” becomes “anyOf”: a value may fit more than one",
                f"{pointer}/oneOf",
                Severity.INFO,
            )
        if "integer" in types_of(node) and not self.takes("exclusiveMinimum"):
            for key, bound, step in (
                ("exclusiveMinimum", "minimum", 1),
                ("exclusiveMaximum", "maximum", -1),
            ):
                if isinstance(node.get(key), int) and self.takes(bound) and bound not in node:
                    node[bound] = node.pop(key) + step
        if "prefixItems" in node and not self.takes("prefixItems"):
            self.tuples(node, pointer, notes)
        if self.profile.get("enum.texts") and "enum" in node:
            self.text_enum(node, pointer, notes)

    def joined(self, node: dict[str, Any], pointer: str, notes: list[str]) -> None:
        branches = node.pop("allOf")
        joined: dict[str, Any] | None = node
        for branch in branches if isinstance(branches, list) else []:
            target = followed(self.whole, branch)
            joined = None if joined is None else merge(joined, target)
        if joined is not None and "allOf" not in joined:
            node.update(joined)
            return
        notes.append(phrase("allOf", branches))
        self.say("F213 lost-keyword", "“allOf” can't be said otherwise", f"{pointer}/allOf")

    def tuples(self, node: dict[str, Any], pointer: str, notes: list[str]) -> None:
        places = node.pop("prefixItems")
        rest = node.get("items")
        kinds = [*places, rest] if isinstance(rest, dict) else list(places)
        distinct = [one for at, one in enumerate(kinds) if one not in kinds[:at]]
        if distinct:
            node["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        if rest is False:
            node.setdefault("maxItems", len(places))
        notes.append(phrase("prefixItems", places))
        self.say(
            "F213 lost-keyword",
            "the places of a tuple are not told apart; their order stands in the description",
            f"{pointer}/prefixItems",
        )

    def text_enum(self, node: dict[str, Any], pointer: str, notes: list[str]) -> None:
        values = node["enum"]
        texts = [one for one in values if isinstance(one, str) and one]
        if len(texts) + (None in values) == len(values):
            return
        del node["enum"]
        if not types_of(node) and (kind := infer_type({"enum": values})):
            node["type"] = kind
        notes.append(phrase("enum", values))
        self.say(
            "F211 moved-keyword",
            "“enum” takes texts alone; its values stand in the description",
            f"{pointer}/enum",
            Severity.INFO,
        )

    def moved(self, node: dict[str, Any], pointer: str, notes: list[str]) -> None:
        """Move into the description what the provider has no keyword for."""
        for key in [key for key in node if not self.keeps(key, node)]:
            value = node.pop(key)
            if key in _SILENT or (key == "additionalProperties" and value in (True, False)):
                continue
            if key == "title":
                continue
            notes.append(phrase(key, value))
            words = key in _ANNOTATIONS or not phrase(key, value).startswith("must also fit")
            self.say(
                "F211 moved-keyword" if words else "F213 lost-keyword",
                f"“{key}” is not taken; it stands in the description",
                f"{pointer}/{key}",
                Severity.INFO if words else Severity.WARNING,
            )
        least, own = self.profile.get("items.minimum"), node.get("minItems")
        if least is not None and isinstance(own, int | float) and own > least:
            notes.append(phrase("minItems", own))
            node["minItems"] = least
            self.say(
                "F211 moved-keyword",
                f"“minItems” is taken up to {least} only; it stands in the description",
                f"{pointer}/minItems",
                Severity.INFO,
            )

    def keeps(self, key: str, node: Mapping[str, Any]) -> bool:
        if key == "$defs":
            return True
        if not self.takes(key):
            return False
        if key == "format":
            formats = self.profile.get("formats")
            return formats is None or node[key] in formats
        if key == "pattern":
            refused = self.profile.get("patterns.refused", ())
            return not any(part in str(node[key]) for part in refused)
        return True

    def inner(self, node: dict[str, Any], pointer: str, seen: tuple[str, ...]) -> None:
        """Adapt the schemas inside."""
        if self.refs == "none":
            node.pop("$defs", None)
        for keys, child in list(children(node)):
            below = (f"#/$defs/{keys[1]}",) if keys[0] == "$defs" else seen
            place = "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)
            adapted = self.node(child, f"{pointer}{place}", below)
            if len(keys) == 1:
                node[keys[0]] = adapted
            elif isinstance(node[keys[0]], list):
                node[keys[0]] = [*node[keys[0]]]
                node[keys[0]][int(keys[1])] = adapted
            else:
                node[keys[0]] = {**node[keys[0]], keys[1]: adapted}

    def typed(self, node: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Give a type to a schema that has none, where the provider demands one."""
        if not self.profile.get("types.required") or any(
            key in node for key in ("type", "anyOf", "oneOf", "allOf", "$ref")
        ):
            return node
        kind = infer_type(node)
        if kind is not None:
            return {**node, "type": kind}
        self.say(
            "F212 changed-schema",
            "a value of any type is not taken: it becomes a text, a number or a boolean",
            pointer,
        )
        return {**node, "anyOf": [{"type": kind} for kind in _SCALARS]}

    def arrays(self, node: dict[str, Any], pointer: str) -> None:
        if "array" not in types_of(node) or not self.profile.get("arrays.items"):
            return
        if "prefixItems" not in node and not isinstance(node.get("items"), dict):
            node["items"] = self.typed({}, f"{pointer}/items")

    def objects(self, node: dict[str, Any], pointer: str) -> None:
        if "object" not in types_of(node) and "properties" not in node:
            return
        if self.profile.get("objects.properties"):
            node.setdefault("properties", {})
        if self.strict:
            self.closed(node, pointer)
        if self.profile.get("objects.required") == "all":
            self.required(node, pointer)

    def closed(self, node: dict[str, Any], pointer: str) -> None:
        properties = node.get("properties") or {}
        extra = node.get("additionalProperties")
        node["additionalProperties"] = False
        if not properties and extra is not False and pointer:
            self.say(
                "F301 refused-schema",
                "an object with free keys can't be closed: it would take none",
                pointer,
                Severity.ERROR,
            )
        elif extra is True or isinstance(extra, dict):
            self.say("F212 changed-schema", "keys besides the named ones are refused", pointer)
        missing = [name for name in node.get("required", ()) if name not in properties]
        if missing:
            said = ", ".join(f"“{name}”" for name in missing)
            self.say(
                "F301 refused-schema",
                f"{said} is required, but no property of a closed object",
                f"{pointer}/required",
                Severity.ERROR,
            )

    def required(self, node: dict[str, Any], pointer: str) -> None:
        properties = dict(node.get("properties") or {})
        optional = [name for name in properties if name not in node.get("required", ())]
        for name in optional:
            if not accepts_null(properties[name]):
                properties[name] = nullable(properties[name])
        if optional:
            self.say(
                "F212 changed-schema",
                f"{', '.join(optional)}: must be given, and null stands for leaving it out",
                f"{pointer}/required",
                Severity.INFO,
            )
        node["properties"] = properties
        node["required"] = list(properties)
