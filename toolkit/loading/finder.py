"""The user's own modules, built from source: real modules under names that clash with nothing."""

from __future__ import annotations

import builtins
import hashlib
import importlib.machinery
import importlib.util
import re
import sys
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import CodeType, ModuleType

__all__ = ["Finder", "Unit", "digest_of", "finder"]

PREFIX = "_tools_"

# A file outside of any importable package stands in `sys.modules` under the name of its folder's
# base (`_tools_<hash>`) and its own: two files of one stem never meet, a file called `json.py`
# shadows nothing, and dataclasses, pickling, forward references and relative imports work. Each
# module carries an `__import__` of its own, which finds the helpers beside it and notes who imports
# whom. A generation is one consistent set of such modules; a rebuild makes the next one.


@dataclass(slots=True)
class Unit:
    """One module of the user's: its source as it was loaded, and the units that it imports."""

    name: str
    path: Path
    base: Path | None  # the folder that its unique name stands for; None for a real dotted name
    source: bytes
    digest: str
    module: ModuleType
    imports: set[str] = field(default_factory=set)
    retired: Mapping[str, ModuleType] | None = None  # what its late imports see once replaced


class Finder:
    """Finds, builds and keeps the user's modules; it stands in `sys.meta_path` once used."""

    def __init__(self) -> None:
        self.units: dict[str, Unit] = {}
        self.roots: list[Path] = []  # folders on the import path whose modules are the user's
        self._bases: dict[str, Path] = {}
        self._lock = threading.RLock()
        self._active = threading.local()

    def load(self, path: Path, *, base: Path | None = None) -> ModuleType:
        """The module of a file, built if it is not yet; whatever its code raises passes through.

        `base` is the folder that was asked for, where the file was found below one.
        """
        with self._lock:
            name = self._name_of(path.resolve(), base.resolve() if base else None)
            return self._import(name)

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
        with self._lock:
            snapshot = {name: unit.module for name, unit in self.units.items()}
            gone = {name: self.units.pop(name) for name in list(names) if name in self.units}
            for name, unit in gone.items():
                unit.retired = snapshot
                sys.modules.pop(name, None)
                _detach(name, unit.module)
            return gone

    def restore(self, units: Mapping[str, Unit]) -> None:
        """Put retired units back as they were: their successors could not be built."""
        with self._lock:
            for name, unit in units.items():
                unit.retired = None
                self.units[name] = unit
                sys.modules[name] = unit.module
                _attach(name, unit.module)

    def _import(self, name: str) -> ModuleType:
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        self._active.depth = getattr(self._active, "depth", 0) + 1
        try:
            importlib.import_module(name)
        finally:
            self._active.depth -= 1
        return sys.modules[name]

    def _name_of(self, path: Path, base: Path | None) -> str:
        package = path.parent
        while (package / "__init__.py").exists():
            package = package.parent
        if package != path.parent and self._is_importable(package):
            return ".".join(path.relative_to(package).with_suffix("").parts)
        known = [each for each in self._bases.values() if each in path.parents]
        if base is None or base not in path.parents:
            base = max(known, key=lambda each: len(each.parts)) if known else package
        key = _base_name(base)
        self._bases[key] = base
        parts = path.relative_to(base).with_suffix("").parts
        return ".".join([key, *map(_identifier, parts)])

    def _is_importable(self, folder: Path) -> bool:
        return folder in self.roots or str(folder) in sys.path

    # -- the import system's side ------------------------------------------------------------

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for the user's modules alone, and only while one of them is being imported."""
        del target
        top = fullname.partition(".")[0]
        if top in self._bases:
            return self._spec_below(fullname, self._bases[top])
        if not getattr(self._active, "depth", 0) or not self.roots:
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
            return _namespace(fullname, base)
        folder = base
        for part in above:
            folder = _find(folder, part) or folder / part
        return self._spec_in(fullname, folder, last, base)

    def _spec_in(
        self, fullname: str, folder: Path, part: str, base: Path | None
    ) -> importlib.machinery.ModuleSpec | None:
        found = _find(folder, part)
        if found is None:
            return None
        if found.is_file():
            return self._spec(fullname, found, base, package=False)
        if (found / "__init__.py").is_file():
            return self._spec(fullname, found / "__init__.py", base, package=True)
        return _namespace(fullname, found) if base is not None else None

    def _spec(
        self, fullname: str, path: Path, base: Path | None, *, package: bool
    ) -> importlib.machinery.ModuleSpec:
        loader: Any = _Loader(self, path.resolve(), base)
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
        if unit.retired is not None:
            return _import_retired(self, unit, name, variables, local_names, fromlist, level)
        mapped = self._beside(unit, name) if level == 0 else None
        self._active.depth = getattr(self._active, "depth", 0) + 1
        try:
            module = builtins.__import__(
                mapped or name, variables, local_names, fromlist or (), level
            )
        finally:
            self._active.depth -= 1
        self._note(unit, mapped or name, variables, fromlist or (), level)
        if mapped is None or fromlist:
            return module
        return sys.modules[mapped[: len(mapped) - len(name)] + name.partition(".")[0]]

    def _beside(self, unit: Unit, name: str) -> str | None:
        """The full name of a helper beside a unit; a module that Python knows already wins."""
        top = name.partition(".")[0]
        if unit.base is None or top in sys.stdlib_module_names or top in sys.modules:
            return None
        folder = unit.path.parent
        while folder == unit.base or unit.base in folder.parents:
            found = _find(folder, top)
            if found is not None and found.resolve() != unit.path:
                above = folder.relative_to(unit.base).parts
                return ".".join([_base_name(unit.base), *map(_identifier, above), name])
            folder = folder.parent
        return None

    def _note(
        self,
        unit: Unit,
        name: str,
        variables: Mapping[str, Any] | None,
        fromlist: Sequence[str],
        level: int,
    ) -> None:
        if level:
            package = str((variables or {}).get("__package__") or "")
            name = importlib.util.resolve_name("." * level + name, package)
        parts = name.split(".")
        names = {".".join(parts[:number]) for number in range(1, len(parts) + 1)}
        names |= {f"{name}.{each}" for each in fromlist}
        unit.imports |= {each for each in names if each in self.units} - {unit.name}


