from __future__ import annotations

import base64
from typing import Any

import pytest

from toolkit import errors
from toolkit.formats import by_name, mcp
from toolkit.formats.wire import stand_in
from toolkit.types import (
    Audio,
    Content,
    Document,
    Image,
    Json,
    Opaque,
    Resource,
    Text,
    ToolResult,
    ToolSpec,
    ToolUse,
)

DATA = b"\x89PNG\r\n\x1a\n\x00"
B64 = base64.b64encode(DATA).decode()
LINK = {"type": "resource_link", "uri": "file:///a.csv", "name": "a.csv", "mimeType": "text/csv"}
TEXT = {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "alpha"}
BLOB = {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": B64}


PNG = b"\x89PNG\r\n\x1a\n"
PIXEL = base64.b64encode(PNG).decode()


@pytest.mark.parametrize(
    ("wire", "content"),
    [
        ({"type": "text", "text": "hi"}, Text("hi")),
        ({"type": "image", "data": B64, "mimeType": "image/png"}, Image("png", DATA)),
        ({"type": "image", "data": B64, "mimeType": "image/svg+xml"}, Image("svg+xml", DATA)),
        ({"type": "image", "data": B64, "mimeType": "image/x-odd"}, Image("x-odd", DATA)),
        ({"type": "audio", "data": B64, "mimeType": "audio/wav"}, Audio("wav", DATA)),
        ({**LINK, "size": 12}, Resource("file:///a.csv", "a.csv", "text/csv", size=12)),
        (
            {"type": "resource", "resource": TEXT},
            Resource("file:///a.txt", mime_type="text/plain", text="alpha"),
        ),
        (
            {"type": "resource", "resource": BLOB},
            Resource("file:///a.pdf", mime_type="application/pdf", data=DATA),
        ),
    ],
    ids=str,
)
def test_every_kind_of_content_goes_both_ways(wire: dict[str, Any], content: Content) -> None:
    assert mcp.read_content(wire) == content
    assert mcp.write_content(content) == wire


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "video", "data": "xx"},
        {"type": "image", "data": "!!! no base64", "mimeType": "image/png"},
        {"type": "image", "mimeType": "image/png"},
        {"type": "text", "text": 5},
        {"type": "resource", "resource": {"text": "no uri"}},
        {"type": "resource", "resource": {"uri": "x:y", "blob": "!!!"}},
        {"type": "resource_link"},
        {"no": "type"},
        None,
        5,
    ],
    ids=str,
)
def test_what_has_no_word_is_kept_as_it_came_and_shown_in_words(wire: Any) -> None:
    content = mcp.read_content(wire)
    assert isinstance(content, Opaque)
    assert stand_in(content).startswith(f"[{content.kind}]")
    if isinstance(wire, dict):
        assert content.raw in (wire, wire.get("resource"))


@pytest.mark.parametrize(
    ("wire", "content"),
    [
        ("a bare text", Text("a bare text")),
        ({"type": "image", "data": f"data:image/png;base64,{PIXEL}"}, Image("png", PNG)),
        ({"type": "image", "data": PIXEL}, Image("png", PNG)),
        ({"type": "image", "data": "AAAA"}, Image("octet-stream", b"\0\0\0")),
    ],
)
def test_a_careless_block_is_read_for_what_it_is(wire: Any, content: Content) -> None:
    assert mcp.read_content(wire) == content


def test_what_servers_answered_before_there_were_blocks_is_text() -> None:
    assert mcp.read_result({"toolResult": "old"}).content == (Text("old"),)
    assert mcp.read_result({"toolResult": {"a": 1}}).content == (Text('{"a":1}'),)


def test_a_picture_that_can_t_be_read_floods_nobody() -> None:
    wire = {"type": "image", "data": "https://example.com/" + "a" * 100_000, "mimeType": "x/y"}
    shown = stand_in(mcp.read_content(wire))
    assert "(100,020 characters)" in shown
    assert len(shown) < 200


