"""`toolkit lint` and `toolkit explain`, as a person and as CI run them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.runner import environment, run, run_in_terminal

if TYPE_CHECKING:
    from pathlib import Path

GOOD = '''\
from toolkit import tool


@tool
def forecast(city: str) -> str:
    """Tell tomorrow's weather in a city.

    Args:
        city: An English city name, such as Tokyo.
    """
    return city
'''
WARNED = GOOD.replace("        city: An", "        An")
BAD = GOOD.replace("        city: An", "        town: An")
TOOL = {
    "name": "forecast",
    "description": "Tell tomorrow's weather in a city.",
    "inputSchema": {"properties": {"city": {"type": "string", "description": "A city."}}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[tool.toolkit]\nsources = ["good.py"]\n')
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "tools.json").write_text(json.dumps([TOOL], indent=2) + "\n")
    (tmp_path / "empty.json").write_text("[]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 0),
        (["good.py"], 0),
        (["bad.py"], 1),
        (["tools.json"], 1),
        (["good.py", "tools.json"], 1),
        (["tools.json", "--fail-on", "never"], 0),
        (["tools.json", "--ignore", "S002"], 0),
        (["good.py", "--select", "Q"], 2),
        (["good.py", "--for", "nobody"], 2),
        (["good.py", "--output-format", "xml"], 2),
        (["good.py", "--fail-on", "sometimes"], 2),
        (["good.py", "--baseline", "none.json"], 2),
        (["none.py"], 3),
        (["none.json"], 3),
        (["empty.json"], 3),
        (["broken.py", "good.py"], 3),
        (["good.py", "-k", "nothing*"], 3),
        (["tools.json", "-k", "nothing*"], 3),
    ],
)
def test_the_exit_code_is_the_contracts(folder: Path, words: list[str], code: int) -> None:
    ended = run("lint", *words, cwd=folder)
    assert ended.code == code, ended.err
    assert "Traceback" not in ended.err


def test_a_pipe_gets_one_line_a_finding(folder: Path) -> None:
    ended = run("lint", "bad.py", "tools.json", cwd=folder)
    assert ended.out.splitlines() == [
        "bad.py:5:14: D006 the parameter 'city' has no description [forecast]",
        "bad.py:9:9: D007 the docstring documents 'town', which is no parameter [forecast]",
        "tools.json:3:5: N001 the name 'forecast' is taken by another tool [forecast]",
        "tools.json:5:5: S002 the root of the input schema has no type [forecast]",
    ]
    assert "2 tools: 3 errors, 1 warning" in ended.err


def test_a_terminal_gets_the_source_with_a_caret(folder: Path) -> None:
    ended = run_in_terminal("lint", "bad.py", "--select", "D007", cwd=folder)
    assert "9 |         town: An English city name, such as Tokyo." in ended.out
    assert "  |         ^" in ended.out


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_machine_form_is_one_document(folder: Path, form: str) -> None:
    ended = run("lint", "tools.json", "--output-format", form, cwd=folder)
    data = json.loads(ended.out)
    first = data[0] if form == "json" else data["runs"][0]["results"][0]
    assert first["code" if form == "json" else "ruleId"] == "S002"
    nothing = json.loads(run("lint", "good.py", "--output-format", form, cwd=folder).out)
    assert nothing == [] or nothing["runs"][0]["results"] == []


def test_json_has_every_key_of_the_contract(folder: Path) -> None:
    (found,) = json.loads(run("lint", "tools.json", "--json", cwd=folder).out)
    assert found["pointer"] == "/0/inputSchema"
    assert (found["line"], found["column"]) == (5, 5)
    keys = "code name severity message hint tool path line column pointer server profile"
    assert set(found) == {*keys.split(), "fingerprint"}


def test_github_gets_its_own_form_unasked(folder: Path) -> None:
    ended = run("lint", "tools.json", cwd=folder, GITHUB_ACTIONS="true")
    assert ended.out.startswith("::error file=tools.json,line=5,col=5,title=S002")


def test_a_broken_file_is_a_finding_and_hides_nothing(folder: Path) -> None:
    (folder / "tools").mkdir()
    for name in ("good", "bad", "broken"):
        (folder / f"{name}.py").rename(folder / "tools" / f"{name}.py")
    ended = run("lint", "tools", "--json", cwd=folder)
    codes = [each["code"] for each in json.loads(ended.out)]
    assert ended.code == 3
    assert {"F001", "N001"} <= set(codes)


def test_what_could_not_be_loaded_is_said_whatever_was_selected(folder: Path) -> None:
    ended = run("lint", "broken.py", "good.py", "--select", "S002", "--json", cwd=folder)
    (found,) = json.loads(ended.out)
    assert (ended.code, found["code"], found["path"]) == (3, "F001", "broken.py")
    assert run("lint", "none.json", "--json", cwd=folder).out.count('"F001"') == 1


SERVER = """
import json, sys
TOOLS = [
    {"name": "fine_one", "description": "Say the time.", "inputSchema": {"type": "object"}},
    {"name": "no_type", "description": "Say the day.", "inputSchema": {"properties": {}}},
    {"name": "no_schema", "description": "Say the hour.", "inputSchema": None},
]
print("server is up", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "initialize":
        answer["result"] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "mine", "version": "1"},
        }
    elif asked["method"] == "tools/list":
        answer["result"] = {"tools": TOOLS}
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
"""


def test_a_live_server_is_judged_as_it_lists_its_tools(folder: Path) -> None:
    (folder / "server.py").write_text(SERVER)
    ended = run("lint", "tools.json", "--json", "--", sys.executable, "server.py", cwd=folder)
    found = {(each["tool"], each["code"]) for each in json.loads(ended.out)}
    assert ended.code == 1
    assert ("no_type", "S002") in found
    assert ("forecast", "S002") in found
    assert {tool for tool, code in found if code == "M107"} == {"no_schema"}
    assert (None, "M106") in found
    assert all(tool != "fine_one" for tool, _ in found)


def test_a_server_that_does_not_start_is_a_finding(folder: Path) -> None:
    ended = run("lint", "--json", "cmd:no-such-server-here", cwd=folder)
    assert ended.code == 3
    assert [each["code"] for each in json.loads(ended.out)] == ["M100"]


def test_the_configuration_is_heeded_and_the_command_line_stands_over_it(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.toolkit.lint]\nignore = ["S002"]\nseverity = {D007 = "info"}\n'
    )
    assert run("lint", "tools.json", cwd=folder).code == 0
    assert run("lint", "tools.json", "--ignore", "D", cwd=folder).code == 1
    assert run("lint", "bad.py", cwd=folder).code == 0
    (folder / "pyproject.toml").write_text("[tool.toolkit.lint]\nignre = []\n")
    ended = run("lint", "tools.json", cwd=folder)
    assert ended.code == 2
    assert "did you mean 'ignore'?" in ended.err


def test_a_baseline_lets_only_new_findings_fail(folder: Path) -> None:
    assert run("lint", "bad.py", "--write-baseline", "known.json", cwd=folder).code == 0
    assert run("lint", "bad.py", "--baseline", "known.json", cwd=folder).code == 0
    text = BAD.replace("import tool\n", "import tool\n\n# moved down\n")
    (folder / "bad.py").write_text(text.replace("-> str", "-> str | None"))
    assert run("lint", "bad.py", "--baseline", "known.json", cwd=folder).code == 0
    (folder / "bad.py").write_text(text.replace("town:", "toun:"))
    ended = run("lint", "bad.py", "--baseline", "known.json", cwd=folder)
    assert ended.code == 1
    assert "D007 the docstring documents 'toun'" in ended.out
    assert "mended: write it again" in ended.err


def test_diff_shows_and_fix_mends(folder: Path) -> None:
    before = (folder / "tools.json").read_text()
    shown = run("lint", "tools.json", "--diff", cwd=folder)
    assert '+      "type": "object",' in shown.out
    assert (folder / "tools.json").read_text() == before
    assert run("lint", "tools.json", "--fix", cwd=folder).code == 0
    assert json.loads((folder / "tools.json").read_text())[0]["inputSchema"]["type"] == "object"


def test_control_characters_are_shown_and_never_sent(folder: Path) -> None:
    evil = {**TOOL, "name": "a\x1b[31mb", "description": "Tell\x1b]0;x\x07 the weather."}
    (folder / "evil.json").write_text(json.dumps([evil]))
    for form in ("concise", "full", "github", "junit"):
        ended = run("lint", "evil.json", "--output-format", form, cwd=folder)
        assert "\x1b" not in ended.out, form
        assert "X002" in ended.out


def test_a_document_needs_neither_pydantic_nor_a_validator_of_ours(folder: Path) -> None:
    code = (
        "import sys, json; from toolkit.lint.declarations import read_file;"
        "from toolkit.lint.runner import lint; from toolkit.lint.settings import from_table;"
        "from pathlib import Path; lint(read_file(Path('tools.json')).subjects, from_table({}));"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(done.stdout))
    assert loaded & {"pydantic", "jsonschema", "docstring_parser", "typer", "asyncio"} == set()


def test_a_rule_is_explained_by_code_and_by_name(folder: Path) -> None:
    by_code = run("explain", "S002", cwd=folder)
    by_name = run("explain", "root-not-object", cwd=folder)
    assert by_code.out == by_name.out
    assert by_code.code == 0
    assert "Bad:" in by_code.out
    assert "Good:" in by_code.out
    assert run("explain", "Q1", cwd=folder).code == 2
    assert run("explain", cwd=folder).code == 2


def test_every_rule_is_explained_as_data(folder: Path) -> None:
    rules = json.loads(run("explain", "--all", "--json", cwd=folder).out)
    assert len(rules) >= 60
    assert {"code", "name", "severity", "what", "why", "bad", "good"} <= rules[0].keys()
    (one,) = [json.loads(run("explain", "X001", "--json", cwd=folder).out)]
    assert one["code"] == "X001"
