"""What other people's CI takes from here: the hooks and the action."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from tests.cli.runner import ROOT, environment

if TYPE_CHECKING:
    from pathlib import Path

ACTION = (ROOT / ".github" / "actions" / "lint" / "action.yml").read_text("utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")


def linting(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the action's own script."""
    scripts = folder / "bin"
    scripts.mkdir()
    script = scripts / "toolkit"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m toolkit "$@"\n')
    script.chmod(0o755)
    (block,) = re.findall(r"(?ms)^      run: \|\n((?:        .*\n|\n)+)", ACTION)
    given = {"TARGETS": "", "PROFILES": "", "FAIL_ON": "error", "BASELINE": "", "SARIF": "", **env}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", textwrap.dedent(block)],
        cwd=ROOT,
        env={**environment(), "PATH": f"{scripts}:/usr/bin:/bin", **given},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("env", "code"),
    [
        ({"TARGETS": "sample_tools/temperature.py sample_tools/weather.py"}, 0),
        ({"TARGETS": "tests/lint/example.json"}, 1),
        ({"TARGETS": "tests/lint/example.json", "FAIL_ON": "never"}, 0),
        ({"TARGETS": "no_such.json"}, 3),
    ],
)
def test_the_action_ends_as_lint_does(tmp_path: Path, env: dict[str, str], code: int) -> None:
    assert linting(tmp_path, **env).returncode == code


def test_the_action_writes_sarif_and_still_fails(tmp_path: Path) -> None:
    log = tmp_path / "lint.sarif"
    env = {"TARGETS": "tests/lint/example.json", "SARIF": str(log), "PROFILES": "anthropic"}
    assert linting(tmp_path, **env).returncode == 1
    assert '"C201"' in log.read_text()


def test_the_hooks_call_lint() -> None:
    assert re.findall(r"(?m)^- id: (\S+)$", HOOKS) == ["toolkit-lint", "toolkit-lint-json"]
    assert set(re.findall(r"(?m)^  entry: (.+)$", HOOKS)) == {"toolkit lint"}
