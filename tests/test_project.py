"""The project as a whole: what lies where, one version, and nothing of any one machine."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TOP_LEVEL = {
    ".ci",
    ".github",
    ".gitignore",
    ".pre-commit-hooks.yaml",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "sample_tools",
    "tests",
    "toolkit",
}
# What no file may hold, and why.
FORBIDDEN = {
    "a folder of one machine": r"(?<![\w.~/-])/(work|home|root|Users|mnt)/\w",
    "a host of a package registry": r"(?i)(pypi\.org|pythonhosted|artifactory|devpi|nexus\.)",
    "work that is left": r"\b(TODO|FIXME|XXX)\b",
    "a test that does not run": r"pytest\.(skip|xfail|importorskip)\b|mark\.(skip|xfail)",
    "a conflict that was not resolved": r"(?m)^(<{7}|>{7}) ",
}


def _tracked() -> list[str]:
    """The files of the project: as git knows them, else all but what tools leave behind."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    ignored = re.compile(r"(^|/)(\.venv|\.git|__pycache__|build|dist|\.\w+_cache|.*\.egg-info)/")
    names = (path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file())
    return [name for name in names if not ignored.search(name)]


def _text(name: str) -> str:
    try:
        return (ROOT / name).read_text("utf-8")
    except UnicodeDecodeError:  # an image, or a case of a file that is no text
        return ""


def _toolkit(*arguments: str) -> str:
    run = [sys.executable, "-m", "toolkit", *arguments]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_nothing_unknown_lies_at_the_top() -> None:
    assert {name.partition("/")[0] for name in _tracked()} == TOP_LEVEL


def test_there_is_one_version() -> None:
    version = PROJECT["project"]["version"]
    assert _toolkit("--version").split()[-1] == version
    assert f"## [{version}]" in _text("CHANGELOG.md")


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group().strip()}"
        for name in _tracked()
        if name != "tests/test_project.py"
        for text in [_text(name)]
        for match in pattern.finditer(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a folder of one machine", "see /home/jo/x"),
        ("a folder of one machine", 'Path("/' + 'work/x")'),
        ("a host of a package registry", "https://pypi" + ".org/simple"),
        ("work that is left", "# TODO: later"),
        ("a test that does not run", "@pytest.mark.skip"),
        ("a conflict that was not resolved", "a\n<<<<<<< HEAD\n"),
    ],
)
def test_what_no_file_may_hold_is_seen(what: str, text: str) -> None:
    assert re.search(FORBIDDEN[what], text)


def test_the_distribution_is_told_from_the_command() -> None:
    project = PROJECT["project"]
    assert project["name"] == "toolkit-cli"
    assert project["scripts"] == {"toolkit": "toolkit.__main__:main"}
    assert project["requires-python"] == ">=3.11"
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["toolkit"]


def test_the_package_is_typed() -> None:
    assert (ROOT / "toolkit" / "py.typed").is_file()


def test_every_ignored_rule_has_its_reason_beside_it() -> None:
    text = _text("pyproject.toml").partition("[tool.ruff.lint]")[2]
    rules = [line for line in text.splitlines() if re.match(r'\s+"[A-Z]+\d*",', line)]
    assert len(rules) > 5
    assert [line for line in rules if not re.search(r",\s+# \S", line)] == []


def test_the_first_change_of_the_log_speaks_of_what_a_user_gets() -> None:
    log = _text("CHANGELOG.md")
    assert log.startswith("# Changelog\n")
    assert re.search(r"(?m)^## \[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)$", log)
