"""The zoo of servers, and the count of what is left of them."""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mcp.bridge import bridged
from toolkit.mcp.servers import Server, from_argv

ZOO = Path(__file__).parent / "zoo"
MARK = "TOOLKIT_ZOO"

Zoo = Callable[..., Server]


def left(mark: str) -> list[str]:
    """The command lines of the processes that carry the mark in their environment."""
    return list(_marked(mark).values())


def pids(mark: str) -> list[int]:
    """The ids of the processes that carry the mark in their environment."""
    return list(_marked(mark))


def _marked(mark: str) -> dict[int, str]:
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in environment.split(b"\0") and state != "Z":
            found[int(folder.name)] = command
    return found


@pytest.fixture
def zoo() -> Iterator[Zoo]:
    """Describe a server of the zoo; in the end no process of any of them may be left."""
    mark = uuid.uuid4().hex

    def server(name: str, *args: str, **env: str) -> Server:
        described = from_argv([sys.executable, str(ZOO / f"{name}.py"), *args])
        return replace(described, env={MARK: mark, **env})

    yield server
    until = time.monotonic() + 1.0
    while left(mark) and time.monotonic() < until:
        os.sched_yield()
    assert left(mark) == []


@pytest.fixture(params=["stdio", "http", "sse"])
def anywhere(request: pytest.FixtureRequest, zoo: Zoo) -> Iterator[Zoo]:
    """Describe a server of the zoo, reached in each way."""
    with ExitStack() as stack:

        def server(name: str, *args: str, **env: str) -> Server:
            described = zoo(name, *args, **env)
            if request.param == "stdio":
                return described
            return stack.enter_context(bridged(described, request.param))[0]

        yield server
