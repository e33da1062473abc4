"""Limits of each provider and mode as dated, sourced data: one file a profile."""

from __future__ import annotations

import difflib
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import UsageError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

__all__ = ["Limit", "Profile", "Source", "profile", "profile_for", "profiles"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a limit is said, and on which day that was last seen to be so."""

    text: str
    date: dt.date


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: a number, a pattern, a list of words or a yes."""

    value: Any
    source: Source
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """What one provider takes in one mode.

    The keys of `limits`: `name.pattern` (whole string), `name.length`, `name.advised`,
    `description.minimum`, `description.length`, `tools.count`, `keys.pattern` with `keys.where`
    ("root" or "all"), `root.refused`, `keywords.refused` or `keywords.allowed`, `formats`,
    `patterns.refused`, `arrays.items`, `objects.properties`, `objects.closed`, `objects.required`,
    `types.required`, `enum.texts`, `items.minimum`, `refs` ("any", "tree", "alone", "none"),
    `schema.levels`, `schema.properties`, `schema.text`, `enum.values`, `enum.text`,
    `request.strict`, `request.optional`, `request.unions`, `name.first` (begins so), `dialect`.
    """

    name: str
    title: str
    formats: tuple[str, ...]
    strict: bool
    date: dt.date
    limits: Mapping[str, Limit]

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a limit, or `default` where the provider has none."""
        limit = self.limits.get(key)
        return default if limit is None else limit.value

    def to_json(self) -> dict[str, Any]:
        """The machine form, dates as text."""
        return {
            "name": self.name,
            "title": self.title,
            "formats": list(self.formats),
            "strict": self.strict,
            "date": self.date.isoformat(),
            "limits": {
                key: {
                    "value": limit.value,
                    "source": limit.source.text,
                    "date": limit.source.date.isoformat(),
                    "note": limit.note,
                }
                for key, limit in self.limits.items()
            },
        }


@functools.cache
def profiles() -> Mapping[str, Profile]:
    """Return every profile by its name."""
    found = Path(__file__).parent.glob("*.toml")
    read = (_read(tomllib.loads(one.read_text("utf-8"))) for one in found)
    return {one.name: one for one in sorted(read, key=lambda one: one.name)}


def _read(data: Mapping[str, Any]) -> Profile:
    sources = {key: Source(one["text"], one["date"]) for key, one in data["sources"].items()}
    limits = {
        key: Limit(one["value"], sources[one["source"]], one.get("note"))
        for key, one in data["limits"].items()
    }
    return Profile(
        data["name"], data["title"], tuple(data["formats"]), data["strict"], data["date"], limits
    )


def profile(name: str) -> Profile:
    """Return the profile of that name; a UsageError with the closest one where there is none."""
    known = profiles().get(name)
    if known is not None:
        return known
    close = difflib.get_close_matches(name.lower().replace("_", "-"), profiles(), 1, 0.5)
    raise UsageError(
        f"there is no profile '{name}'; there are {', '.join(profiles())}",
        hint=f"did you mean '{close[0]}'?" if close else None,
    )


def profile_for(format: str, *, strict: bool = False) -> Profile | None:  # noqa: A002 - the word
    """Return the profile of a format's own provider; None where a format has none."""
    fitting = [one for one in profiles().values() if format in one.formats and one.strict == strict]
    own = [one for one in fitting if one.name.removesuffix("-strict") == format]
    names = [one for one in fitting if format.startswith(one.name.removesuffix("-strict"))]
    return next(iter(own or names), None)
