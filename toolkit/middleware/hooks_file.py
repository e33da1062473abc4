"""A file of hooks: its functions whose first parameter is annotated with an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import LoadError
from ..loading.collect import load_file
from .hooks import events_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import ModuleType

__all__ = ["hooks_in"]


def hooks_in(paths: Iterable[Path]) -> list[Callable[..., Any]]:
    """The hooks of the files, in the order of the files and of their definitions.

    `LoadError` where a file can't be loaded, or defines none.
    """
    found: list[Callable[..., Any]] = []
    for path in paths:
        own = _hooks_of(load_file(path))
        if not own:
            raise LoadError(
                f"'{path}' defines no hooks",
                hint="annotate a function's first parameter: def check(event: BeforeToolCallEvent)",
                path=str(path),
            )
        found += own
    return found


def _hooks_of(module: ModuleType) -> list[Callable[..., Any]]:
    """A function that the file merely imports is not its own, as with tools."""
    return [
        value
        for value in vars(module).values()
        if not isinstance(value, type)
        and callable(value)
        and getattr(value, "__module__", None) == module.__name__
        and events_of(value)
    ]
