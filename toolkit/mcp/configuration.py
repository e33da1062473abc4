"""The configuration files of every host: which servers they name, and what each entry means."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError, ToolkitError
from ..findings import Finding, Place
from .entries import read_entry, transport_of
from .expansion import Expander

if TYPE_CHECKING:
    from .servers import Server

__all__ = ["Configured", "Sources", "find_server", "read_file", "standard_files"]

_KEYS = ("mcpServers", "servers", "mcp_servers", "context_servers")
_PROJECT = (
    ".mcp.json",
    "mcp.json",
    ".vscode/mcp.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".zed/settings.json",
)
# Hosts that expand $NAME too, by the folder that their files stand in.
_BARE_HOSTS = (".copilot", ".gemini")
# Strings, or else comments and commas before a closing bracket.
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")


@dataclass(frozen=True, slots=True)
class Configured:
    """One entry of a file, as it stands there: nothing of it is expanded or checked yet."""

    name: str
    entry: Mapping[str, Any]
    path: Path
    key: str

    @property
    def place(self) -> Place:
        """The file, and the entry in it."""
        return Place(path=str(self.path), pointer=None)

    @property
    def transport(self) -> str:
        """How it is reached, as far as the entry says without being expanded."""
        return transport_of(self.entry)

    @property
    def disabled(self) -> bool:
        """Whether its host would not start it."""
        return self.entry.get("disabled") is True or self.entry.get("enabled") is False

    def server(self, environ: Mapping[str, str] | None = None) -> Server:
        """Read the entry, its variables expanded; a ConfigError names file, key and variable."""
        expander = Expander(
            self.path,
            f"{self.key}.{self.name}",
            os.environ if environ is None else environ,
            bare=any(host in self.path.parts for host in _BARE_HOSTS),
        )
        return read_entry(self.name, self.entry, expander=expander)


@dataclass(frozen=True, slots=True)
class Sources:
    """All entries, first match first, each name once, and the files that could not be read."""

    entries: tuple[Configured, ...]
    problems: tuple[Finding, ...] = ()

    @classmethod
    def read(cls, files: Sequence[Path]) -> Sources:
        """Read the files that are there; a broken one is a problem and hides no other."""
        entries: dict[str, Configured] = {}
        problems: list[Finding] = []
        for path in files:
            try:
                found = read_file(path)
            except FileNotFoundError:
                continue
            except (ConfigError, OSError) as error:
                problems.append(_unreadable(path, error))
                continue
            for one in found:
                entries.setdefault(one.name, one)
        return cls(tuple(entries.values()), tuple(problems))


def find_server(name: str, *, given: Sequence[Path] = (), folder: Path | None = None) -> Server:
    """Find `mcp:NAME`: in the given files, in the project's, then in the user's own.

    A ConfigError says where it was looked for, and the closest name.
    """
    for path in given:
        if not path.is_file():
            raise ConfigError(f"There is no file '{path}'", hint="--config names a file.")
    sources = Sources.read([*given, *standard_files(folder)])
    for one in sources.entries:
        if one.name == name:
            return one.server()
    names = [one.name for one in sources.entries]
    close = difflib.get_close_matches(name, names, 1)
    if close:
        hint = f"Did you mean mcp:{close[0]}?"
    elif names:
        hint = f"Configured are: {', '.join(sorted(names)[:12])}."
    else:
        hint = "Write it into .mcp.json, or give --config FILE."
    message = f"No server '{name}' is configured"
    if sources.problems:
        message += f"; {sources.problems[0].message}"
    raise ConfigError(message, hint=hint, key=name)


def standard_files(folder: Path | None = None) -> list[Path]:
    """Return the files of every host, in the order in which they are looked into."""
    start = (folder or Path.cwd()).resolve()
    found = [one / name for one in _project_folders(start) for name in _PROJECT]
    return [*found, *_user_files()]


def _project_folders(start: Path) -> Iterator[Path]:
    """Yield the folder and those above it, up to the project's root."""
    for folder in (start, *start.parents):
        if folder == Path.home() and folder != start:
            return
        yield folder
        if (folder / ".git").exists() or (folder / "pyproject.toml").exists():
            return


def _user_files() -> list[Path]:
    home = Path.home()
    if sys.platform == "darwin":
        applications = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        applications = Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
    else:
        applications = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))
    return [
        home / ".claude.json",
        applications / "Claude" / "claude_desktop_config.json",
        home / ".cursor" / "mcp.json",
        applications / "Code" / "User" / "mcp.json",
        applications / "Code" / "User" / "settings.json",
        home / ".copilot" / "mcp-config.json",
        home / ".gemini" / "settings.json",
        home / ".codex" / "config.toml",
        home / ".codeium" / "windsurf" / "mcp_config.json",
        applications / "zed" / "settings.json",
    ]


def read_file(path: Path) -> tuple[Configured, ...]:
    """Read one file; a ConfigError names it and the line where it can't be understood."""
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    document = _toml(path, text) if path.suffix == ".toml" else _json(path, text)
    if not isinstance(document, dict):
        raise ConfigError(
            f"{path} is no object with 'mcpServers'",
            hint='Write {"mcpServers": {"NAME": {…}}}.',
            path=str(path),
        )
    return tuple(_entries(path, document))


def _entries(path: Path, document: Mapping[str, Any]) -> Iterator[Configured]:
    for key, table in _tables(document):
        if isinstance(table, Mapping):
            named = list(table.items())
        elif isinstance(table, list):  # some hosts write a list of entries with names
            named = [(one.get("name"), one) for one in table if isinstance(one, Mapping)]
        else:
            continue
        for name, entry in named:
            if isinstance(entry, Mapping):
                yield Configured(str(name), entry, path, key)


def _tables(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the tables of servers, those of the present project first."""
    projects = document.get("projects")
    if isinstance(projects, Mapping):  # Claude Code keeps a project's own servers by its folder
        own = projects.get(str(Path.cwd()))
        if isinstance(own, Mapping) and "mcpServers" in own:
            yield "mcpServers", own["mcpServers"]
    for key in _KEYS:
        if key in document:
            yield key, document[key]
    nested = document.get("mcp")  # VS Code's settings.json
    if isinstance(nested, Mapping):
        for key in _KEYS:
            if key in nested:
                yield f"mcp.{key}", nested[key]


def _json(path: Path, text: str) -> Any:
    if not text.strip():
        return {}
    plain = _COMMENT.sub(lambda found: found[1] or _blank(found[0]), text)
    plain = _COMMA.sub(lambda found: found[1] or " ", plain)
    try:
        return json.loads(plain)
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{path}:{error.lineno}:{error.colno}: {error.msg}",
            hint="Correct the JSON; comments and trailing commas are allowed.",
            path=str(path),
            line=error.lineno,
        ) from error
    except RecursionError:
        raise ConfigError(f"{path} nests too deeply", path=str(path)) from None


def _blank(comment: str) -> str:
    """Return white space as long as a comment, so that places in errors stay right."""
    return re.sub(r"[^\n]", " ", comment)


def _toml(path: Path, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}", hint="Correct the TOML.", path=str(path)) from error


def _unreadable(path: Path, error: Exception) -> Finding:
    if isinstance(error, ToolkitError):
        message, hint = error.message, error.hint
    else:
        message, hint = f"{path} can't be read: {error}", None
    line = getattr(error, "line", None)
    return Finding(
        "M109",
        "unreadable-configuration",
        message,
        hint=hint,
        place=Place(path=str(path), line=line),
        cause=error,
    )
