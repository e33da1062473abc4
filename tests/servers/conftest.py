"""The environments of servers that others wrote, each made once a run."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from .everything import TRANSPORTS, Place, listening, serving
from .installed import NPM, PYTHON, TESTKIT, Installed, npm, python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def reference() -> Installed:
    """The reference servers of the Python SDK."""
    return python("python", PYTHON)


@pytest.fixture(scope="session")
def testkit() -> Installed:
    """A server on the SDK's first major version."""
    return python("testkit", TESTKIT)


@pytest.fixture(scope="session")
def node() -> Installed:
    """The reference servers of the TypeScript SDK."""
    return npm("node", NPM)


@pytest.fixture(scope="module")
def entries(node: Installed) -> Iterator[Callable[[str], dict[str, Any]]]:
    """The entry of each transport; what listens on a port is started once."""
    command = node.command("mcp-server-everything")
    known: dict[str, dict[str, Any]] = {"stdio": {"command": command, "args": ["stdio"]}}
    with ExitStack() as stack:

        def entry(transport: str) -> dict[str, Any]:
            if transport not in known:
                known[transport] = stack.enter_context(listening(command, transport))
            return known[transport]

        yield entry


@pytest.fixture(params=TRANSPORTS)
def place(
    request: pytest.FixtureRequest, entries: Callable[[str], dict[str, Any]], tmp_path: Path
) -> Iterator[Place]:
    with serving(tmp_path, entries(request.param)) as found:
        yield found


@pytest.fixture
def own(entries: Callable[[str], dict[str, Any]], tmp_path: Path) -> Iterator[Place]:
    """The server as a process of ours alone."""
    with serving(tmp_path, entries("stdio")) as found:
        yield found
