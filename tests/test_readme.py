"""The README is true: what it shows is run, and what it shows as output comes out."""

from __future__ import annotations

import ast
import doctest
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.screen import screen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SESSIONS = re.findall(r"(?ms)^```console\n(.*?)^```$", README)


def _command(number: int) -> str:
    found = re.findall(rf"(?ms)^<!-- command {number} -->\n```sh\n(.*?)\n```$", README)
    (command,) = found
    return str(command)


def _steps(session: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that stands below it."""
    parts = re.split(r"(?m)^\$ ", session)
    assert parts[0] == "", "a console block begins with a command"
    steps = []
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command[:-1]}{more.strip()}"
        steps.append((command, output))
    return steps


STEPS = [step for session in SESSIONS for step in _steps(session)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where `toolkit` is the one that is tested."""
    scripts = tmp_path_factory.mktemp("bin")
    for name, arguments in (("toolkit", "-m toolkit "), ("python", "")):
        script = scripts / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}"$@"\n')
        script.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if k in {"HOME", "LANG", "LC_ALL", "TMPDIR"}}
    path = f"{scripts}:/usr/bin:/bin"
    told = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    return {**kept, **told, "PATH": path, "PYTHONUTF8": "1"}


def _run(command: str, environment: dict[str, str]) -> str:
    """What a person sees on a terminal without colours: both streams, in order."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        seen = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    written = seen.decode("utf-8").replace("\r\n", "\n")
    return "\n".join(screen(written)) if "\r" in written else written


def _read(terminal: int) -> bytes:
    """What comes next; nothing once the last process has closed it (EIO on Linux)."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.mark.parametrize(("command", "output"), STEPS, ids=[command for command, _ in STEPS])
def test_a_command_prints_what_the_readme_shows(
    command: str, output: str, environment: dict[str, str]
) -> None:
    assert _run(command, environment) == output


def test_the_readme_shows_spec_call_and_list() -> None:
    shown = {command.split()[1] for command, _ in STEPS if command.startswith("toolkit ")}
    assert shown >= {"spec", "call", "list"}


def test_command_1_sets_up_and_ends_with_a_real_answer(environment: dict[str, str]) -> None:
    *setup, call = _command(1).split(" && ")
    assert setup == ["python3 -m venv .venv", ".venv/bin/pip install -q -e ."]
    assert call.startswith(".venv/bin/toolkit call weather --city Tokyo")
    assert _run(call.removeprefix(".venv/bin/"), environment).startswith("Tokyo, a year: mean 15.8")


def test_command_2_sets_up_and_ends_with_the_tests() -> None:
    *setup, tests = _command(2).split(" && ")
    assert setup == ["python3 -m venv .venv", ".venv/bin/pip install -q -e '.[test]'"]
    assert shlex.split(tests)[:3] == [".venv/bin/python", "-m", "pytest"]


def test_ci_runs_command_2_as_it_stands_in_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    (line,) = re.findall(r"(?m)^command=\$\((.*)\)$", script)
    taken = subprocess.run(
        ["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert taken.stdout == f"{_command(2)}\n"
    assert re.search(r'(?m)^bash -euo pipefail -c "\$command"$', script)


def test_every_tool_that_the_readme_shows_is_python() -> None:
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", README)
    assert blocks
    for block in blocks:
        compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_a_python_session_goes_as_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sessions = re.findall(r"(?ms)^```pycon\n(.*?)^```$", README)
    assert sessions
    parsed = doctest.DocTestParser().get_doctest("".join(sessions), {}, "README", "README.md", 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(parsed, out=said.append)
    assert outcome.failed == 0, "".join(said)
    assert outcome.attempted > 0


def test_the_tool_that_is_shown_is_the_sample() -> None:
    shown = re.findall(r"(?ms)^```python\n(.*?)^```$", README)[0]
    sample = (ROOT / "sample_tools" / "temperature.py").read_text("utf-8")
    assert sample.partition("\n\n")[2] == shown


def test_every_file_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"`((?:toolkit|tests|sample_tools)/[\w./]*)`", README))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