def test_content_of_other_providers_becomes_text_or_a_resource() -> None:
    assert mcp.write_content(Json({"a": 1})) == {"type": "text", "text": '{"a": 1}'}
    written = mcp.write_content(Document("my report", "pdf", b"%PDF"))
    assert written["resource"]["uri"] == "document:///my%20report"
    assert written["resource"]["mimeType"] == "application/pdf"
    assert mcp.write_content(Opaque("bedrock:x", {"a": 1}))["type"] == "text"


def test_a_result_keeps_order_errors_structure_and_what_is_said_of_its_blocks() -> None:
    wire = {
        "content": [
            {"type": "text", "text": "a", "annotations": {"audience": ["user"]}},
            {"type": "text", "text": "b"},
        ],
        "structuredContent": {"n": 1},
        "isError": True,
        "_meta": {"own": 1, "io.modelcontextprotocol/serverInfo": {"name": "x"}},
    }
    result = mcp.read_result(wire, "u1")
    assert (result.tool_use_id, result.status) == ("u1", "error")
    assert result.content == (Text("a"), Text("b"))
    assert result.structured == {"n": 1}
    assert result.metadata == {
        "_meta": {"own": 1},
        "blocks": [{"index": 0, "annotations": {"audience": ["user"]}}],
    }


def test_structured_content_alone_is_shown_to_the_model() -> None:
    assert mcp.read_result({"structuredContent": {"n": 1}}).content == (Json({"n": 1}),)


@pytest.mark.parametrize("wire", [{}, {"content": None}, {"content": []}])
def test_an_empty_result_is_an_empty_success(wire: dict[str, Any]) -> None:
    assert mcp.read_result(wire) == ToolResult("", "success")


def test_a_block_beside_a_list_is_taken_as_its_only_one() -> None:
    assert mcp.read_result({"content": {"type": "text", "text": "x"}}).content == (Text("x"),)


def test_a_result_is_written_as_a_server_answers() -> None:
    result = ToolResult("u", "error", (Text("no"),), structured={"n": 1})
    assert mcp.write_result(ToolUse("u", "t"), result) == {
        "content": [{"type": "text", "text": "no"}],
        "isError": True,
        "structuredContent": {"n": 1},
    }


def test_a_declaration_goes_both_ways_and_only_examples_are_lost() -> None:
    spec = ToolSpec(
        "t",
        "Does it.",
        {"type": "object"},
        output_schema={"type": "object"},
        title="T",
        annotations={"readOnlyHint": True},
        examples=({"a": 1},),
    )
    converted = by_name("mcp").write_spec(spec)
    assert converted.value == {
        "name": "t",
        "title": "T",
        "description": "Does it.",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    }
    assert [one.name for one in converted.findings] == ["lost-field"]
    again = mcp.read_spec(converted.value)
    assert again.value == ToolSpec(
        **{name: getattr(spec, name) for name in spec.__slots__ if name != "examples"}
    )
    assert again.findings == ()


@pytest.mark.parametrize(
    "wire",
    [
        {"inputSchema": {}},
        {"name": "", "inputSchema": {}},
        {"name": 5, "inputSchema": {}},
        {"name": ["t"], "inputSchema": {}},
        {"name": "t", "inputSchema": None},
        {"name": "t", "inputSchema": []},
        {"name": "t", "inputSchema": True},
    ],
    ids=str,
)
def test_no_tool_can_be_made_without_a_name_or_with_a_schema_that_is_none(
    wire: dict[str, Any],
) -> None:
    with pytest.raises(errors.DefinitionError):
        mcp.read_spec(wire)


def test_a_missing_schema_means_no_parameters_and_is_said() -> None:
    converted = mcp.read_spec({"name": "t"})
    assert converted.value.input_schema == {"type": "object", "properties": {}}
    assert [one.name for one in converted.findings] == ["missing-field"]
