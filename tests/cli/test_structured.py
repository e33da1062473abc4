"""Structured output on the command line: the forced tool of a type, and recorded answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import run
from toolkit.cli.structured import answers_in, check_files
from toolkit.config import Config
from toolkit.errors import LoadError, UsageError
from toolkit.targets import named_object

MODELS = '''
from __future__ import annotations
from dataclasses import dataclass
from pydantic import BaseModel, Field
from toolkit import StructuredOutputTool


class Report(BaseModel):
    """One report."""
    title: str
    pages: int = Field(ge=1)


@dataclass
class Point:
    x: int
    y: int = 0


Points = list[Point]
answer = StructuredOutputTool(Report, name="final_answer")
schema = {"type": "object", "title": "Note", "properties": {"text": {"type": "string"}}}


def wanted():
    return int | None
'''
RIGHT = {"title": "T", "pages": 3}
WRONG = {"title": 1, "pages": 0}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "schema.json").write_text('{"type": "array", "items": {"type": "integer"}}')
    (tmp_path / "broken.json").write_text("{")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("models.py:Report", "Report"),
        ("models.py:Point", "Point"),
        ("models.py:Points", "list_Point"),
        ("models.py:answer", "final_answer"),
        ("models.py:schema", "Note"),
        ("models.py:wanted()", "int_or_None"),
        ("models:Report", "Report"),
        ("decimal:Decimal", "Decimal"),
        ("schema.json", "structured_output"),
    ],
)
def test_spec_shows_the_tool_that_a_model_would_be_forced_to_call(
    target: str, name: str, folder: Path
) -> None:
    ended = run("spec", target, "--structured", cwd=folder)
    assert (ended.code, ended.err) == (0, "")
    (spec,) = json.loads(ended.out)
    assert spec["name"] == name
    assert spec["inputSchema"]["json"]["type"] == "object"


def test_spec_writes_several_types_in_any_shape(folder: Path) -> None:
    line = ("spec", "models.py:Report", "models.py:Point", "--structured", "--format", "openai")
    names = [each["function"]["name"] for each in json.loads(run(*line, cwd=folder).out)]
    assert names == ["Report", "Point"]
    narrowed = json.loads(run(*line, "-k", "P*", cwd=folder).out)
    assert [each["function"]["name"] for each in narrowed] == ["Point"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "--structured needs a type"),
        (["models.py"], 3, "'models.py' names no object"),
        (["models.py:Reprot"], 3, "did you mean 'Report'?"),
        (["nothing.py:Report"], 3, "no such file: 'nothing.py'"),
        (["nothing:Report"], 3, "no file or module 'nothing'"),
        (["broken.json"], 3, "'broken.json' is no JSON"),
        (["missing.json"], 3, "can't read 'missing.json'"),
        (["json:dumps"], 1, "no structured output can be made of dumps: it is no type"),
        (["threading:Lock"], 1, "no structured output can be made of"),
    ],
)
def test_what_is_no_type_is_said_in_a_line(
    words: list[str], code: int, said: str, folder: Path
) -> None:
    ended = run("spec", *words, "--structured", cwd=folder)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_without_structured_a_class_stays_a_routine(folder: Path) -> None:
    (spec,) = json.loads(run("spec", "models.py:Point", cwd=folder).out)
    assert "Call this tool last" not in spec["description"]


def test_an_object_is_named_as_it_stands(folder: Path) -> None:
    config = Config(folder)
    assert named_object("models.py:Report", config).__name__ == "Report"
    assert named_object("models.py:Report.model_fields", config).keys() == {"title", "pages"}
    assert named_object("schema.json", config)["type"] == "array"
    with pytest.raises(LoadError, match="names no object"):
        named_object("models.py", config)


def check(target: str, text: str, *, path: str = "answer.json", as_json: bool = False) -> int:
    Path(path).write_text(text)
    return asyncio.run(check_files(target, [path], as_json=as_json))


def bedrock(arguments: Any) -> Any:
    use = {"toolUseId": "use-1", "name": "Report", "input": arguments}
    return {"role": "assistant", "content": [{"toolUse": use}]}


def openai(arguments: Any) -> Any:
    function = {"name": "Report", "arguments": json.dumps(arguments)}
    call = {"id": "use-1", "type": "function", "function": function}
    return {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}


def anthropic(arguments: Any) -> Any:
    use = {"type": "tool_use", "id": "use-1", "name": "Report", "input": arguments}
    return {"role": "assistant", "content": [{"type": "text", "text": "Here:"}, use]}


def gemini(arguments: Any) -> Any:
    return {"role": "model", "parts": [{"functionCall": {"name": "Report", "args": arguments}}]}


def text(arguments: Any) -> Any:
    return {"role": "assistant", "content": f"```json\n{json.dumps(arguments)}\n```"}


def plain(arguments: Any) -> Any:
    return arguments


in_folder = pytest.mark.usefixtures("folder")
SHAPES = [bedrock, openai, anthropic, gemini, text, plain]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@in_folder
def test_a_recorded_answer_is_its_object_or_its_faults(
    shape: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = json.dumps(shape(RIGHT)), json.dumps(shape(WRONG))
    assert check("models.py:Report", good, path="answer.json") == 0
    shown = capsys.readouterr()
    assert (json.loads(shown.out), shown.err) == (RIGHT, "")
    assert check("models.py:Report", bad, path="answer.json") == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    first, second = shown.err.splitlines()
    assert first.endswith("title: expected text, got 1")
    assert second.endswith("pages: expected a value of at least 1, got 0")


@pytest.mark.parametrize(
    ("target", "recorded", "value"),
    [
        ("models.py:Points", [{"x": 1}], [{"x": 1, "y": 0}]),
        ("models.py:Points", {"value": [{"x": 1}]}, [{"x": 1, "y": 0}]),
        ("models.py:wanted()", None, None),
        ("models.py:schema", {"text": "x"}, {"text": "x"}),
        ("schema.json", [1], [1]),
        ("builtins:str", "42", "42"),
    ],
)
@in_folder
def test_what_is_no_object_may_come_wrapped_or_not(
    target: str, recorded: Any, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(target, json.dumps(recorded), path="a.json") == 0
    assert json.loads(capsys.readouterr().out) == value


@in_folder
def test_several_answers_are_an_array_and_each_fault_says_which(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = "\n".join(map(json.dumps, [RIGHT, WRONG, RIGHT]))
    assert check("models.py:Report", lines, path="a.jsonl") == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out) == [RIGHT, RIGHT]
    assert all("a.jsonl:2: " in line for line in shown.err.splitlines())
    assert check("models.py:Report", lines, path="a.jsonl", as_json=True) == 1
    first, second, _ = json.loads(capsys.readouterr().out)
    assert first == {"id": "a.jsonl:1", "ok": True, "value": RIGHT, "faults": []}
    assert second["value"] is None
    assert [each["path"] for each in second["faults"]] == ["title", "pages"]


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        ("", "it is empty"),
        ("no JSON", "holds no answer"),
        (
            json.dumps(
                {
                    "role": "assistant",
                    "content": [{"toolUse": {"toolUseId": "1", "name": "search", "input": {}}}],
                }
            ),
            "holds no call of 'Report', but of 'search'",
        ),
    ],
)
def test_a_file_without_an_answer_says_what_it_holds(
    recorded: str, said: str, folder: Path
) -> None:
    tool = named_object("models.py:answer", Config(folder)).owned(None, name="Report")
    with pytest.raises(LoadError, match=said):
        answers_in(tool, recorded, path="a.json")


@in_folder
def test_arguments_that_were_cut_off_are_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "Report", "arguments": '{"a": '}}
    cut = json.dumps({"role": "assistant", "tool_calls": [call]})
    assert check("models.py:Report", cut, path="a.json") == 1
    assert "not a JSON object" in capsys.readouterr().err


@in_folder
def test_a_file_that_cant_be_read_hides_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.json").write_text(json.dumps(RIGHT))
    Path("bad.json").write_bytes(b"\xff\xfe")
    files = ["bad.json", "missing.json", "good.json"]
    assert asyncio.run(check_files("models.py:Report", files)) == 3
    shown = capsys.readouterr()
    assert json.loads(shown.out) == RIGHT
    assert "'bad.json' is not UTF-8" in shown.err
    assert "can't read 'missing.json'" in shown.err
    with pytest.raises(LoadError, match="can't read"):
        asyncio.run(check_files("models.py:Report", ["missing.json"]))
    with pytest.raises(UsageError, match="missing argument"):
        asyncio.run(check_files("models.py:Report", []))


def test_replay_checks_recorded_answers(folder: Path) -> None:
    (folder / "good.json").write_text(json.dumps(openai(RIGHT)))
    (folder / "bad.json").write_text(json.dumps(plain(WRONG)))
    line = ("replay", "--structured", "models.py:Report")
    good = run(*line, "good.json", cwd=folder)
    assert (good.code, json.loads(good.out), good.err) == (0, RIGHT, "")
    piped = run(*line, "-", cwd=folder, stdin=json.dumps(bedrock(RIGHT)))
    assert (piped.code, json.loads(piped.out)) == (0, RIGHT)
    bad = run(*line, "bad.json", cwd=folder)
    assert (bad.code, bad.out) == (1, "")
    assert bad.err == (
        "error: bad.json:1: title: expected text, got 1\n"
        "error: bad.json:1: pages: expected a value of at least 1, got 0\n"
    )
    both = run(*line, "bad.json", "good.json", "--json", cwd=folder)
    assert both.code == 1
    assert [each["ok"] for each in json.loads(both.out)] == [False, True]
    assert run(*line, cwd=folder).code == 2
    assert run(*line, "missing.json", cwd=folder).code == 3
