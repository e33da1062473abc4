"""A folder with a few tools in it, for commands to work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = '''\
from toolkit import tool


@tool
def greet(name: str, times: int = 1, loud: bool = False) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
        times: How often.
        loud: In capitals.
    """
    text = " ".join([f"Hello, {name}!"] * times)
    return text.upper() if loud else text


@tool
def fail(why: str = "no reason") -> str:
    """Fail."""
    raise ValueError(why)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty project folder with `tools.py` in it."""
    (tmp_path / "pyproject.toml").write_text('[tool.toolkit]\nsources = ["tools.py"]\n')
    (tmp_path / "tools.py").write_text(TOOLS)
    return tmp_path
