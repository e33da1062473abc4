from __future__ import annotations

import datetime as dt
import re

import pytest

from toolkit import errors
from toolkit.formats import FORMATS
from toolkit.formats.profiles import profile, profile_for, profiles

KNOWN = {
    line
    for line in re.findall(r"`([a-z.]+)`", str(type(profile("openai")).__doc__))
    if "." in line or line in {"formats", "refs", "dialect"}
}


@pytest.mark.parametrize("name", sorted(profiles()))
def test_every_limit_has_a_dated_source_and_a_documented_key(name: str) -> None:
    one = profile(name)
    assert one.limits
    for key, limit in one.limits.items():
        assert key in KNOWN
        assert len(limit.source.text) > 20
        assert dt.date(2024, 1, 1) < limit.source.date <= one.date
    assert set(one.formats) <= set(FORMATS)


@pytest.mark.parametrize("name", sorted(profiles()))
def test_patterns_are_regular_expressions_and_take_an_ordinary_name(name: str) -> None:
    for key in ("name.pattern", "keys.pattern"):
        pattern = profile(name).get(key)
        assert pattern is None or re.fullmatch(pattern, "get_weather")


def test_every_strict_format_has_its_strict_profile() -> None:
    for name, one in FORMATS.items():
        strict = profile_for(name, strict=True)
        assert (strict is not None) is one.strict
        assert strict is None or strict.name.endswith("-strict")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai", "openai"),
        ("openai-responses", "openai"),
        ("gemini-openapi", "gemini-openapi"),
        ("mcp", "mcp"),
        ("jsonschema", None),
        ("toolspec", None),
    ],
)
def test_a_format_knows_its_providers_profile(name: str, expected: str | None) -> None:
    found = profile_for(name)
    assert (found.name if found else None) == expected


def test_an_unknown_profile_names_the_closest() -> None:
    with pytest.raises(errors.UsageError) as caught:
        profile("openai_strikt")
    assert caught.value.hint == "did you mean 'openai-strict'?"
