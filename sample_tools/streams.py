"""Show work as it goes on: generators whose last item is also the result."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from math import isqrt
from typing import Annotated

from pydantic import Field

from toolkit import tool


@tool
def primes(limit: Annotated[int, Field(ge=2, le=1_000_000)]) -> Iterator[int | str]:
    """Find the prime numbers up to a limit; each is shown when it is found.

    Args:
        limit: The largest number to look at.
    """
    found = 0
    composite = bytearray(limit + 1)
    for number in range(2, limit + 1):
        if composite[number]:
            continue
        found += 1
        yield number
        if number <= isqrt(limit):
            multiples = range(number * number, limit + 1, number)
            composite[number * number :: number] = b"\x01" * len(multiples)
    yield f"{found} primes up to {limit}"


@tool
async def countdown(
    start: Annotated[int, Field(ge=1, le=60)] = 3,
    pause: Annotated[float, Field(ge=0, le=60)] = 1.0,
) -> AsyncIterator[str]:
    """Count down to zero.

    Args:
        start: The number to begin with.
        pause: How long to wait before the next number, in seconds.
    """
    for number in range(start, 0, -1):
        yield f"{number} …"
        await asyncio.sleep(pause)
    yield "lift-off"
