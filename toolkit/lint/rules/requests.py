"""What providers refuse in a whole request: too many tools, too much for a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ...formats.limits import check_request
from ..rule import Fault, rule
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rule import Using
    from ..subject import Subject

__all__: list[str] = []

_OPENAI = ("openai", "openai-strict", "azure-openai")
_GEMINI = ("gemini", "gemini-openapi")
_STRICT = ("anthropic-strict", "bedrock-strict")


def _set(count: int) -> list[dict[str, Any]]:
    return [
        declared(name=f"get_forecast_{each}", description=f"Tell the weather {each} days from now.")
        for each in range(count)
    ]


def _over(tools: Sequence[Subject], using: Using, names: Sequence[str]) -> Iterator[Fault]:
    for profile in using.among(*names):
        schemas = [(one.label, one.input_schema if one.is_sound else {}) for one in tools]
        for each in check_request(schemas, profile):
            if each.code == "F303":
                yield Fault(each.message, tool=tools[0], profile=profile.name)


@rule(
    "C106 o-tool-count",
    Severity.ERROR,
    bad=_set(129),
    good=_set(3),
    evidence="API error array_above_max_length, zed-industries/zed#32946",
    profiles=_OPENAI,
    scope="set",
)
def openai_count(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """There are more tools than OpenAI takes in one request (128).

    The request is refused.
    """
    yield from _over(tools, using, _OPENAI)


@rule(
    "C203 as-complexity",
    Severity.ERROR,
    bad=_set(21),
    good=_set(3),
    evidence="Anthropic's guide: 20 strict tools, 24 optional parameters, 16 unions in a request",
    profiles=_STRICT,
    scope="set",
)
def strict_complexity(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """All strict tools together are more than the provider compiles into one grammar.

    The request is refused: “compiled grammar is too large”, “schema is too complex”.
    """
    yield from _over(tools, using, _STRICT)


@rule(
    "C304 g-tool-count",
    Severity.ERROR,
    bad=_set(513),
    good=_set(3),
    evidence="API error “At most 512 function declarations”, google-gemini/gemini-cli#19083",
    profiles=_GEMINI,
    scope="set",
)
def gemini_count(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """There are more tools than Gemini takes in one request (512).

    The request is refused.
    """
    yield from _over(tools, using, _GEMINI)
