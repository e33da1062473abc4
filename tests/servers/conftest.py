"""The environments of servers that others wrote, each made once a run."""

from __future__ import annotations

import pytest

from .installed import NPM, PYTHON, TESTKIT, Installed, npm, python


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
