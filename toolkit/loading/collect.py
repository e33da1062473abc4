"""Whatever a person names or a program passes, as tools: file, folder, module, object."""

from __future__ import annotations

import importlib
import os
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..decorator import FunctionTool, tool
from ..errors import LoadError, ToolkitError
from ..findings import Finding, Place, Severity, shown_path
from ..schema.faults import closest
from ..schema.hints import place
from .finder import finder
from .module_tool import ModuleTool
from .scan import tool_files

if TYPE_CHECKING:
    from ..types import Tool

__all__ = ["Collected", "collect", "from_file", "from_folder", "from_module", "place_of"]

SHOWN = 60  # characters of an object that is no tool


class Collected(NamedTuple):
    """Tools in definition order, and everything that did not become one."""

    tools: list[Tool]
    problems: list[Finding]

    def take(self, other: Collected) -> None:
        """Append another collection."""
        self.tools.extend(other.tools)
        self.problems.extend(other.problems)


def collect(source: Any) -> Collected:
    """The tools of any source, as `ToolRegistry.process_tools` lists them.

    Raises `LoadError` for a source that is nothing of the kind, or can't be loaded at all.
    """
    kind = type(source)  # `isinstance` would touch what a proxy stands for
    if issubclass(kind, str):
        return _from_text(source)
    if issubclass(kind, os.PathLike):
        return _from_path(Path(source))
    if issubclass(kind, ModuleType):
        return from_module(source)
    if _offers(source, "as_tool") and not issubclass(kind, type):
        return collect(source.as_tool())
    if tools := _tools_in(source):
        return Collected(tools, [])
    if issubclass(kind, Iterable) and not issubclass(kind, Mapping | type):
        found = Collected([], [])
        for each in source:
            found.take(collect(each))
        return found
    return _from_object(source)


def from_file(path: Path, *, base: Path | None = None) -> Collected:
    """The tools that a file defines; `LoadError` where it can't be loaded."""
    return from_module(load_file(path, base=base))


def from_folder(folder: Path) -> Collected:
    """The tools of every file below a folder; a file that fails is a problem, not an error."""
    found = Collected([], [])
    base = folder.resolve()
    while (base / "__init__.py").exists():  # a package's modules refer to what is around it
        base = base.parent
    for path in tool_files(folder):
        try:
            found.take(from_file(path, base=base))
        except LoadError as error:
            found.problems.append(_not_loadable(error))
    return found


def _not_loadable(error: LoadError) -> Finding:
    facts = vars(error)
    path = facts.get("path")
    place = Place(os.path.abspath(path) if path else None, facts.get("line"))  # noqa: PTH100
    return Finding("F001", "not-loadable", error.message, hint=error.hint, place=place, cause=error)


def from_module(module: ModuleType) -> Collected:
    """The tools that a module defines, in the order of their definition."""
    found = Collected([], [])
    if isinstance(getattr(module, "TOOL_SPEC", None), Mapping):
        _attempt(found, module.__name__, lambda: ModuleTool(module))
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        if issubclass(type(value), type):  # `isinstance` would touch what a proxy stands for
            found.problems.extend(_without_instance(value, module))
        elif _is_own(value, module):
            found.tools.extend(each for each in _tools_in(value) if each not in found.tools)
    return found


def load_file(path: Path, *, base: Path | None = None) -> ModuleType:
    """The module of a file; every way in which that fails is a `LoadError` with its place."""
    if not path.exists():
        raise LoadError(f"no such file: '{path}'", path=str(path))
    with _told_as_load_error(path):
        return finder.load(path, base=base)


