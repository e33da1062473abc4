"""Every third-party package has one room."""

from __future__ import annotations

import sys

import pytest

from tests.architecture.house import Module, expect_none, package, parse

# package -> where it may be imported: files, or folders by a final slash
SIGNATURES = (
    "toolkit/schema/signature.py",
    "toolkit/schema/reader.py",  # the signature's half for the parameters
    "toolkit/schema/adapter.py",  # the signature's half for one type
    "toolkit/schema/annotations.py",  # and for one annotation
    "toolkit/results.py",
    "toolkit/agent/structured.py",
    "toolkit/testing/cases.py",
)
FENCE = {
    "pydantic": SIGNATURES,
    "pydantic_core": SIGNATURES,  # comes with pydantic
    "annotated_types": SIGNATURES,  # comes with pydantic
    "typing_extensions": SIGNATURES,
    "jsonschema": ("toolkit/schema/check.py",),
    "referencing": ("toolkit/schema/check.py",),  # comes with jsonschema
    "docstring_parser": ("toolkit/schema/docstring.py",),
    "mcp": ("toolkit/mcp/",),
    "mcp_types": ("toolkit/mcp/",),  # comes with mcp
    "httpx2": ("toolkit/mcp/",),
    "anyio": ("toolkit/mcp/",),
    "watchdog": ("toolkit/reload/watcher.py",),
    "opentelemetry": ("toolkit/middleware/tracing.py",),
    "quicktok": ("toolkit/formats/tokens.py",),
    "pytest": ("toolkit/pytest_plugin.py",),
    "typer": ("toolkit/cli/",),
    "rich": ("toolkit/cli/",),
}
# Configuration is read without the SDK, so that completion stays quick.
OUTSIDE = {"toolkit/mcp/servers.py"}


def _breaches(modules: list[Module]) -> list[str]:
    return [
        f"{module.path}:{item.line}: {item.package} belongs in {FENCE.get(item.package, 'no room')}"
        for module in modules
        for item in module.imports
        if item.package not in sys.stdlib_module_names
        and item.package != "toolkit"
        and not _allowed(item.package, module.path)
    ]


def _allowed(name: str, path: str) -> bool:
    if path in OUTSIDE:
        return False
    rooms = FENCE.get(name, ())
    return any(path == room or (room.endswith("/") and path.startswith(room)) for room in rooms)


def test_every_package_stays_in_its_room() -> None:
    expect_none(_breaches(package()))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("toolkit/types.py", "import pydantic\n"),
        ("toolkit/mcp/servers.py", "def f():\n    import mcp.client\n"),
        ("toolkit/cli/app.py", "import click\n"),
        ("toolkit/cli/app.py", "from requests.adapters import X\n"),
        ("toolkit/registry.py", "try:\n    import jsonschema\nexcept ImportError:\n    pass\n"),
        ("toolkit/schema/diff.py", "if TYPE_CHECKING:\n    from pydantic import BaseModel\n"),
    ],
)
def test_a_package_outside_its_room_is_seen(path: str, source: str) -> None:
    (found,) = _breaches(parse({path: source}))
    assert found.startswith(path)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("toolkit/mcp/session.py", "import mcp.client\nimport anyio\n"),
        ("toolkit/cli/render/table.py", "from rich.table import Table\n"),
        ("toolkit/types.py", "import json\nfrom . import errors\n"),
    ],
)
def test_a_package_in_its_room_is_welcome(path: str, source: str) -> None:
    assert _breaches(parse({path: source})) == []
