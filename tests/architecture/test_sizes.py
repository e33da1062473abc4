"""Sizes and names that keep the house readable."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.architecture.house import Module, expect_none, functions, package, parse

LONGEST_FILE = 399
LONGEST_FUNCTION = 49
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}


def _too_long(modules: list[Module]) -> list[str]:
    files = [f"{m.path}: {m.lines} lines" for m in modules if m.lines > LONGEST_FILE]
    return files + [
        f"{module.path}:{function.lineno}: {function.name} has {length} lines"
        for module in modules
        for function in functions(module.tree)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]


def _nameless(modules: list[Module]) -> list[str]:
    said = NAMES_THAT_SAY_NOTHING
    return [m.path for m in modules if said & set(PurePosixPath(m.path).with_suffix("").parts)]


@pytest.mark.parametrize("folder", ["toolkit", "sample_tools", "tests"])
def test_files_and_functions_stay_short(folder: str) -> None:
    expect_none(_too_long(package(folder)))


@pytest.mark.parametrize("folder", ["toolkit", "sample_tools", "tests"])
def test_a_name_says_what_is_inside(folder: str) -> None:
    expect_none(_nameless(package(folder)))


def test_what_is_too_long_is_seen() -> None:
    long_function = "def f():\n" + "    x = 1\n" * LONGEST_FUNCTION
    assert _too_long(parse({"toolkit/a.py": long_function})) == ["toolkit/a.py:1: f has 50 lines"]
    assert _too_long(parse({"toolkit/a.py": "x = 1\n" * 400})) == ["toolkit/a.py: 400 lines"]


def test_a_name_that_says_nothing_is_seen() -> None:
    modules = parse(
        {"toolkit/cli/utils.py": "", "toolkit/common/a.py": "", "toolkit/config.py": ""}
    )
    assert _nameless(modules) == ["toolkit/cli/utils.py", "toolkit/common/a.py"]
