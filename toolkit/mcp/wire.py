"""The conversation as it goes over the wire, shown to who asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self, TypeAlias

__all__ = ["Told", "watched"]

# Direction and message: "out" is ours, "in" is the server's.
Told: TypeAlias = Callable[[Literal["in", "out"], dict[str, Any]], None]


def watched(streams: tuple[Any, Any], told: Told | None) -> tuple[Any, Any]:
    """Return the pair of streams with `told` hearing every message on its way."""
    if told is None:
        return streams
    read, write = streams
    return _Read(read, told), _Write(write, told)


def _wire(item: Any) -> dict[str, Any] | None:
    message = getattr(item, "message", None)
    if message is None:
        return None
    wire: dict[str, Any] = message.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return wire


class _Read:
    """The SDK's read stream, listened to."""

    def __init__(self, inner: Any, told: Told) -> None:
        self._inner, self._told = inner, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def _heard(self, item: Any) -> Any:
        wire = _wire(item)
        if wire is not None:
            self._told("in", wire)
        return item

    async def receive(self) -> Any:
        return self._heard(await self._inner.receive())

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        return self._heard(await self._inner.__anext__())

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> Any:
        return await self._inner.__aexit__(*error)


class _Write:
    """The SDK's write stream, listened to."""

    def __init__(self, inner: Any, told: Told) -> None:
        self._inner, self._told = inner, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def send(self, item: Any) -> None:
        wire = _wire(item)
        if wire is not None:
            self._told("out", wire)
        await self._inner.send(item)

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> Any:
        return await self._inner.__aexit__(*error)
