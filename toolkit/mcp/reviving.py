"""A server that is started again whenever it has ended, more slowly the more often it does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..errors import MCPError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .connection import Connection

__all__ = ["revive"]

# Seconds before the first attempt, and at most between two; one that lived that long was well.
_FIRST, _MOST = 0.2, 10.0


async def revive(
    connection: Connection,
    *,
    lost: Callable[[MCPError], None],
    back: Callable[[], Awaitable[None]],
    failed: MCPError | None = None,
) -> None:
    """Keep a connection open until it is cancelled.

    `lost` hears why the server has ended, and each new reason why it can't be started; `back` is
    awaited once it is there again. `failed` says that it could not be opened to begin with.
    """
    clock = asyncio.get_running_loop().time
    pause, begun = _FIRST, clock()
    while True:
        error = failed or await connection.lost()
        if failed is None:
            lost(error)
            pause = _FIRST if clock() - begun > _MOST else pause
        failed, said = None, error.message
        while not connection.alive:
            await asyncio.sleep(pause)
            pause = min(pause * 2, _MOST)
            try:
                await connection.renew()
            except MCPError as again:
                if again.message != said:
                    lost(again)
                said = again.message
        begun = clock()
        await back()
