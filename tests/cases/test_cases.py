"""Hard inputs out of public reports, each with its exact right value."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolkit import Batch, ToolExecutor, ToolRegistry, ToolResult, ToolUse
from toolkit.formats.bedrock import read_message, result_json
from toolkit.pairing import tool_uses
from toolkit.types import ToolProgress

from .compare import comparable

FILES = Path(__file__).parent / "files"
CASES = {
    path.name: path
    for path in sorted(FILES.iterdir())
    if (path / "case.json").exists() and not (path / "server.py").exists()
}


def case(name: str) -> tuple[dict[str, Any], Path]:
    folder = CASES[name]
    source = folder / "tools" if (folder / "tools").is_dir() else folder / "tool.py"
    return json.loads((folder / "case.json").read_text(encoding="utf-8")), source


def with_(key: str) -> list[str]:
    return [name for name in CASES if key in case(name)[0]]


@pytest.mark.parametrize("name", with_("spec"))
def test_the_spec_is_exactly_right(name: str) -> None:
    expected, source = case(name)
    specs = {spec.name: spec for spec in ToolRegistry(source).specs()}
    folded = "compare_descriptions" in expected
    for tool, want in expected["spec"].items():
        spec = specs[tool]
        schema = comparable(spec.input_schema, fold=folded)
        if "inputSchema" in want:
            assert schema == comparable(want["inputSchema"], fold=folded)
        elif "properties" in want:
            properties = want["properties"]
            shown = schema["properties"]
            assert shown.keys() == set(properties)
            if isinstance(properties, dict):
                assert shown == properties
            assert schema.get("required", []) == sorted(want["required"])
        for text in want.get("description_has", ()):
            assert text in spec.description
        for text in want.get("description_lacks", ()):
            assert text not in spec.description


@pytest.mark.parametrize("name", with_("calls"))
def test_every_call_gives_the_right_result(name: str) -> None:
    expected, source = case(name)
    executor = ToolExecutor(ToolRegistry(source))
    for number, want in enumerate(expected["calls"]):
        progress: list[Any] = []

        async def sink(event: Any, progress: list[Any] = progress) -> None:
            if isinstance(event, ToolProgress):
                progress.append(event.value)

        use = ToolUse(f"t{number}", want["tool"], want["input"])
        result = asyncio.run(executor.run(use, sink=sink))
        assert_fits(result, want)
        if "stream" in want:
            assert progress == want["stream"]


def assert_fits(result: ToolResult, want: dict[str, Any]) -> None:
    """The result is one of the allowed ones, and strict JSON whatever it holds."""
    json.loads(json.dumps(result_json(result), allow_nan=False))
    if "either" in want:
        assert any(fits(result, each) for each in want["either"]), result
    else:
        assert fits(result, want), (want, result)


def fits(result: ToolResult, want: dict[str, Any]) -> bool:
    text = result.text
    checks = [
        want.get("status", result.status) == result.status,
        want.get("text", text) == text,
        want.get("text_length", len(text)) == len(text),
        all(each.lower() in text.lower() for each in want.get("has", ())),
        all(each not in text for each in want.get("lacks", ())),
        not text.startswith("Error: TypeError") if "never" in want else True,
    ]
    return all(checks) and ("json" not in want or json.loads(text) == want["json"])


@pytest.mark.parametrize("name", with_("schema_behaviour"))
def test_the_schema_accepts_and_rejects_the_right_instances(name: str) -> None:
    expected, source = case(name)
    behaviour = expected["schema_behaviour"]
    specs = {spec.name: spec for spec in ToolRegistry(source).specs()}
    validator = Draft202012Validator(specs[behaviour["tool"]].input_schema)
    for instance in behaviour["accepts"]:
        assert validator.is_valid(instance)
    for instance in behaviour["rejects"]:
        assert not validator.is_valid(instance)


def messages() -> list[str]:
    return [
        name for name in with_("message") if isinstance(case(name)[0]["message"]["results"], list)
    ]


@pytest.mark.parametrize("name", messages())
def test_a_message_gets_one_result_for_each_use(name: str) -> None:
    expected, source = case(name)
    message = read_message(json.loads((CASES[name] / "message.json").read_text(encoding="utf-8")))
    uses = tool_uses(message)
    executor = ToolExecutor(ToolRegistry(source), timeout=expected.get("timeout_s"))
    batch = asyncio.run(executor.run_batch(uses))
    wanted = expected["message"]["results"]
    assert [each["toolUseId"] for each in wanted] == [use.tool_use_id for use in uses]
    for result, want in zip(batch.results, wanted, strict=True):
        assert result is not None
        assert result.tool_use_id == want["toolUseId"]
        assert_fits(result, want)


def test_blocking_tools_run_together_and_see_what_their_caller_set() -> None:
    name = "33-blocking-sync-tools"
    expected, source = case(name)
    registry = ToolRegistry(source)
    nap: Any = registry.get("nap")
    uses = tool_uses(read_message(json.loads((CASES[name] / "message.json").read_text())))

    async def called() -> Batch:
        nap.__wrapped__.__globals__["REQUEST"].set("r-42")
        return await ToolExecutor(registry).run_batch(uses)

    started = time.monotonic()
    batch = asyncio.run(called())
    assert time.monotonic() - started < expected["wall_s_below"]
    *naps, beat = [result.text for result in batch.results if result is not None]
    assert naps == [f"{number}:r-42" for number in range(24)]
    assert json.loads(beat)["late_ms"] < 200


def cli_runs() -> list[Any]:
    runs = []
    for name in with_("cli"):
        for number, run in enumerate(case(name)[0]["cli"]):
            runs.append(pytest.param(name, run, id=f"{name}-{number}"))
    return runs


@pytest.mark.parametrize(("name", "run"), cli_runs())
def test_a_command_line_is_read_by_the_schema(name: str, run: dict[str, Any]) -> None:
    _, source = case(name)
    command, *rest = run["args"]
    line = [sys.executable, "-m", "toolkit", command, "-t", str(source), *rest]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    if run["exit_status"] == "not 0":
        assert ended.returncode != 0
    else:
        assert ended.returncode == run["exit_status"]
    if "json" in run:
        assert json.loads(ended.stdout) == run["json"]
    for text in run.get("has", ()):
        assert text in ended.stderr


def test_a_folder_loads_its_tools_and_leaves_python_as_it_was() -> None:
    expected, source = case("37-stdlib-named-files-and-packages")
    registry = ToolRegistry(source)
    assert sorted(registry.names) == expected["tools"]
    assert registry.problems == []
    for check in expected["python_after_load"]:
        assert eval(check["expr"]) == check["equals"]
