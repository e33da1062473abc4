"""What each way of starting may load: a command pays only for what it does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.architecture.house import ROOT
from tests.architecture.test_fence import FENCE

if TYPE_CHECKING:
    from pathlib import Path

THIRD_PARTY = set(FENCE) | {"click", "attrs", "griffe", "hypothesis"}
NEVER_FOR_ONE_CALL = {"mcp", "mcp_types", "httpx2", "anyio", "watchdog", "opentelemetry", "pytest"}
REPORT = "import sys, json; print('\\n' + json.dumps(sorted(sys.modules)))"


def _environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COVERAGE_"))}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1", **more}


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, *arguments]
    done = subprocess.run(
        run, cwd=cwd, env=_environment(), capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert done.returncode == 0, "\n".join(said)
    return done


def _loaded_by(code: str, *, cwd: Path) -> set[str]:
    """The modules that stand in `sys.modules` after a piece of code."""
    return set(json.loads(_run("-c", f"{code}\n{REPORT}", cwd=cwd).stdout.splitlines()[-1]))


def _imported_by(*arguments: str, cwd: Path) -> tuple[set[str], str]:
    """The modules that a command line imports, by the interpreter's own record, and its output."""
    done = _run("-X", "importtime", "-m", "toolkit", *arguments, cwd=cwd)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}, done.stdout


def _tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.fixture
def one_tool(tmp_path: Path) -> str:
    source = (
        "from toolkit import tool\n\n\n"
        "@tool\n"
        "def double(number: int) -> int:\n"
        '    """Double a number."""\n'
        "    return 2 * number\n"
    )
    path = tmp_path / "one.py"
    path.write_text(source)
    return str(path)


def test_importing_the_package_loads_no_third_party_package(tmp_path: Path) -> None:
    before = _loaded_by("pass", cwd=tmp_path)
    after = _loaded_by("import toolkit", cwd=tmp_path)
    assert _tops(after - before) - sys.stdlib_module_names == {"toolkit"}


@pytest.mark.parametrize("name", ["asyncio", "inspect", *sorted(THIRD_PARTY)])
def test_decorating_needs_neither_schemas_nor_a_loop(name: str, decorated: set[str]) -> None:
    assert name not in _tops(decorated)


@pytest.fixture(scope="module")
def decorated(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What a file with a thousand tools loads, beyond what Python itself does."""
    folder = tmp_path_factory.mktemp("thousand")
    one = '@tool\ndef tool_{n}(city: str, days: int = {n}) -> str:\n    """Tool {n}."""\n'
    tools = "\n".join(one.format(n=n) for n in range(1000))
    (folder / "thousand.py").write_text(f"from toolkit import tool\n{tools}")
    before = _loaded_by("pass", cwd=folder)
    after = _loaded_by("import sys; sys.path.insert(0, '.'); import thousand", cwd=folder)
    assert "thousand" in after
    return after - before


def test_a_thousand_tools_are_decorated_without_any_schema_work(decorated: set[str]) -> None:
    assert {name for name in decorated if name.startswith("toolkit.schema")} == set()


def test_the_version_needs_neither_typer_nor_pydantic_nor_rich(tmp_path: Path) -> None:
    loaded, out = _imported_by("--version", cwd=tmp_path)
    assert out.strip()
    assert _tops(loaded) & THIRD_PARTY == set()


def test_spec_loads_nothing_that_a_spec_does_not_need(tmp_path: Path, one_tool: str) -> None:
    loaded, out = _imported_by("spec", one_tool, cwd=tmp_path)
    assert json.loads(out)[0]["name"] == "double"
    assert _tops(loaded) & (NEVER_FOR_ONE_CALL | {"jsonschema"}) == set()


def test_a_call_loads_nothing_that_a_call_does_not_need(tmp_path: Path, one_tool: str) -> None:
    loaded, out = _imported_by("call", "-t", one_tool, "double", "--number", "21", cwd=tmp_path)
    assert out == "42\n"
    assert _tops(loaded) & (NEVER_FOR_ONE_CALL | {"jsonschema"}) == set()
