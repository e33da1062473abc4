"""Two schemas that must both hold, written as one; and an optional property without its null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["combined", "without_null"]

# Keywords that only annotate: the nearer one wins. All others constrain.
ANNOTATIONS = frozenset(
    {
        "$comment",
        "default",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
# Keywords whose meaning hangs on others beside them: such groups are never mixed.
_GROUPS = (
    {"properties", "patternProperties", "additionalProperties"},
    {"prefixItems", "items", "additionalItems"},
    {"if", "then", "else"},
    {"contains", "minContains", "maxContains"},
    {"contentEncoding", "contentMediaType", "contentSchema"},
)
_GROUP = {keyword: number for number, group in enumerate(_GROUPS) for keyword in group}
_SEES_ALL = frozenset({"unevaluatedItems", "unevaluatedProperties"})


def combined(inner: Any, outer: Mapping[str, Any]) -> Any:
    """What both accept: `inner` is what a reference or a sole branch said, `outer` its siblings.

    Annotations of `outer` win. Constraints are put side by side where that means the same, else
    `inner` goes into an `allOf`.
    """
    if not outer or inner is True:
        return dict(outer) if inner is True else inner
    if not isinstance(inner, Mapping):
        return {**outer, "allOf": [inner, *outer.get("allOf", ())]}
    said = {key for key in outer if key not in ANNOTATIONS}
    same = {"type"} if "type" in said and inner.get("type") == outer["type"] else set()
    if _independent({key for key in inner if key not in ANNOTATIONS}, said - same):
        return {**inner, **outer}
    kept = {key: value for key, value in inner.items() if key not in ANNOTATIONS}
    notes = {key: value for key, value in inner.items() if key in ANNOTATIONS}
    return {**notes, **outer, "allOf": [kept, *outer.get("allOf", ())]}


def _independent(one: set[str], other: set[str]) -> bool:
    if not one or not other:
        return True
    if (one | other) & _SEES_ALL:
        return False
    return not {_GROUP.get(key, key) for key in one} & {_GROUP.get(key, key) for key in other}


def without_null(schema: Any) -> Any:
    """An optional property's schema without its null, the very same object if it has none.

    Every other value is accepted or refused as before.
    """
    if not isinstance(schema, Mapping):
        return schema
    lean = _lean(schema)
    if lean is schema:
        return schema
    while (leaner := _lean(lean)) is not lean:
        lean = leaner
    if lean.get("default", ...) is None:
        lean = {key: value for key, value in lean.items() if key != "default"}
    return lean


def _lean(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            left = [branch for branch in branches if not _is_null(branch)]
            if left and len(left) < len(branches):
                return _with_branches(schema, keyword, left)
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds and len(kinds) > 1:
        left = [kind for kind in kinds if kind != "null"]
        lean = {**schema, "type": left[0] if len(left) == 1 else left}
        return _values_lean(lean) or lean
    return _values_lean(schema) or schema


def _values_lean(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    values = schema.get("enum")
    if not isinstance(values, list) or None not in values:
        return None
    left = [value for value in values if value is not None]
    return {**schema, "enum": left} if left else None


def _with_branches(
    schema: Mapping[str, Any], keyword: str, branches: list[Any]
) -> Mapping[str, Any]:
    if len(branches) > 1:
        return {**schema, keyword: branches}
    outer = {key: value for key, value in schema.items() if key != keyword}
    lean = combined(branches[0], outer)
    return lean if isinstance(lean, Mapping) else {"allOf": [lean]}


def _is_null(branch: Any) -> bool:
    if not isinstance(branch, Mapping):
        return False
    kept = {key: value for key, value in branch.items() if key not in ANNOTATIONS}
    return kept in ({"type": "null"}, {"const": None}, {"enum": [None]}) or kept == {
        "type": "null",
        "const": None,
    }
