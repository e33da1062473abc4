"""What converters do with JSON Schemas: walk, resolve, merge, modernise, and put into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .wire import dump

__all__ = [
    "PHRASES",
    "accepts_null",
    "children",
    "infer_type",
    "merge",
    "modernise",
    "nullable",
    "phrase",
    "resolve",
    "types_of",
]

MAPS = frozenset({"$defs", "definitions", "properties", "patternProperties", "dependentSchemas"})
_DEEPEST = 100
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SINGLES = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)


def children(schema: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Give each schema directly inside `schema`, with the keys that lead to it."""
    for key, value in schema.items():
        if key in MAPS and isinstance(value, Mapping):
            yield from (((key, name), child) for name, child in value.items())
        elif key in LISTS and isinstance(value, list):
            yield from (((key, str(at)), child) for at, child in enumerate(value))
        elif key in SINGLES and isinstance(value, Mapping):
            yield (key,), value


def resolve(root: Mapping[str, Any], ref: str) -> Any:
    """Return what a local reference points to; None where it leads nowhere or elsewhere."""
    if ref == "#":
        return root
    if not ref.startswith("#/"):
        return None
    node: Any = root
    for part in ref[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return None
    return node


def types_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the types that a schema names itself."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return (kind,)
    return tuple(one for one in kind if isinstance(one, str)) if isinstance(kind, list) else ()


def infer_type(schema: Mapping[str, Any]) -> str | list[str] | None:
    """Say what type a schema without one means: by its values, or its other keywords."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list) and values:
        kinds = list(dict.fromkeys(map(_type_of, values)))
        if "number" in kinds and "integer" in kinds:
            kinds.remove("integer")
        return kinds[0] if len(kinds) == 1 else kinds
    hints = {
        "object": ("properties", "required", "additionalProperties", "minProperties"),
        "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
        "string": ("pattern", "minLength", "maxLength", "format"),
        "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
    fitting = (kind for kind, keys in hints.items() if any(key in schema for key in keys))
    return next(fitting, None)


def _type_of(value: Any) -> str:
    kinds: tuple[tuple[Any, str], ...] = (
        (bool, "boolean"),
        (str, "string"),
        (int, "integer"),
        (float, "number"),
        (list, "array"),
        (dict, "object"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def accepts_null(schema: Mapping[str, Any]) -> bool:
    """Whether null is certainly accepted, as far as a look without references tells."""
    if "enum" in schema and None not in schema["enum"]:
        return False
    if "const" in schema:
        return schema["const"] is None
    if "anyOf" in schema:
        return any(isinstance(one, Mapping) and accepts_null(one) for one in schema["anyOf"])
    return "null" in types_of(schema) or None in schema.get("enum", ())


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that accepts null besides."""
    if accepts_null(schema):
        return schema
    words = ("title", "description")
    described: dict[str, Any] = {key: schema[key] for key in words if key in schema}
    if "anyOf" in schema and not types_of(schema) and "enum" not in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if types_of(schema) and "const" not in schema and "$ref" not in schema:
        wider = {**schema, "type": [*types_of(schema), "null"]}
        if "enum" in schema:
            wider["enum"] = [*schema["enum"], None]
        return wider
    inner = {key: value for key, value in schema.items() if key not in described}
    return {"anyOf": [inner, {"type": "null"}], **described}


def merge(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return one schema that says both; None where that takes an `allOf`."""
    merged = dict(first)
    for key, value in second.items():
        if key not in merged or merged[key] == value:
            merged[key] = value
            continue
        both = _merge_keyword(key, merged[key], value)
        if both is None:
            return None
        merged[key] = both
    return merged


_FIRST = frozenset({"description", "title", "default", "examples", "$comment"})
_HIGHER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_LOWER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def _merge_keyword(key: str, first: Any, second: Any) -> Any:
    if key in _FIRST:
        return first
    if key in _HIGHER:
        return max(first, second)
    if key in _LOWER:
        return min(first, second)
    if key == "required":
        return list(dict.fromkeys([*first, *second]))
    if key == "type":
        return _common_types(first, second)
    if key == "enum":
        return [one for one in first if one in second] or None
    return _merge_inner(key, first, second)


def _merge_inner(key: str, first: Any, second: Any) -> Any:
    if key == "additionalProperties" and False in (first, second):
        return False
    if key == "additionalProperties" and True in (first, second):
        return second if first is True else first
    if key in ("properties", "$defs"):
        return _merge_maps(first, second)
    if key == "items" and isinstance(first, Mapping) and isinstance(second, Mapping):
        return merge(first, second)
    return None


def _common_types(first: Any, second: Any) -> Any:
    one, two = types_of({"type": first}), types_of({"type": second})
    wide = {*two, "integer"} if "number" in two else set(two)
    common = [kind for kind in one if kind in wide or (kind == "number" and "integer" in two)]
    narrowed = ["integer" if kind == "number" and "number" not in two else kind for kind in common]
    if not narrowed:
        return None
    return narrowed[0] if len(narrowed) == 1 else narrowed


def _merge_maps(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any] | None:
    merged = dict(first)
    for name, schema in second.items():
        mine = merged.get(name)
        if name not in merged or mine == schema:
            merged[name] = schema
            continue
        both = merge(mine, schema) if isinstance(mine, dict) and isinstance(schema, dict) else None
        if both is None:
            return None
        merged[name] = both
    return merged


def modernise(schema: Any, *, depth: int = 0) -> Any:
    """Return the same schema in draft 2020-12: of draft 4 to 7, and of OpenAPI 3.0."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return schema
    node = dict(schema)
    _modernise_keywords(node)
    for keys, child in list(children(node)):
        new = modernise(child, depth=depth + 1)
        if len(keys) == 1:
            node[keys[0]] = new
        elif isinstance(node[keys[0]], list):
            node[keys[0]] = [*node[keys[0]]]
            node[keys[0]][int(keys[1])] = new
        else:
            node[keys[0]] = {**node[keys[0]], keys[1]: new}
    if "definitions" in node and "$defs" not in node:
        node = {("$defs" if key == "definitions" else key): node[key] for key in node}
    return node


def _modernise_keywords(node: dict[str, Any]) -> None:
    ref = node.get("$ref")
    if isinstance(ref, str) and ref.startswith("#/definitions/"):
        node["$ref"] = "#/$defs/" + ref.removeprefix("#/definitions/")
    if isinstance(node.get("items"), list):
        node["prefixItems"] = node.pop("items")
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")
    _modernise_bounds(node)
    if node.pop("nullable", None) is True and not accepts_null(node):
        wider = nullable(node)
        node.clear()
        node.update(wider)
    if "example" in node and "examples" not in node:
        node["examples"] = [node.pop("example")]
    if isinstance(dependencies := node.get("dependencies"), dict):
        del node["dependencies"]
        _modernise_dependencies(node, dependencies)


def _modernise_bounds(node: dict[str, Any]) -> None:
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(exclusive), bool) and node.pop(exclusive) and bound in node:
            node[exclusive] = node.pop(bound)


def _modernise_dependencies(node: dict[str, Any], dependencies: Mapping[str, Any]) -> None:
    lists = {key: one for key, one in dependencies.items() if isinstance(one, list)}
    others = {key: one for key, one in dependencies.items() if not isinstance(one, list)}
    if lists:
        node.setdefault("dependentRequired", lists)
    if others:
        node.setdefault("dependentSchemas", others)


PHRASES = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
    "pattern": "matches the regular expression {}",
    "format": "format {}",
    "default": "default {}",
    "const": "always {}",
    "enum": "one of {}",
    "examples": "for example {}",
    "uniqueItems": "no item twice",
    "deprecated": "deprecated",
    "readOnly": "read-only",
    "writeOnly": "write-only",
}
_PLAIN = frozenset({"pattern", "format"})


def phrase(key: str, value: Any) -> str:
    """Say a keyword in words, for a description: minimum 3 is 'at least 3'."""
    words = PHRASES.get(key)
    if words is None:
        return f"must also fit the JSON Schema {dump({key: value})}"
    if key in ("enum", "examples") and isinstance(value, list):
        return words.format(", ".join(map(dump, value)))
    if value == 1 and words.endswith(("characters", "items", "keys")):
        words = words.removesuffix("s")
    return words.format(value if key in _PLAIN and isinstance(value, str) else dump(value))
