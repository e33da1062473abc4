"""Servers that nobody here wrote: listed, asked who they are, and called, in every era they know.

They are not part of a plain run: `pytest -m servers` asks for them, and then none is skipped.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import subprocess
import threading
import time
import uuid
from dataclasses import dataclass, replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.runner import run
from tests.mcp.conftest import MARK, left
from toolkit.mcp.listing import list_everything
from toolkit.mcp.servers import from_argv
from toolkit.mcp.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .installed import Installed

pytestmark = pytest.mark.servers

LEGACY, MODERN = "2025-11-25", "2026-07-28"


@dataclass(frozen=True)
class Case:
    """One server: what it is started with, what it says it is, and one call with its answer.

    In `args`, `env` and `arguments` words in braces stand for what the scene holds.
    """

    environment: str
    command: str
    name: str
    tools: int
    tool: str
    arguments: dict[str, Any]
    answer: str
    args: tuple[str, ...] = ()
    env: dict[str, str] | None = None

    @property
    def eras(self) -> tuple[str, ...]:
        """The newest protocol of each era that it speaks."""
        return (LEGACY, MODERN) if self.environment == "reference" else (LEGACY,)


TOKYO = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
THOUGHT = {"thought": "It is simple.", "thoughtNumber": 1, "totalThoughts": 1}
ADA = {"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}

CASES = {
    "time": Case(
        "reference", command="mcp-server-time", name="mcp-time", tools=2,
        tool="convert_time", arguments=TOKYO, answer='"time_difference": "+9.0h"',
    ),
    "git": Case(
        "reference", command="mcp-server-git", name="mcp-git", tools=12,
        tool="git_status", arguments={"repo_path": "{folder}"}, answer="new file:   page.html",
    ),
    "fetch": Case(
        "reference", command="mcp-server-fetch", name="mcp-fetch", tools=1,
        tool="fetch", arguments={"url": "{url}/page.html"}, answer="A plain page.",
        args=("--allow-private-ips",),
    ),
    "testkit": Case(
        "testkit", command="mcp-testkit", name="mcp-testkit", tools=65,
        tool="math_add", arguments={"a": 2, "b": 3}, answer='{"result": 5.0}',
    ),
    "everything": Case(
        "node", command="mcp-server-everything", name="mcp-servers/everything", tools=13,
        tool="get-sum", arguments={"a": 2, "b": 3}, answer="The sum of 2 and 3 is 5.",
        args=("stdio",),
    ),
    "filesystem": Case(
        "node", command="mcp-server-filesystem", name="secure-filesystem-server", tools=14,
        tool="read_text_file", arguments={"path": "{folder}/page.html"}, answer="A plain page.",
        args=("{folder}",),
    ),
    "memory": Case(
        "node", command="mcp-server-memory", name="memory-server", tools=9,
        tool="create_entities", arguments={"entities": [ADA]}, answer="wrote the first program",
        env={"MEMORY_FILE_PATH": "{folder}/memory.json"},
    ),
    "sequential-thinking": Case(
        "node", command="mcp-server-sequential-thinking", name="sequential-thinking-server",
        tools=1, tool="sequentialthinking", arguments={**THOUGHT, "nextThoughtNeeded": False},
        answer='"thoughtHistoryLength": 1',
    ),
}  # fmt: skip


def _parameters() -> list[Any]:
    marks = {"node": [pytest.mark.node]}
    return [
        pytest.param(case, id=name, marks=marks.get(case.environment, []))
        for name, case in CASES.items()
    ]


every_server = pytest.mark.parametrize("case", _parameters())


@dataclass(frozen=True)
class Scene:
    """What a server finds: a repository with a page in it, the page over HTTP, and a mark."""

    folder: Path
    url: str
    mark: str

    def fill(self, value: Any) -> Any:
        """Return the value with what is here in place of the words in braces."""
        text = json.dumps(value)
        return json.loads(text.replace("{folder}", str(self.folder)).replace("{url}", self.url))


class _Page(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """Prepare it; in the end no process that carries the mark may be left."""
    folder = (tmp_path / "place").resolve()
    folder.mkdir()
    page = "<html><body><h1>Hello</h1><p>A plain page.</p></body></html>"
    (folder / "page.html").write_text(page, "utf-8")
    for words in (["init", "-q"], ["add", "page.html"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    answering = functools.partial(_Page, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), answering) as web:
        serving = threading.Thread(target=web.serve_forever)
        serving.start()
        scene = Scene(folder, f"http://127.0.0.1:{web.server_port}", uuid.uuid4().hex)
        try:
            yield scene
        finally:
            web.shutdown()
            serving.join()
    until = time.monotonic() + 1.0
    while left(scene.mark) and time.monotonic() < until:
        os.sched_yield()
    assert left(scene.mark) == []


def started(case: Case, scene: Scene, request: pytest.FixtureRequest) -> list[str]:
    """The command that starts the server."""
    installed: Installed = request.getfixturevalue(case.environment)
    return [installed.command(case.command), *scene.fill(case.args)]


def reached(case: Case, scene: Scene) -> list[str]:
    """The options that give the server its variables."""
    given = {MARK: scene.mark, **scene.fill(case.env or {})}
    return [word for key, value in given.items() for word in ("--env", f"{key}={value}")]


@every_server
def test_it_is_listed(
    case: Case, scene: Scene, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    command = started(case, scene, request)
    words = ["mcp", "list", "--json", *reached(case, scene), "--", *command]
    ended = run(*words, cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    (shown,) = json.loads(ended.out)["servers"]
    assert shown["error"] is None
    assert shown["protocolVersion"] == case.eras[-1]
    assert len(shown["tools"]) == case.tools
    assert case.tool in [tool["name"] for tool in shown["tools"]]


@every_server
def test_it_says_who_it_is(
    case: Case, scene: Scene, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    command = started(case, scene, request)
    ended = run("mcp", "info", "--json", *reached(case, scene), "--", *command, cwd=tmp_path)
    assert ended.code == 0
    (shown,) = json.loads(ended.out)["servers"]
    assert shown["serverInfo"]["name"] == case.name
    assert "tools" in shown["capabilities"]
    assert set(shown["seconds"]) == {"start", "load", "handshake", "list"}


@every_server
def test_a_call_from_the_command_line_has_the_right_answer(
    case: Case, scene: Scene, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    command = started(case, scene, request)
    given = [f"{key}:={json.dumps(value)}" for key, value in scene.fill(case.arguments).items()]
    words = ["call", "--json", *reached(case, scene), case.tool, *given, "--", *command]
    ended = run(*words, cwd=tmp_path)
    assert ended.code == 0, ended.err
    result = json.loads(ended.out)
    assert result["status"] == "success"
    assert case.answer in "".join(part.get("text", "") for part in result["content"])


@every_server
def test_a_session_in_every_era_has_the_right_answer(
    case: Case, scene: Scene, request: pytest.FixtureRequest
) -> None:
    env = {MARK: scene.mark, **scene.fill(case.env or {})}
    server = replace(from_argv(started(case, scene, request)), env=env)

    async def answered(*, legacy: bool) -> tuple[str, int, str]:
        async with Session(server, legacy=legacy) as session:
            listed = await list_everything(session)
            result = await session.call(case.tool, scene.fill(case.arguments))
            text = "".join(part.get("text", "") for part in result["content"])
            return session.identity["protocolVersion"], len(listed.items), text

    for era in case.eras:
        version, tools, text = asyncio.run(answered(legacy=era == LEGACY))
        assert (version, tools) == (era, case.tools)
        assert case.answer in text


def test_a_page_of_the_own_machine_is_refused_by_the_server_itself(
    scene: Scene, reference: Installed, tmp_path: Path
) -> None:
    command = reference.command("mcp-server-fetch")
    words = ["--env", f"{MARK}={scene.mark}", "fetch", "--url", f"{scene.url}/page.html"]
    ended = run("call", *words, "--", command, cwd=tmp_path)
    assert ended.code == 1
    assert "--allow-private-ips" in ended.out
