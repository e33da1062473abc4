"""Variables in configuration files, in the spellings of every host that writes them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from .servers import SAFE

__all__ = ["Expander"]

# ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id}, ${workspaceFolder} …
_BRACED = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Hosts that also expand these, and no others: a `$` stands in many an argument.
_BARE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)|%([A-Za-z_][A-Za-z0-9_]*)%")


@dataclass(slots=True)
class Expander:
    """Expands the variables of one entry.

    `path` and `key` name the place for errors; `bare` allows `$NAME` and `%NAME%` too; `used` are
    the values that were taken in, which may be secrets.
    """

    path: Path
    key: str
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    bare: bool = False
    used: set[str] = field(default_factory=set)

    def expand(self, value: Any, key: str) -> Any:
        """Expand every text in `value`; a ConfigError names file, key and variable."""
        if isinstance(value, str):
            return self._text(value, f"{self.key}.{key}")
        if isinstance(value, Mapping):
            return {name: self.expand(inner, f"{key}.{name}") for name, inner in value.items()}
        if isinstance(value, list):
            return [self.expand(inner, f"{key}.{number}") for number, inner in enumerate(value)]
        return value

    def _text(self, text: str, key: str) -> str:
        text = _BRACED.sub(lambda found: self._braced(found[1], key), text)
        if self.bare:
            text = _BARE.sub(lambda found: self._variable(found[1] or found[2], key), text)
        return text

    def _braced(self, inside: str, key: str) -> str:
        kind, colon, rest = inside.partition(":")
        if inside in _FOLDERS:
            return _FOLDERS[inside](self.path)
        if kind == "env" and colon and not rest.startswith("-"):
            name, given, default = rest.partition(":-")
            return self._variable(name, key, default if given else None)
        if kind == "input" and colon:
            raise ConfigError(
                f"{self.path}: {key} needs the input '{rest}', which only its editor asks for",
                hint="Write ${env:NAME} instead, and set the variable.",
                path=str(self.path),
                key=key,
            )
        name, given, default = inside.partition(":-")
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{self.path}: {key} has '${{{inside}}}', which is no variable",
                hint="Write ${NAME}, ${NAME:-default} or ${env:NAME}.",
                path=str(self.path),
                key=key,
            )
        return self._variable(name, key, default if given else None)

    def _variable(self, name: str, key: str, default: str | None = None) -> str:
        value = self.environ.get(name)
        if value is None or (value == "" and default is not None):
            if default is not None:
                return default
            raise ConfigError(
                f"{self.path}: {key} needs the variable '{name}', which is not set",
                hint=f"Set it ({name}=… before the command), or write ${{{name}:-default}}.",
                path=str(self.path),
                key=key,
            )
        if name not in SAFE:
            self.used.add(value)
        return value


def _workspace(path: Path) -> str:
    """The folder that a project's file belongs to: not its `.vscode`, but what holds that."""
    folder = path.resolve().parent
    return str(folder.parent if folder.name.startswith(".") else folder)


_FOLDERS: Mapping[str, Callable[[Path], str]] = {
    "workspaceFolder": _workspace,
    "workspaceRoot": _workspace,
    "workspaceFolderBasename": lambda path: Path(_workspace(path)).name,
    "userHome": lambda _: str(Path.home()),
    "pathSeparator": lambda _: os.sep,
    "/": lambda _: os.sep,
}
