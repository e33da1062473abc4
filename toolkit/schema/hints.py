"""The type hints of a callable, resolved late and in the function's own scopes."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
import typing
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidSignatureError

__all__ = ["Origin", "Place", "origin", "parameters", "resolve"]

CONTEXT_HINT = re.compile(r"\bToolContext\b")
AGENT_HINT = re.compile(r"\bAgent\b")


class Place(typing.NamedTuple):
    """Where a callable is defined; both are None for what has no source."""

    path: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Origin:
    """The function under a callable: whose hints, docstring and place count."""

    function: Any
    bound_keywords: frozenset[str] = frozenset()


def origin(callable_: Any) -> Origin:
    """Peel partials, bound methods and callable instances down to a function."""
    keywords: set[str] = set()
    current = callable_
    while isinstance(current, functools.partial):
        keywords.update(current.keywords)
        current = current.func
    if inspect.isroutine(current) or isinstance(current, type):
        return Origin(current, frozenset(keywords))
    return Origin(type(current).__call__, frozenset(keywords))


def place(callable_: Any) -> Place:
    """The file and line of the definition."""
    function = inspect.unwrap(origin(callable_).function)
    code = getattr(function, "__code__", None)
    if code is None:
        return Place(None, None)
    return Place(code.co_filename, code.co_firstlineno)


def parameters(callable_: Any, *, tool: str) -> list[inspect.Parameter]:
    """The parameters in order, without what a partial has bound by keyword."""
    try:
        signature = inspect.signature(callable_)
    except (ValueError, TypeError) as error:
        message = f"'{tool}' has no signature that Python can tell"
        hint = "wrap it in a function of your own with annotated parameters"
        raise InvalidSignatureError(message, hint=hint, tool=tool) from error
    bound = origin(callable_).bound_keywords
    return [each for each in signature.parameters.values() if each.name not in bound]


def resolve(annotation: Any, *, callable_: Any, scope: types.FrameType | None) -> Any:
    """Evaluate a hint, strings and forward references at any depth; NameError where it can't be.

    Looked up in the scope that encloses the definition, the closure, then the module.
    """
    function = inspect.unwrap(origin(callable_).function)
    module_names = _module_names(function)
    local_names = _local_names(function, scope)
    holder = types.SimpleNamespace(__annotations__={"hint": annotation})
    hints = typing.get_type_hints(holder, module_names, local_names, include_extras=True)
    return hints["hint"]


def _module_names(function: Any) -> dict[str, Any]:
    names = getattr(function, "__globals__", None)
    if names is None:
        module = sys.modules.get(getattr(function, "__module__", None) or "")
        names = vars(module) if module else {}
    return dict(names)


def _local_names(function: Any, scope: types.FrameType | None) -> dict[str, Any]:
    names: dict[str, Any] = dict(scope.f_locals) if scope is not None else {}
    code = getattr(function, "__code__", None)
    if code is not None and function.__closure__:
        for name, cell in zip(code.co_freevars, function.__closure__, strict=True):
            try:
                names[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
    if isinstance(function, type):
        names.update(vars(function))
    return names


def names_context(annotation: Any) -> bool:
    """Whether a hint that can't be resolved speaks of the tool context (a TYPE_CHECKING import)."""
    return bool(CONTEXT_HINT.search(_text(annotation)))


def names_agent(annotation: Any) -> bool:
    """Whether a hint that can't be resolved speaks of an agent."""
    return bool(AGENT_HINT.search(_text(annotation)))


def _text(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else repr(annotation)
