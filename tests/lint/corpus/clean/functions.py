"""Tools as good authors write them in Python, in several styles."""

from __future__ import annotations

import datetime as dt  # noqa: TC003 - a tool's annotations are read
import subprocess
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from toolkit import ToolContext, tool


class Unit(Enum):
    """A unit of temperature."""

    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


class Address(BaseModel):
    """Where something is delivered."""

    street: str = Field(description="Street and number.")
    city: str = Field(description="Town, without the postal code.")


@dataclass
class Line:
    """An article and how many of it."""

    sku: str
    quantity: int = 1


@tool
def temperature(place: str, unit: Unit = Unit.CELSIUS) -> float:
    """Measure the temperature at a station.

    Args:
        place: Name of the station, such as Zurich-Fluntern.
        unit: Unit of the answer. Defaults to celsius.
    """
    return len(place) * (1.0 if unit is Unit.CELSIUS else 1.8)


@tool
def ship(order: str, to: Address, lines: list[Line], *, express: bool = False) -> str:
    """Ship an order to an address and return the tracking number.

    Parameters
    ----------
    order : str
        Number of the order.
    to : Address
        Where it goes.
    lines : list of Line
        What is packed.
    express : bool, default: False
        Whether it has to be there tomorrow.
    """
    return f"{order}/{to.city}/{len(lines)}/{express}"


@tool
def between(start: dt.date, end: dt.date) -> int:
    """Count the working days between two dates.

    :param start: First day, counted.
    :param end: Last day, not counted.
    :returns: Number of days, without weekends.
    """
    return (end - start).days


@tool(annotations={"readOnlyHint": True})
def changes(repo: Annotated[str, "Path of a clone."], limit: int = 20) -> str:
    """Show the last changes of a repository, one line each.

    Args:
        limit: At most this many (default: 20).
    """
    done = subprocess.run(["git", "-C", repo, "log", f"-{limit}"], capture_output=True, check=True)
    return done.stdout.decode()


@tool(annotations={"readOnlyHint": True})
def head(path: str, lines: int = 10) -> str:
    """Return the first lines of a text file.

    Args:
        path: File below the working folder.
        lines: How many lines to return.
    """
    with Path(path).open("r", encoding="utf-8") as file:
        return "".join(line for line, _ in zip(file, range(lines), strict=False))


@tool
async def remember(key: str, value: Any, context: ToolContext) -> str:
    """Keep a value under a key until the conversation ends.

    Args:
        key: Name to find it by.
        value: What to keep, in any form.
    """
    context.state[key] = value
    return key


@tool
def search(query: str, **filters: str) -> list[str]:
    """Search the catalogue; filters narrow the result.

    Args:
        query: Words to look for.
        author: Only works of this author.
        year: Only works of this year.
    """
    return [query, *filters.values()]


@tool
def sort_lines(
    text: Annotated[str, Field(description="Lines to sort.", max_length=100_000)],
    order: Literal["ascending", "descending"] = "ascending",
    key: Annotated[int | None, Field(ge=1, description="Column to sort by, from 1.")] = None,
) -> str:
    """Sort the lines of a text.

    Stable: lines with equal keys keep their order.

    Args:
        order: Whether A or Z comes first.

    Example:
        args: order="descending" puts Z before A.
    """
    return "\n".join(sorted(text.splitlines(), reverse=order == "descending")) + str(key or "")


@tool
def count_letters(text: str) -> int:
    """文字数を数えます。

    Args:
        text: 数える対象の文章。
    """
    return len(text)


class Notebook:
    """Notes that live as long as the process."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @tool
    def note(self, text: str) -> int:
        """Add a line to the notebook and return how many there are.

        Args:
            text: The line to keep.
        """
        self.notes.append(text)
        return len(self.notes)


notebook = Notebook()
