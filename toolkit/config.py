"""`[tool.toolkit]` of the nearest pyproject.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ConfigError
from .schema.faults import closest

__all__ = ["Config", "find"]

LISTS = ("sources", "pythonpath", "hooks")
TABLES = ("lint", "test", "mcp")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a project; `root` is the folder of its pyproject.toml, or the working one."""

    root: Path
    path: Path | None = None
    sources: tuple[str, ...] = ()
    pythonpath: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def import_roots(self) -> list[Path]:
        """The folders from which the project's own modules are imported, in order."""
        folders = [self.root, self.root / "src", *(self.root / each for each in self.pythonpath)]
        return [folder.resolve() for folder in folders if folder.is_dir()]


def find(start: Path | None = None) -> Config:
    """The configuration that holds for a folder (the working one by default).

    Raises `ConfigError` naming file and key for what is unknown or of a wrong kind.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _read(path)
    return Config(here)


def _read(path: Path) -> Config:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"'{path}' is not valid TOML: {error}", path=str(path)) from error
    table = document.get("tool", {}).get("toolkit", {})
    if not isinstance(table, dict):
        raise ConfigError(f"'{path}': [tool.toolkit] must be a table", path=str(path))
    for key, value in table.items():
        _check(key, value, path)
    lists = {key: tuple(table[key]) for key in LISTS if key in table}
    tables = {key: table[key] for key in TABLES if key in table}
    return Config(path.parent, path, tables=tables, **lists)


def _check(key: str, value: Any, path: Path) -> None:
    if key in TABLES and isinstance(value, dict):
        return
    if key in LISTS and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return
    if key in LISTS or key in TABLES:
        wanted = "a list of texts" if key in LISTS else "a table"
        message = f"'{path}': '{key}' in [tool.toolkit] must be {wanted}"
        raise ConfigError(message, path=str(path), key=key)
    meant = closest(key, (*LISTS, *TABLES), most=1)
    allowed = ", ".join((*LISTS, *TABLES))
    hint = f"did you mean '{meant[0]}'?" if meant else f"known keys: {allowed}"
    raise ConfigError(
        f"'{path}': unknown key '{key}' in [tool.toolkit]", hint=hint, path=str(path), key=key
    )
