"""`toolkit replay`: recorded conversations of every provider, run again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .runner import Ended, run

RECORDINGS = Path(__file__).parent / "recordings"
PROVIDERS = ["anthropic", "bedrock", "gemini", "openai", "openai-responses"]
CITY = '{"city":"Tokyo","people":14000000}'


def replay(*words: str, stdin: str | None = None) -> Ended:
    return run("replay", *words, "-t", "tools.py", cwd=RECORDINGS, stdin=stdin)


def uses(*calls: tuple[str, str, Any]) -> str:
    """A message of Bedrock's with these uses: id, name and input."""
    blocks = [{"toolUse": {"toolUseId": i, "name": n, "input": v}} for i, n, v in calls]
    return json.dumps({"role": "assistant", "content": blocks})


def results(ended: Ended) -> list[tuple[str, str, str]]:
    """Id, status and text of each result in Bedrock's answer."""
    blocks = [each["toolResult"] for each in json.loads(ended.out)["content"]]
    return [(one["toolUseId"], one["status"], one["content"][0]["text"]) for one in blocks]


def texts_of(answer: Any) -> list[Any]:
    """What each result of an answer says, in any provider's shape, in order."""
    listed = answer if isinstance(answer, list) else answer.get("content") or answer["parts"]
    return [_text(one) for one in listed]


def _text(block: Any) -> Any:
    match block:
        case {"toolResult": {"content": [{"text": text}]}}:
            return text
        case {"functionResponse": {"response": {"output": text}}}:
            return text
        case {"content": [{"text": text}]} | {"content": text} | {"output": text}:
            return text
    raise AssertionError(block)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_turn_runs_and_is_answered_in_the_shape_of_its_provider(provider: str) -> None:
    ended = replay(f"{provider}.json", "--json")
    assert ended.code == 0
    assert [texts_of(answer) for answer in json.loads(ended.out)] == [["5", CITY], ["Hello, Ada!"]]
    assert ended.err.splitlines()[-1] == "3 calls, 0 failed"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_pieces_of_a_stream_are_joined(provider: str) -> None:
    ended = replay(f"{provider}-stream.jsonl", "--json")
    assert ended.code == 0
    assert texts_of(json.loads(ended.out)) == ["5", "Hello, Ada!"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_answer_can_be_written_in_another_shape(provider: str) -> None:
    ended = replay("bedrock.json", "--format", provider, "--turn", "2")
    assert ended.code == 0
    assert texts_of(json.loads(ended.out)) == ["Hello, Ada!"]


def test_what_the_provider_ran_is_skipped_and_said() -> None:
    ended = replay("anthropic.json", "--json")
    assert "web_search" not in ended.out
    assert "web_search" in ended.err
    assert "run by the provider itself" in ended.err


def test_a_person_reads_each_result_below_its_turn() -> None:
    ended = replay("bedrock.json")
    assert ended.out == (
        "bedrock.json:1 turn 1\n"
        "t1 add: success\n"
        "5\n"
        "t2 population: success\n"
        f"{CITY}\n"
        "bedrock.json:1 turn 2\n"
        "t3 greet: success\n"
        "Hello, Ada!\n"
    )


def test_each_use_has_one_result_in_order_whatever_fails() -> None:
    message = uses(
        ("a", "add", {"a": 1, "b": 2}),
        ("b", "add", {"a": 1}),
        ("c", "ad", {}),
        ("d", "", {}),
        ("e", "x" * 65, {}),
        ("a", "add", '{"a": 3, "b": 4}'),
        ("f", "add", "{broken"),
        ("g", "add", [1, 2]),
        ("h", "population", {"city": "Atlantis"}),
    )
    ended = replay("-", "--json", stdin=message)
    assert ended.code == 1
    found = results(ended)
    assert [(identity, status) for identity, status, _ in found] == [
        ("a", "success"),
        *((identity, "error") for identity in "bcde"),
        ("a", "success"),
        *((identity, "error") for identity in "fgh"),
    ]
    assert "did you mean 'add'?" in found[2][2]
    assert found[6][2].startswith("input is not JSON: ")
    assert found[8][2] == "Error: KeyError: key 'Atlantis' is missing"
    assert "9 calls, 7 failed" in ended.err


def test_a_destructive_tool_runs_only_when_that_is_said() -> None:
    message = uses(("a", "forget", {"name": "Ada"}), ("b", "greet", {"name": "Ada"}))
    ended = replay("-", "--json", stdin=message)
    assert ended.code == 1
    refused, greeted = results(ended)
    assert refused[1] == "error"
    assert "--destructive" in refused[2]
    assert greeted[2] == "Hello, Ada!"
    allowed = replay("-", "--json", "--destructive", stdin=message)
    assert (allowed.code, results(allowed)[0]) == (0, ("a", "success", "forgot Ada"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--turn", "1"), ["5", CITY]),
        (("--turn", "2"), ["Hello, Ada!"]),
        (("--id", "t2"), [CITY]),
        (("--turn", "1", "--id", "t1", "--id", "t2"), ["5", CITY]),
    ],
)
def test_turns_and_ids_narrow_what_runs(words: tuple[str, ...], said: list[str]) -> None:
    ended = replay("bedrock.json", "--json", *words)
    assert ended.code == 0
    assert texts_of(json.loads(ended.out)) == said


def test_a_prefix_is_taken_off_the_names_and_stands_in_the_answer_again() -> None:
    call = {"functionCall": {"id": "t", "name": "mcp__x__greet", "args": {"name": "Ada"}}}
    message = json.dumps({"role": "model", "parts": [call]})
    ended = replay("-", "--json", "--name-prefix", "mcp__x__", stdin=message)
    assert ended.code == 0
    (part,) = json.loads(ended.out)["parts"]
    assert part["functionResponse"]["name"] == "mcp__x__greet"
    assert part["functionResponse"]["response"] == {"output": "Hello, Ada!"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("bedrock.json", "--turn", "9"), 2, "there is no turn 9"),
        (("bedrock.json", "--id", "t33"), 2, "did you mean 't3'?"),
        (("bedrock.json", "--name-prefix", "mcp__"), 2, "no recorded name begins with 'mcp__'"),
        (("bedrock.json", "--executor", "parallel"), 2, "concurrent or sequential"),
        (("bedrock.json", "--format", "jsonschema"), 2, "has no shape for results"),
        (("bedrock.json", "--check", "--compare"), 2, "--check runs nothing"),
        (("bedrock.json", "--resume", "kept.json"), 2, "--resume goes on with what was saved"),
        (("--turn", "1", "--resume", "kept.json"), 2, "--resume goes on with what was saved"),
        (("--resume", "kept.json"), 3, "no such file: 'kept.json'"),
        ((), 2, "missing argument 'FILE...'"),
        (("nowhere.json",), 3, "no such file: 'nowhere.json'"),
        (("tools.py",), 3, "is no JSON"),
        ((".",), 3, "can't read '.'"),
    ],
)
def test_what_is_used_wrongly_is_said(words: tuple[str, ...], code: int, said: str) -> None:
    ended = replay(*words)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


