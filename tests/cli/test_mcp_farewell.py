"""Ctrl-C in the middle of a call: the server hears of it, the command ends, nothing is left."""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.mcp.bridge import Bridge, bridged
from tests.mcp.conftest import MARK, ZOO, left
from toolkit.mcp.servers import from_argv

from .keyboard import CTRL_C, at_a_keyboard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OLD, NEW = "2025-11-25", "2026-07-28"
PLACES = [("stdio", OLD), ("stdio", NEW), ("http", OLD), ("http", NEW), ("sse", OLD)]
everywhere = pytest.mark.parametrize(
    ("transport", "era"), PLACES, ids=["-".join(place) for place in PLACES]
)
SOON = 2.0  # seconds: a person who presses Ctrl-C waits no longer


@contextmanager
def configured(
    folder: Path, transport: str, script: str, *args: str, **env: str
) -> Iterator[Bridge | None]:
    """Name a server of the zoo in `.mcp.json`; in the end no process of it is left."""
    mark = uuid.uuid4().hex
    env = {MARK: mark, "ZOO_HEARD": str(folder / "heard"), **env}
    server = from_argv([sys.executable, str(ZOO / f"{script}.py"), *args])
    if transport == "stdio":
        entry = {"command": server.argv[0], "args": list(server.argv[1:]), "env": env}
        _name(folder, entry)
        yield None
        until = time.monotonic() + 1
        while left(mark) and time.monotonic() < until:
            os.sched_yield()
        assert left(mark) == []
        return
    with bridged(replace(server, env=env), transport) as (reached, bridge):
        _name(folder, {"type": reached.kind, "url": str(reached.url)})
        yield bridge


def _name(folder: Path, entry: Mapping[str, object]) -> None:
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"zoo": entry}}))


def interrupted(folder: Path, tool: str, *, at: str) -> None:
    """Call a tool at a terminal, and press Ctrl-C once it has said that."""
    words = ["call", "-t", "mcp:zoo", tool]
    with at_a_keyboard(*words, cwd=folder, HOME=str(folder)) as person:
        person.until(at)
        person.type(CTRL_C)
        code, seconds = person.end()
    assert (code, seconds < SOON) == (130, True), person.shown
    assert "Traceback" not in person.shown


@everywhere
def test_a_call_that_is_interrupted_is_cancelled_at_the_server(
    tmp_path: Path, transport: str, era: str
) -> None:
    with configured(tmp_path, transport, "conversation", ZOO_VERSION=era) as bridge:
        interrupted(tmp_path, "begin", at="begun")
        if bridge is None:
            begun, *rest = (tmp_path / "heard").read_text().splitlines()[-2:]
            assert rest == [begun.replace("begun", "notifications/cancelled")]
        elif era == NEW:  # there, hanging up is what cancels
            assert bridge.until(lambda told: told.gone).params["name"] == "begin"
        else:
            told = bridge.until(lambda told: told.method == "notifications/cancelled")
            heard = (tmp_path / "heard").read_text().splitlines()
            assert f"begun {told.params['requestId']}" in heard


@everywhere
def test_a_task_that_is_interrupted_while_it_is_asked_after_is_cancelled_at_the_server(
    tmp_path: Path, transport: str, era: str
) -> None:
    with configured(tmp_path, transport, "tasking", era) as bridge:
        interrupted(tmp_path, "forever", at="step 2")
        if bridge is None:
            heard = (tmp_path / "heard").read_text().splitlines()
            assert heard.count("tasks/cancel forever") == 1
            assert heard[-1] == "tasks/cancel forever"
        else:
            told = bridge.until(lambda told: told.method == "tasks/cancel")
            assert told.params["taskId"] == "task-forever"
            if era == NEW:
                assert told.headers["mcp-name"] == "task-forever"


@everywhere
def test_a_task_that_is_interrupted_while_it_asks_is_cancelled_at_the_server(
    tmp_path: Path, transport: str, era: str
) -> None:
    with configured(tmp_path, transport, "tasking", era) as bridge:
        interrupted(tmp_path, "asks", at="city (string)")
        if bridge is None:
            heard = (tmp_path / "heard").read_text().splitlines()
            assert "tasks/cancel asks" in heard
        else:
            told = bridge.until(lambda told: told.method == "tasks/cancel")
            assert told.params["taskId"] == "task-asks"
