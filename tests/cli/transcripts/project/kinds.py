import asyncio
import sys

from pydantic import BaseModel

from toolkit import Image, ToolContext, tool


class Address(BaseModel):
    city: str
    zip: str = "0"


@tool
def everything(
    text: str,
    number: float = 1.5,
    flags: list[int] | None = None,
    address: Address | None = None,
    max_results: int = 3,
    either: int | str = 0,
    anything=None,
    on: bool = True,
) -> dict:
    """Give back what came.

    Args:
        text: Any text, 100 % of it.
        flags: Whole numbers.
        address: Where.
    """
    if flags is None:
        flags = []
    return {
        "text": text,
        "number": number,
        "flags": flags,
        "address": address,
        "max_results": max_results,
        "either": either,
        "anything": anything,
        "on": on,
    }


@tool
def own_json(json: str, timeout: int = 1) -> str:
    """Has parameters that are called like options of the command."""
    return f"{json} {timeout}"


@tool
async def steps(count: int):
    """Count."""
    for number in range(count):
        await asyncio.sleep(0)
        yield number


@tool
def noisy() -> str:
    """Print."""
    return "quiet"


@tool
def dot() -> list:
    """Give an image."""
    return [Image("png", b"\x89PNG\r\n\x1a\n")]


@tool
def remember(context: ToolContext) -> str:
    """Read the state."""
    return str(context.state)


@tool
def reads() -> str:
    """Read stdin."""
    return repr(sys.stdin.read())


@tool
def escapes() -> str:
    """Give a terminal escape."""
    return "\x1b[31mred"


@tool(annotations={"destructiveHint": True})
def delete() -> str:
    """Delete."""
    return "gone"
