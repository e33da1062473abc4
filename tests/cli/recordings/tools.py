"""The tools of the recorded conversations."""

from __future__ import annotations

from toolkit import ToolContext, tool

PEOPLE = {"Tokyo": 14_000_000, "Zurich": 440_000}


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def population(city: str) -> dict[str, object]:
    """Tell how many people live in a city."""
    return {"city": city, "people": PEOPLE[city]}


@tool
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"


@tool(annotations={"destructiveHint": True})
def forget(name: str) -> str:
    """Forget somebody."""
    return f"forgot {name}"


@tool
def pay(amount: int, context: ToolContext) -> str:
    """Pay, once somebody has agreed."""
    answer = context.interrupt("approve", {"amount": amount})
    return f"paid {amount}: {answer}"
