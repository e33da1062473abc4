from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.formats.wire import (
    compact,
    decoded,
    dump,
    encoded,
    json_ready,
    media_type,
    read_arguments,
    short_format,
    write_arguments,
    write_input,
)
from toolkit.types import Malformed

anything: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary(max_size=9)
    | st.complex_numbers()
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers() | st.none(), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(value=anything)
def test_whatever_comes_is_strict_json_that_any_stream_takes(value: Any) -> None:
    for text in (dump(value), dump(value, indent=2), compact(value)):
        text.encode()
        assert json.loads(text, parse_constant=pytest.fail) == json_ready(value)


def test_what_holds_itself_ends_there() -> None:
    cycle: list[Any] = [1]
    cycle += [cycle, {"again": cycle}]
    assert json_ready(cycle) == [1, "…", {"again": "…"}]


def test_what_is_held_twice_is_written_twice() -> None:
    shared = {"a": 1}
    assert json_ready([shared, shared]) == [{"a": 1}, {"a": 1}]


def test_two_hundred_levels_are_the_deepest() -> None:
    deep: Any = "end"
    for _ in range(5000):
        deep = [deep]
    text = dump(deep)
    assert text.count("[") == 200
    assert "…" in text


@settings(deadline=None)
@given(data=st.binary())
def test_base64_of_either_alphabet_padded_or_not_is_read(data: bytes) -> None:
    text = encoded(data)
    url = text.replace("+", "-").replace("/", "_")
    wrapped = "\n".join(text[at : at + 4] for at in range(0, len(text), 4))
    for one in (text, url, text.rstrip("="), wrapped, data):
        assert decoded(one) == data


@pytest.mark.parametrize("text", ["é", "a", "====a", "not base64!", None, 3, []])
def test_what_is_no_base64_is_none(text: Any) -> None:
    assert decoded(text) is None


@settings(deadline=None)
@given(text=st.text())
def test_malformed_arguments_are_written_as_they_came(text: str) -> None:
    read = read_arguments(text)
    if isinstance(read, Malformed):
        assert write_arguments(read) == text
        assert read_arguments(write_input(read)) == read or not isinstance(write_input(read), str)
    else:
        assert read == (json.loads(text) or {} if text.strip() else {})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "is not JSON: NaN is no JSON value"),
        ("[" * 100_000, "nests too deeply"),
        ('"text"', "is a text, not an object"),
        ("true", "is a boolean, not an object"),
    ],
)
def test_arguments_that_are_no_object_say_why(text: str, why: str) -> None:
    assert read_arguments(text) == Malformed(text, why)


@pytest.mark.parametrize(
    ("kind", "short", "media"),
    [
        ("image", "png", "image/png"),
        ("image", "svg+xml", "image/svg+xml"),
        ("document", "pdf", "application/pdf"),
        ("document", "txt", "text/plain"),
        ("document", "md", "text/markdown"),
        ("audio", "wav", "audio/wav"),
    ],
)
def test_short_formats_and_media_types_name_each_other(kind: str, short: str, media: str) -> None:
    assert media_type(kind, short) == media
    assert short_format(media) == short
    assert short_format(f"{media.upper()}; charset=utf-8") == short
