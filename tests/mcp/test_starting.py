from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from toolkit import errors
from toolkit.mcp.listing import list_everything, stray_output
from toolkit.mcp.servers import Server, from_argv
from toolkit.mcp.session import Limits, Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp.conftest import Zoo


def start(server: Server, seconds: float = 10.0) -> Session:
    """Open and close at once."""

    async def run() -> Session:
        async with Session(server, limits=Limits(start=seconds)) as session:
            return session

    return asyncio.run(run())


@dataclass(frozen=True)
class Case:
    mode: str
    error: type[errors.MCPError]
    kind: str
    words: str
    exit_status: int | None = None
    phase: str = "handshake"
    deadline: float = 10.0
    within: float = 8.0


CASES = (
    Case("exits", errors.MCPConnectionClosedError, "exited", "status 3", 3),
    Case("raises", errors.MCPConnectionClosedError, "exited", "No module named", 1),
    Case("ends", errors.MCPConnectionClosedError, "exited", "exited with status 0", 0),
    Case("silent", errors.MCPConnectionError, "timeout", "1 s", None, deadline=1, within=3),
    Case("deaf", errors.MCPConnectionError, "timeout", "1 s", None, deadline=1, within=5),
    Case("shouting", errors.MCPConnectionError, "timeout", "Welcome", None, deadline=1, within=3),
    Case("future", errors.MCPProtocolError, "protocol", "2099-01-01"),
    Case("nonsense", errors.MCPProtocolError, "protocol", "protocol"),
    Case("refuses", errors.MCPRequestError, "error", "licence"),
    Case("grandchild_exits", errors.MCPConnectionClosedError, "exited", "status 4", 4),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.mode))
def test_a_server_that_does_not_start_says_why_and_leaves_nothing(zoo: Zoo, case: Case) -> None:
    began = time.monotonic()
    with pytest.raises(case.error) as caught:
        start(zoo("starting", case.mode), case.deadline)
    assert time.monotonic() - began < case.within
    error = caught.value
    assert (error.kind, error.phase) == (case.kind, case.phase)
    assert case.words in error.message
    assert error.exit_status == case.exit_status
    assert error.server == "starting"


def test_the_last_words_of_a_server_are_part_of_the_error(zoo: Zoo) -> None:
    with pytest.raises(errors.MCPConnectionClosedError) as caught:
        start(zoo("starting", "raises"))
    assert "Traceback" in (caught.value.stderr or "")
    assert caught.value.message.endswith("No module named 'no_such_module_anywhere'")
    assert "Try the command by itself" in (caught.value.hint or "")


@pytest.mark.parametrize("seconds", [0, 1.5], ids=["before", "after"])
def test_a_server_that_ends_by_itself_is_started_once(
    zoo: Zoo, tmp_path: Path, seconds: float
) -> None:
    """Whether it ends before or after the question of the era has been written."""
    starts = tmp_path / "starts"
    with pytest.raises(errors.MCPConnectionClosedError) as caught:
        start(zoo("starting", "counts", str(starts), str(seconds)))
    assert starts.read_text(encoding="utf-8") == "started\n"
    assert caught.value.exit_status == 3
    assert caught.value.stderr == "the licence has expired"


def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(errors.MCPConnectionError) as caught:
        start(from_argv(["no-such-command-anywhere", "x"]))
    assert (caught.value.kind, caught.value.phase) == ("not-found", "start")
    assert "no-such-command-anywhere" in caught.value.message


def test_a_file_that_is_not_executable_is_named(tmp_path: object) -> None:
    path = f"{tmp_path}/server"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("hello")
    with pytest.raises(errors.MCPConnectionError) as caught:
        start(from_argv([path]))
    assert caught.value.kind == "not-executable"
    assert "chmod +x" in (caught.value.hint or "")


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(errors.MCPConnectionError) as caught:
        start(from_argv([str(tmp_path)]))
    assert caught.value.kind == "not-executable"
    assert caught.value.message.endswith("is a folder")


def test_a_folder_that_is_not_there_is_named(zoo: Zoo) -> None:
    described = zoo("many")
    server = Server(described.name, described.target, argv=described.argv, cwd="/no/such/folder")
    with pytest.raises(errors.MCPConnectionError) as caught:
        start(server)
    assert "/no/such/folder" in caught.value.message


def test_lines_before_the_handshake_do_not_hinder_and_the_first_is_quoted(zoo: Zoo) -> None:
    async def run() -> tuple[str, ...]:
        async with Session(zoo("starting", "banner")) as session:
            listed = await list_everything(session)
            assert [item["name"] for item in listed.items] == ["one"]
            return tuple(finding.message for finding in await stray_output(session))

    (message,) = asyncio.run(run())
    assert "stdout" in message
    assert "Loading plug-ins ..." in message
    assert "normal log on stderr" not in message


@pytest.mark.parametrize(("mode", "within"), [("crashes_on_discover", 3), ("ignores_discover", 6)])
def test_a_server_that_knows_no_newer_era_is_spoken_to_in_the_older(
    zoo: Zoo, mode: str, within: float
) -> None:
    began = time.monotonic()
    session = start(zoo("starting", mode))
    assert time.monotonic() - began < within
    assert session.identity["protocolVersion"] == "2024-11-05"
    assert session.identity["era"] == "legacy"


@pytest.mark.parametrize("mode", ["batches", "joins", "floats", "trails"])
def test_a_line_may_hold_several_messages_and_an_id_a_fraction_of_nought(
    zoo: Zoo, mode: str
) -> None:
    async def run() -> tuple[list[str], int]:
        async with Session(zoo("starting", mode)) as session:
            listed = await list_everything(session)
            return [item["name"] for item in listed.items], len(await stray_output(session))

    assert asyncio.run(run()) == (["one"], 0)


def test_a_server_that_introduces_itself_badly_is_heard_all_the_same(zoo: Zoo) -> None:
    identity = start(zoo("starting", "introduces_itself_badly")).identity
    assert identity["serverInfo"]["name"] == ""
    assert identity["capabilities"] == {"tools": {}, "logging": {}}


def test_a_grandchild_that_holds_the_pipes_does_not_outlive_the_session(zoo: Zoo) -> None:
    began = time.monotonic()
    start(zoo("starting", "grandchild"))
    assert time.monotonic() - began < 6


def test_a_line_without_end_ends_the_session(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolkit.mcp.process.Lines.__init__.__defaults__", (1024 * 1024,))
    with pytest.raises(errors.MCPConnectionClosedError) as caught:
        start(zoo("starting", "endless_line"))
    assert "a line of more than" in caught.value.message


def test_a_flood_of_notifications_before_the_handshake_is_no_matter(zoo: Zoo) -> None:
    assert start(zoo("starting", "notifies")).identity["serverInfo"]["name"] == "zoo"


def test_a_cancelled_start_leaves_nothing(zoo: Zoo) -> None:
    async def run() -> None:
        opening = asyncio.create_task(Session(zoo("starting", "deaf")).open())
        await asyncio.sleep(0.5)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

    began = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - began < 5
