from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.findings import Severity
from toolkit.formats.adapt import adapt
from toolkit.formats.limits import check_request
from toolkit.formats.profiles import profile, profiles
from toolkit.types import ToolSpec

STRICT = ["openai-strict", "anthropic-strict", "bedrock-strict"]
ALL = sorted(profiles())


def bent(schema: Any, name: str) -> Any:
    return adapt(ToolSpec("t", "Text.", schema), profile(name)).value


def said(schema: Any, name: str) -> list[tuple[str, str, str | None]]:
    found = adapt(ToolSpec("t", "Text.", schema), profile(name)).findings
    return [(str(one.severity), one.name, one.place.pointer) for one in found]


def one_property(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"]}


def test_strict_openai_closes_requires_and_lets_null_stand_for_nothing() -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer", "default": 3, "description": "How many."},
        },
        "required": ["city"],
    }
    assert bent(schema, "openai-strict") == {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": ["integer", "null"], "description": "How many.\nDefault 3."},
        },
        "required": ["city", "days"],
        "additionalProperties": False,
    }
    assert said(schema, "openai-strict") == [
        ("info", "moved-keyword", "/inputSchema/properties/days/default"),
        ("info", "changed-schema", "/inputSchema/required"),
    ]


def test_strict_anthropic_leaves_optional_ones_optional() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
    assert bent(schema, "anthropic-strict") == {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "At most 3 characters."}},
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("optional", "expected"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"enum": ["a"]}, {"enum": ["a", None], "type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        (
            {"const": 1, "description": "One."},
            {"anyOf": [{"const": 1, "type": "integer"}, {"type": "null"}], "description": "One."},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
    ],
)
def test_an_optional_property_becomes_nullable(optional: Any, expected: Any) -> None:
    schema = {"type": "object", "properties": {"x": optional}}
    assert bent(schema, "openai-strict")["properties"]["x"] == expected


@pytest.mark.parametrize("name", STRICT)
@pytest.mark.parametrize("free", [{}, {"additionalProperties": {"type": "integer"}}])
def test_an_object_with_free_keys_is_an_error_of_that_tool(name: str, free: Any) -> None:
    found = said(one_property({"type": "object", **free}), name)
    assert ("error", "refused-schema", "/inputSchema/properties/x") in found


@pytest.mark.parametrize("name", STRICT)
def test_a_tool_without_parameters_is_taken(name: str) -> None:
    converted = adapt(ToolSpec("t", "Text.", {"type": "object"}), profile(name))
    assert not converted.refused
    assert converted.value["additionalProperties"] is False


def test_a_recursive_schema_is_taken_by_openai_and_refused_by_anthropic() -> None:
    schema = {
        **one_property({"$ref": "#/$defs/N"}),
        "$defs": {
            "N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}},
            "Unused": {"type": "object"},
        },
    }
    assert bent(schema, "openai-strict")["properties"]["x"] == {"$ref": "#/$defs/N"}
    assert list(bent(schema, "openai-strict")["$defs"]) == ["N"]
    assert ("error", "refused-schema", "/inputSchema/properties/x") in said(
        schema, "anthropic-strict"
    )
    assert any(severity == "error" for severity, _, _ in said(schema, "gemini-openapi"))


def test_mutual_recursion_is_seen_too() -> None:
    schema = {
        **one_property({"$ref": "#/$defs/A"}),
        "$defs": {
            "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
            "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
        },
    }
    assert any(severity == "error" for severity, _, _ in said(schema, "bedrock-strict"))


def test_a_reference_with_something_beside_it_is_written_out_for_openai() -> None:
    schema = {
        **one_property({"$ref": "#/$defs/P", "description": "Where."}),
        "$defs": {"P": {"type": "string", "minLength": 2}},
    }
    assert bent(schema, "openai-strict")["properties"]["x"] == {
        "description": "Where.",
        "type": "string",
        "minLength": 2,
    }
    assert "$defs" not in bent(schema, "openai-strict")


@pytest.mark.parametrize("ref", ["#/$defs/Nowhere", "https://example.com/s.json"])
@pytest.mark.parametrize("name", ALL)
def test_a_reference_that_leads_nowhere_is_an_error(name: str, ref: str) -> None:
    found = said(one_property({"$ref": ref}), name)
    assert ("error", "refused-schema", "/inputSchema/properties/x") in found


