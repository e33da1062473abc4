from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from toolkit.formats.adapt import adapt
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
        ("info", "changed-schema", "/inputSchema/properties/days"),
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
    assert bent(schema, "anthropic")["description"] == "Needed: 'a', or 'b'."


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


def test_a_schema_that_was_brought_up_to_date_names_no_older_draft() -> None:
    older = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    newer = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
    assert "$schema" not in bent(older, "anthropic")
    assert bent(newer, "anthropic") == newer


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
