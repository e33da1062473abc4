"""The part of a registry that some files fill: what stands there, and how it is exchanged."""

from __future__ import annotations

import fnmatch
import os
from typing import TYPE_CHECKING

from ..loading.collect import place_of
from ..registry import name_of
from .standing import Standing
from .wanted import wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ..findings import Finding
    from ..registry import ToolRegistry
    from ..types import Tool
    from .batch import Batch, ToolFile

__all__ = ["Shelf", "real"]

# What the loader says of files and names, not of a tool's own schema.
OF_LOADING = {"F001", "F003", "N001", "N002"}


class Shelf:
    """The tools of ours in a registry, which others may fill as well.

    `owned` are their names. `pattern` narrows what is put there by a glob, `names` to a few.
    """

    def __init__(
        self, registry: ToolRegistry, *, pattern: str | None = None, names: Sequence[str] = ()
    ) -> None:
        self.registry = registry
        self.pattern = pattern
        self.names = {name.replace("-", "_") for name in names}
        self.owned: set[str] = set()
        self.standings: dict[str, Standing] = {}
        self._problems: list[Finding] = []
        self._clashes: list[Finding] = []
        self._ours: set[str] = set()
        self._revision = -1

    @property
    def is_as_left(self) -> bool:
        """Whether nobody has changed the registry since we did."""
        return self.registry.revision == self._revision

    def stood(self, paths: Iterable[Path]) -> dict[str, Standing]:
        """The tools of these files in the registry, also those that somebody loaded before us."""
        ours = {str(path) for path in paths}
        standing = {}
        for name in self.registry.names:
            tool = self.registry.get(name)
            known = self.standings.get(name)
            if known is not None and known.tool is tool:
                standing[name] = known
            elif tool is not None:
                path = place_of(tool).path
                if name in self.owned or (path is not None and real(path) in ours):
                    standing[name] = self._stands(name, tool)
        self.owned = set(standing)
        return standing

    def swap(self, batch: Batch, failures: Sequence[Finding]) -> dict[str, Standing]:
        """Have the registry hold what the files of a batch define now, and say how it stands."""
        successors = self._successors(batch) if batch.is_narrow else None
        if successors is None:
            self._ours = {str(path) for path in batch.files}
            self._swap_all(batch, failures)
        else:
            self._replace_problems(batch.files, failures, replaced=set(successors))
            self.registry.swap(remove=(), add=successors.values())
            new = {name: self._stands(name, tool) for name, tool in successors.items()}
            self.standings = self.standings | new
        self._revision = self.registry.revision
        return self.standings

    def _successors(self, batch: Batch) -> dict[str, Tool] | None:
        """The new tools by name, where each takes the place of the one of its name and file."""
        if self._clashes:
            return None
        found: dict[str, Tool] = {}
        for path, before in batch.built.items():
            after = batch.files[path].tools
            names = [name_of(tool) for tool in after]
            if names != [name_of(tool) for tool in before]:
                return None
            for name, old, new in zip(names, before, after, strict=True):
                stands = self.standings.get(name)
                if stands is None or stands.tool is not old or name in found:
                    return None
                found[name] = new
        return {name: tool for name, tool in found.items() if self.standings[name].tool is not tool}

    def _swap_all(self, batch: Batch, failures: Sequence[Finding]) -> None:
        files, get = batch.files, self.registry.get
        chosen = wanted(
            self.registry,
            [tool for file in files.values() for tool in file.tools if self._fits(tool)],
            owned=self.owned,
        )
        self._clashes = chosen.problems
        replaced = {name for name in self.owned if chosen.tools.get(name) is not get(name)}
        self._replace_problems(files, failures, replaced=replaced)
        self.registry.swap(
            remove=self.owned - set(chosen.tools),
            add=[tool for name, tool in chosen.tools.items() if get(name) is not tool],
            order=chosen.tools,
        )
        self.owned = set(chosen.tools)
        self.standings = {name: self._stands(name, tool) for name, tool in chosen.tools.items()}

    def _stands(self, name: str, tool: Tool) -> Standing:
        known = self.standings.get(name)
        if known is not None and known.tool is tool:
            return known
        return Standing(tool, self.registry.spec_of(tool), place_of(tool))

    def _fits(self, tool: Tool) -> bool:
        name = name_of(tool)
        if self.names and name.replace("-", "_") not in self.names:
            return False
        return self.pattern is None or fnmatch.fnmatchcase(name, self.pattern)

    def _replace_problems(
        self, files: Mapping[Path, ToolFile], failures: Sequence[Finding], *, replaced: set[str]
    ) -> None:
        """What was said of our files before is no longer so; say what is."""
        old = {id(each) for each in self._problems}
        self._problems = [each for file in files.values() for each in file.problems]
        self._problems += [*failures, *self._clashes]

        def is_over(each: Finding) -> bool:
            if id(each) in old or each.tool in replaced:
                return True
            about_loading = each.code in OF_LOADING or each.tool not in self.owned
            path = each.place.path
            return about_loading and path is not None and real(path) in self._ours

        kept = [each for each in self.registry.problems if not is_over(each)]
        self.registry.problems[:] = [*kept, *self._problems]


def real(path: str) -> str:
    """A path without symbolic links."""
    return os.path.realpath(path)
