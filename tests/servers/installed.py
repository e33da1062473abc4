"""Servers that others wrote, installed once into a folder outside the repository.

`TOOLKIT_TEST_SERVERS` names the folder; without it, it is `toolkit/test-servers` in the user's
cache. A version pinned here that is not installed there is installed when it is first asked for.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

__all__ = ["NPM", "PYTHON", "TESTKIT", "Installed", "npm", "python"]

PYTHON = (
    "mcp-server-time==2026.10.19",
    "mcp-server-git==2026.10.19",
    "mcp-server-fetch==2026.10.24",
)
# It needs the SDK before its second major version, so it has an environment of its own.
TESTKIT = ("mcp-testkit==1.0.4",)
NPM = (
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
)
PATIENCE = 600.0  # seconds that an installation may take


@dataclass(frozen=True)
class Installed:
    """An environment: the folder of its commands."""

    commands: Path

    def command(self, name: str) -> str:
        """Return the path of a command; one that is missing is an error, never a skip."""
        found = shutil.which(name, path=str(self.commands))
        if found is None:
            raise FileNotFoundError(f"{self.commands} holds no '{name}'")
        return found


def python(name: str, requirements: tuple[str, ...]) -> Installed:
    """Return an environment of Python with exactly these packages, made where it is not there."""
    folder = _folder() / name
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if _stamp(folder, requirements):
        return Installed(commands)
    venv.create(folder, with_pip=True, clear=True)
    _run(str(commands / "python"), "-m", "pip", "install", "--quiet", *requirements)
    _set_stamp(folder, requirements)
    return Installed(commands)


def npm(name: str, requirements: tuple[str, ...]) -> Installed:
    """Return a folder of Node packages; without Node.js this is an error that says so."""
    if shutil.which("npm") is None:
        raise FileNotFoundError("these servers need Node.js: install it, or give -m 'not node'")
    folder = _folder() / name
    commands = folder / "node_modules" / ".bin"
    if _stamp(folder, requirements):
        return Installed(commands)
    folder.mkdir(parents=True, exist_ok=True)
    told = ("--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
    _run("npm", "install", "--prefix", str(folder), *told, *requirements)
    _set_stamp(folder, requirements)
    return Installed(commands)


def _folder() -> Path:
    named = os.environ.get("TOOLKIT_TEST_SERVERS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(named) if named else cache / "toolkit" / "test-servers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def _stamp(folder: Path, requirements: tuple[str, ...]) -> bool:
    """Whether exactly these were installed there, to the end."""
    path = folder / "installed.json"
    return path.is_file() and json.loads(path.read_text("utf-8")) == list(requirements)


def _set_stamp(folder: Path, requirements: tuple[str, ...]) -> None:
    (folder / "installed.json").write_text(json.dumps(requirements), "utf-8")


def _run(program: str, *args: str) -> None:
    words = [shutil.which(program) or program, *args]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{words} failed:\n{ended.stdout}\n{ended.stderr}")
