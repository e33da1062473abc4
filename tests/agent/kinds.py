"""What a row of the tables of types is, and how a row's instances travel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Kind", "built", "sent"]


class Kind(NamedTuple):
    """A type, instances that stand for an object, and instances with the places of their faults.

    `beyond` are instances that only code can refuse: a validator, a rule between two members.
    """

    name: str
    wanted: Any
    good: Sequence[tuple[Any, Any]]
    bad: Sequence[tuple[Any, set[str]]]
    beyond: Sequence[tuple[Any, set[str]]] = ()


def sent(value: Any, places: set[str], *, wrapped: bool) -> tuple[Any, set[str]]:
    """An instance and its places as a model would send them."""
    if not wrapped:
        return value, places
    return {"value": value}, {f"value.{place}" if place else "value" for place in places}


def built(kind: Any, members: Mapping[str, Any]) -> Any:
    """An object of a class whose members have names that Python's words can't all hold."""
    return kind(**members)