def test_a_conversation_without_a_tool_use_is_no_success() -> None:
    ended = replay("-", stdin='{"role": "assistant", "content": [{"text": "Hello."}]}')
    assert ended.code == 3
    assert "there is no tool use" in ended.err
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    ended = replay("-", stdin=json.dumps({"role": "assistant", "content": [search]}))
    assert ended.code == 3
    assert "'web_search' was run by the provider itself" in ended.err


def test_a_file_that_cannot_be_read_hides_no_other() -> None:
    ended = replay("nowhere.json", "bedrock.json", "--turn", "2")
    assert ended.code == 3
    assert "no such file: 'nowhere.json'" in ended.err
    assert "Hello, Ada!" in ended.out


def test_a_line_that_is_no_json_hides_no_other_and_is_no_success() -> None:
    ended = replay("-", stdin=f"nonsense\n{uses(('a', 'greet', {'name': 'Ada'}))}\n")
    assert ended.code == 3
    assert "line 1 is no JSON" in ended.err
    assert "Hello, Ada!" in ended.out


def test_check_looks_up_and_validates_and_runs_nothing() -> None:
    message = uses(
        ("a", "add", {"a": 1, "b": 2}),
        ("b", "add", {"a": "one", "b": 2}),
        ("c", "forget", {"name": "Ada"}),
        ("d", "frobnicate", {}),
    )
    ended = replay("-", "--check", stdin=message)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        'stdin:1 turn 1: add (b): a: expected an integer, got "one"',
        (
            "stdin:1 turn 1: frobnicate (d): unknown tool 'frobnicate'; "
            "known tools: add, population, greet, forget, pay"
        ),
        "2 of 4 recorded calls would now be refused",
    ]
    as_json = json.loads(replay("-", "--check", "--json", stdin=message).out)
    assert (as_json["calls"], [one["toolUseId"] for one in as_json["refused"]]) == (4, ["b", "d"])
    assert replay("openai.json", "--check").code == 0


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_recording_that_still_holds_has_no_difference(provider: str) -> None:
    ended = replay(f"{provider}.json", "--compare")
    assert (ended.code, ended.out) == (0, "0 of 3 recorded results differ\n")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_compare_shows_what_differs(provider: str, tmp_path: Path) -> None:
    text = (RECORDINGS / f"{provider}.json").read_text()
    changed = tmp_path / "changed.json"
    changed.write_text(
        text.replace("Hello, Ada!", "Good day, Ada!").replace("14000000", "13000000")
    )
    ended = replay(str(changed), "--compare")
    assert ended.code == 1
    assert "  -Good day, Ada!\n  +Hello, Ada!\n" in ended.out
    assert ended.out.endswith("2 of 3 recorded results differ\n")
    as_json = json.loads(replay(str(changed), "--compare", "--json").out)
    assert [one["name"] for one in as_json["differences"]] == ["population", "greet"]


