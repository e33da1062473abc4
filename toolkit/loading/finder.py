"""The user's own modules, built from source: real modules under names that clash with nothing."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import sys
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .naming import base_name, file_of, identifier, parts_of
from .units import (
    Abandoned,
    Attempt,
    Loader,
    Unit,
    attach,
    build,
    detach,
    digest_of,
    namespace,
    of_its_generation,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

__all__ = ["Finder", "Unit", "digest_of", "finder"]

LOOK_AGAIN = 0.1  # seconds after which a thread that waits looks who has the turn
OURSELVES = __name__.partition(".")[0]

# A file outside of any importable package stands in `sys.modules` under the name of its folder's
# base (`_tools_<hash>`) and its own: two files of one stem never meet, a file called `json.py`
# shadows nothing, and dataclasses, pickling, forward references and relative imports work. Each
# module carries an `__import__` of its own, which finds the helpers beside it and notes who imports
# whom. A generation is one consistent set of such modules; a rebuild makes the next one.
#
# The user's modules are built here and not by the import system, whose lock on a module's name
# would be held for ever by an import that hangs. One load has the turn; a load that is abandoned
# loses it, and what it had built is taken out again.


class Finder:
    """Finds, builds and keeps the user's modules; it stands in `sys.meta_path` once used."""

    def __init__(self) -> None:
        self.units: dict[str, Unit] = {}
        self.moves = 0  # how often a unit lost its place, or got it back
        self.roots: list[Path] = []  # folders on the import path whose modules are the user's
        self._given: Mapping[Path, bytes] = {}
        self._bases: dict[str, Path] = {}
        self._lock = threading.RLock()
        self._active = threading.local()

    def load(
        self, path: Path, *, base: Path | None = None, attempt: Attempt | None = None
    ) -> ModuleType:
        """The module of a file, built if it is not yet; whatever its code raises passes through.

        `base` is the folder that was asked for, where the file was found below one. A load that
        fails leaves nothing behind; `attempt` is for those who may want to abandon it.
        """
        return self.load_name(self.name_of(path, base=base), attempt=attempt)

    def load_name(self, name: str, *, attempt: Attempt | None = None) -> ModuleType:
        """A module by its full name, from source where it is the user's."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        with self._turn(), self._attempting(attempt or self._attempt or Attempt()):
            self._ensure(name)
            return sys.modules.get(name) or importlib.import_module(name)

    def unit_at(self, path: Path) -> Unit | None:
        """The unit that was built from a file."""
        resolved = path.resolve()
        return next((unit for unit in self.units.values() if unit.path == resolved), None)

    def dependants(self, names: Iterable[str]) -> set[str]:
        """The names and all units that import them, directly or not."""
        closure = set(names)
        while True:
            more = {
                n for n, unit in self.units.items() if n not in closure and unit.imports & closure
            }
            if not more:
                return closure
            closure |= more

    def retire(self, names: Iterable[str]) -> dict[str, Unit]:
        """Take units out so that the next load builds them afresh; `restore` puts them back.

        Code of theirs that still runs goes on importing the modules of its own generation.
        """
        with self._turn():
            snapshot = {name: unit.module for name, unit in self.units.items()}
            gone = {name: self.units[name] for name in list(names) if name in self.units}
            for unit in gone.values():
                unit.retired = snapshot
                self._drop(unit)
            return gone

    def restore(self, units: Mapping[str, Unit]) -> None:
        """Put retired units back as they were: their successors could not be built."""
        with self._turn():
            for name, unit in units.items():
                unit.retired = None
                self.moves += 1
                self.units[name] = unit
                sys.modules[name] = unit.module
                attach(name, unit.module)

    @contextmanager
    def given(self, sources: Mapping[Path, bytes]) -> Iterator[None]:
        """Inside, these files are what was read of them before, whatever is written meanwhile."""
        self._given = sources
        try:
            yield
        finally:
            self._given = {}

    def source_of(self, path: Path) -> bytes:
        """The content of a file that is about to be executed."""
        given = self._given.get(path)
        return path.read_bytes() if given is None else given

    def abandon(self, attempt: Attempt) -> None:
        """Stop waiting for a load that hangs: it loses its turn, and what it built is taken out."""
        attempt.abandoned = True
        self._lock = threading.RLock()  # the thread that hangs keeps the old one
        own = {unit.name: unit.module for unit in attempt.built}
        for unit in reversed(attempt.built):
            unit.retired = own
            self._drop(unit)

    def name_of(self, path: Path, *, base: Path | None = None) -> str:
        """The full name of a file's module: its real dotted one inside a package."""
        path, base = path.resolve(), base.resolve() if base else None
        package = path.parent
        while (package / "__init__.py").exists():
            package = package.parent
        if package != path.parent and self._is_importable(package):
            parts = parts_of(path.relative_to(package))
            if all(map(str.isidentifier, parts)):
                return ".".join(parts)
        if base is None or base not in path.parents:
            known = [each for each in self._bases.values() if each in path.parents]
            base = max(known, key=lambda each: len(each.parts)) if known else package
        key = base_name(base)
        self._bases[key] = base
        return ".".join([key, *map(identifier, parts_of(path.relative_to(base)))])

    def _is_importable(self, folder: Path) -> bool:
        return folder in self.roots or folder in {Path(each).resolve() for each in sys.path}

    # -- one load ------------------------------------------------------------------------------

    @property
    def _attempt(self) -> Attempt | None:
        """The load that this thread is in."""
        return getattr(self._active, "attempt", None)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        while True:
            lock = self._lock
            if lock.acquire(timeout=LOOK_AGAIN):
                if lock is self._lock:
                    break
                lock.release()
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _attempting(self, attempt: Attempt) -> Iterator[None]:
        """Inside, what is built belongs to the attempt; where it fails, it goes again."""
        if attempt.abandoned:
            raise Abandoned
        above, self._active.attempt = self._attempt, attempt
        before = len(attempt.built)
        try:
            yield
        except BaseException:
            for unit in reversed(attempt.built[before:]):
                self._drop(unit)
            del attempt.built[before:]
            raise
        finally:
            self._active.attempt = above

    @contextmanager
    def building(self, unit: Unit) -> Iterator[None]:
        """Inside, the code of a unit runs; whoever is being built above depends on it."""
        attempt = self._attempt or Attempt()  # without one it is the import system that builds
        if attempt.running:
            attempt.running[-1].imports.add(unit.name)
        attempt.built.append(unit)
        attempt.running.append(unit)
        self.moves += unit.name in self.units
        self.units[unit.name] = unit
        try:
            yield
        except BaseException:
            self._drop(unit)
            raise
        finally:
            attempt.running.pop()
        self._attach_children(unit)

    def _ensure(self, name: str) -> None:
        """Build what is ours of a dotted name, and not there yet, from the outside in."""
        full, parent = "", None
        for part in name.split("."):
            full = f"{full}.{part}" if full else part
            if full not in sys.modules:
                path = getattr(parent, "__path__", None)
                if parent is not None and path is None:
                    return  # Python will say that it is no package
                spec = self.find_spec(full, path)
                if spec is None:
                    return  # not ours
                build(spec)
            parent = sys.modules.get(full)

    def _drop(self, unit: Unit) -> None:
        """Take a unit out, and nothing that has taken its place meanwhile."""
        if self.units.get(unit.name) is unit:
            self.moves += 1
            del self.units[unit.name]
        if sys.modules.get(unit.name) is unit.module:
            del sys.modules[unit.name]
        detach(unit.name, unit.module)

    def _attach_children(self, unit: Unit) -> None:
        """A package that was built afresh has its modules as attributes, as it had before."""
        if not hasattr(unit.module, "__path__"):
            return
        for name, child in list(self.units.items()):
            above, _, last = name.rpartition(".")
            if above == unit.name and last not in vars(unit.module):
                setattr(unit.module, last, child.module)

    # -- the import system's side ------------------------------------------------------------

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for the user's modules alone, and only while one of them is being imported."""
        del target
        top = fullname.partition(".")[0]
        if top in self._bases:
            return self._spec_below(fullname, self._bases[top])
        if self._attempt is None or not self.roots or top == OURSELVES:
            return None
        if path is None and (top in sys.stdlib_module_names or top in sys.builtin_module_names):
            return None
        folders = [Path(each) for each in path] if path is not None else self.roots
        for folder in folders:
            if self._is_own(folder):
                spec = self._spec_in(fullname, folder, fullname.rpartition(".")[2], None)
                if spec is not None:
                    return spec
        return None

    def _is_own(self, folder: Path) -> bool:
        resolved = folder.resolve()
        if "site-packages" in resolved.parts or "dist-packages" in resolved.parts:
            return False
        return any(root == resolved or root in resolved.parents for root in self.roots)

    def _spec_below(self, fullname: str, base: Path) -> importlib.machinery.ModuleSpec | None:
        *above, last = fullname.split(".")[1:] or [""]
        if not last:  # the base itself, and folders without __init__.py
            return namespace(fullname, base)
        folder = base
        for part in above:
            folder = file_of(folder, part) or folder / part
        return self._spec_in(fullname, folder, last, base)

    def _spec_in(
        self, fullname: str, folder: Path, part: str, base: Path | None
    ) -> importlib.machinery.ModuleSpec | None:
        found = file_of(folder, part)
        if found is None:
            return None
        if found.is_file():
            return self._spec(fullname, found, base, package=False)
        if (found / "__init__.py").is_file():
            return self._spec(fullname, found / "__init__.py", base, package=True)
        return namespace(fullname, found) if base is not None else None

    def _spec(
        self, fullname: str, path: Path, base: Path | None, *, package: bool
    ) -> importlib.machinery.ModuleSpec:
        loader: Any = Loader(self, path.resolve(), base=base)
        locations = [str(path.parent)] if package else None
        spec = importlib.util.spec_from_file_location(
            fullname, path, loader=loader, submodule_search_locations=locations
        )
        assert spec is not None  # noqa: S101 - a loader was given, so there is a spec
        return spec

    def invalidate_caches(self) -> None:
        """Nothing is cached."""

    # -- what a unit's own __import__ does ------------------------------------------------------

    def import_for(
        self,
        unit: Unit,
        name: str,
        variables: Mapping[str, Any] | None,
        local_names: Mapping[str, Any] | None,
        fromlist: Sequence[str] | None,
        level: int,
    ) -> ModuleType:
        """`__import__` of one unit: helpers beside it first, dependencies noted."""
        attempt = self._attempt
        if attempt is not None and attempt.abandoned:
            raise Abandoned
        full, mapped = self._asked(unit, name, variables, level)
        old = unit.retired and of_its_generation(unit.retired, full, name=name, names=fromlist)
        if old:
            return old
        try:
            with nullcontext() if attempt else self._attempting(Attempt()):
                self._ready(full, fromlist or ())
                module = builtins.__import__(
                    full if mapped else name, variables, local_names, fromlist or (), level
                )
        except ModuleNotFoundError as error:
            unit.missing.add((error.name or full).rpartition(".")[2])
            raise
        self._note(unit, full, fromlist or ())
        if not mapped or fromlist:
            return module
        return sys.modules[full[: len(full) - len(name)] + name.partition(".")[0]]

    def _asked(
        self, unit: Unit, name: str, variables: Mapping[str, Any] | None, level: int
    ) -> tuple[str, bool]:
        """The full name that a unit means, and whether it is a helper beside it."""
        if level:
            package = str((variables or {}).get("__package__") or "")
            return importlib.util.resolve_name("." * level + name, package), False
        beside = self._beside(unit, name)
        return beside or name, beside is not None

    def _ready(self, full: str, fromlist: Sequence[str]) -> None:
        """Have every part that is ours built before the import system looks for it."""
        wanted = [full, *(f"{full}.{each}" for each in fromlist if each != "*")]
        if full in sys.modules and full not in self.units and len(wanted) == 1:
            return
        with self._turn():  # a module that is being built elsewhere is waited for
            self._ensure(full)
            module = sys.modules.get(full)
            if hasattr(module, "__path__"):
                for each in wanted[1:]:
                    if not hasattr(module, each.rpartition(".")[2]):
                        self._ensure(each)

    def _beside(self, unit: Unit, name: str) -> str | None:
        """The full name of a helper beside a unit; a module that Python knows already wins."""
        top = name.partition(".")[0]
        if unit.base is None or top in sys.stdlib_module_names:
            return None
        if top in sys.modules and top not in self.units:
            return None
        folder = unit.path.parent
        while folder == unit.base or unit.base in folder.parents:
            found = file_of(folder, top)
            if found is not None and found.resolve() != unit.path:
                above = folder.relative_to(unit.base).parts
                return ".".join([base_name(unit.base), *map(identifier, above), name])
            folder = folder.parent
        return None

    def _note(self, unit: Unit, full: str, fromlist: Sequence[str]) -> None:
        parts = full.split(".")
        names = {".".join(parts[:number]) for number in range(1, len(parts) + 1)}
        names |= {f"{full}.{each}" for each in fromlist}
        unit.imports |= {each for each in names if each in self.units} - {unit.name}


finder = Finder()
