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

if typing.TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Origin", "Place", "local_names", "origin", "parameters", "resolve"]

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
        signature = inspect.signature(_bare(callable_))
    except (ValueError, TypeError) as error:
        message = f"'{tool}' has no signature that Python can tell"
        hint = "wrap it in a function of your own with annotated parameters"
        raise InvalidSignatureError(message, hint=hint, tool=tool) from error
    bound = origin(callable_).bound_keywords
    found = [each for each in signature.parameters.values() if each.name not in bound]
    if found and hasattr(callable_, "dispatch") and hasattr(callable_, "registry"):
        found[0] = found[0].replace(kind=inspect.Parameter.POSITIONAL_ONLY)  # what it dispatches on
    return found


def _bare(callable_: Any) -> Any:
    """A partial without what `update_wrapper` told it: it would show what it has bound."""
    if not isinstance(callable_, functools.partial):
        return callable_
    return functools.partial(_bare(callable_.func), *callable_.args, **callable_.keywords)


def resolve(annotation: Any, *, callable_: Any, names: dict[str, Any]) -> Any:
    """Evaluate a hint, strings and forward references at any depth; NameError where it can't be.

    Looked up in `names`, the function's `local_names`, then in its module.
    """
    function = inspect.unwrap(origin(callable_).function)
    holder = types.SimpleNamespace(__annotations__={"hint": annotation})
    module_names = _module_names(function)
    hints = typing.get_type_hints(holder, module_names, names, include_extras=True)
    return hints["hint"]


def module_of(callable_: Any) -> types.ModuleType | None:
    """The module that defines a callable, if it is loaded."""
    function = inspect.unwrap(origin(callable_).function)
    own = getattr(function, "__globals__", {}).get("__name__")  # `__module__` may be set at will
    return sys.modules.get(own or getattr(function, "__module__", None) or "")


def _module_names(function: Any) -> dict[str, Any]:
    names = getattr(function, "__globals__", None)
    if names is None:
        module = sys.modules.get(getattr(function, "__module__", None) or "")
        names = vars(module) if module else {}
    return dict(names)


def local_names(callable_: Any, scope: Sequence[types.FrameType]) -> dict[str, Any]:
    """What a callable's hints can name beside its module: enclosing frames, closure, class.

    `scope` are frames, the innermost first; those whose code does not hold the callable's count
    for nothing: they only called the decorator.
    """
    function = inspect.unwrap(origin(callable_).function)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    names: dict[str, Any] = {}
    for frame in reversed(scope):
        if code is None or _holds(frame.f_code, code):
            names.update(frame.f_locals)
    if code is not None and function.__closure__:
        for name, cell in zip(code.co_freevars, function.__closure__, strict=True):
            try:
                names[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
    if isinstance(function, type):
        names.update(vars(function))
    return names


def _holds(outer: types.CodeType, inner: types.CodeType) -> bool:
    """Whether a piece of code is part of another one, at any depth."""
    parts = [each for each in outer.co_consts if isinstance(each, types.CodeType)]
    return any(each is inner or _holds(each, inner) for each in parts)


def names_context(annotation: Any) -> bool:
    """Whether a hint that can't be resolved speaks of the tool context (a TYPE_CHECKING import)."""
    return bool(CONTEXT_HINT.search(_text(annotation)))


def names_agent(annotation: Any) -> bool:
    """Whether a hint that can't be resolved speaks of an agent."""
    return bool(AGENT_HINT.search(_text(annotation)))


def _text(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else repr(annotation)
