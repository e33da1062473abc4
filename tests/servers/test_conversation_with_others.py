"""Every feature of the protocol that a server of others shows, on each of its transports.

Not part of a plain run: `pytest -m servers` asks for it. The server speaks 2025-11-25.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.runner import environment
from tests.cli.watching import session as watch
from tests.mcp.conftest import pids
from toolkit.mcp.session import Listener
from toolkit.types import ToolUse

from .everything import Place, parts, play

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.mcp.servers import Server

pytestmark = [pytest.mark.servers, pytest.mark.node]

PLAIN = [
    "echo", "get-annotated-message", "get-env", "get-resource-links", "get-resource-reference",
    "get-structured-content", "get-sum", "get-tiny-image", "gzip-file-as-resource",
    "toggle-simulated-logging", "toggle-subscriber-updates", "trigger-long-running-operation",
    "simulate-research-query",
]  # fmt: skip
ASKING = ["trigger-elicitation-request", "trigger-url-elicitation"]


def test_what_it_offers(place: Place) -> None:
    (shown,) = json.loads(place.do("mcp", "info", "--json", "everything").out)["servers"]
    assert shown["protocolVersion"] == "2025-11-25"
    assert shown["serverInfo"]["title"] == "Everything Reference Server"
    assert shown["instructions"].startswith("# Everything Server")
    assert shown["capabilities"] == {
        "completions": {},
        "logging": {},
        "prompts": {"listChanged": True},
        "resources": {"listChanged": True, "subscribe": True},
        "tasks": {"cancel": {}, "list": {}, "requests": {"tools": {"call": {}}}},
        "tools": {"listChanged": True},
    }


def test_it_offers_more_to_who_can_answer_more(place: Place) -> None:
    (listed,) = json.loads(place.do("mcp", "list", "--json", "everything").out)["servers"]
    assert [tool["name"] for tool in listed["tools"]] == PLAIN

    async def never(server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        raise AssertionError((server, params))

    listener = Listener(elicit=never, sample=never, roots=("file:///somewhere",))
    names, _, _ = play(place.server, [], listener=listener)
    more = {*ASKING, "trigger-sampling-request", "get-roots-list"}
    assert set(names) == {*PLAIN, *more}


def test_progress_comes_as_events_in_order(place: Place) -> None:
    words = ["--jsonl", "trigger-long-running-operation", "--duration", "0.4", "--steps", "4"]
    ended = place.call(*words)
    assert ended.code == 0, ended
    *events, result = [json.loads(line) for line in ended.out.splitlines()]
    assert [one["value"] for one in events] == [{"progress": n, "total": 4} for n in (1, 2, 3, 4)]
    assert "Duration: 0.4 seconds, Steps: 4." in json.dumps(result)


def test_progress_extends_the_idle_deadline(place: Place) -> None:
    name = "trigger-long-running-operation"
    steady = ToolUse("1", name, {"duration": 2.4, "steps": 12})
    silent = ToolUse("2", name, {"duration": 2.4, "steps": 1})
    _, (first, second), told = play(place.server, [steady, silent], seconds=0.8)
    assert (first.status, len(told)) == ("success", 12)
    assert (second.status, "within 0.8 s" in second.text) == ("error", True)


@pytest.mark.parametrize("level", ["info", "warning"])
def test_log_messages_come_at_the_chosen_level_and_above(own: Place, level: str) -> None:
    ended = own.call("--root", ".", "--log-level", level, "get-roots-list")
    said = "[everything] info: Roots updated: 1 root(s) received from client"
    assert (ended.code, said in ended.err) == (0, level == "info"), ended


def test_roots_are_told(place: Place) -> None:
    ended = place.call("--root", ".", "get-roots-list")
    assert ended.code == 0, ended
    assert f"URI: {place.folder.resolve().as_uri()}\n" in ended.out


def test_content_of_every_type_is_kept(place: Place) -> None:
    image = parts(place.call("--json", "get-tiny-image"))[1]["image"]
    assert image["format"] == "png"
    assert base64.b64decode(image["source"]["bytes"]).startswith(b"\x89PNG")
    links = place.call("get-resource-links", "--count", "2").out
    assert "demo://resource/dynamic/blob/1" in links
    assert "demo://resource/dynamic/text/2" in links
    text = place.call("get-resource-reference", "--resourceType", "Text", "--resourceId", "3").out
    assert "Resource 3: This is a plaintext resource created at " in text
    blob = ["get-resource-reference", "--resourceType", "Blob", "--resourceId", "4"]
    told = parts(place.call("--json", *blob))[1]["text"]
    assert told.startswith("[resource: demo://resource/dynamic/blob/4, text/plain, ")
    noted = parts(place.call("--json", "get-annotated-message", "--messageType", "success"))
    assert noted[0]["text"] == "Operation completed successfully"


def test_structured_output_is_kept_beside_the_text(place: Place) -> None:
    ended = place.call("--json", "get-structured-content", "--location", "Chicago")
    weather = {"temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82}
    assert json.loads(ended.out)["structuredContent"] == weather
    assert json.loads(parts(ended)[0]["text"]) == weather
    wrong = place.call("get-structured-content", "--location", "Rome")
    assert (wrong.code, "location" in wrong.out + wrong.err) == (1, True)


def test_resources_are_listed_and_read(place: Place) -> None:
    ended = place.do("mcp", "list", "--resources", "--prompts", "--json", "everything")
    (shown,) = json.loads(ended.out)["servers"]
    assert len(shown["resources"]) == 7
    kinds = [one["uriTemplate"].rpartition("/")[0] for one in shown["resourceTemplates"]]
    assert kinds == ["demo://resource/dynamic/text", "demo://resource/dynamic/blob"]
    names = ["simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"]
    assert [one["name"] for one in shown["prompts"]] == names
    text = place.do("mcp", "read", "everything", "demo://resource/dynamic/text/5")
    assert (text.code, text.out[:45]) == (0, "Resource 5: This is a plaintext resource crea")
    page = place.do("mcp", "read", "everything", "demo://resource/static/document/startup.md")
    assert page.out.startswith("# Everything Server")
    uri = "demo://resource/dynamic/blob/6"
    assert place.do("mcp", "read", "everything", uri, "--save", "here").code == 0
    assert (place.folder / "here" / "6").read_bytes().startswith(b"Resource 6: This is a base64")
    wrong = place.do("mcp", "read", "everything", "demo://resource/nothing")
    assert (wrong.code, "demo://resource/nothing" in wrong.err) == (1, True)


def test_prompts_take_their_arguments(place: Place) -> None:
    def prompt(*words: str) -> Any:
        return place.do("mcp", "prompt", "everything", *words)

    assert prompt("simple-prompt").out == "user: This is a simple prompt without arguments.\n"
    rome = prompt("args-prompt", "--city", "Rome", "--state=Lazio")
    assert rome.out == "user: What's weather in Rome, Lazio?\n"
    missing = prompt("args-prompt")
    assert (missing.code, "needs 'city'" in missing.err) == (2, True)
    embedded = prompt("resource-prompt", "resourceType=Text", "resourceId=8").out
    assert "\nuser: Resource 8: This is a plaintext resource created at " in embedded


def test_values_of_arguments_are_completed(place: Place) -> None:
    shown = place.do("mcp", "prompt", "everything", "completable-prompt", "--help").out
    assert "[one of: Engineering, Sales, Marketing, Support]" in shown
    words = ["mcp", "prompt", "everything", "completable-prompt", "--department", "Sales"]
    missing = place.do(*words)
    assert (missing.code, "one of: David, Eve, Frank" in missing.err) == (2, True)


def test_a_task_is_submitted_asked_after_and_fetched(place: Place) -> None:
    ended = place.call("--jsonl", "--wire", "simulate-research-query", "--topic", "tea")
    assert ended.code == 0, ended
    *events, _ = [json.loads(line) for line in ended.out.splitlines()]
    said = ["Gathering sources", "Analyzing content", "Synthesizing findings", "Generating report"]
    assert [one["value"]["message"] for one in events][:4] == [f"{text}..." for text in said]
    assert "# Research Report: tea" in ended.out
    assert '"task": {}' in ended.err
    assert ended.err.count('"method": "tasks/get"') >= 3
    assert ended.err.count('"method": "tasks/result"') == 1


def test_a_task_that_asks_in_the_middle_is_answered(place: Place) -> None:
    words = ["--answer", "interpretation=Python snake species"]
    ended = place.call(*words, "simulate-research-query", "--topic", "python", "--ambiguous")
    assert ended.code == 0, ended
    assert "Please clarify what you're looking for" in ended.err
    assert ended.out.startswith("# Research Report: python (snake)\n")


@pytest.mark.parametrize(
    ("words", "begun", "farewell"),
    [
        (
            ["trigger-long-running-operation", "--duration", "30", "--steps", "100"],
            '"progress": 1',
            '"method": "notifications/cancelled"',
        ),
        (
            ["simulate-research-query", "--topic", "tea"],
            "Gathering sources",
            '"method": "tasks/cancel"',
        ),
    ],
    ids=["call", "task"],
)
def test_an_interrupt_is_told_to_the_server(
    place: Place, words: list[str], begun: str, farewell: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "toolkit", "call", "-t", "mcp:everything", "--wire", *words],
        cwd=place.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(HOME=str(place.folder)),
    )
    assert process.stderr is not None
    assert any(begun in line for line in process.stderr)
    since = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert time.monotonic() - since < 2
    assert farewell in said


def test_what_changes_is_told(place: Place) -> None:
    heard: list[str] = []

    async def notified(server: Server, method: str, params: Mapping[str, Any]) -> None:
        heard.append(f"{server.name} {method} {sorted(params)}")

    use = ToolUse("1", "gzip-file-as-resource", {"name": "a.gz", "data": "data:text/plain,hello"})
    names, (result,), _ = play(place.server, [use], listener=Listener(notification=notified))
    assert (names, result.status) == (PLAIN, "success")
    assert "everything notifications/resources/list_changed []" in heard


def test_a_server_that_crashes_under_watch_is_started_again(own: Place) -> None:
    with watch("mcp:everything", "--jsonl", cwd=own.folder, HOME=str(own.folder)) as watching:
        state = watching.event()
        assert [each["name"] for each in state["tools"]] == PLAIN
        for pid in pids(own.mark):
            os.kill(pid, signal.SIGKILL)
        lost = watching.event()
        assert "was killed by signal 9" in lost["failed"][0]["message"]
        assert {each["state"] for each in lost["tools"]} == {"stale"}
        back = watching.event()
        assert (back["restarted"], back["failed"]) == (["everything"], [])
        assert {each["state"] for each in back["tools"]} == {"fresh"}
        assert watching.end()[0] == 130
