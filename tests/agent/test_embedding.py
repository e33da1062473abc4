"""A JSON Schema under a key accepts what it accepted at the root."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolkit import StructuredOutputTool
from toolkit.errors import DefinitionError, InvalidInputError

LEAVES = st.sampled_from(
    [
        {},
        True,
        {"type": "integer"},
        {"type": "string", "maxLength": 2},
        {"const": {"$ref": "#/$defs/a"}},
        {"enum": [1, "a", None, {"$ref": "#"}]},
        {"$ref": "#/$defs/a"},
        {"$ref": "#/$defs/b"},
        {"$ref": "#"},
    ]
)


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=2)
    named = st.dictionaries(st.sampled_from(["a", "b", "$ref"]), inner, max_size=2)
    return st.one_of(
        several.map(lambda each: {"anyOf": [*each, {"type": "null"}]}),
        inner.map(lambda each: {"type": "array", "items": each}),
        several.map(lambda each: {"type": "array", "prefixItems": each}),
        named.map(lambda each: {"type": ["object", "null"], "properties": each}),
        inner.map(lambda each: {"type": ["object", "array"], "additionalProperties": each}),
    )


SCHEMAS = st.recursive(LEAVES, grown, max_leaves=6).filter(lambda each: isinstance(each, dict))
ENDED = st.sampled_from([{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}])
INSTANCES = st.recursive(
    st.sampled_from([None, 1, "a", "abc", {"$ref": "#"}]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["a", "b", "$ref"]), inner, max_size=2),
    ),
    max_leaves=6,
)


def shown_by(tool: StructuredOutputTool) -> Any:
    try:
        return tool.spec.input_schema
    except DefinitionError:
        return None


@given(SCHEMAS, st.fixed_dictionaries({"a": ENDED, "b": ENDED}), st.lists(INSTANCES, max_size=5))
def test_the_wrapped_schema_accepts_the_same_instances(
    schema: dict[str, Any], definitions: dict[str, Any], instances: list[Any]
) -> None:
    whole = {**schema, "$defs": definitions}
    tool = StructuredOutputTool(whole)
    shown = shown_by(tool)
    if shown is None:  # a reference that only leads back to itself
        return
    if not tool.wrapped:
        return
    for instance in instances:
        right = Draft202012Validator(whole).is_valid(instance)
        assert Draft202012Validator(shown).is_valid({"value": instance}) is right
        try:
            assert tool.validate({"value": instance}) == instance
        except InvalidInputError:
            assert not right
        else:
            assert right
