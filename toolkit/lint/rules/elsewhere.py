"""Codes that other rooms give: loading, reading documents, talking to servers, suppressing."""

from __future__ import annotations

from ...findings import Severity
from ..rule import told_elsewhere
from .example import declared

__all__: list[str] = []

_TOOL = '''
from toolkit import tool

@tool
def forecast(city: str) -> str:
    """Tell tomorrow's weather in a city.

    Args:
        city: An English city name, such as Tokyo.
    """
    return city
'''
_IGNORING = _TOOL.replace("@tool\n", "@tool  # toolkit: ignore[D001] it is plain\n")

told_elsewhere(
    "F001 not-loadable",
    Severity.ERROR,
    what="A file can't be loaded: a syntax error, or an error in its own code.",
    why="None of its tools is there for a model.",
    bad=_TOOL.replace("def forecast(", "def forecast((", 1),
    good=_TOOL,
    evidence="Python itself",
)
told_elsewhere(
    "F002 invalid-definition",
    Severity.ERROR,
    what="A tool can't be made: a hint that has no JSON form, or can't be resolved.",
    why="The tool is left out, and the rest of the file works without it.",
    bad=_TOOL.replace("city: str", "city: Town", 1),
    good=_TOOL,
    evidence="the schema is made from the hints",
)
told_elsewhere(
    "F003 method-without-instance",
    Severity.WARNING,
    what="A tool is a method of a class of which the file makes no instance.",
    why="It can't be called.",
    bad='''
from toolkit import tool

class Station:
    @tool
    def forecast(self, city: str) -> str:
        """Tell tomorrow's weather in a city.

        Args:
            city: An English city name, such as Tokyo.
        """
        return city
''',
    good=_TOOL,
    evidence="a call needs an instance",
)
told_elsewhere(
    "F101 no-declaration",
    Severity.ERROR,
    what="An entry of a document is no declaration of a tool.",
    why="A provider refuses the request, or the tool is missing.",
    bad=[declared(), {"type": "object", "titel": "forecast"}],
    good=[declared()],
    evidence="the shapes of every provider",
)
told_elsewhere(
    "Z001 unused-suppression",
    Severity.WARNING,
    what="A comment `# toolkit: ignore[…]` suppresses nothing.",
    why="What it was for has been mended, and the next fault there would be hidden.",
    bad=_IGNORING,
    good=_TOOL,
    evidence="as ruff's RUF100",
)
told_elsewhere(
    "Z002 unknown-code",
    Severity.WARNING,
    what="A comment `# toolkit: ignore[…]` names a rule that does not exist.",
    why="It suppresses nothing; most likely it is a typing error.",
    bad=_IGNORING.replace("D001", "D999"),
    good=_TOOL,
    evidence="as ruff's RUF102",
)
