"""A folder of tools, and a reloader that looks at it when a test says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.registry import ToolRegistry
from toolkit.reload.reloader import Reloader

if TYPE_CHECKING:
    from types import ModuleType

    from toolkit.types import ToolsChanged

__all__ = ["HELPED", "Folder", "told", "tool_source"]


def tool_source(name: str = "weather", returns: str = "'v1'", parameters: str = "city: str") -> str:
    return (
        "from toolkit import tool\n\n\n"
        "@tool\n"
        f"def {name}({parameters}) -> str:\n"
        f'    """Tell of {name}."""\n'
        f"    return {returns}\n"
    )


HELPED = tool_source(returns="helper.V").replace("from toolkit", "import helper\nfrom toolkit")


class Folder:
    """Files that a test writes, and what a reloader makes of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.registry = ToolRegistry()
        self.reloader = Reloader(self.registry, path)

    def write(self, name: str, source: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return path

    def tool(self, file: str, name: str = "weather", returns: str = "'v1'", **more: str) -> Path:
        return self.write(file, tool_source(name, returns, **more))

    def look(self) -> ToolsChanged:
        report = self.reloader.look()
        assert report is not None
        return report

    def call(self, name: str = "weather") -> str:
        return str(getattr(self.registry.tool, name)(city="Tokyo").text)

    def module(self, file: str) -> ModuleType:
        """The module that the file is now."""
        module = self.reloader.files[self.path / file].module
        assert module is not None
        return module

    @property
    def states(self) -> dict[str, str]:
        return {each.name: each.state for each in self.reloader.tools}


def told(report: ToolsChanged) -> dict[str, list[str]]:
    """The names in a report, by what happened to them; failures by their file."""
    found = {
        "added": [each.name for each in report.added],
        "changed": [each.name for each in report.changed],
        "removed": [each.name for each in report.removed],
        "failed": [Path(str(each.place.path)).name for each in report.failed],
    }
    return {key: names for key, names in found.items() if names}