class _told_as_load_error:  # noqa: N801 - a context manager reads as a phrase
    def __init__(self, path: Path | str) -> None:
        self.path = str(path)

    def __enter__(self) -> None:
        """Nothing to open."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, KeyboardInterrupt | GeneratorExit | LoadError):
            return
        raise load_error(error, self.path) from error


def load_error(error: BaseException, path: str) -> LoadError:
    """What the import of a file raised, as an error that says what to do."""
    if isinstance(error, SyntaxError):
        return _syntax_error(error, path)
    line = _line_in(error, path)
    path = shown_path(path) or path
    at = f"{path}:{line}" if line else path
    facts: dict[str, Any] = {"path": path, "line": line, "cause": error}
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        message = f"'{at}' needs the module '{error.name}', which {sys.executable} does not have"
        hint = f"{sys.executable} -m pip install {package}"
        return LoadError(message, hint=hint, **facts)
    if isinstance(error, SystemExit):
        message = f"'{at}' exits when it is imported"
        return LoadError(message, hint="guard it: if __name__ == '__main__'", **facts)
    text = str(error)
    shown = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return LoadError(f"'{at}' can't be imported: {shown}", **facts)


def _syntax_error(error: SyntaxError, path: str) -> LoadError:
    where = shown_path(error.filename or path) or path
    source = (error.text or "").strip()
    at = f"{where}:{error.lineno}" if error.lineno else where
    message = f"'{at}' is not valid Python: {error.msg}"
    if "codec can't decode" in str(error.msg):
        message, source = f"'{at}' is not UTF-8: {error.msg}", ""
    hint = f"line {error.lineno}: {source}" if source else None
    return LoadError(message, hint=hint, path=where, line=error.lineno, cause=error)


def _line_in(error: BaseException, path: str) -> int | None:
    """The last line of the file that the error passed through."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in (path, os.path.realpath(path)):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _from_text(text: str) -> Collected:
    """A path, `file.py:name`, a module path or `module:name`; a path wins over a module."""
    if not text.strip() or text.startswith(":") or text.endswith(":"):
        raise LoadError(f"'{text}' names no tools", hint="write a path, a module or module:name")
    if os.path.exists(text):  # noqa: PTH110 - text may be no path at all
        return _from_path(Path(text))
    head, colon, rest = text.rpartition(":")
    if colon and head and os.path.exists(head):  # noqa: PTH110
        return collect(named(load_file(Path(head)), rest, text=text))
    if text.endswith((".py", ".json")) or os.sep in text or head.endswith(".py"):
        raise LoadError(f"no such file: '{head or text}'", path=head or text)
    module_path = head if colon else text
    module = load_module(module_path)
    return collect(named(module, rest, text=text)) if colon else from_module(module)


def _from_path(path: Path) -> Collected:
    if path.is_dir():
        return from_folder(path)
    if path.suffix == ".json" and path.exists():
        from .declared import from_document

        declared, problems = from_document(path)
        return Collected(list(declared), problems)
    if path.exists() and path.suffix != ".py":
        message = f"'{path}' is no Python file"
        hint = "a tool file ends in .py, a document of declarations in .json"
        raise LoadError(message, hint=hint, path=str(path))
    return from_file(path)


