"""From the files of a folder to the tools of a registry, again and again: one swap for a batch."""

from __future__ import annotations

import stat
import threading
import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..findings import Finding, Place, ToolsChanged
from ..loading.collect import place_of
from ..loading.finder import finder as the_finder
from ..loading.scan import counts
from ..loading.units import digest_of
from .batch import Batch, ToolFile
from .builder import Builder
from .disk import Disk, Signature, Source, find, signature
from .shelf import Shelf, real
from .standing import compare

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from ..loading.finder import Finder
    from ..loading.units import Unit
    from ..registry import ToolRegistry

__all__ = ["Reloader", "ToolState"]

PATIENCE = 1.0  # seconds after which an import is said to hang

EMPTY = digest_of(b"")
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
    knows how one hears of a change: looking too often costs time, and is never wrong. Told where
    to look, it looks nowhere else, so that one edit costs the same among five files or thousands.
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
        self.generation = 0
        self.errors: list[Exception] = []  # what subscribers raised
        self.unfinished: set[Path] = set()
        self._while_emptied = True
        self.files: dict[Path, ToolFile] = {}
        self._finder = finder
        self._disk = Disk()
        self._digests: dict[Path, str | None] = {}
        self._own: dict[Path, str] = {}  # the modules that our files consist of, by path
        self._moves = -1
        self._shelf = Shelf(registry, pattern=pattern, names=names)
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
            if name in self._shelf.owned and tool is not None:
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

    @property
    def known(self) -> Collection[Path]:
        """Every file that counts, also those elsewhere that ours import."""
        return self._digests.keys()

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

    def narrowed(self, paths: Iterable[Path]) -> set[Path] | None:
        """Those of the paths that count; None where they may tell of more than a known file.

        A file that we know, and that is there, may have got another content, and no more. One
        that came, went or became a link changes what is to be looked at.
        """
        here = set()
        for path in paths:
            if path not in self._digests:
                if counts(path):
                    return None
            elif self._digests[path] is None or not _is_plain(path):
                return None
            else:
                here.add(path)
        return here

    def look(
        self, *, at: Collection[Path] | None = None, while_emptied: bool = True
    ) -> ToolsChanged | None:
        """Do what follows from the files as they are now; None where nothing has changed.

        A file that can't be loaded keeps its last good tools, which are stale then. The registry
        changes in one step, and then tells its subscribers, if anything changed for them.
        Many saves begin with an empty file: where one is empty that was not, or was not there,
        and it is not to be looked `while_emptied`, it goes into `unfinished`, and no more is done.
        `at` are the only files that may have changed, as `narrowed` tells them; None for any.
        """
        self._while_emptied, self.unfinished = while_emptied, set()
        with ONE_AT_A_TIME:
            try:
                report = self._look(at)
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

    def _look(self, at: Collection[Path] | None) -> ToolsChanged | None:
        started = time.perf_counter()
        batch = self._batch_of_all() if at is None or self._is_stirred() else self._batch_at(at)
        if batch is None:
            return None
        before = self._shelf.standings
        if not batch.is_narrow:
            before = self._shelf.stood({*batch.files, *self.files})
        self.files = batch.files
        batch.build(self._builder, self._finder)
        self._note(batch)
        after = self._shelf.swap(batch, self.failures)
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

    def _note(self, batch: Batch) -> None:
        """Remember what was really loaded: a file that changes from now on has changed."""
        units = self._finder.units
        if batch.is_narrow:
            gone = {unit.path for name, unit in batch.old.items() if name not in units}
            modules = [batch.files[path].module for path in batch.built]
            own = self._reached([each.__name__ for each in modules if each], among=batch.new)
            for path in gone:
                self._own.pop(path, None)
            self._own |= own
        else:
            own = self._own = self._own_units(batch.files)
        for path, name in own.items():
            if name in batch.new or path not in self._digests:
                self._digests[path] = units[name].digest
        for path in batch.suspects:
            if path not in self._digests:
                self._digests[path] = self._disk.digest(path)
        self._moves = self._finder.moves

    def _is_stirred(self) -> bool:
        """Whether more may have happened than that some files were written."""
        moved = self._finder.moves != self._moves
        return moved or self._again.is_set() or not self._shelf.is_as_left or not self.generation

    def _batch_at(self, here: Collection[Path]) -> Batch | None:
        """What is to be done where nothing but these files can have changed, or None."""
        new = {path: self._disk.digest(path) for path in here}
        changed = {path for path, digest in new.items() if digest != self._digests.get(path)}
        if self._is_unfinished(changed, new):
            return None
        files = [self.files[path] for path in here if path in self.files]
        if not changed and not any(map(self._is_over, files)):
            return None
        self._digests |= new
        broken = [path for path, file in self.files.items() if file.failure is not None]
        return Batch(
            files=self.files,
            now=self._digests,
            changed=changed,
            appeared=set(),
            units={path: self._own[path] for path in (*changed, *broken) if path in self._own},
            sources=self._disk.read,
            is_narrow=True,
        )

    def _batch_of_all(self) -> Batch | None:
        """What is to be done wherever something may have changed, or None."""
        found = find(self.sources)
        self._links = found.links
        moves = self._finder.moves
        units = self._own_units({*self.files, *found.tools})
        suspects = {path for file in self.files.values() for path in file.suspects}
        paths = {*found.tools, *found.helpers, *units, *suspects}
        now = {path: self._disk.digest(path) for path in paths}
        before = self._digests
        changed = {path for path in paths if now[path] != before.get(path)}
        if self._is_unfinished(changed, now):
            return None
        self._digests = now
        self._disk.keep_only(paths)
        again = self._again.is_set() or any(map(self._is_over, self.files.values()))
        if not (changed or again or list(found.tools) != list(self.files)) and self.generation:
            self._own, self._moves = units, moves
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

    def _is_unfinished(self, changed: set[Path], now: dict[Path, str | None]) -> bool:
        """Whether some of the changed files are being written, so that one has to wait."""
        if not self._while_emptied:
            emptied = {path for path in changed if now[path] == EMPTY}
            self.unfinished = {path for path in emptied if not self._is_meant_empty(path)}
        return bool(self.unfinished)

    def _is_meant_empty(self, path: Path) -> bool:
        """Whether a file that is empty, and was not, is so for good: a new package's, mostly."""
        return path.name == "__init__.py" and self._digests.get(path) is None

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

    def _own_units(self, paths: Iterable[Path]) -> dict[Path, str]:
        """The modules that these files consist of, by path: they, and whatever they import."""
        units = dict(self._finder.units)
        by_path = {unit.path: name for name, unit in units.items()}
        return self._reached([by_path[path] for path in paths if path in by_path], among=units)

    def _reached(self, names: list[str], *, among: Mapping[str, Unit]) -> dict[Path, str]:
        """The units of these names, and those that they import, by path."""
        found: dict[Path, str] = {}
        waiting, seen = list(names), set()
        while waiting:
            name = waiting.pop()
            unit = among.get(name)
            if unit is not None and name not in seen:
                seen.add(name)
                found[unit.path] = name
                waiting += unit.imports
        return found

    # -- what is told ------------------------------------------------------------------------

    def _newly_failed(self, batch: Batch) -> tuple[Finding, ...]:
        """The failures that were not told yet, or whose file was saved again."""
        saved = {str(path) for path in batch.changed}
        told, self._told = self._told, {(each.place, each.message) for each in self.failures}
        return tuple(
            each
            for each in self.failures
            if (each.place, each.message) not in told or real(each.place.path or "") in saved
        )


def _is_plain(path: Path) -> bool:
    """Whether a file is there under its own name, and no link to another."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
