"""`toolkit formats`: the wire shapes, and each provider's limits with their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from .. import frame
from ..options import Json, Name

if TYPE_CHECKING:
    from ...formats.profiles import Profile

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("formats")(formats)


def formats(name: Name = None, *, json_: Json = False) -> int:
    """List the formats and profiles, or show one profile's limits with source and date.

    \b
    toolkit formats
    toolkit formats openai-strict
    """
    from ..console import write_json

    frame.guard_streams()
    if name is None:
        if json_:
            write_json(_overview())
        else:
            _write_overview()
        return 0
    found = _named(name)
    if json_:
        write_json(found[0].to_json() if len(found) == 1 else [one.to_json() for one in found])
    else:
        for one in found:
            _write_profile(one)
    return 0


def _overview() -> dict[str, object]:
    from ...formats import FORMATS
    from ...formats.profiles import profiles

    shapes = [
        {"name": one.name, "title": one.title, "strict": one.strict, "messages": one.messages}
        for one in FORMATS.values()
    ]
    limits = [
        {
            "name": one.name,
            "title": one.title,
            "formats": list(one.formats),
            "strict": one.strict,
            "date": one.date.isoformat(),
        }
        for one in profiles().values()
    ]
    return {"formats": shapes, "profiles": limits}


def _write_overview() -> None:
    from ...formats import FORMATS
    from ...formats.profiles import profiles
    from ..console import write

    write("formats")
    for shape in FORMATS.values():
        strict = " (--strict)" if shape.strict else ""
        write(f"  {shape.name:<18}{shape.title}{strict}")
    write("profiles")
    for one in profiles().values():
        write(f"  {one.name:<18}{one.date}  {one.title}")


def _named(name: str) -> list[Profile]:
    """The profile of that name, or all of a format."""
    from ...formats import FORMATS
    from ...formats.profiles import profile, profiles

    if name in profiles() or name not in FORMATS:
        return [profile(name)]
    return [one for one in profiles().values() if name in one.formats] or [profile(name)]


def _write_profile(one: Profile) -> None:
    from ...formats.wire import dump
    from ..console import write

    write(f"{one.name}: {one.title} ({one.date})")
    for key, limit in one.limits.items():
        value = ", ".join(limit.value) if isinstance(limit.value, list) else dump(limit.value)
        note = f" ({limit.note})" if limit.note else ""
        write(f"  {key} = {value}{note}")
        write(f"      {limit.source.date}  {limit.source.text}")
