"""A decorated function is the function for type checkers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from . import decorated

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.mark.slow
def test_mypy_sees_the_function_s_own_signature() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", str(HERE / "decorated.py")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize(
    "check",
    [
        decorated.the_signature_is_kept,
        decorated.a_tool_can_be_made_by_a_call,
        decorated.a_method_is_bound,
        decorated.a_tool_has_its_tool_side,
        decorated.a_tool_pickles,
    ],
)
def test_what_a_type_checker_sees_is_what_runs(check: object) -> None:
    assert callable(check)
    assert check() is None


def test_a_coroutine_of_a_tool_is_awaited_as_the_function_s() -> None:
    asyncio.run(decorated.a_coroutine_is_awaited())
    assert asyncio.run(decorated.coroutine("Oslo")) == "Oslo"
