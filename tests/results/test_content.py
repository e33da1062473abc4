"""Content and ready-made results are passed on; data that looks like them is data."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from toolkit import ToolUse
from toolkit.formats.bedrock import result_json
from toolkit.results import from_value
from toolkit.types import (
    Audio,
    Document,
    Image,
    Json,
    Note,
    Opaque,
    Resource,
    Text,
    ToolContext,
    ToolResult,
)

USE = ToolUse("use-1", "it")
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 8


def given(value: Any) -> ToolResult:
    result = from_value(USE, value, context=ToolContext(USE))
    json.dumps(result_json(result), allow_nan=False, ensure_ascii=False).encode()
    return result


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0rest", "jpeg"),
        (b"GIF89a rest", "gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "webp"),
    ],
)
@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_bytes_that_are_an_image_become_an_image(data: bytes, format_: str, kind: Any) -> None:
    assert given(kind(data)).content == (Image(format_, data),)


@pytest.mark.parametrize(
    "part",
    [
        Text("a"),
        Json({"a": 1}),
        Image("png", PNG),
        Audio("wav", b"RIFF"),
        Document("report", "pdf", b"%PDF"),
        Resource("file:///a", text="t"),
        Opaque("strange", {"type": "strange"}),
    ],
)
def test_content_objects_are_content(part: Any) -> None:
    assert given(part).content == (part,)
    assert given([part, Text("more")]).content == (part, Text("more"))
    assert given((part,)).content == (part,)


PICTURE = Image("png", b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (["Before:", PICTURE, "After:"], (Text("Before:"), PICTURE, Text("After:"))),
        ((PICTURE, {"width": 3}), (PICTURE, Text('{"width":3}'))),
        ([Text("a"), 1, None], (Text("a"), Text("1"), Text("null"))),
        ([Text("a"), PICTURE.data, ["b"]], (Text("a"), PICTURE, Text('["b"]'))),
    ],
)
def test_what_stands_beside_content_in_a_list_is_content_too(value: Any, content: Any) -> None:
    assert given(value).content == content


READY: list[tuple[dict[str, Any], str, tuple[Any, ...]]] = [
    ({"status": "success", "content": [{"text": "a"}]}, "success", (Text("a"),)),
    ({"status": "error", "content": [{"text": "a"}]}, "error", (Text("a"),)),
    ({"status": "success", "content": []}, "success", ()),
    ({"status": "success", "content": [{"json": {"a": 1}}]}, "success", (Json({"a": 1}),)),
    ({"status": "success", "content": [{"json": None}]}, "success", (Json(None),)),
    (
        {"status": "success", "content": [{"text": "a"}], "toolUseId": "other"},
        "success",
        (Text("a"),),
    ),
    (
        {
            "status": "success",
            "content": [{"image": {"format": "png", "source": {"bytes": PNG}}}],
        },
        "success",
        (Image("png", PNG),),
    ),
]


@pytest.mark.parametrize(("value", "status", "content"), READY)
def test_a_dict_that_is_a_result_is_passed_on(
    value: dict[str, Any], status: str, content: tuple[Any, ...]
) -> None:
    before = json.dumps(value, default=repr)
    result = given(value)
    assert (result.tool_use_id, result.status, result.content) == ("use-1", status, content)
    assert json.dumps(value, default=repr) == before


@pytest.mark.parametrize(
    "value",
    [
        {"status": "success"},
        {"status": "done", "content": [{"text": "a"}]},
        {"status": "success", "content": "text"},
        {"status": "success", "content": [1]},
        {"status": "success", "content": ["text"]},
        {"status": "success", "content": [{"text": 1}]},
        {"status": "success", "content": [{"unknown": 1}]},
        {"status": "success", "content": [{"text": "a", "json": 1}]},
        {"status": "success", "content": [{"image": "x"}]},
        {"status": "success", "content": [{"image": {"format": "png"}}]},
        {"status": "success", "content": {"text": "a"}},
        {"status": 200, "content": [{"text": "a"}]},
        {"status": ["success"], "content": [{"text": "a"}]},
        {"status": None, "content": []},
    ],
)
def test_a_dict_that_merely_has_such_keys_is_data(value: dict[str, Any]) -> None:
    result = given(value)
    assert result.status == "success"
    assert json.loads(result.text) == value


def test_a_tool_result_keeps_its_word_and_gets_the_id_of_the_use() -> None:
    own = ToolResult("other", "error", (Text("no"),), structured={"a": 1}, metadata={"k": 2})
    result = given(own)
    assert (result.tool_use_id, result.status, result.text) == ("use-1", "error", "no")
    assert (result.structured, dict(result.metadata)) == ({"a": 1}, {"k": 2})


def test_notes_stand_beside_the_metadata_of_a_ready_made_result() -> None:
    context = ToolContext(USE)
    context.notes.append(Note("ignored", "x", "unknown"))
    own = ToolResult("other", "success", (Text("a"),), metadata={"k": 2})
    metadata = from_value(USE, own, context=context).metadata
    assert metadata["k"] == 2
    assert metadata["notes"] == [{"kind": "ignored", "path": "x", "message": "unknown"}]


class Shown:
    def __str__(self) -> str:
        return "shown"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ((Text("left \ud800"),), "left \\ud800"),
        ((Json({"n": math.nan, "o": Shown()}),), '{"n": null, "o": "shown"}'),
        (["plain", Text("a")], "plain\na"),
        ("alone", "alone"),
        (Text("alone"), "alone"),
        ([{"a": 1}], '{"a":1}'),
    ],
)
def test_what_an_author_put_into_a_result_can_be_written(content: Any, text: str) -> None:
    assert given(ToolResult("x", "success", content)).text == text


def test_structured_data_of_an_authors_own_is_strict_json_too() -> None:
    own = ToolResult("x", "success", (), structured={"n": math.nan, "o": Shown()})
    assert given(own).structured == {"n": None, "o": "shown"}
