"""Look which ports answer: a coroutine that asks all of them at the same time."""

import asyncio
from typing import Annotated

from pydantic import Field

from toolkit import tool

Port = Annotated[int, Field(ge=1, le=65535)]


@tool
async def open_ports(
    ports: Annotated[list[Port], Field(min_length=1, max_length=100)],
    patience: Annotated[float, Field(gt=0, le=10)] = 1.0,
) -> list[int]:
    """List those of the given TCP ports of this machine on which something listens.

    Args:
        ports: The port numbers to try.
        patience: How long to wait for each, in seconds.
    """
    async with asyncio.TaskGroup() as group:
        tries = {port: group.create_task(_answers(port, patience)) for port in ports}
    return sorted(port for port, task in tries.items() if task.result())


async def _answers(port: int, patience: float) -> bool:
    try:
        async with asyncio.timeout(patience):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:  # refused, unreachable, or out of patience: TimeoutError is one too
        return False
    writer.close()
    return True