def test_json_lines_are_events_with_the_message_last() -> None:
    ended = replay("bedrock.json", "--turn", "1", "--jsonl")
    events = [json.loads(line) for line in ended.out.splitlines()]
    assert [event["event"] for event in events] == ["result", "result", "message"]
    assert {event["toolUseId"] for event in events[:2]} == {"t1", "t2"}
    assert texts_of(events[-1]["message"]) == ["5", CITY]


def test_a_trace_shows_the_steps_of_each_call() -> None:
    ended = replay("bedrock.json", "--turn", "1", "--trace")
    assert ended.code == 0
    assert "add (success" in ended.err
    assert "population (success" in ended.err
    assert ended.err.count("validate") == 2


def test_several_files_make_one_array() -> None:
    ended = replay("gemini-stream.jsonl", "openai-stream.jsonl", "--json")
    gemini, openai = json.loads(ended.out)
    assert texts_of(gemini) == texts_of(openai) == ["5", "Hello, Ada!"]


def test_a_target_that_fails_is_told_where_its_tools_are_missed(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import nowhere_to_be_found\n")
    found = replay("bedrock.json", "--json", "-t", str(broken))
    assert found.code == 0
    assert "nowhere_to_be_found" in found.err
    missed = replay("-", "-t", str(broken), stdin=uses(("a", "elsewhere", {})))
    assert missed.code == 3
    assert "unknown tool 'elsewhere'" in missed.out


def test_a_tool_that_blocks_the_loop_costs_no_other_its_result(tmp_path: Path) -> None:
    (tmp_path / "blocking.py").write_text(
        "import time\n"
        "from toolkit import tool\n"
        "@tool\n"
        "async def quick() -> str:\n"
        "    return 'quick'\n"
        "@tool\n"
        "async def block() -> str:\n"
        "    time.sleep(60)\n"
        "    return 'late'\n"
    )
    message = uses(("a", "quick", {}), ("b", "block", {}), ("c", "quick", {}))
    words = (
        "replay",
        "-",
        "-t",
        "blocking.py",
        "--timeout",
        "0.5",
        "--json",
        "--executor=sequential",
    )
    ended = run(*words, cwd=tmp_path, stdin=message)
    assert ended.code == 1
    first, blocked, third = results(ended)
    assert first == ("a", "success", "quick")
    assert blocked[2] == "'block' timed out: a tool blocked the event loop for 0.5 seconds"
    assert (third[0], third[1]) == ("c", "error")


def test_a_clash_of_names_is_told_and_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "twins.py").write_text(
        "from toolkit import tool\n@tool\ndef greet(name: str) -> str:\n    return 'another'\n"
    )
    ended = replay("bedrock.json", "--turn", "2", "-t", str(tmp_path / "twins.py"))
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "another")  # the first target's stays
    assert "the name 'greet'" in ended.err


def test_of_many_findings_of_one_kind_the_first_few_are_told() -> None:
    call = {"functionCall": {"name": "greet", "args": {"name": "Ada"}}}
    message = json.dumps({"role": "model", "parts": [call] * 20})
    ended = replay("-", "--check", stdin=message)
    assert ended.code == 0
    assert ended.err.count("has no id") == 5
    assert "and 15 more: missing-id (F502)" in ended.err
