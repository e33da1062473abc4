"""What tools cost: tokens of one, of all, and those that tell the model nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...findings import Severity
from ...formats.tokens import ESTIMATE
from ...formats.wire import compact
from ..rule import Edit, Fault, rule
from .example import CITY, declared, taking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

_SAID = "an estimate"


def _tokens(tool: Subject) -> int:
    return ESTIMATE.count(_text(tool))


def _text(tool: Subject) -> str:
    return compact([tool.name, tool.description, tool.input_schema])


_LONG = {"type": "string", "description": "One of the cities of the world. " * 400}


@rule(
    "T001 tool-budget",
    Severity.WARNING,
    bad=taking(_LONG),
    good=taking(CITY),
    evidence="hosts load every declaration before the first word of a conversation",
)
def tool_budget(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool's declaration costs more than the budget (`tokens-per-tool`, 2,500).

    It is paid with every request, whether the tool is called or not.
    """
    limit = using.limit("tokens-per-tool")
    count = _tokens(tool) if len(_text(tool)) > limit else 0  # no token is less than a character
    if count > limit:
        message = f"the declaration has {count:,} tokens ({_SAID}), the budget is {limit:,}"
        yield Fault(message, ("name",), hint="shorten descriptions and enums")


_SEVERAL = [
    declared(
        name=f"get_forecast_{number}", description=f"Tell the weather in region {number}. " * 99
    )
    for number in range(40)
]


@rule(
    "T002 set-budget",
    Severity.WARNING,
    bad=_SEVERAL,
    good=_SEVERAL[:2],
    evidence="hosts warn from 25,000 tokens of tools on",
    scope="set",
)
def set_budget(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """All tools together cost more than the budget (`tokens-per-set`, 25,000).

    The context is full before the conversation has begun, and models choose worse among many.
    """
    limit = using.limit("tokens-per-set")
    count = sum(map(_tokens, tools)) if sum(len(_text(each)) for each in tools) > limit else 0
    if count > limit:
        message = f"{len(tools)} tools have {count:,} tokens ({_SAID}), the budget is {limit:,}"
        yield Fault(message, (), hint="offer fewer at a time", tool=tools[0])


_LEAST_WASTE = 50  # tokens of one tool, and a tenth of it, before it is worth a word
_TITLED = {
    f"parameter_number_{number}": {**CITY, "title": f"Parameter Number {number}"}
    for number in range(10)
}


@rule(
    "T004 wasted-tokens",
    Severity.INFO,
    bad=declared(inputSchema={"type": "object", "properties": _TITLED}),
    good=declared(
        inputSchema={"type": "object", "properties": dict.fromkeys(_TITLED, CITY)},
    ),
    evidence="pydantic writes a title for each field, and null for each optional",
    fixable=True,
)
def wasted_tokens(tool: Subject, using: Using) -> Iterator[Fault]:
    """Titles that repeat the names of parameters make up a good part of a declaration.

    Generators write them, and they tell a model nothing.
    """
    del using
    found = list(_titles(tool))
    waste = sum(ESTIMATE.count(compact({"title": title})) for _, title in found)
    if waste >= max(_LEAST_WASTE, _tokens(tool) / 10):
        yield Fault(
            f"{len(found)} titles only repeat names: {waste} tokens ({_SAID})",
            found[0][0],
            hint="leave generated titles out",
            edits=tuple(Edit(path, remove=True) for path, _ in found),
        )


def _titles(tool: Subject) -> Iterator[tuple[Path, str]]:
    for path, _, schema in tool.spots:
        title = schema.get("title") if isinstance(schema, Mapping) else None
        if not isinstance(title, str) or tool.dialect == "jsonschema":
            continue
        name = str(path[-1]) if path else f"{tool.label}Arguments"
        if _folded(title) in (_folded(name), _folded(tool.label)):
            yield ("inputSchema", *path, "title"), title


def _folded(text: str) -> str:
    return "".join(each for each in text.lower() if each.isalnum())
