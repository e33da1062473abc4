"""Imports inside functions exist for laziness alone, at the seams of this table."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from tests.architecture.house import Module, expect_none, package, parse

# who (path) -> what (modules), and why the import waits
SEAMS = [
    ("toolkit/__init__.py", "*", "public names are loaded on first use"),
    ("toolkit/__main__.py", "*", "--version and completion answer before typer is imported"),
    ("toolkit/cli/*", "*", "a command imports what it needs, when it runs"),
    ("toolkit/config.py", "*", "a door"),
    ("toolkit/targets.py", "*", "a door: only the kinds of target that are there are loaded"),
    ("toolkit/reaching.py", "*", "a door: servers are described before they are reached"),
    ("toolkit/arguments.py", "*", "a door"),
    ("toolkit/watching.py", "*", "a door"),
    ("toolkit/pytest_plugin.py", "*", "it imports nothing but pytest when loaded"),
    ("toolkit/decorator.py", "*", "decorating loads neither asyncio nor inspect nor pydantic"),
    ("toolkit/registry.py", "toolkit.schema.*", "jsonschema only for schemas we did not make"),
    ("toolkit/registry.py", "toolkit.caller", "the executor only for those who call from Python"),
    ("toolkit/loading/module_tool.py", "toolkit.schema.check", "jsonschema only for such a tool"),
    ("toolkit/formats/__init__.py", "toolkit.formats.*", "few commands ask for limits"),
    (
        "toolkit/formats/bedrock.py",
        "toolkit.formats.*",
        "a call reads results, and bends no schema",
    ),
    ("toolkit/loading/collect.py", "toolkit.loading.declared", "few targets are documents"),
    ("toolkit/formats/tokens.py", "quicktok", "exact counts are optional, and slow to load"),
    ("toolkit/pairing.py", "toolkit.schema.check", "jsonschema only for a tool without its own"),
    ("toolkit/middleware/tracing.py", "opentelemetry*", "tracing is optional"),
    ("toolkit/agent/embedding.py", "toolkit.schema.check", "jsonschema only for such a schema"),
    ("toolkit/mcp/transport.py", "*", "the SDK costs more than everything else"),
    ("toolkit/mcp/tool.py", "toolkit.schema.check", "jsonschema only for a call that needs it"),
    ("toolkit/mcp/following.py", "toolkit.schema.*", "jsonschema only once a list has changed"),
    ("toolkit/lint/fits.py", "toolkit.schema.check", "jsonschema only for values that need it"),
    (
        "toolkit/lint/rules/descriptions.py",
        "toolkit.schema.docstring",
        "a JSON document has no docstrings",
    ),
    ("toolkit/lint/settings.py", "toolkit.formats.profiles", "limits only where one is chosen"),
]


def _leaks(modules: list[Module]) -> list[str]:
    return [
        f"{module.path}:{item.line}: {item.target} is imported inside a function"
        for module in modules
        for item in module.imports
        if item.lazy and not _is_seam(module.path, item.target)
    ]


def _is_seam(path: str, target: str) -> bool:
    return any(fnmatchcase(path, who) and fnmatchcase(target, what) for who, what, _ in SEAMS)


def test_a_function_imports_only_at_a_seam() -> None:
    expect_none(_leaks(package()))


def test_every_seam_says_why() -> None:
    assert [who for who, _, why in SEAMS if not why] == []


@pytest.mark.parametrize(
    ("path", "source", "line"),
    [
        ("toolkit/executor.py", "def f():\n    import asyncio\n", 2),
        ("toolkit/results.py", "class A:\n    async def f(self):\n        from . import x\n", 3),
        ("toolkit/registry.py", "def f():\n    if f:\n        import inspect\n", 3),
    ],
)
def test_a_lazy_import_elsewhere_is_seen(path: str, source: str, line: int) -> None:
    (found,) = _leaks(parse({path: source}))
    assert found.startswith(f"{path}:{line}: ")
