"""By property: what a cleaned schema accepts is what the raw one accepts."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolkit.schema.clean import clean

NULL = {"type": "null"}
STRING = {"type": "string"}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


NAMES = st.sampled_from(["a", "b", "title", "$ref"])
REFS = st.sampled_from([{"$ref": f"#/$defs/{name}"} for name in "XYZ"])
LEAVES = st.sampled_from(
    [
        STRING,
        {"type": "integer", "minimum": 1},
        NULL,
        {"enum": ["s", None, 1]},
        {"type": ["string", "null"], "title": "A"},
        {"const": 1},
        {"type": "object", "additionalProperties": True},
        True,
    ]
)


def _grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    properties = st.dictionaries(NAMES, inner, max_size=3)
    return st.one_of(
        st.builds(
            lambda p, r: {"type": "object", "properties": p, "required": r},
            properties,
            st.lists(NAMES, max_size=2, unique=True),
        ),
        st.builds(lambda s: {"anyOf": [s, NULL], "default": None, "title": "A"}, inner),
        st.builds(lambda s, t: {"anyOf": [s, NULL, t]}, inner, inner),
        st.builds(lambda s: {"type": "array", "items": s, "maxItems": 2}, inner),
        st.builds(lambda s: {"additionalProperties": s}, inner),
        st.builds(lambda s, p: {**s, "properties": p, "description": "d"}, REFS, properties),
        st.builds(lambda s: {**s, "minimum": 1, "type": "integer"}, REFS),
        REFS,
    )


SCHEMAS = st.recursive(LEAVES, _grown, max_leaves=6)
ROOTS = st.builds(
    lambda p, x, y, z: {**of(**p), "$defs": {"X": x, "Y": y, "Z": z}},
    st.dictionaries(NAMES, SCHEMAS, min_size=1, max_size=3),
    SCHEMAS.filter(lambda schema: "X" not in json.dumps(schema)),
    SCHEMAS.filter(lambda schema: not any(name in json.dumps(schema) for name in "YX")),
    LEAVES,
)
VALUES = st.recursive(
    st.sampled_from(["s", "t", 1, 0, True]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(ROOTS, st.lists(st.dictionaries(NAMES, VALUES, max_size=3), min_size=1, max_size=8))
def test_raw_and_cleaned_accept_the_same(schema: dict[str, Any], inputs: list[Any]) -> None:
    """Inputs without null: that of an optional is the one value that cleaning takes away."""
    lean = clean(schema)
    raw, cleaned = Draft202012Validator(schema), Draft202012Validator(lean)
    for value in inputs:
        assert raw.is_valid(value) == cleaned.is_valid(value)
    assert clean(lean) == lean
    Draft202012Validator.check_schema(lean)
