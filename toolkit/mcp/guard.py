"""What a server may say that the SDK would break at, left out on its way in."""

from __future__ import annotations

import math
from typing import Any, Self

__all__ = ["guarded"]

_PROGRESS = "notifications/progress"


def guarded(streams: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the pair of streams without progress of which nothing can be made.

    One number that is too large for a float would end the whole conversation.
    """
    read, write = streams
    return _Read(read), write


def _sane(item: Any) -> Any | None:
    """Return a message that the SDK can take, or None where there is nothing left of it."""
    message = getattr(item, "message", None)
    params = getattr(message, "params", None)
    if getattr(message, "method", None) != _PROGRESS or not isinstance(params, dict):
        return item
    if not _is_number(params.get("progress")):
        return None
    if "total" in params and not _is_number(params["total"]):
        del params["total"]
    return item


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


class _Read:
    """The SDK's read stream, sifted."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def receive(self) -> Any:
        while True:
            item = _sane(await self._inner.receive())
            if item is not None:
                return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        while True:
            item = _sane(await self._inner.__anext__())
            if item is not None:
                return item

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> Any:
        return await self._inner.__aexit__(*error)
