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
    "F203 missing-field",
    Severity.WARNING,
    what="A tool that a server lists has no inputSchema.",
    why="MCP requires it: a client that checks the list refuses all of it.",
    bad=declared(inputSchema=...),
    good=declared(),
    evidence="MCP, all versions: inputSchema is required",
)
_OF_SERVERS = (
    (
        "M100 unreachable-server",
        Severity.ERROR,
        "A server does not start, does not answer in time, or refuses the connection.",
        "None of its tools is there for a model, and none was judged.",
        "the process ends before it answers `initialize`",
        "the process answers `initialize`",
    ),
    (
        "M101 repeated-cursor",
        Severity.ERROR,
        "A page of a server's list of tools names a cursor that came before.",
        "A client that follows it never ends, or gives up; what comes behind it is not seen.",
        '{"tools": [], "nextCursor": "1"} in answer to {"cursor": "1"}',
        '{"tools": []} in answer to {"cursor": "1"}',
    ),
    (
        "M102 endless-pages",
        Severity.ERROR,
        "A server's list of tools has more pages than any client follows.",
        "What stands on the rest of them is not seen.",
        "a nextCursor on each of a thousand pages",
        "no nextCursor on the last page",
    ),
    (
        "M103 malformed-list",
        Severity.ERROR,
        "An answer to tools/list has no list of tools, or a cursor that is no text.",
        "A client refuses the answer, and every tool in it.",
        '{"tools": null}',
        '{"tools": []}',
    ),
    (
        "M104 malformed-item",
        Severity.ERROR,
        "An entry of a server's list of tools is no object.",
        "A client that checks the list refuses all of it.",
        '{"tools": ["forecast"]}',
        '{"tools": [{"name": "forecast", "inputSchema": {"type": "object"}}]}',
    ),
    (
        "M105 listed-twice",
        Severity.ERROR,
        "A server lists two tools of one name.",
        "A model can reach only one of them.",
        '{"tools": [{"name": "a", …}, {"name": "a", …}]}',
        '{"tools": [{"name": "a", …}, {"name": "b", …}]}',
    ),
    (
        "M106 stray-stdout",
        Severity.WARNING,
        "A server prints to its stdout what is not of the protocol.",
        "Over stdio the stream is the protocol: many clients end the connection at such a line.",
        'print("started")',
        'print("started", file=sys.stderr)',
    ),
    (
        "M107 unusable-tool",
        Severity.ERROR,
        "A tool of a server can't be used: no name, or a schema that describes no object.",
        "It is left out, or the client refuses the whole list.",
        '{"name": "forecast", "inputSchema": null}',
        '{"name": "forecast", "inputSchema": {"type": "object"}}',
    ),
    (
        "M108 aliased-name",
        Severity.WARNING,
        "A tool's name can't be called by a model, or another server has it: it gets an alias.",
        "Prompts and logs that speak of the tool know it by another name.",
        '{"name": "fs/read", …}',
        '{"name": "fs_read", …}',
    ),
)
for _label, _severity, _what, _why, _bad, _good in _OF_SERVERS:
    told_elsewhere(
        _label,
        _severity,
        what=_what,
        why=_why,
        bad=_bad,
        good=_good,
        evidence="MCP 2026-07-28, and servers that were run",
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
