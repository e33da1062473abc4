"""From the files of a folder to the tools of a registry, again and again: one swap for a batch."""

from __future__ import annotations

import fnmatch
import os
import threading
import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..findings import Finding, Place, ToolsChanged
from ..loading.collect import place_of
from ..loading.finder import finder as the_finder
from ..loading.units import digest_of
from ..registry import name_of
from .batch import Batch, ToolFile
from .builder import Builder
from .disk import Disk, Found, Signature, Source, find, signature
from .standing import Standing, compare
from .wanted import wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..loading.finder import Finder
    from ..registry import ToolRegistry
    from ..types import Tool

__all__ = ["Reloader", "ToolState"]

PATIENCE = 1.0  # seconds after which an import is said to hang

EMPTY = digest_of(b"")
# What the loader says of files and names, not of a tool's own schema.
OF_LOADING = {"F001", "F003", "N001", "N002"}
# Modules are the process's, whoever watches: one batch at a time.
ONE_AT_A_TIME = threading.Lock()


class ToolState(NamedTuple):
    """One tool as it stands: fresh, or the last good version of a file that is broken now."""

    name: str
    place: Place
    state: Literal["fresh", "stale"]
    failure: Finding | None


class Reloader:
    """Keeps the tools of some files and folders current in a registry.

    `look` compares what is on the disk with what was loaded and does what follows. Nothing here
    knows how one hears of a change: looking too often costs time, and is never wrong.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *paths: str | os.PathLike[str],
        pattern: str | None = None,
        names: Sequence[str] = (),
        patience: float = PATIENCE,
        finder: Finder = the_finder,
        on_late: Callable[[], None] = lambda: None,
    ) -> None:
        """`pattern` narrows the tools by a glob on their names, `names` to a few of them.

        `on_late` is called, on another thread, when an import that hung has ended after all: then
        it is time to look again.
        """
        self.registry = registry
        self.sources = [Source.of(path) for path in paths]
        self.pattern = pattern
        self.names = {name.replace("-", "_") for name in names}
        self.generation = 0
        self.errors: list[Exception] = []  # what subscribers raised
        self.unfinished: set[Path] = set()
        self._while_emptied = True
        self.files: dict[Path, ToolFile] = {}
        self._finder = finder
        self._disk = Disk()
        self._digests: dict[Path, str | None] = {}
        self._owned: set[str] = set()
        self._standings: dict[str, Standing] = {}
        self._problems: list[Finding] = []
        self._told: set[tuple[Place, str]] = set()
        self._again = threading.Event()
        self._on_late = on_late
        self._links: set[Path] = set()
        self._builder: Builder[Path] = Builder(
            lambda path, attempt: self.files[path].load(finder, attempt),
            owner=finder,
            patience=patience,
            on_late=self._late,
        )

    def _late(self, path: Path) -> None:
        del path
        self._again.set()
        self._on_late()

    # -- what there is ------------------------------------------------------------------------

    @property
    def tools(self) -> list[ToolState]:
        """Every tool of the sources, in the order of the registry."""
        failing = {
            id(tool): file.failure
            for file in list(self.files.values())
            for tool in file.tools
            if file.failure is not None
        }
        states = []
        for name in self.registry.names:
            tool = self.registry.get(name)
            if name in self._owned and tool is not None:
                failure = failing.get(id(tool))
                state: Literal["fresh", "stale"] = "fresh" if failure is None else "stale"
                states.append(ToolState(name, place_of(tool), state, failure))
        return states

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What is broken now, each cause once."""
        found = {(f.place, f.message): f for f in self._failing()}
        return tuple(found.values())

    def _failing(self) -> list[Finding]:
        return [file.failure for file in list(self.files.values()) if file.failure is not None]

    @property
    def missing(self) -> list[Path]:
        """The sources that are not there (yet)."""
        return [source.path for source in self.sources if not source.path.exists()]

    def folders(self) -> dict[Path, bool]:
        """The real folders in which something may happen, and whether all below counts."""
        deep = {each.path.resolve() for each in self.sources if not each.is_file}
        deep |= self._links
        flat = {each.path.parent.resolve() for each in self.sources if each.is_file}
        flat |= {path.parent for path in list(self._digests)}
        folders = dict.fromkeys(deep, True)
        for folder in flat:
            if not any(each == folder or each in folder.parents for each in deep):
                folders[folder] = False
        return {folder: all_below for folder, all_below in folders.items() if folder.is_dir()}

    def close(self) -> None:
        """End the imports that still hang."""
        self._builder.close()

    def glance(self) -> dict[Path, Signature | None]:
        """What the file system says of every file that counts; None for one that is not there."""
        found = find(self.sources)
        paths = {*found.tools, *found.helpers, *self._digests}
        return {path: signature(path) for path in paths}

    # -- one batch ----------------------------------------------------------------------------

    def look(self, *, while_emptied: bool = True) -> ToolsChanged | None:
        """Do what follows from the files as they are now; None where nothing has changed.

        A file that can't be loaded keeps its last good tools, which are stale then. The registry
        changes in one step, and then tells its subscribers, if anything changed for them.
        Many saves begin with an empty file: where one is empty that was not, or was not there,
        and it is not to be looked `while_emptied`, it goes into `unfinished`, and no more is done.
        """
        self._while_emptied, self.unfinished = while_emptied, set()
        with ONE_AT_A_TIME:
            try:
                report = self._look()
            except BaseException:
                self._again.set()  # whatever it was, nothing of it is done
                raise
            finally:
                self._disk.read.clear()
        if report:
            self._tell(report)
        return report

    def _tell(self, report: ToolsChanged) -> None:
        try:
            self.registry.tell(report)
        except Exception as error:  # noqa: BLE001 - a subscriber's, and it ends nothing here
            self.errors.append(error)

    def _look(self) -> ToolsChanged | None:
        started = time.perf_counter()
        found = find(self.sources)
        self._links = found.links
        batch = self._batch(found)
        if batch is None:
            return None
        before = self._standing(found)
        self.files = batch.files
        batch.build(self._builder, self._finder)
        self._note(batch, found)
        after = self._swap()
        self.generation += 1
        differences = compare(before, after, code=batch.code_changed)
        return ToolsChanged(
            differences.added,
            differences.changed,
            differences.removed,
            self._newly_failed(batch),
            self.generation,
            time.perf_counter() - started,
        )

    def _note(self, batch: Batch, found: Found) -> None:
        """Remember what was really loaded: a file that changes from now on has changed."""
        units = self._finder.units
        for path, name in self._own_units(found).items():
            if name in batch.new or path not in self._digests:
                self._digests[path] = units[name].digest
        for path in batch.suspects:
            if path not in self._digests:
                self._digests[path] = self._disk.digest(path)

    def _batch(self, found: Found) -> Batch | None:
        """What is to be done, or None."""
        units = self._own_units(found)
        suspects = {path for file in self.files.values() for path in file.suspects}
        paths = {*found.tools, *found.helpers, *units, *suspects}
        now = {path: self._disk.digest(path) for path in paths}
        before, self._digests = self._digests, now
        self._disk.keep_only(paths)
        changed = {path for path in paths if now[path] != before.get(path)}
        if not self._while_emptied:
            self.unfinished = {path for path in changed if now[path] == EMPTY}
        if self.unfinished:
            self._digests = before
            return None
        again = self._again.is_set() or any(map(self._is_over, self.files.values()))
        if not (changed or again or list(found.tools) != list(self.files)) and self.generation:
            return None
        self._again.clear()
        appeared = {path for path in changed if before.get(path) is None}
        return Batch(
            files={
                path: self._file(path, base, expressions)
                for path, (base, expressions) in found.tools.items()
            },
            now=now,
            changed=changed,
            appeared=appeared,
            units=units,
            sources=self._disk.read,
        )

    def _is_over(self, file: ToolFile) -> bool:
        """Whether a file's modules were replaced by another reloader, or a broken one was saved."""
        if file.failure is not None:
            return file.signature != signature(file.path)
        return file.is_displaced(self._finder)

    def _file(self, path: Path, base: Path | None, expressions: tuple[str, ...]) -> ToolFile:
        known = self.files.get(path)
        if known is not None and known.expressions == expressions:
            return known
        return ToolFile(path, base, expressions)

    def _own_units(self, found: Found) -> dict[Path, str]:
        """The modules that our files consist of, by path: they, and whatever they import."""
        units = self._finder.units
        by_path = {unit.path: name for name, unit in list(units.items())}
        reached: set[str] = set()
        waiting = [by_path[path] for path in {*self.files, *found.tools} if path in by_path]
        while waiting:
            name = waiting.pop()
            unit = units.get(name)
            if unit is not None and name not in reached:
                reached.add(name)
                waiting += unit.imports
        return {path: name for path, name in by_path.items() if name in reached}

    # -- the registry -------------------------------------------------------------------------

    def _standing(self, found: Found) -> dict[str, Standing]:
        """The tools of ours in the registry, also those that somebody loaded before us."""
        ours = {str(path) for path in (*found.tools, *self.files)}
        standing = {}
        for name in self.registry.names:
            tool = self.registry.get(name)
            known = self._standings.get(name)
            if known is not None and known.tool is tool:
                standing[name] = known
            elif tool is not None:
                path = place_of(tool).path
                if name in self._owned or (path is not None and _real(path) in ours):
                    standing[name] = self._stands(name, tool)
        self._owned = set(standing)
        return standing

    def _stands(self, name: str, tool: Tool) -> Standing:
        known = self._standings.get(name)
        if known is not None and known.tool is tool:
            return known
        return Standing(tool, self.registry.spec_of(tool), place_of(tool))

    def _swap(self) -> dict[str, Standing]:
        chosen = wanted(
            self.registry,
            [tool for file in self.files.values() for tool in file.tools if self._fits(tool)],
            owned=self._owned,
        )
        get = self.registry.get
        replaced = {name for name in self._owned if chosen.tools.get(name) is not get(name)}
        self._replace_problems(chosen.problems, replaced)
        self.registry.swap(
            remove=self._owned - set(chosen.tools),
            add=[tool for name, tool in chosen.tools.items() if get(name) is not tool],
            order=chosen.tools,
        )
        self._owned = set(chosen.tools)
        self._standings = {name: self._stands(name, tool) for name, tool in chosen.tools.items()}
        return self._standings

    def _fits(self, tool: Tool) -> bool:
        name = name_of(tool)
        if self.names and name.replace("-", "_") not in self.names:
            return False
        return self.pattern is None or fnmatch.fnmatchcase(name, self.pattern)

    def _replace_problems(self, clashes: list[Finding], replaced: set[str]) -> None:
        """What was said of our files before is no longer so; say what is."""
        ours = {str(path) for path in self.files}
        old = {id(each) for each in self._problems}
        self._problems = [each for file in self.files.values() for each in file.problems]
        self._problems += [*self.failures, *clashes]

        def is_over(each: Finding) -> bool:
            if id(each) in old or each.tool in replaced:
                return True
            about_loading = each.code in OF_LOADING or each.tool not in self._owned
            return about_loading and each.place.path is not None and _real(each.place.path) in ours

        kept = [each for each in self.registry.problems if not is_over(each)]
        self.registry.problems[:] = [*kept, *self._problems]

    def _newly_failed(self, batch: Batch) -> tuple[Finding, ...]:
        """The failures that were not told yet, or whose file was saved again."""
        saved = {str(path) for path in batch.changed}
        told, self._told = self._told, {(each.place, each.message) for each in self.failures}
        return tuple(
            each
            for each in self.failures
            if (each.place, each.message) not in told or _real(each.place.path or "") in saved
        )


def _real(path: str) -> str:
    return os.path.realpath(path)
