from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import errors
from toolkit.loading.collect import collect
from toolkit.registry import ToolRegistry
from toolkit.types import ToolContext, ToolUse

if TYPE_CHECKING:
    from pathlib import Path

SEARCH = {
    "name": "search",
    "description": "Search.",
    "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
}


def written(folder: Path, value: Any, *, encoding: str = "utf-8") -> Path:
    path = folder / "tools.json"
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, encoding=encoding)
    return path


def test_a_document_is_a_source_like_any_other(tmp_path: Path) -> None:
    path = written(tmp_path, {"model": "m", "tools": [SEARCH]})
    for source in (path, str(path)):
        registry = ToolRegistry(source)
        assert registry.names == ["search"]
        assert registry.problems == []
        (spec,) = registry.specs()
        assert spec.input_schema["properties"] == {"query": {"type": "string"}}


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert len(collect(written(tmp_path, [SEARCH], encoding="utf-8-sig")).tools) == 1


def test_what_is_wrong_in_it_is_a_problem_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, [SEARCH, {"name": "nothing"}, SEARCH])
    registry = ToolRegistry(path)
    assert registry.names == ["search"]
    assert [(one.name, one.place.pointer) for one in registry.problems] == [
        ("no-declaration", "/1"),
        ("duplicate-tool-name", None),
    ]


def test_a_declared_tool_can_not_be_called(tmp_path: Path) -> None:
    (tool,) = collect(written(tmp_path, SEARCH)).tools
    use = ToolUse("1", "search", {})
    with pytest.raises(errors.CallRefusedError) as caught:
        asyncio.run(tool.invoke(use, ToolContext(use)))
    assert "only declared" in caught.value.message


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ('{"tools": [\n  {"name": }\n]}', 2), ("{}", None), ("[]", None), ("3", None)],
)
def test_a_document_without_tools_can_not_be_loaded(
    tmp_path: Path, text: str, line: int | None
) -> None:
    with pytest.raises(errors.LoadError) as caught:
        collect(written(tmp_path, text))
    assert caught.value.line == line
    assert "tools.json" in caught.value.message


def test_a_document_that_is_no_utf_8_can_not_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_bytes(b'{"name": "\xff"}')
    with pytest.raises(errors.LoadError, match="can't be read as JSON"):
        collect(path)


def test_a_document_of_a_hundred_thousand_levels_can_not_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(errors.LoadError):
        collect(written(tmp_path, "[" * 100_000))
