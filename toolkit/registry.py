"""Which tools exist: names, clashes, look-up, problems, and who is told of changes."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .errors import DefinitionError, DuplicateToolError, ToolkitError
from .findings import Finding, Place, Severity
from .loading.collect import collect, place_of
from .types import TOOL_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from .caller import ToolCaller
    from .types import Listing, Tool, ToolsChanged, ToolSpec

__all__ = ["ToolRegistry", "check_name", "duplicate", "name_of", "problem"]


class ToolRegistry:
    """The tools by name; look-up takes the same time with one tool and with ten thousand.

    Two tables: the dynamic one (added at run time, or hot-loadable) is looked up first.
    `problems` holds everything that did not become a tool, with its place.
    """

    def __init__(self, *sources: Any) -> None:
        """Load `sources` as `process_tools` does."""
        self.problems: list[Finding] = []
        self.revision = 0  # how often a tool came or went
        self._static: dict[str, Tool] = {}
        self._dynamic: dict[str, Tool] = {}
        self._twins: dict[str, str] = {}  # a name with '_' for '-' -> the name as registered
        self._subscribers: list[Callable[[ToolsChanged], Any]] = []
        self._swapping = threading.Lock()
        self._specs: dict[str, tuple[ToolSpec, ToolSpec | None]] = {}
        if sources:
            self.process_tools(sources)

    def __len__(self) -> int:
        return len(self._twins)

    def __contains__(self, name: object) -> bool:
        return name in self._dynamic or name in self._static

    @property
    def names(self) -> list[str]:
        """The names in the order of registration."""
        return list(self._twins.values())

    @property
    def tools(self) -> list[Tool]:
        """The tools in the order of registration."""
        return [tool for name in self._twins.values() if (tool := self.get(name)) is not None]

    @property
    def tool(self) -> ToolCaller:
        """`registry.tool.NAME(…)`: call a tool from Python."""
        from .caller import ToolCaller

        return ToolCaller(self)

    def get(self, name: str) -> Tool | None:
        """The tool of exactly that name."""
        return self._dynamic.get(name) or self._static.get(name)

    def find(self, name: str) -> Tool | None:
        """The tool of that name, `-` and `_` being equal."""
        return self.get(name) or self.get(self._twins.get(name.replace("-", "_"), ""))

    def process_tools(self, *sources: Any) -> list[str]:
        """Register whatever the sources hold, and return the new names.

        A source is a file path, `file.py:name`, a folder, a module path, `module:name`, a module,
        a Tool, a plain function, an object with `as_tool()`, an object with tool methods, or any
        nesting of lists of these. One bad tool among many becomes a problem; a source that is
        none of these raises `LoadError` saying what it got.
        """
        names: list[str] = []
        for source in sources:
            tools, problems = collect(source)
            self.problems += problems
            adopted = [self.adopt(tool) for tool in tools]
            names += [name for name in adopted if name is not None]
            for provider in _telling(source):
                self.follow(provider)
        return names

    def adopt_listing(self, listing: Listing) -> None:
        """Take over what a provider offers, findings included."""
        self.problems += listing.findings
        for tool in listing.tools:
            self.adopt(tool)

    def follow(self, provider: Any) -> Callable[[], None]:
        """Keep up with a provider that tells of its changes; returns what ends that."""
        end: Callable[[], None] = provider.subscribe(self._keep_up)
        return end

    def _keep_up(self, change: ToolsChanged, listing: Listing) -> None:
        tools = {name_of(tool): tool for tool in listing.tools}
        new = [tools[each.name] for each in (*change.added, *change.changed)]
        gone = [each.name for each in change.removed]
        self.swap(remove=gone, add=[tool for tool in new if not self._is_anothers(tool)])
        self.tell(change)

    def _is_anothers(self, tool: Tool) -> bool:
        """Whether the name belongs to a tool of another place, which a server must not replace."""
        known = self.find(name_of(tool))
        return known is not None and place_of(known).server != place_of(tool).server

    def adopt(self, tool: Tool) -> str | None:
        """Register one tool among many: the first of a name stays, what fails is a problem."""
        try:
            name_of(tool)
        except Exception as error:  # noqa: BLE001 - a tool of somebody else's class
            told = problem("F002 invalid-definition", _without_spec(type(tool).__name__, error))
            self.problems.append(replace(told, place=place_of(tool)))
            return None
        try:
            self.register(tool)
        except DuplicateToolError as error:
            self.problems.append(problem("N001 duplicate-tool-name", error, tool=tool))
            return None
        except DefinitionError as error:
            code = "N002 name-charset" if "name" in error.message else "F002 invalid-definition"
            self.problems.append(problem(code, error, tool=tool))
            return None
        return name_of(tool)

    def register(self, tool: Tool, *, replace: bool = False, dynamic: bool = False) -> None:
        """Register one tool.

        Raises `DefinitionError` for an illegal name, and `DuplicateToolError` naming both
        definitions where the name is taken or differs only by `-` and `_`; `replace=True` says
        that it is meant.
        """
        name = check_name(tool)
        key = name.replace("-", "_")
        taken = self._twins.get(key)
        if taken is not None and not replace:
            first = self.get(taken)
            if first is not tool:
                raise duplicate(name, taken, holder=first, tool=tool)
        if taken is not None:
            self.unregister(taken, keep_place=taken == name)
        self.revision += 1
        self._twins[key] = name
        (self._dynamic if dynamic else self._static)[name] = tool

    def unregister(self, name: str, *, keep_place: bool = False) -> None:
        """Take a tool out; unknown names are no error."""
        self.revision += 1
        self._dynamic.pop(name, None)
        self._static.pop(name, None)
        self._specs.pop(name, None)
        if not keep_place:
            self._twins.pop(name.replace("-", "_"), None)

    def swap(
        self, *, remove: Iterable[str], add: Iterable[Tool], order: Iterable[str] = ()
    ) -> None:
        """Change many tools in one step; `add` replaces what has its names.

        Nobody who looks a tool up meanwhile misses one that was there and stays. The names in
        `order` then stand one behind the other, where the first of them stood.
        Raises `DefinitionError` for an illegal name, before anything has changed.
        """
        new = {check_name(tool): tool for tool in add}
        with self._swapping:  # files and servers change on threads of their own
            self._swap({*remove}, new, order=[*order])

    def _swap(self, remove: set[str], new: dict[str, Tool], *, order: list[str]) -> None:
        twins = dict(self._twins)
        gone = remove | {twins[key] for name in new if (key := _key(name)) in twins}
        for name in gone - new.keys():
            twins.pop(_key(name), None)
        twins |= {_key(name): name for name in new}
        dynamic, static, specs = dict(self._dynamic), dict(self._static), dict(self._specs)
        for table in (dynamic, static, specs):
            for name in gone:
                table.pop(name, None)
        dynamic |= new
        self.revision += 1
        self._specs = specs
        self._dynamic = dynamic  # looked up first, so it comes first
        self._static, self._twins = static, _ordered(twins, order)

    def specs(self) -> list[ToolSpec]:
        """The valid specs, in order; a tool without one is skipped and stands in `problems`.

        A schema that we did not make is normalised and checked once.
        """
        return [spec for tool in self.tools if (spec := self.spec_of(tool)) is not None]

    def spec_of(self, tool: Tool) -> ToolSpec | None:
        """The tool's valid spec, None (and a problem) where it has none."""
        name = name_of(tool)
        known = self._specs.get(name)
        try:
            spec = tool.spec
            if known is not None and known[0] is spec:
                return known[1]
            valid = spec if _is_ours(tool) else self._checked(spec, tool)
        except Exception as error:  # noqa: BLE001 - a tool of somebody else's class
            told = error if isinstance(error, ToolkitError) else _without_spec(name, error)
            if not any(each.cause is told or each.tool == name for each in self.problems):
                self.problems.append(problem("F002 invalid-definition", told, tool=tool))
            return None
        self._specs[name] = (spec, valid)
        return valid

    def _checked(self, spec: ToolSpec, tool: Tool) -> ToolSpec | None:
        from .schema.check import normalise, problems

        schema = normalise(spec.input_schema, tool=spec.name)
        found = [replace(each, tool=spec.name) for each in problems(schema)]
        found = [replace(each, place=_within(place_of(tool), each.place)) for each in found]
        self.problems += found
        if any(each.severity is Severity.ERROR for each in found):
            return None
        return replace(spec, input_schema=schema)

    def subscribe(self, subscriber: Callable[[ToolsChanged], Any]) -> Callable[[], None]:
        """Call `subscriber` with every change; returns what ends that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def tell(self, change: ToolsChanged) -> None:
        """Tell the subscribers of a change."""
        for subscriber in list(self._subscribers):
            subscriber(change)


def _telling(source: Any) -> Iterator[Any]:
    """The providers in a source, or in lists of them, that tell of their changes."""
    if isinstance(source, list | tuple):
        for each in source:
            yield from _telling(each)
    elif callable(getattr(type(source), "subscribe", None)):
        yield source


def problem(code: str, error: ToolkitError, *, tool: Tool | None = None) -> Finding:
    """An error of one tool as a finding; `code` is the number and the name."""
    number, _, name = code.partition(" ")
    place = place_of(tool) if tool is not None else Place()
    if place.path is None and place.server is None:
        facts = vars(error)
        place = Place(facts.get("path"), facts.get("line"))
    return Finding(
        number,
        name,
        error.message,
        hint=error.hint,
        tool=name_of(tool) if tool is not None else None,
        place=place,
        cause=error,
    )


def check_name(tool: Tool) -> str:
    """The name; `DefinitionError` where a model could not call it."""
    name = name_of(tool)
    if TOOL_NAME.fullmatch(name) is None:
        message = f"'{name}' is no legal tool name{_at(tool)}"
        hint = "use 1 to 64 letters, digits, '_' or '-': @tool(name=…)"
        raise DefinitionError(message, hint=hint, tool=name)
    return name


def _key(name: str) -> str:
    """The name for look-up, where `-` and `_` are equal."""
    return name.replace("-", "_")


def _ordered(twins: dict[str, str], order: list[str]) -> dict[str, str]:
    """The same names, those of `order` together and in its order."""
    if not order:
        return twins
    together = {_key(name): name for name in order if _key(name) in twins}
    ordered: dict[str, str] = {}
    for key, name in twins.items():
        if key not in together:
            ordered[key] = name
        elif key not in ordered:
            ordered |= together
    return ordered


def name_of(tool: Tool) -> str:
    """The name, without building the spec where the tool knows it otherwise."""
    name = getattr(tool, "name", None)
    return name if isinstance(name, str) else tool.spec.name


def _without_spec(name: str, error: Exception) -> DefinitionError:
    message = f"'{name}' gives no spec: {type(error).__name__}: {error}"
    return DefinitionError(message, tool=name, cause=error)


def _is_ours(tool: Tool) -> bool:
    options: Mapping[str, Any] | None = getattr(tool, "options", None)
    return options is not None and options.get("input_schema") is None


def _within(place: Place, found: Place) -> Place:
    return replace(place, pointer=found.pointer)


def _at(tool: Tool | None) -> str:
    where = str(place_of(tool)) if tool is not None else ""
    return f" ({where})" if where else ""


def duplicate(name: str, taken: str, *, holder: Tool | None, tool: Tool) -> DuplicateToolError:
    """The error that names both definitions; `holder` has the name `taken`."""
    how = "is taken" if name == taken else f"differs from '{taken}' only by '-' and '_'"
    message = f"the name '{name}'{_at(tool)} {how}{_at(holder)}"
    return DuplicateToolError(
        message,
        hint="rename one of them: @tool(name=…)",
        tool=name,
        first=_at(holder).strip(" ()") or None,
        second=_at(tool).strip(" ()") or None,
    )
