from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from toolkit import errors
from toolkit.mcp.client import MCPClient
from toolkit.mcp.session import Limits
from toolkit.registry import ToolRegistry
from toolkit.types import Listing, ToolContext, ToolUse

if TYPE_CHECKING:
    from tests.mcp.conftest import Zoo


def listing(zoo: Zoo, mode: str, *, seconds: float = 10.0) -> Listing:
    async def run() -> Listing:
        client = MCPClient(zoo("lists", mode), limits=Limits(start=10, list=seconds))
        async with client as listed:
            return listed

    return asyncio.run(run())


def names(listed: Listing) -> list[str]:
    return [tool.spec.name for tool in listed.tools]


def said(listed: Listing) -> list[tuple[str, str | None]]:
    return [(finding.name, finding.tool) for finding in listed.findings]


def test_a_repeated_cursor_ends_the_list_and_nothing_is_listed_twice(zoo: Zoo) -> None:
    listed = listing(zoo, "repeated")
    assert names(listed) == ["t1", "t2"]
    assert said(listed) == [("repeated-cursor", None)]
    assert "cursor" in listed.findings[0].message


def test_cursors_that_go_round_end_the_list(zoo: Zoo) -> None:
    listed = listing(zoo, "alternating")
    assert ("repeated-cursor", None) in said(listed)
    assert names(listed) == ["tNone", "ta", "tb"]


def test_a_list_without_end_is_cut_and_said(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolkit.mcp.listing.MOST_PAGES", 50)
    listed = listing(zoo, "endless")
    assert names(listed) == [f"e{number}" for number in range(50)]
    assert said(listed) == [("endless-pages", None)]
    assert "page" in listed.findings[0].message


def test_an_empty_text_is_a_cursor(zoo: Zoo) -> None:
    assert names(listing(zoo, "empty_cursor")) == ["first", "second"]


def test_a_null_cursor_is_the_end(zoo: Zoo) -> None:
    listed = listing(zoo, "null_cursor")
    assert (names(listed), listed.findings) == (["first"], ())


def test_a_cursor_that_is_no_text_ends_the_list_and_is_said(zoo: Zoo) -> None:
    listed = listing(zoo, "number_cursor")
    assert names(listed) == ["first"]
    assert said(listed) == [("malformed-list", None)]


@pytest.mark.parametrize(
    ("mode", "why"), [("breaks_later", "no such cursor"), ("stalls_later", "within 1 s")]
)
def test_a_later_page_that_fails_hides_none_before_it(zoo: Zoo, mode: str, why: str) -> None:
    listed = listing(zoo, mode, seconds=1.0)
    assert names(listed) == ["first"]
    assert said(listed) == [("malformed-list", None)]
    assert listed.findings[0].message.startswith("Page 2 of the tools can't be had")
    assert why in listed.findings[0].message


def test_five_thousand_tools_are_listed(zoo: Zoo) -> None:
    assert len(listing(zoo, "many").tools) == 5_000


def test_one_malformed_tool_hides_no_other(zoo: Zoo) -> None:
    listed = listing(zoo, "malformed")
    assert names(listed) == ["good", "missing", "odd", "last"]
    found = said(listed)
    assert found.count(("unusable-tool", None)) == 2
    assert ("malformed-item", None) in found
    for name in ("null", "array", "boolean"):
        assert ("unusable-tool", name) in found
    assert ("missing-field", "missing") in found
    assert found.count(("malformed-field", "odd")) == 4
    assert {finding.place.server for finding in listed.findings} == {"lists"}


def test_every_name_is_legal_distinct_and_calls_its_own_tool(zoo: Zoo) -> None:
    async def run() -> dict[str, str]:
        async with MCPClient(zoo("lists", "names")) as listed:
            heard = {}
            for tool in listed.tools:
                use = ToolUse("u", tool.spec.name, {})
                result = await tool.invoke(use, ToolContext(use))
                heard[tool.spec.name] = result.text
            return heard

    heard = asyncio.run(run())
    assert len(heard) == 10
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in heard)
    assert {"a.b", "files/read", "天气", "n" * 200, "a-b", "a_b", "A_b"} <= set(heard.values())
    assert heard["a-b"] == "a-b"
    assert "a_b" not in heard


def test_a_name_that_is_listed_twice_is_said(zoo: Zoo) -> None:
    assert ("listed-twice", "a.b") in said(listing(zoo, "names"))


def test_a_list_that_is_none_is_an_error_of_the_protocol(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPProtocolError):
        listing(zoo, "no_list")


def test_a_list_that_never_comes_ends_at_its_deadline(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPConnectionError) as caught:
        listing(zoo, "stalls", seconds=0.5)
    assert (caught.value.kind, caught.value.phase) == ("timeout", "list")


@pytest.mark.parametrize(("mode", "code"), [("unknown", -32601), ("breaks", -32603)])
def test_a_list_that_the_server_refuses_is_its_error(zoo: Zoo, mode: str, code: int) -> None:
    with pytest.raises(errors.MCPRequestError) as caught:
        listing(zoo, mode)
    assert (caught.value.code, caught.value.phase) == (code, "list")


def test_an_answer_that_no_parser_can_follow_is_said_and_does_not_hang(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPRequestError) as caught:
        listing(zoo, "deep")
    assert "nests too deeply" in caught.value.message


def test_a_schema_of_seventy_levels_is_a_problem_of_its_tool_alone(zoo: Zoo) -> None:
    listed = listing(zoo, "deep70")
    registry = ToolRegistry()
    registry.adopt_listing(listed)
    assert [spec.name for spec in registry.specs()] == ["fine"]
    (problem,) = registry.problems
    assert problem.tool == "deep70"
    assert "64" in problem.message
