"""A module imports its own floor, without a cycle, or a lower one."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.house import FLOORS, Module, expect_none, floor, package, parse, room

# Imports that go up all the same, and why.
UPWARD = {
    ("toolkit/registry.py", "toolkit.caller"): "registry.tool.NAME(…) is the short way to a call",
    ("toolkit/cli/render/report.py", "toolkit"): "a report names the version that made it",
}
ISLANDS = 5  # no room of this floor imports another one


def _climbs(modules: list[Module]) -> list[str]:
    """Imports that go up; imports for type checkers are no exception."""
    found = []
    for module in modules:
        own = floor(module.name)
        for item in module.imports:
            other = floor(item.target) if item.package == "toolkit" else None
            if (module.path, item.target) in UPWARD:
                continue
            if own is not None and other is not None and other > own:
                where = f"{module.path}:{item.line}"
                found.append(f"{where}: floor {own} imports {item.target} on floor {other}")
    return found


def _crossings(modules: list[Module]) -> list[str]:
    """Imports from one island to another."""
    return [
        f"{module.path}:{item.line}: the island {room(module.name)} imports {item.target}"
        for module in modules
        if floor(module.name) == ISLANDS
        for item in module.imports
        if item.package == "toolkit"
        and floor(item.target) == ISLANDS
        and room(item.target) != room(module.name)
    ]


def _cycle(modules: list[Module]) -> list[str]:
    """The modules of one cycle of imports at run time, in order; empty without one."""
    graph = {
        module.name: {
            item.target
            for item in module.imports
            if item.package == "toolkit" and not item.typing and item.target != module.name
        }
        for module in modules
        if module.name != "toolkit"  # it imports what is asked of it, and nothing imports it
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_house_is_there_and_files_that_tests_work_on_are_no_part_of_it() -> None:
    assert {"toolkit/executor.py", "toolkit/cli/app.py"} <= {m.path for m in package()}
    material = [m.path for m in package("tests") if m.path.startswith("tests/cli/transcripts/")]
    assert material == []


def test_every_room_has_a_floor() -> None:
    lost = [m.path for m in package() if floor(m.name) is None]
    assert not lost, f"give these a line in FLOORS of tests/architecture/house.py: {lost}"


def test_no_import_goes_up() -> None:
    expect_none(_climbs(package()))


def test_an_island_imports_no_other_island() -> None:
    expect_none(_crossings(package()))


def test_imports_make_no_cycle() -> None:
    expect_none(_cycle(package()))


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("toolkit/types.py", "import toolkit.cli.app\n", "toolkit/types.py:1: floor 1 imports"),
        (
            "toolkit/registry.py",
            "def f():\n    from .executor import x\n",
            "registry.py:2: floor 3",
        ),
        (
            "toolkit/schema/clean.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..caller import C\n",
            "toolkit/schema/clean.py:3: floor 2 imports toolkit.caller on floor 4",
        ),
        ("toolkit/executor.py", "from . import tool\n", "floor 4 imports toolkit on floor 7"),
    ],
)
def test_an_import_that_goes_up_is_seen(path: str, source: str, said: str) -> None:
    (found,) = _climbs(parse({path: source}))
    assert said in found


def test_a_crossing_and_a_cycle_are_seen() -> None:
    (crossing,) = _crossings(parse({"toolkit/lint/rule.py": "from ..testing import fuzz\n"}))
    assert crossing.startswith("toolkit/lint/rule.py:1: the island lint imports toolkit.testing")
    cycle = _cycle(
        parse(
            {
                "toolkit/executor.py": "from .pairing import a\n",
                "toolkit/pairing.py": "def f():\n    from . import executor\n",
            }
        )
    )
    assert set(cycle) == {"toolkit.executor", "toolkit.pairing"}


def test_the_table_of_floors_names_each_floor() -> None:
    assert set(FLOORS.values()) == {1, 2, 3, 4, 5, 6, 7}