def load_module(name: str) -> ModuleType:
    """The module of a dotted name; every way in which that fails is a `LoadError`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            message = f"there is no file or module '{name}'"
            raise LoadError(message, cause=error) from error
        raise load_error(error, name) from error
    except (Exception, SystemExit) as error:
        raise load_error(error, name) from error


def named(module: ModuleType, expression: str, *, text: str) -> Any:
    """The object that `name`, `name.attribute` or `factory()` stands for in a module."""
    called = expression.endswith("()")
    value: Any = module
    for part in expression.removesuffix("()").split("."):
        if not hasattr(value, part):
            raise _no_such(part, value, text)
        value = getattr(value, part)
    if not called:
        return value
    with _told_as_load_error(getattr(module, "__file__", None) or module.__name__):
        return value()


def _no_such(part: str, owner: Any, text: str) -> LoadError:
    names = [each for each in dir(owner) if not each.startswith("_")]
    meant = closest(part, names, most=1)
    hint = f"did you mean '{meant[0]}'?" if meant else None
    return LoadError(f"there is no '{part}' in '{text.rpartition(':')[0]}'", hint=hint, path=text)


def _from_object(source: Any) -> Collected:
    found = Collected([], [])
    if issubclass(type(source), type):
        found.problems.extend(_without_instance(source, None))
        if found.problems:
            return found
    if _is_callable(source):
        found.tools.append(tool(source))
        return found
    hint = "pass a path, a module, a function, a tool, or a list of these"
    if _offers(source, "__aenter__"):
        if _offers(source, "start"):  # it can live on a thread of its own until it is stopped
            return Collected([*(got := source.start().listing).tools], [*got.findings])
        hint = "open a provider first: `async with provider as listing`"
    raise LoadError(f"can't make tools of {_shown(source)} ({type(source).__name__})", hint=hint)


def _is_callable(value: Any) -> bool:
    """Whether a call of it is a tool's work: a function, an instance made for it, a class."""
    if issubclass(type(value), type):
        return bool(value.__module__ != "builtins")
    return any("__call__" in vars(each) for each in type(value).__mro__)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - the object's own repr fails
        text = object.__repr__(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _tools_in(value: Any) -> list[Tool]:
    """A tool itself, or the tools among an instance's methods; no property of it is touched."""
    cls = type(value)
    if issubclass(cls, FunctionTool):
        return [value]
    if issubclass(cls, type | ModuleType):
        return []
    if issubclass(cls, types.MethodType):
        bound = _bound(value)
        return [] if bound is None else [bound]
    if _offers(value, "spec") and _offers(value, "invoke"):
        return [value]
    methods = (_method(value, name) for name in _tool_methods(cls))
    return [each for each in methods if each is not None]


def _offers(value: Any, name: str) -> bool:
    """Whether an object or its class defines a name, told without running any code of theirs."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    return name in own or any(name in vars(each) for each in type(value).__mro__)


def _method(value: Any, name: str) -> FunctionTool[..., Any] | None:
    """An instance's method, if the class that has the last word makes it a tool."""
    found = next(vars(each)[name] for each in type(value).__mro__ if name in vars(each))
    getter = getattr(type(found), "__get__", None)
    return _bound(getter(found, value, type(value))) if getter else None


def _bound(value: Any) -> FunctionTool[..., Any] | None:
    """A tool bound to an instance or class, also where `@classmethod` stands above `@tool`."""
    if issubclass(type(value), FunctionTool):
        tool_: FunctionTool[..., Any] = value
        return tool_
    if issubclass(type(value), types.MethodType) and isinstance(value.__func__, FunctionTool):
        inner: FunctionTool[..., Any] = value.__func__
        method = types.MethodType(inner.__wrapped__, value.__self__)
        return inner.rebound(method)
    return None


def _tool_methods(cls: type) -> Iterator[str]:
    """The names of a class's tool methods, inherited ones first, in the order of definition."""
    seen: set[str] = set()
    for each in reversed(cls.__mro__):
        for name, value in vars(each).items():
            inner = value.__func__ if type(value) in (classmethod, staticmethod) else value
            if issubclass(type(inner), FunctionTool) and name not in seen:
                seen.add(name)
                yield name


def _without_instance(cls: type, module: ModuleType | None) -> list[Finding]:
    """A class with tool methods of which a module makes no instance: they can't be called."""
    needing = [name for name in _tool_methods(cls) if _needs_instance(cls, name)]
    if not needing or (module is not None and cls.__module__ != module.__name__):
        return []
    if module is not None and any(cls in type(each).__mro__ for each in vars(module).values()):
        return []
    return [_unbound(cls, name) for name in needing]


def _needs_instance(cls: type, name: str) -> bool:
    value = next(vars(each)[name] for each in cls.__mro__ if name in vars(each))
    wrapped = value.__wrapped__ if isinstance(value, FunctionTool) else value
    return not isinstance(wrapped, classmethod | staticmethod)


def _unbound(cls: type, name: str) -> Finding:
    method = getattr(cls, name)
    message = f"'{cls.__qualname__}.{name}' is a method without an instance, so it is no tool"
    hint = f"make an instance at module level: {cls.__name__.lower()} = {cls.__name__}(…)"
    return Finding(
        "F003",
        "method-without-instance",
        message,
        Severity.WARNING,
        hint=hint,
        tool=name,
        place=place_of(method),
    )


def _is_own(value: Any, module: ModuleType) -> bool:
    """Whether a module made the value itself; what it merely imports is not its own."""
    if issubclass(type(value), FunctionTool):
        homes = (value.made_in, getattr(value, "__module__", None))
        below = f"{module.__name__}." if hasattr(module, "__path__") else "\0"
        return any(home == module.__name__ or str(home).startswith(below) for home in homes)
    home = sys.modules.get(type(value).__module__)
    if home is None or home is module:
        return True
    return all(value is not other for other in vars(home).values())


def _attempt(found: Collected, name: str, make: Any) -> None:
    try:
        found.tools.append(make())
    except ToolkitError as error:
        facts = vars(error)
        found.problems.append(
            Finding(
                "F002",
                "invalid-definition",
                error.message,
                hint=error.hint,
                tool=facts.get("tool") or name,
                place=Place(facts.get("path"), facts.get("line")),
                cause=error,
            )
        )


def place_of(tool_: Any) -> Place:
    """Where a tool is defined, as far as it knows."""
    own = getattr(tool_, "place", None)
    if isinstance(own, Place):
        return own
    function = getattr(tool_, "__wrapped__", None)
    if function is None:
        return Place()
    return Place(*place(getattr(function, "__func__", function)))