class _Loader:
    """Executes a file from the bytes on disk, never from cached byte code."""

    def __init__(self, owner: Finder, path: Path, base: Path | None) -> None:
        self.owner = owner
        self.path = path
        self.base = base

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        source = self.path.read_bytes()
        unit = Unit(module.__name__, self.path, self.base, source, digest_of(source), module)
        own = dict(vars(builtins))

        def import_(
            name: str,
            variables: Mapping[str, Any] | None = None,
            local_names: Mapping[str, Any] | None = None,
            fromlist: Sequence[str] | None = (),
            level: int = 0,
        ) -> ModuleType:
            return self.owner.import_for(unit, name, variables, local_names, fromlist, level)

        own["__import__"] = import_
        vars(module)["__builtins__"] = own
        self.owner.units[unit.name] = unit
        try:
            exec(self.get_code_from(source), vars(module))  # noqa: S102 - importing is executing
        except BaseException:
            self.owner.units.pop(unit.name, None)
            raise

    def get_code_from(self, source: bytes) -> CodeType:
        return compile(source, str(self.path), "exec", dont_inherit=True)

    def get_source(self, fullname: str) -> str:
        """The text of the module, for tracebacks and `inspect`."""
        del fullname
        return importlib.util.decode_source(self.path.read_bytes())


def _import_retired(
    owner: Finder,
    unit: Unit,
    name: str,
    variables: Mapping[str, Any] | None,
    local_names: Mapping[str, Any] | None,
    fromlist: Sequence[str] | None,
    level: int,
) -> ModuleType:
    """A late import of code whose module was replaced: it finishes on its own generation."""
    full = owner._beside(unit, name) or name  # noqa: SLF001 - one mechanism in two functions
    if level:
        package = str((variables or {}).get("__package__") or "")
        full = importlib.util.resolve_name("." * level + name, package)
    old = (unit.retired or {}).get(full)
    if old is None:
        return builtins.__import__(name, variables, local_names, fromlist or (), level)
    if fromlist:
        return old
    return (unit.retired or {})[full[: len(full) - len(name)] + name.partition(".")[0]]


def digest_of(source: bytes) -> str:
    """The content hash that tells whether a file has changed."""
    return hashlib.blake2b(source, digest_size=16).hexdigest()


def _base_name(folder: Path) -> str:
    return PREFIX + hashlib.blake2b(str(folder).encode(), digest_size=4).hexdigest()


def _identifier(part: str) -> str:
    """A part of a path as a part of a module's name."""
    if part.isidentifier():
        return part
    return f"{re.sub(r'[^0-9a-zA-Z_]', '_', part)}_{zlib.crc32(part.encode()):08x}"


def _find(folder: Path, part: str) -> Path | None:
    """The file or folder that a part of a module's name stands for."""
    plain = folder / f"{part}.py"
    if (folder / part / "__init__.py").is_file():
        return folder / part
    if plain.is_file():
        return plain
    if (folder / part).is_dir():
        return folder / part
    if not folder.is_dir() or not re.search(r"_[0-9a-f]{8}$", part):
        return None
    for each in folder.iterdir():
        stem = each.stem if each.suffix == ".py" else each.name
        if _identifier(stem) == part:
            return each
    return None


def _namespace(fullname: str, folder: Path) -> importlib.machinery.ModuleSpec:
    spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return spec


def _detach(name: str, module: ModuleType) -> None:
    above, _, last = name.rpartition(".")
    parent = sys.modules.get(above)
    if parent is not None and getattr(parent, last, None) is module:
        delattr(parent, last)


def _attach(name: str, module: ModuleType) -> None:
    above, _, last = name.rpartition(".")
    if above in sys.modules:
        setattr(sys.modules[above], last, module)


finder = Finder()
