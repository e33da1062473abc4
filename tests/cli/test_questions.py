"""A question of a tool or a hook: asked at the terminal, answered on the line, or kept."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from typing import TYPE_CHECKING

import pytest

from toolkit.cli import frame
from toolkit.errors import ToolTimeoutError

from .runner import run, run_in_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOOLS = """\
from toolkit import ToolContext, tool

@tool
def pay(amount: int, context: ToolContext) -> str:
    answer = context.interrupt("approve", {"amount": amount})
    return f"paid {amount}: {answer!r}"

@tool
def sign(context: ToolContext) -> str:
    who = context.interrupt("who")
    return f"{who} on {context.interrupt('when', 'a day')}"

@tool
def note(text: str, context: ToolContext) -> str:
    print("noted\\n", end="")
    return text
"""
HOOKS = """\
from toolkit import AfterToolCallEvent, BeforeToolCallEvent

def guard(event: BeforeToolCallEvent):
    if event.tool_use.name == "note" and event.interrupt("sure") != "yes":
        event.cancel_tool = "not sure"

def told(event: AfterToolCallEvent):
    print(f"hook saw {event.result.status}\\n", end="")
"""
PENDING = """\
'pay' (call-1) waits for an answer: approve ({"amount": 5})
hint: answer with --respond approve=VALUE, or keep it with --save-pending FILE
"""
CALL = ("call", "pay", "--amount", "5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[tool.toolkit]\nsources = ["tools.py"]\n')
    (tmp_path / "tools.py").write_text(TOOLS)
    (tmp_path / "guards.py").write_text(HOOKS)
    uses = [("a", "pay", {"amount": 1}), ("b", "note", {"text": "x"}), ("c", "pay", {"amount": 2})]
    blocks = [{"toolUse": {"toolUseId": i, "name": n, "input": v}} for i, n, v in uses]
    (tmp_path / "message.json").write_text(json.dumps({"role": "assistant", "content": blocks}))
    return tmp_path


def texts(out: str) -> list[str]:
    return [block["toolResult"]["content"][0]["text"] for block in json.loads(out)["content"]]


def test_without_a_terminal_the_question_is_printed_with_how_to_answer(folder: Path) -> None:
    ended = run(*CALL, cwd=folder)
    assert (ended.code, ended.out, ended.err) == (1, "", PENDING)


def test_the_machine_form_of_a_question(folder: Path) -> None:
    ended = run(*CALL, "--json", cwd=folder)
    assert (ended.code, ended.err) == (1, PENDING)
    assert json.loads(ended.out) == {
        "toolUseId": "call-1",
        "name": "pay",
        "interrupts": [{"name": "approve", "reason": {"amount": 5}}],
    }
    (line,) = run(*CALL, "--jsonl", cwd=folder).out.splitlines()
    assert json.loads(line)["event"] == "interrupt"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("approve=yes", "'yes'"),
        ("approve=00123", "'00123'"),
        ("approve=a=b", "'a=b'"),
        ("approve=", "''"),
        ("approve:=true", "True"),
        ('approve:={"a": null}', "{'a': None}"),
        ("call-1/approve=mine", "'mine'"),
    ],
)
def test_respond_answers(folder: Path, answer: str, value: str) -> None:
    ended = run(*CALL, "--respond", answer, cwd=folder)
    assert (ended.code, ended.out, ended.err) == (0, f"paid 5: {value}\n", "")


def test_several_answers_before_and_behind_the_tool(folder: Path) -> None:
    words = ("call", "--respond", "who=Ada", "sign", "--respond", "when=Friday")
    ended = run(*words, cwd=folder)
    assert (ended.code, ended.out) == (0, "Ada on Friday\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("approve", "--respond takes NAME=VALUE, not 'approve'"),
        ("=yes", "--respond takes NAME=VALUE"),
        ("approve:=yes", "the value of --respond approve is no JSON: 'yes'"),
    ],
)
def test_an_answer_that_is_none_is_a_usage_error(folder: Path, answer: str, said: str) -> None:
    ended = run(*CALL, "--respond", answer, cwd=folder)
    assert ended.code == 2
    assert said in ended.err


def test_a_person_is_asked_at_the_terminal(folder: Path) -> None:
    ended = run_in_terminal("call", "sign", cwd=folder, keys="Ada\nFriday\n")
    assert ended.code == 0
    assert "'sign' asks: who\n" in ended.out
    assert "'sign' asks: when (a day)\n" in ended.out
    assert ended.out.endswith("Ada on Friday\n")


@pytest.fixture
def signals() -> Iterator[None]:
    """A frame takes over these signals; they get their handlers back."""
    before = {
        number: signal.getsignal(number)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
def test_a_question_costs_no_deadline() -> None:
    async def asks() -> str:
        frame.expect_end(0.2)
        frame.expect_no_end()
        await asyncio.sleep(0.5)
        return "answered"

    async def idles() -> str:
        frame.expect_end(0.2)
        frame.expect_no_end()
        frame.expect_end(0.2)
        await asyncio.sleep(60)
        return "never"

    assert frame.run(asks) == "answered"
    with pytest.raises(ToolTimeoutError):
        frame.run(idles)


def test_at_a_terminal_where_nothing_may_be_asked_the_question_is_printed(folder: Path) -> None:
    ended = run_in_terminal(*CALL, "--no-input", cwd=folder, NO_COLOR="1")
    assert ended.code == 1
    assert ended.out == PENDING


def test_at_the_end_of_the_input_the_question_is_printed(folder: Path) -> None:
    ended = run_in_terminal(*CALL, cwd=folder, keys="\x04")
    assert ended.code == 1
    assert "waits for an answer: approve" in ended.out


def test_a_call_is_kept_and_goes_on_in_another_process(folder: Path) -> None:
    kept = run("call", "sign", "--save-pending", "kept.json", cwd=folder)
    assert (kept.code, kept.out) == (1, "")
    assert "hint: go on with --resume kept.json --respond who=VALUE" in kept.err
    more = ("call", "--resume", "kept.json", "--respond", "who=Ada")
    again = run(*more, "--save-pending", "kept.json", cwd=folder)
    assert again.code == 1
    assert "waits for an answer: when (a day)" in again.err
    ended = run("call", "sign", "--resume", "kept.json", "--respond", "when=Friday", cwd=folder)
    assert (ended.code, ended.out) == (0, "Ada on Friday\n")


def test_what_is_resumed_has_to_fit(folder: Path) -> None:
    run(*CALL, "--save-pending", "kept.json", cwd=folder)
    other = run("call", "sign", "--resume", "kept.json", cwd=folder)
    assert (other.code, "holds a call of 'pay', not of 'sign'" in other.err) == (2, True)
    flags = run("call", "pay", "--resume", "kept.json", "--amount", "7", cwd=folder)
    assert flags.code == 2
    none = run("call", "--resume", "none.json", cwd=folder)
    assert (none.code, none.err) == (3, "error: no such file: 'none.json'\n")
    wrong = run("call", "--resume", "tools.py", cwd=folder)
    assert wrong.code == 3
    assert "holds no pending batches" in wrong.err


def test_a_replay_gives_every_use_a_result_and_prints_what_is_asked(folder: Path) -> None:
    ended = run("replay", "message.json", "--json", cwd=folder)
    assert ended.code == 1
    waits = "'pay' waits for an answer: approve"
    assert texts(ended.out) == [waits, "x", waits]
    assert "'pay' (c) waits for an answer: approve" in ended.err
    assert ended.err.count("--respond approve=VALUE") == 1


def test_a_replay_answers_one_use_or_all(folder: Path) -> None:
    words = ("--respond", "approve=yes", "--respond", "c/approve=no")
    ended = run("replay", "message.json", "--json", *words, cwd=folder)
    assert (ended.code, texts(ended.out)) == (0, ["paid 1: 'yes'", "x", "paid 2: 'no'"])


def test_a_replay_is_kept_and_runs_only_what_is_open(folder: Path) -> None:
    kept = run("replay", "message.json", "--save-pending", "kept.json", cwd=folder)
    assert (kept.code, kept.out) == (1, "")
    assert "noted" in kept.err
    half = ("replay", "--resume", "kept.json", "--respond", "a/approve=yes", "--json")
    ended = run(*half, cwd=folder)
    assert ended.code == 1
    assert texts(ended.out) == ["paid 1: 'yes'", "x", "'pay' waits for an answer: approve"]
    whole = run("replay", "--resume", "kept.json", "--respond", "approve=ok", "--json", cwd=folder)
    assert (whole.code, texts(whole.out)) == (0, ["paid 1: 'ok'", "x", "paid 2: 'ok'"])
    assert "noted" not in ended.err + whole.err


def test_in_sequence_a_question_stops_what_comes_after(folder: Path) -> None:
    words = ("replay", "message.json", "--executor", "sequential")
    ended = run(*words, "--json", cwd=folder)
    assert texts(ended.out)[1] == "'note' was not begun: a call before it waits for an answer"
    run(*words, "--save-pending", "kept.json", cwd=folder)
    resume = ("replay", "--resume", "kept.json", "--executor", "sequential", "--json")
    whole = run(*resume, "--respond", "approve=1", cwd=folder)
    assert (whole.code, texts(whole.out)) == (0, ["paid 1: '1'", "x", "paid 2: '1'"])


def test_a_replay_asks_at_the_terminal(folder: Path) -> None:
    ended = run_in_terminal("replay", "message.json", cwd=folder, keys="yes\nno\n")
    assert ended.code == 0
    assert re.findall(r"paid \d: '\w+'", ended.out) == ["paid 1: 'yes'", "paid 2: 'no'"]


@pytest.mark.parametrize("how", ["flag", "configuration", "both"])
def test_hooks_stand_in_the_pipeline_of_call_and_replay(folder: Path, how: str) -> None:
    if how != "flag":
        config = '[tool.toolkit]\nsources = ["tools.py"]\nhooks = ["guards.py"]\n'
        (folder / "pyproject.toml").write_text(config)
    words = [] if how == "configuration" else ["--hooks", "guards.py"]
    call = ["call", *words, "note", "--text", "x"]
    asked = run(*call, cwd=folder)
    assert asked.code == 1
    assert "'note' (call-1) waits for an answer: sure" in asked.err
    refused = run(*call, "--respond", "sure=no", cwd=folder)
    assert (refused.code, refused.out) == (1, "not sure\n")
    assert refused.err.count("hook saw error") == 1
    given = ["--respond", "sure=yes", "--respond", "approve=1", "--json"]
    replayed = run("replay", "message.json", *words, *given, cwd=folder)
    assert (replayed.code, texts(replayed.out)[1]) == (0, "x")
    assert replayed.err.count("hook saw success") == 3


def test_a_file_of_hooks_that_is_none_is_an_error(folder: Path) -> None:
    ended = run("call", "note", "--text", "x", "--hooks", "tools.py", cwd=folder)
    assert ended.code == 3
    assert "'tools.py' defines no hooks" in ended.err
    missing = run("replay", "message.json", "--hooks", "none.py", cwd=folder)
    assert (missing.code, "no such file" in missing.err) == (3, True)