@pytest.mark.parametrize("name", ["openai", "anthropic", "openai-strict", "bedrock-strict"])
def test_a_choice_at_the_root_joins_the_properties_and_says_the_rule(name: str) -> None:
    schema = {
        "type": "object",
        "description": "Look up.",
        "properties": {"a": {"type": "string"}},
        "anyOf": [
            {"required": ["a"]},
            {"required": ["b"], "properties": {"b": {"type": "integer"}}},
        ],
    }
    adapted = bent(schema, name)
    assert set(adapted["properties"]) == {"a", "b"}
    assert "anyOf" not in adapted
    assert adapted["description"].startswith("Look up.\nMust also fit the JSON Schema {")
    assert ("warning", "lost-keyword", "/inputSchema/anyOf") in said(schema, name)


def test_needed_sets_of_keys_are_said_in_words() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    assert bent(schema, "anthropic")["description"] == "Needed: “a”, or “b”."


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock", "gemini"])
def test_an_all_of_that_one_object_could_say_is_merged_without_a_word(name: str) -> None:
    schema = {
        "$defs": {"Base": {"properties": {"a": {"type": "string"}}, "required": ["a"]}},
        "allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {"type": "integer"}}}],
        "type": "object",
    }
    if name == "bedrock":
        assert said(schema, name) == []
        return
    adapted = bent(schema, name)
    assert adapted["properties"] == {"a": {"type": "string"}, "b": {"type": "integer"}}
    assert adapted["required"] == ["a"]
    assert said(schema, name) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
            {"type": "integer", "exclusiveMinimum": 0},
        ),
        ({"type": "integer", "exclusiveMinimum": False}, {"type": "integer"}),
        (
            {"type": "array", "items": [{"type": "string"}], "additionalItems": False},
            {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
        ),
        ({"$ref": "#/definitions/D"}, {"$ref": "#/$defs/D"}),
    ],
)
def test_older_drafts_are_brought_up_to_date(old: Any, new: Any) -> None:
    schema = {**one_property(old), "definitions": {"D": {"type": "string"}}}
    adapted = bent(schema, "anthropic")
    assert adapted["properties"]["x"] == new
    assert ("$defs" in adapted) is ("$ref" in new)
    jsonschema.Draft202012Validator.check_schema(adapted)


def test_gemini_gets_the_same_meaning_in_fewer_keywords() -> None:
    schema = one_property({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10})
    assert bent(schema, "gemini")["properties"]["x"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
    }
    assert bent(one_property({"const": "a"}), "gemini")["properties"]["x"] == {"enum": ["a"]}


def test_a_numeric_enum_stands_in_words_where_an_enum_holds_texts_alone() -> None:
    adapted = bent(one_property({"enum": [1, 2]}), "gemini-openapi")
    assert adapted["properties"]["x"] == {"type": "integer", "description": "One of 1, 2."}


def test_a_tuple_becomes_a_list_and_its_order_stands_in_words() -> None:
    places = [{"type": "number"}, {"type": "string"}]
    schema = one_property({"type": "array", "prefixItems": places, "items": False})
    adapted = bent(schema, "openai-strict")["properties"]["x"]
    assert adapted["items"] == {"anyOf": places}
    assert adapted["maxItems"] == 2
    assert "prefixItems" in adapted["description"]


def test_an_any_value_is_narrowed_and_said_where_a_type_is_demanded() -> None:
    assert ("warning", "changed-schema", "/inputSchema/properties/x") in said(
        one_property({}), "openai-strict"
    )
    assert said(one_property({}), "openai") == []


@pytest.mark.parametrize(
    ("name", "count", "refused"),
    [("openai", 64, False), ("openai", 65, True), ("anthropic", 128, False), ("mcp", 129, True)],
)
def test_a_name_is_held_against_its_length(name: str, count: int, *, refused: bool) -> None:
    spec = ToolSpec("n" * count, "Text.", {"type": "object"})
    assert adapt(spec, profile(name)).refused is refused


