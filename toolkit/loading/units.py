"""A module of the user's as it was loaded, and the load that made it."""

from __future__ import annotations

import builtins
import hashlib
import importlib.machinery
import importlib.util
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import CodeType

    from .finder import Finder

__all__ = [
    "Abandoned",
    "Attempt",
    "Loader",
    "Unit",
    "attach",
    "build",
    "detach",
    "digest_of",
    "namespace",
    "of_its_generation",
]


@dataclass(slots=True, eq=False)
class Unit:
    """One module of the user's: its source as it was loaded, and the units that it imports."""

    name: str
    path: Path
    base: Path | None  # the folder that its unique name stands for; None for a real dotted name
    source: bytes
    digest: str
    module: ModuleType
    imports: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)  # what it asked for and nobody had
    retired: Mapping[str, ModuleType] | None = None  # what its late imports see once replaced


@dataclass(slots=True, eq=False)
class Attempt:
    """One load on one thread: what it has built so far; it leaves nothing where it fails."""

    built: list[Unit] = field(default_factory=list)
    running: list[Unit] = field(default_factory=list)
    abandoned: bool = False


class Abandoned(BaseException):
    """Ends a load that nobody waits for any more, at its next import."""


class Loader:
    """Executes a file from the bytes on disk, never from cached byte code."""

    def __init__(self, owner: Finder, path: Path, *, base: Path | None) -> None:
        self.owner = owner
        self.path = path
        self.base = base

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the file, its own `__import__` among its builtins."""
        source = self.owner.source_of(self.path)
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
        with self.owner.building(unit):
            exec(self.get_code_from(source), vars(module))  # noqa: S102 - importing is executing

    def get_code_from(self, source: bytes) -> CodeType:
        """The compiled source."""
        return compile(source, str(self.path), "exec", dont_inherit=True)

    def get_source(self, fullname: str) -> str:
        """The text of the module, for tracebacks and `inspect`."""
        del fullname
        return importlib.util.decode_source(self.path.read_bytes())


def digest_of(source: bytes) -> str:
    """The content hash that tells whether a file has changed."""
    return hashlib.blake2b(source, digest_size=16).hexdigest()


def build(spec: importlib.machinery.ModuleSpec) -> None:
    """Make the module of a spec, as the import system does, but without its locks."""
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if spec.loader is not None:
        try:
            spec.loader.exec_module(module)
        except BaseException:
            if sys.modules.get(spec.name) is module:
                del sys.modules[spec.name]
            raise
    attach(spec.name, sys.modules.get(spec.name, module))


def namespace(fullname: str, folder: Path) -> importlib.machinery.ModuleSpec:
    """The spec of a folder without an `__init__.py`."""
    spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return spec


def attach(name: str, module: ModuleType) -> None:
    """Make a module an attribute of the package that it is in."""
    above, _, last = name.rpartition(".")
    if above in sys.modules:
        setattr(sys.modules[above], last, module)


def detach(name: str, module: ModuleType) -> None:
    """Take a module out of its package, unless another has taken its place."""
    above, _, last = name.rpartition(".")
    parent = sys.modules.get(above)
    if parent is not None and getattr(parent, last, None) is module:
        delattr(parent, last)


def of_its_generation(
    retired: Mapping[str, ModuleType],
    full: str,
    *,
    name: str,
    names: Sequence[str] | None,
) -> ModuleType | None:
    """What a late import of replaced code gets: the modules that it was loaded with."""
    if not names:
        return retired.get(full[: len(full) - len(name)] + name.partition(".")[0])
    old = retired.get(full)
    inner = {each: retired[f"{full}.{each}"] for each in names if f"{full}.{each}" in retired}
    if not inner:
        return old
    package = old or sys.modules.get(full) or ModuleType(full)
    stand_in = ModuleType(full)
    vars(stand_in).update({**vars(package), **inner})
    return stand_in
