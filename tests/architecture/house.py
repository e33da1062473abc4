"""Read the package as a house: its modules, what each imports, and from which floor."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "FLOORS",
    "ROOT",
    "Import",
    "Module",
    "expect_none",
    "floor",
    "functions",
    "package",
    "parse",
    "room",
]

ROOT = Path(__file__).parents[2]
# Folders of files that tests work on, odd and broken on purpose: ruff leaves them out as well.
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]
DATA = tuple(f"{folder}/" for folder in SETTINGS["extend-exclude"])

# Which room stands on which floor. A new file or folder of toolkit/ gets its line here.
FLOORS = {
    "types": 1,
    "content": 1,
    "findings": 1,
    "errors": 1,
    "threads": 1,
    "schema": 2,
    "formats": 2,
    "decorator": 3,
    "results": 3,
    "loading": 3,
    "registry": 3,
    "running": 3,
    "executor": 4,
    "pairing": 4,
    "pending": 4,
    "middleware": 4,
    "caller": 4,
    "events": 4,
    "agent": 5,
    "mcp": 5,
    "reload": 5,
    "lint": 5,
    "testing": 5,
    "config": 6,
    "targets": 6,
    "reaching": 6,
    "arguments": 6,
    "flags": 6,
    "watching": 6,
    "keeping": 6,
    "pytest_plugin": 6,
    "cli": 6,
    "": 7,  # toolkit/__init__.py: the public names
    "__main__": 7,
}


@dataclass(frozen=True)
class Import:
    """One imported module: where, and whether inside a function or for type checkers alone."""

    target: str
    line: int
    lazy: bool = False
    typing: bool = False

    @property
    def package(self) -> str:
        """The top-level package that it comes from."""
        return self.target.partition(".")[0]


@dataclass(frozen=True)
class Module:
    """One source file: its dotted name, its path below the root, its tree and its length."""

    name: str
    path: str
    tree: ast.Module
    lines: int
    imports: tuple[Import, ...]


def package(folder: str = "toolkit") -> list[Module]:
    """Every module below a folder of the repository, by path; files that are data are none."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    return parse({n: (ROOT / n).read_text("utf-8") for n in names if not n.startswith(DATA)})


def parse(sources: dict[str, str]) -> list[Module]:
    """Modules out of `path below the root -> source`."""
    names = {_dotted(path) for path in sources}
    return [_module(path, source, names) for path, source in sources.items()]


def floor(name: str) -> int | None:
    """The floor of a module, or None where the table has no line for it."""
    return FLOORS.get(room(name))


def room(name: str) -> str:
    """The first part of a module's name below the package; empty for the package itself."""
    return name.removeprefix("toolkit").lstrip(".").partition(".")[0]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, however deep."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def expect_none(breaches: list[str]) -> None:
    """Fail with every breach on a line of its own."""
    assert not breaches, "\n".join(["", *breaches])


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _module(path: str, source: str, names: set[str]) -> Module:
    name, tree = _dotted(path), ast.parse(source, path)
    base = name if path.endswith("__init__.py") else name.rpartition(".")[0]
    found = tuple(_imports(tree.body, base, names))
    return Module(name, path, tree, len(source.splitlines()), found)


def _imports(
    nodes: Iterable[ast.AST],
    base: str,
    names: set[str],
    *,
    lazy: bool = False,
    typing: bool = False,
) -> Iterator[Import]:
    for node in nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                for target in _targets(node, base, names):
                    yield Import(target, node.lineno, lazy, typing)
            case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
                yield from _imports(node.body, base, names, lazy=lazy, typing=True)
                yield from _imports(node.orelse, base, names, lazy=lazy, typing=typing)
            case _:
                inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                children = ast.iter_child_nodes(node)
                yield from _imports(children, base, names, lazy=inside, typing=typing)


def _targets(node: ast.Import | ast.ImportFrom, base: str, names: set[str]) -> Iterator[str]:
    """The modules that a statement imports: of `from . import x`, x itself where it is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    source = node.module or ""
    if node.level:
        parts = base.split(".")
        above = parts[: len(parts) - node.level + 1]
        source = ".".join([*above, *filter(None, [source])])
    inner = [f"{source}.{alias.name}" for alias in node.names]
    yield from dict.fromkeys(name if name in names else source for name in inner)
