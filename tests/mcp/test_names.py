from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit.mcp.names import alias, is_legal, local_names

if TYPE_CHECKING:
    import random

# A machine with much else to do makes examples slowly, which says nothing about the names.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=12)
NEAR = st.lists(st.from_regex(r"[ab_.\-]{1,3}", fullmatch=True), unique=True, max_size=12)


@PATIENT
@given(NAMES | NEAR, st.none() | st.sampled_from(["p", "x" * 70, "é"]))
def test_every_name_is_legal_and_no_two_are_twins(own: list[str], prefix: str | None) -> None:
    names = local_names(own, prefix=prefix)
    assert set(names) == set(own)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names.values())
    assert len({name.replace("-", "_") for name in names.values()}) == len(own)


@PATIENT
@given(NAMES | NEAR, st.randoms(use_true_random=False))
def test_the_order_of_a_list_does_not_matter(own: list[str], chance: random.Random) -> None:
    shuffled = list(own)
    chance.shuffle(shuffled)
    assert local_names(shuffled) == local_names(own)


def test_a_legal_name_without_a_twin_stays() -> None:
    assert local_names(["get_weather", "Get-News"]) == {
        "get_weather": "get_weather",
        "Get-News": "Get-News",
    }


def test_an_alias_is_the_same_every_time_and_tells_its_origin() -> None:
    assert alias("files/read", "files/read") == "files_read_2b733164"
    assert is_legal(alias("天气", "天气"))


def test_a_trailing_newline_is_not_legal() -> None:
    assert not is_legal("name\n")
