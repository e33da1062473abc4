"""The labelled corpus: everything planted is found, and nothing is said of a well-written tool."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.score import clean, found_in, planted, score

PLANTED = planted()
CLEAN = clean()


@pytest.mark.parametrize(("name", "case"), PLANTED, ids=[name for name, _ in PLANTED])
def test_a_planted_defect_is_found_and_nothing_else(name: str, case: dict[str, Any]) -> None:
    said = {each.code for each in found_in(case)}
    assert case["expects"] in said, name
    assert said <= {case["expects"], *case.get("also", [])}


@pytest.mark.parametrize(("name", "_", "findings"), CLEAN, ids=[name for name, _, _ in CLEAN])
def test_nothing_is_said_of_well_written_tools(name: str, _: int, findings: list[Any]) -> None:
    assert findings == [], name


def test_the_corpus_is_as_large_as_it_is_said_to_be() -> None:
    result = score()
    assert result.planted >= 120
    assert result.clean >= 60
    assert (result.recall, result.precision) == (1.0, 1.0)
