"""Names that a module defines for type checkers alone, under `if TYPE_CHECKING:`."""

from __future__ import annotations

import ast
import inspect
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["unseen"]

_FOUND: weakref.WeakKeyDictionary[ModuleType, dict[str, ast.stmt]] = weakref.WeakKeyDictionary()


def unseen(name: str, module: ModuleType | None) -> Any:
    """What a hint's name stands for, by the import or alias that only a type checker sees.

    Runs that one statement (and what its own names need) in a copy of the module's names.
    Raises LookupError where there is none, or where it can't be run.
    """
    if module is None:
        raise LookupError(name)
    return _Unseen(module).value(name)


class _Unseen:
    def __init__(self, module: ModuleType) -> None:
        self._statements = _statements(module)
        self._names = dict(vars(module))
        self._running: set[str] = set()

    def value(self, name: str) -> Any:
        statement = self._statements.get(name)
        if statement is None or name in self._running:
            raise LookupError(name)
        self._running.add(name)
        code = compile(ast.Module([statement], []), "<TYPE_CHECKING>", "exec", dont_inherit=True)
        while name not in self._names:
            try:
                exec(code, self._names)  # noqa: S102 - an import or alias of the author's own
            except NameError as error:
                needed = str(error.name)
                self._names[needed] = self.value(needed)
            except Exception as error:
                raise LookupError(name) from error
        return self._names[name]


def _statements(module: ModuleType) -> dict[str, ast.stmt]:
    """The statements under `if TYPE_CHECKING:`, by the names that they bind."""
    found = _FOUND.get(module)
    if found is None:
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, TypeError, SyntaxError, ValueError):  # no source, or not Python any more
            tree = ast.Module([], [])
        found = {name: each for each in _hidden(tree.body) for name in _bound(each)}
        _FOUND[module] = found
    return found


def _hidden(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for each in body:
        if isinstance(each, ast.If) and _is_checking(each.test):
            yield from each.body
        elif isinstance(each, ast.If | ast.Try):
            yield from _hidden(each.body)


def _is_checking(test: ast.expr) -> bool:
    return getattr(test, "id", getattr(test, "attr", None)) == "TYPE_CHECKING"


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        for each in statement.names:
            yield each.asname or each.name.partition(".")[0]
    elif isinstance(statement, ast.Assign):
        yield from (each.id for each in statement.targets if isinstance(each, ast.Name))
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id
