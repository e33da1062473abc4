"""What a server may ask or tell us in the middle of a conversation, by the wire's own names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Answer", "Asked", "Notified"]

Answer: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
Notified: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """Who answers and hears one server; None is not offered to it."""

    notification: Notified | None = None
    elicit: Answer | None = None
    sample: Answer | None = None
    roots: tuple[str, ...] = ()
    log_level: str | None = None
