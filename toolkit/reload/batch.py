"""One batch: which modules have to be built afresh, and what becomes of those that can't be."""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LoadError
from ..findings import Finding, Place, shown_path
from ..loading.collect import Collected, collect, from_module, load_error, named
from .builder import Hung
from .disk import Signature, signature
from .standing import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from ..loading.finder import Finder
    from ..loading.units import Attempt, Unit
    from ..types import Tool
    from .builder import Builder

__all__ = ["Batch", "ToolFile"]

NOT_THEIRS = tuple(
    {
        str(Path(__file__).resolve().parents[1]),
        *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
    }
)


@dataclass(slots=True, eq=False)
class ToolFile:
    """A file that may define tools, and what came of it: tools, problems, or a failure.

    With a failure the tools are those of the last good version. `expressions` narrow the file to
    some of its objects; `suspects` are the files in which a failure was raised.
    """

    path: Path
    base: Path | None
    expressions: tuple[str, ...] = ()
    module: ModuleType | None = None
    tools: list[Tool] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    failure: Finding | None = None
    suspects: set[Path] = field(default_factory=set)
    signature: Signature | None = None

    def load(self, finder: Finder, attempt: Attempt) -> tuple[ModuleType, Collected]:
        """Import the file and collect what it defines; whatever it raises passes through."""
        if not self.path.exists():  # deleted since it was found
            raise LoadError(f"no such file: '{shown_path(str(self.path))}'", path=str(self.path))
        module = finder.load(self.path, base=self.base, attempt=attempt)
        if not self.expressions:
            return module, from_module(module)
        found = Collected([], [])
        for expression in self.expressions:
            found.take(collect(named(module, expression, text=f"{self.path}:{expression}")))
        return module, found

    def needs_load(self, finder: Finder) -> bool:
        """Whether it is broken, was never loaded, or has lost its place to another module."""
        return self.failure is not None or self.module is None or self.is_displaced(finder)

    def is_displaced(self, finder: Finder) -> bool:
        """Whether another module, or none, stands in the place of the one that was loaded."""
        if self.module is None:
            return False
        unit = finder.units.get(self.module.__name__)
        return unit is None or unit.module is not self.module

    def take(self, outcome: Any) -> None:
        """Keep what a load gave, or why it gave nothing."""
        self.signature = signature(self.path)
        if isinstance(outcome, tuple):
            self.module, (self.tools, self.problems) = outcome
            self.failure, self.suspects = None, set()
            return
        self.failure, where = failure_of(outcome, self.path)
        self.suspects = {where.resolve()} - {self.path}


@dataclass(slots=True)
class Batch:
    """What changed on the disk, and what follows from it."""

    files: dict[Path, ToolFile]
    now: dict[Path, str | None]
    changed: set[Path]
    appeared: set[Path]
    units: dict[Path, str]
    sources: Mapping[Path, bytes]  # what was read to tell what changed is what is built
    old: dict[str, Unit] = field(default_factory=dict)
    new: dict[str, Unit] = field(default_factory=dict)
    built: dict[Path, list[Tool]] = field(default_factory=dict)  # what each file had before
    is_narrow: bool = False  # whether all that may have changed is the content of known files

    @property
    def suspects(self) -> set[Path]:
        """Files in which something failed, and which may lie anywhere."""
        return {path for file in self.files.values() for path in file.suspects}

    def build(self, builder: Builder[Path], finder: Finder) -> None:
        """Build afresh what changed and whatever imports it; keep the old where that fails."""
        retry = {path for path, file in self.files.items() if file.failure is not None}
        names = {self.units[path] for path in retry if path in self.units}
        before = set(finder.units.values())
        self.old = finder.retire(finder.dependants(names | self._stale(finder)))
        jobs = self._jobs(finder, retry)
        self.built = {path: self.files[path].tools for path in jobs}
        with finder.given(self.sources):
            outcomes = builder.build(jobs)
        for path, outcome in outcomes.items():
            self.files[path].take(outcome)
        self._restore(finder)
        self.new = {n: unit for n, unit in finder.units.items() if unit not in before}

    def _jobs(self, finder: Finder, retry: set[Path]) -> list[Path]:
        """The files that have to be loaded, in order where it is not only a few of them."""
        if self.is_narrow:
            gone = {unit.path for unit in self.old.values()}
            return sorted(path for path in gone | retry if path in self.files)
        return [path for path, file in self.files.items() if file.needs_load(finder)]

    def _stale(self, finder: Finder) -> set[str]:
        """The modules whose file has another content now, or which may now get what they missed."""
        there = {name for path in self.appeared for name in (path.stem, path.parent.name)}
        stale = set()
        for path, name in self.units.items():
            unit = finder.units.get(name)
            if unit is not None and (unit.digest != self.now[path] or unit.missing & there):
                stale.add(name)
        return stale

    def _restore(self, finder: Finder) -> None:
        """Put back the old modules of files that failed, and whatever these import."""
        failed = [file.module for file in self.files.values() if file.failure is not None]
        waiting = [module.__name__ for module in failed if module is not None]
        back: dict[str, Unit] = {}
        while waiting:
            name = waiting.pop()
            unit = self.old.get(name)
            if unit is not None and name not in back and name not in finder.units:
                back[name] = unit
                waiting += unit.imports
        finder.restore(back)

    def code_changed(self, new: Tool) -> str | None:
        """How the code of a tool changed that was built afresh, in a line; None for not at all."""
        module = getattr(new, "made_in", None) or getattr(new, "__module__", None)
        before, after = self.old.get(str(module)), self.new.get(str(module))
        if before is None or after is None:
            return "the code changed"
        if before.digest != after.digest:
            first, second = parts_of(before.source), parts_of(after.source)
            name = getattr(new, "__name__", None)
            if first is None or second is None or second.differs(first, name):
                return "the code changed"
        through = sorted(unit.path.name for unit in self._changed_below(after))
        return f"the code changed in {', '.join(through)}" if through else None

    def _changed_below(self, unit: Unit) -> set[Unit]:
        """The modules that a unit imports, directly or not, and whose content changed."""
        found: set[Unit] = set()
        waiting, seen = list(unit.imports), {unit.name}
        while waiting:
            name = waiting.pop()
            inner = self.new.get(name)
            if inner is not None and name not in seen:
                seen.add(name)
                waiting += inner.imports
                if name not in self.old or inner.digest != self.old[name].digest:
                    found.add(inner)
        return found


def failure_of(outcome: Any, path: Path) -> tuple[Finding, Path]:
    """A load that failed as a finding, and the file in which it was raised."""
    if isinstance(outcome, Hung):
        shown = shown_path(str(path))
        message = f"'{shown}' is still being imported after {outcome.seconds:g} s"
        hint = "what takes long belongs into a function; its last good tools are kept"
        return _finding(LoadError(message, hint=hint, path=shown)), path
    where = _raised_in(outcome) or path
    if isinstance(outcome, LoadError):
        return _finding(outcome), where
    error = load_error(outcome, str(where))
    return _finding(error), Path(str(error.path)) if error.path else where


def _finding(error: LoadError) -> Finding:
    place = Place(error.path, error.line)
    return Finding("F001", "not-loadable", error.message, hint=error.hint, place=place, cause=error)


def _raised_in(error: BaseException) -> Path | None:
    """The innermost file of the user's own that an error passed through."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not name.startswith(("<", *NOT_THEIRS)):
            found = Path(name)
        trace = trace.tb_next
    return found
