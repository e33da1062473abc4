from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.findings import Severity
from toolkit.formats.adapt import adapt
from toolkit.formats.profiles import profile, profiles
from toolkit.types import ToolSpec

STRICT = ["openai-strict", "anthropic-strict", "bedrock-strict"]
ALL = sorted(profiles())


def bent(schema: Any, name: str) -> Any:
    return adapt(ToolSpec("t", "Text.", schema), profile(name)).value


# A schema and a value that it accepts, drawn together.
def _leaf(kind: str, values: st.SearchStrategy[Any], **more: Any) -> st.SearchStrategy[Any]:
    return values.map(lambda value: ({"type": kind, **more}, value))


leaves = st.one_of(
    _leaf("string", st.text(max_size=5)),
    _leaf("string", st.text(min_size=1, max_size=3), minLength=1, maxLength=3),
    _leaf("integer", st.integers(1, 9), minimum=1, maximum=9),
    _leaf("integer", st.integers(1, 9), exclusiveMinimum=0, default=4),
    _leaf("number", st.floats(0, 1)),
    _leaf("boolean", st.booleans()),
    st.sampled_from([({"enum": ["a", "b"]}, "a"), ({"const": "k"}, "k"), ({"enum": [1, 2]}, 2)]),
    st.sampled_from([({"type": ["string", "null"]}, None), ({"$ref": "#/$defs/S"}, "s")]),
)


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    schema, value = draw(inner)
    count = draw(st.integers(0, 3))
    return {"type": "array", "items": schema, "maxItems": 3}, [value] * count


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    schema, value = draw(inner)
    return {"anyOf": [schema, {"type": "null"}]}, draw(st.sampled_from([value, None]))


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    members = draw(st.dictionaries(st.sampled_from("abcdef"), inner, min_size=1, max_size=4))
    required = [name for name in members if draw(st.booleans())]
    given_ = [name for name in members if name in required or draw(st.booleans())]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: schema for name, (schema, _) in members.items()},
    }
    if required:
        schema["required"] = required
    return schema, {name: members[name][1] for name in given_}


pairs = objects(
    st.recursive(leaves, lambda inner: objects(inner) | arrays(inner) | unions(inner), max_leaves=8)
)


def filled(schema: Any, value: Any) -> Any:
    """Give null for what is left out, as strict mode demands."""
    if isinstance(value, dict) and "properties" in schema:
        members = schema["properties"].items()
        return {name: filled(one, value.get(name)) for name, one in members}
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [filled(schema["items"], one) for one in value]
    if "anyOf" in schema and value is not None:
        return filled(schema["anyOf"][0], value)
    return value


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40, deadline=None)
@given(pair=pairs)
def test_what_the_tool_accepts_the_adapted_schema_accepts(name: str, pair: Any) -> None:
    schema, value = pair
    schema = {**schema, "$defs": {"S": {"type": "string"}}}
    converted = adapt(ToolSpec("t", "Text.", schema), profile(name))
    assert not any(one.severity is not Severity.INFO for one in converted.findings)
    adapted = converted.value
    jsonschema.Draft202012Validator.check_schema(adapted)
    sent = filled(schema, value) if name == "openai-strict" else value
    jsonschema.Draft202012Validator(adapted).validate(sent)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40, deadline=None)
@given(pair=pairs)
def test_adapting_twice_changes_nothing_more(name: str, pair: Any) -> None:
    schema, _ = pair
    schema = {**schema, "$defs": {"S": {"type": "string"}}}
    once = bent(schema, name)
    assert bent(once, name) == once


@pytest.mark.parametrize("name", STRICT)
@settings(max_examples=40, deadline=None)
@given(pair=pairs)
def test_every_object_of_a_strict_schema_is_closed(name: str, pair: Any) -> None:
    schema, _ = pair
    adapted = bent({**schema, "$defs": {"S": {"type": "string"}}}, name)
    waiting = [adapted]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "properties" in node and "type" in node:
                assert node["additionalProperties"] is False
                if name == "openai-strict":
                    assert node["required"] == list(node["properties"])
            waiting += list(node.values())
        elif isinstance(node, list):
            waiting += node