@pytest.mark.parametrize(
    ("name", "tool", "refused"),
    [
        ("openai", "a.b", True),
        ("mcp", "a.b", False),
        ("gemini", "a.b", False),
        ("gemini", "1a", True),
        ("anthropic", "1a", False),
        ("bedrock", "wétter", True),
        ("openai", "a\n", True),
        ("openai", "", True),
    ],
)
def test_a_name_is_held_against_its_letters(name: str, tool: str, *, refused: bool) -> None:
    assert adapt(ToolSpec(tool, "Text.", {"type": "object"}), profile(name)).refused is refused


def test_keys_are_held_against_their_letters_where_the_provider_looks() -> None:
    root = {"type": "object", "properties": {"a b": {"type": "string"}}}
    assert ("error", "refused-name", "/inputSchema/properties/a b") in said(root, "anthropic")
    inner = one_property({"type": "object", "properties": {"a b": {"type": "string"}}})
    assert said(inner, "anthropic") == []
    assert any(name == "refused-name" for _, name, _ in said(inner, "gemini-openapi"))


def test_eleven_levels_are_one_too_many_for_strict_openai() -> None:
    def nested(levels: int) -> Any:
        inner: Any = {"type": "object", "properties": {"end": {"type": "string"}}}
        for _ in range(levels - 1):
            inner = {"type": "object", "properties": {"x": inner}}
        return inner

    assert not any(name == "over-limit" for _, name, _ in said(nested(10), "openai-strict"))
    assert ("error", "over-limit", "/inputSchema") in said(nested(11), "openai-strict")


def test_a_thousand_and_one_enum_values_are_one_too_many() -> None:
    few = one_property({"type": "string", "enum": [f"v{at}" for at in range(1000)]})
    many = one_property({"type": "string", "enum": [f"v{at}" for at in range(1001)]})
    assert not any(name == "over-limit" for _, name, _ in said(few, "openai-strict"))
    assert ("error", "over-limit", "/inputSchema") in said(many, "openai-strict")


def test_a_whole_request_is_counted() -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    found = check_request([(f"t{at}", schema) for at in range(25)], profile("anthropic-strict"))
    assert [one.message for one in found] == [
        "25 strict tools in one request, 20 are taken",
        "25 optional parameters in one request, 24 are taken",
        "25 parameters with a union of types in one request, 16 are taken",
    ]
    twins = check_request([("a", {}), ("a", {})], profile("openai"))
    assert [one.message for one in twins] == ["2 tools are called “a”"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("root", [None, [], "x", {"type": "array"}, {"type": "null"}])
def test_a_root_that_is_no_object_is_an_error_and_nothing_crashes(name: str, root: Any) -> None:
    assert adapt(ToolSpec("t", "Text.", root), profile(name)).refused


@pytest.mark.parametrize("name", ALL)
def test_a_schema_of_three_hundred_levels_is_an_error_and_nothing_crashes(name: str) -> None:
    schema: Any = {"type": "string"}
    for _ in range(300):
        schema = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    assert adapt(ToolSpec("t", "Text.", schema), profile(name)).refused


@pytest.mark.parametrize("name", ["gemini-openapi", "openai-strict", "anthropic-strict"])
def test_references_that_double_at_each_level_end_in_an_error_or_stay_small(name: str) -> None:
    definitions: Any = {"D0": {"type": "object", "properties": {"a": {"type": "string"}}}}
    for at in range(1, 40):
        ref = {"$ref": f"#/$defs/D{at - 1}", "description": "d"}
        definitions[f"D{at}"] = {"type": "object", "properties": {"l": ref, "r": ref}}
    schema = {**one_property({"$ref": "#/$defs/D39"}), "$defs": definitions}
    converted = adapt(ToolSpec("t", "Text.", schema), profile(name))
    assert converted.refused
    assert len(json.dumps(converted.value)) < 5_000_000


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
@given(pair=pairs)
def test_adapting_twice_changes_nothing_more(name: str, pair: Any) -> None:
    schema, _ = pair
    schema = {**schema, "$defs": {"S": {"type": "string"}}}
    once = bent(schema, name)
    assert bent(once, name) == once


@pytest.mark.parametrize("name", STRICT)
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
