"""The words behind a tool's name, read by its schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import ToolSpec
from toolkit.arguments import parse
from toolkit.errors import UsageError
from toolkit.flags import help_text, words_for

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "number": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "points": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        "box": {
            "type": "object",
            "properties": {"width": {"type": "integer"}, "in ner": {"type": "string"}},
        },
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "level": {"enum": [1, 2, 3]},
        "free": {},
        "max_results": {"type": "integer"},
        "odd name.x": {"type": "string"},
        "help": {"type": "string"},
        "node": {"$ref": "#/$defs/Node"},
        "100%": {"type": "string"},
    },
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"label": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}},
        }
    },
}
SPEC = ToolSpec("t", "T.", SCHEMA)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--text", "007"], {"text": "007"}),
        (["--text", "-5"], {"text": "-5"}),
        (["--text="], {"text": ""}),
        (["--text", "null"], {"text": "null"}),
        (["--text=a=b"], {"text": "a=b"}),
        (["--text", '"quoted"'], {"text": '"quoted"'}),
        (["--number", "07"], {"number": 7}),
        (["--number", "-7"], {"number": -7}),
        (["--number", "+7"], {"number": 7}),
        (["--number", "1e3"], {"number": 1000.0}),
        (["--ratio", "2"], {"ratio": 2}),
        (["--ratio", "0.5e1"], {"ratio": 5.0}),
        (["--on"], {"on": True}),
        (["--no-on"], {"on": False}),
        (["--on=false"], {"on": False}),
        (["--on", "no"], {"on": False}),
        (["on=yes"], {"on": True}),
        (["--tags", "a", "--tags", "1"], {"tags": ["a", "1"]}),
        (["--tags", '["a", "b"]'], {"tags": ["a", "b"]}),
        (["--points", "[[1, 2], [3, 4]]"], {"points": [[1, 2], [3, 4]]}),
        (["--points", "[1, 2]", "--points", "[3]"], {"points": [[1, 2], [3]]}),
        (["--box", '{"width": 1}'], {"box": {"width": 1}}),
        (["--box.width", "2"], {"box": {"width": 2}}),
        (["--box", '{"width": 1}', "--box.in ner", "x"], {"box": {"width": 1, "in ner": "x"}}),
        (["--maybe", "null"], {"maybe": None}),
        (["--maybe", "3"], {"maybe": 3}),
        (["--either", "3"], {"either": 3}),
        (["--either", "three"], {"either": "three"}),
        (["--either", "[1]"], {"either": "[1]"}),
        (["--level", "2"], {"level": 2}),
        (["--free", "[1]"], {"free": [1]}),
        (["--free", "plain"], {"free": "plain"}),
        (["--max-results", "1"], {"max_results": 1}),
        (["--max_results", "1"], {"max_results": 1}),
        (["max_results=1"], {"max_results": 1}),
        (["max-results=1"], {"max_results": 1}),
        (["odd name.x=v"], {"odd name.x": "v"}),
        (["--odd name.x", "v"], {"odd name.x": "v"}),
        (["--help", "me"], {"help": "me"}),
        (
            ["--node.label", "a", "--node.next.label", "b"],
            {"node": {"label": "a", "next": {"label": "b"}}},
        ),
        (["100%=x"], {"100%": "x"}),
        (["number:=3"], {"number": 3}),
        (["text:=null"], {"text": None}),
        (['free:={"a": [1]}'], {"free": {"a": [1]}}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_words_become_input_by_the_schema(words: list[str], expected: dict[str, Any]) -> None:
    assert parse(SPEC, words).input == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--number", "two"], '--number takes an integer, not "two"'),
        (["--number", "1.5"], '--number takes an integer, not "1.5"'),
        (["--number", "NaN"], '--number takes an integer, not "NaN"'),
        (["--ratio", "Infinity"], '--ratio takes a number, not "Infinity"'),
        (["--on=perhaps"], '--on takes true or false, not "perhaps"'),
        (["--tags", "[not json"], "the JSON of --tags does not parse"),
        (["--box", "{"], "--box takes a JSON object"),
        (["--box", "[1]"], "--box takes a JSON object"),
        (["--box.width", "x"], "--box.width takes an integer"),
        (["--box", '{"width": 1}', "--box.width.deep", "1"], "has no flag '--box.width.deep'"),
        (["--text"], "--text needs a value"),
        (["--text", "--on"], "--text needs a value"),
        (["--text", "a", "--text", "b"], "--text is given 2 times"),
        (["--txet", "a"], "has no flag '--txet'"),
        (["--te", "a"], "has no flag '--te'"),
        (["-x"], "has no flag '-x'"),
        (["word"], "unexpected argument 'word'"),
        (["nope=1"], "has no parameter 'nope'"),
        (["number:=x"], "the JSON of number does not parse"),
        (["free:=NaN"], "NaN is no JSON number"),
        (["free:=" + "[" * 100_000], "nested too deeply"),
        (["--text", "a", "text=@/no/such/file"], "can't read '/no/such/file'"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_can_t_be_read_is_said_in_one_line(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(SPEC, words)
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def test_everything_required_and_missing_is_named_at_once() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b_c": {}}, "required": ["a", "b_c"]}
    with pytest.raises(UsageError, match="'t' needs --a, --b-c"):
        parse(ToolSpec("t", "T.", schema), [])


def test_a_tool_that_takes_anything_takes_unknown_flags() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}}
    assert parse(ToolSpec("t", "T.", schema), ["--more", "3", "other=4"]).input == {
        "more": 3,
        "other": 4,
    }


values = st.fixed_dictionaries(
    {},
    optional={
        "text": st.text(),
        "number": st.integers(),
        "on": st.booleans(),
        "tags": st.lists(st.text(), min_size=2),
        "box": st.fixed_dictionaries({}, optional={"width": st.integers()}),
        "free": st.none() | st.integers() | st.lists(st.integers()),
    },
)


@given(values)
def test_an_input_comes_back_from_its_command_line(input_: dict[str, Any]) -> None:
    import shlex

    line = words_for(SPEC, input_)
    assert parse(SPEC, shlex.split(line)[3:]).input == input_


COMBINED: dict[str, Any] = {
    "$ref": "#/$defs/Any%20order",
    "type": "object",
    "properties": {"note": {"type": "string"}},
    "allOf": [{"properties": {"count": {"type": "integer"}}, "required": ["count"]}],
    "oneOf": [
        {"properties": {"kind": {"const": "by_id"}, "id": {"type": "integer"}}},
        {"properties": {"kind": {"const": "by_name"}, "id": {"type": "string"}}},
    ],
    "$defs": {
        "Any order": {"properties": {"size": {"type": "number"}}, "required": ["size"]},
    },
}


def test_references_and_combinators_at_the_root_have_flags_too() -> None:
    spec = ToolSpec("order", "Order it.", COMBINED)
    words = ["--size", "2", "--note", "x", "--count", "3", "--kind", "by_id", "--id", "7a"]
    given = {"size": 2, "note": "x", "count": 3, "kind": "by_id", "id": "7a"}
    assert parse(spec, words).input == given
    assert parse(spec, [*words[:-1], "7"]).input == {**given, "id": 7}
    with pytest.raises(UsageError, match=r"needs --size, --count"):
        parse(spec, ["--note", "x"])
    shown = help_text(spec)
    assert "--kind by_id|by_name" in shown
    assert shown.count("--id ") == 2


HEADERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
        "free": {"type": "object"},
        "box": {"type": "object", "properties": {"width": {"type": "integer"}}},
    },
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--headers.Accept", "7"], {"headers": {"Accept": "7"}}),
        (["--headers.x.y=1", "--headers.z", "2"], {"headers": {"x.y": "1", "z": "2"}}),
        (
            ["headers.a=1", "limits.b=2", "free.c:=[3]"],
            {"headers": {"a": "1"}, "limits": {"b": 2}, "free": {"c": [3]}},
        ),
        (["--free.on", "true", "--free.word", "x"], {"free": {"on": True, "word": "x"}}),
        (["--headers", '{"a": "1"}', "--headers.b", "2"], {"headers": {"a": "1", "b": "2"}}),
    ],
)
def test_an_object_of_any_names_takes_each_by_a_dotted_flag(
    words: list[str], expected: dict[str, Any]
) -> None:
    assert parse(ToolSpec("ask", "Ask.", HEADERS), words).input == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--limits.b", "x"], '--limits.b takes an integer, not "x"'),
        (["--box.widht", "1"], "'ask' has no flag '--box.widht'"),
        (["--headers.", "1"], "'ask' has no flag '--headers.'"),
    ],
)
def test_an_entry_is_read_by_its_objects_schema(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(ToolSpec("ask", "Ask.", HEADERS), words)
    assert caught.value.message == said
