"""Hard MCP servers out of public reports, listed and called as whole commands."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.cli.runner import Ended, run

FILES = Path(__file__).parent / "files"


def case(number: int) -> tuple[dict[str, Any], Path]:
    folder = next(FILES.glob(f"{number}-*"))
    return json.loads((folder / "case.json").read_text(encoding="utf-8")), folder / "server.py"


def listed(server: Path, *words: str, cwd: Path) -> tuple[dict[str, Any], Ended]:
    ended = run("mcp", "list", "--json", "--", sys.executable, str(server), *words, cwd=cwd)
    return json.loads(ended.out)["servers"][0], ended


def called(server: Path, tool: str, *, cwd: Path) -> dict[str, Any]:
    target = f"cmd:{sys.executable} {server}"
    result: dict[str, Any] = json.loads(run("call", "-t", target, tool, "--json", cwd=cwd).out)
    return result


def names(found: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in found["tools"]]


def test_every_page_is_followed_and_no_list_goes_on_for_ever(tmp_path: Path) -> None:
    expected, server = case(39)
    found, ended = listed(server, cwd=tmp_path)
    assert (names(found), ended.code) == (expected["server.py"]["tools"], 0)
    want = expected["server.py"]["call"]
    result = called(server, want["tool"], cwd=tmp_path)
    assert (result["status"], result["content"]) == (want["status"], [{"text": want["text"]}])
    stuck, ended = listed(server, "stuck", cwd=tmp_path)
    assert names(stuck) == expected["server.py stuck"]["tools_listed_at_most_once"]
    assert "cursor" in ended.err
    endless, ended = listed(server, "endless", cwd=tmp_path)
    assert len(set(names(endless))) == len(names(endless))
    assert "page" in ended.err


def test_stray_lines_on_stdout_are_survived_and_said(tmp_path: Path) -> None:
    expected, server = case(41)
    found, ended = listed(server, cwd=tmp_path)
    assert (names(found), ended.code) == (expected["tools"], expected["exit_status"])
    assert all(text in ended.err for text in expected["warning_has"])
    assert not any(text in ended.err for text in expected["warning_lacks"])
    assert called(server, "chatty", cwd=tmp_path)["content"] == [{"text": "done"}]
    line = ["lint", "--fail-on", "warning", "--", sys.executable, str(server)]
    assert run(*line, cwd=tmp_path).code != 0


def test_loops_depth_and_dangling_references_spoil_their_own_tool_alone(tmp_path: Path) -> None:
    expected, server = case(43)
    found, ended = listed(server, cwd=tmp_path)
    assert {*expected["tools_include"], "deep64", "wide"} <= set(names(found))
    assert not any(text in ended.err for text in expected["stderr_lacks"])
    for want in expected["findings"]:
        said = [one for one in found["findings"] if one["tool"] == want["tool"]]
        assert said, want
        assert all(text in str(said) for text in want.get("has", ()))
    tree = next(tool for tool in found["tools"] if tool["name"] == "tree")["inputSchema"]
    validator = Draft202012Validator(tree)
    behaviour = expected["schema_behaviour"]
    assert all(validator.is_valid(each) for each in behaviour["accepts"])
    assert not any(validator.is_valid(each) for each in behaviour["rejects"])


def test_every_kind_of_content_comes_through_in_order(tmp_path: Path) -> None:
    expected, server = case(45)
    result = called(server, "mix", cwd=tmp_path)
    assert result["status"] == "success"
    assert len(result["content"]) == len(expected["call"]["content_in_order"])
    for part, want in zip(result["content"], expected["call"]["content_in_order"], strict=True):
        if "text" in want:
            assert part == {"text": want["text"]}
        for text in want.get("text_has", want.get("text_or_document_has", ())):
            assert text in json.dumps(part)
    image = result["content"][1]["image"]
    assert image["format"] == "png"
    assert base64.b64decode(image["source"]["bytes"]).startswith(b"\x89PNG")
    assert called(server, "nothing", cwd=tmp_path)["content"] == expected["empty"]["content"]
