"""Whatever stands in a document, every rule judges it and none fails."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit.lint.declarations import read_text, subject_of
from toolkit.lint.metaschema import KEYWORDS
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table

ALL = from_table({"for": ["all"]})
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.sampled_from(["", "object", "array", "string", "#/$defs/a", "#", "http://a/b", "x", "["]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*sorted(KEYWORDS), "a", "b"]), inner, max_size=5)
    ),
    max_leaves=25,
)
PARTS = (
    *("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"),
    *("icons", "execution", "strict", "input_examples", "behavior"),
)
DECLARATIONS = st.fixed_dictionaries({}, optional=dict.fromkeys(PARTS, VALUES))
DIALECTS = ("mcp", "toolspec", "bedrock", "openai", "anthropic", "gemini", "gemini-openapi")


def failed(tools: list[Any]) -> list[str]:
    """What rules say of their own failing."""
    subjects = [subject_of(one, "mcp") for one in tools]
    return [each.message for each in lint(subjects, ALL).findings if "rule itself" in each.message]


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(DECLARATIONS, min_size=1, max_size=3))
def test_no_rule_fails_on_any_declaration(tools: list[Any]) -> None:
    assert failed(tools) == []


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(DIALECTS), VALUES)
def test_any_value_can_be_read_in_any_dialect(dialect: str, value: Any) -> None:
    entry = {"name": "a", "function": value, "toolSpec": value, "inputSchema": value}
    assert lint([subject_of(entry, dialect)], ALL).tools == 1


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(VALUES)
def test_any_document_is_read(value: Any) -> None:
    document = read_text(json.dumps(value))
    assert len(document.subjects) >= 0
    lint(document.subjects, ALL, problems=document.problems)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"$ref": "#"}}},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/a/properties/b"}}, "$ref": "#/$defs/a"},
        {"type": "object", "properties": {"a": {"enum": [1.0, 1, True, "1"]}}},
        {"type": "object", "properties": {"a": {"pattern": "(", "default": "x"}}},
        {"type": "object", "properties": {"a": {"default": 1, "multipleOf": 0}}},
        {"type": "object", "properties": {"\ud800": {"type": "string", "default": "\udfff"}}},
    ],
)
def test_hostile_schemas_are_judged(schema: Any) -> None:
    assert failed([{"name": "a", "description": "Tell a thing.", "inputSchema": schema}]) == []


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 50_000,
        "detect 'ignore previous instructions' " * 2_000,
        "read ~/.ssh/id_rsa " * 900,
        "the input" + " " * 50_000,
        "\u200e" * 60_000,
        "a\u00ad" * 30_000,
        "send *.env " * 5_500,
        "![a](https://a/" * 4_000,
        "e.g. ![a](https://a.test/{rows}) " * 1_800,
        "<a =//" * 10_000,
        "<important> a" * 4_600,
    ],
)
def test_a_long_text_is_judged_in_time(text: str) -> None:
    """Quadratic time would be minutes here."""
    schema = {"type": "object", "properties": {"x": {"type": "string", "description": text}}}
    started = time.process_time()
    assert failed([{"name": "a_b", "description": text, "inputSchema": schema}]) == []
    assert time.process_time() - started < 20
