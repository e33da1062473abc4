"""Tools that a model can't tell apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from ...findings import Severity
from ..rule import Fault, rule
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rule import Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

_SAME = (
    ("get", "fetch", "retrieve", "obtain", "load"),
    ("find", "search", "query", "lookup"),
    ("delete", "remove", "erase"),
    ("create", "add", "make", "new"),
    ("update", "edit", "modify", "change"),
    ("list", "show", "enumerate"),
    ("send", "dispatch"),
)
_WORD = {word: group[0] for group in _SAME for word in group}
_ALIKE = 0.8  # of the words of two descriptions, those that both have
_ALIKE_BY_NAME = 0.5  # the same, where the names mean the same
_PREAMBLE = 3  # tools that begin with one sentence, from which on it tells none of them apart
_OPPOSITES = (
    ("min", "max"),
    ("first", "last"),
    ("start", "stop"),
    ("start", "end"),
    ("short", "long"),
    ("up", "down"),
    ("left", "right"),
    ("in", "out"),
    ("on", "off"),
    ("old", "new"),
    ("open", "close"),
    ("before", "after"),
    ("input", "output"),
    ("local", "remote"),
    ("public", "private"),
    ("internal", "external"),
    ("upper", "lower"),
    ("row", "column"),
    ("horizontal", "vertical"),
    ("source", "target"),
    ("read", "write"),
    ("enable", "disable"),
    ("incoming", "outgoing"),
    ("north", "south"),
    ("east", "west"),
    ("daily", "weekly"),
)
_MOST_OF_ONE_KEY = 60  # tools; of more with one key, pairs are not all compared


@rule(
    "D009 confusable-tools",
    Severity.WARNING,
    bad=[declared(), declared(name="fetch_forecast")],
    good=[declared(), declared(name="get_alerts", description="Tell of storms near a city.")],
    evidence="models choose the first of two that look alike",
    scope="set",
)
def confusable_tools(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """Two tools look alike: descriptions and parameters of one fit the other.

    A model picks either. Nothing is said where the words that differ are those of the names
    (start and stop), or where one description names the other tool.
    """
    del using
    groups: dict[object, list[int]] = defaultdict(list)
    words = [_words(text) for text in _own(tools)]
    for at, one in enumerate(tools):
        groups["keys", frozenset(one.properties)].append(at)
        if one.text.strip():
            groups["text", " ".join(one.text.lower().split())].append(at)
    told: set[int] = set()
    for key, members in groups.items():
        if len(members) > _MOST_OF_ONE_KEY and isinstance(key, tuple) and key[0] == "keys":
            continue
        for number, second in enumerate(members):
            for first in members[:number]:
                if second not in told and _alike(tools, words, first, second):
                    told.add(second)
                    yield Fault(
                        f"'{tools[second].label}' can't be told from '{tools[first].label}'",
                        ("description",),
                        hint="say in each when to use it rather than the other",
                        tool=tools[second],
                    )
                    break


def _own(tools: Sequence[Subject]) -> list[str]:
    """The descriptions without the sentences that several tools of the set begin with."""
    sentences = [_SENTENCE.split(one.text.strip()) for one in tools]
    openings = Counter(each[0] for each in sentences if len(each) > 1)
    while common := {opening for opening, count in openings.items() if count >= _PREAMBLE}:
        sentences = [
            each[1:] if len(each) > 1 and each[0] in common else each for each in sentences
        ]
        openings = Counter(each[0] for each in sentences if len(each) > 1)
    return [" ".join(each) for each in sentences]


_SENTENCE = Pattern(r"(?<=[.!?])\s+|\n\s*\n")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.lower()))


def _alike(
    tools: Sequence[Subject], words: Sequence[frozenset[str]], first: int, second: int
) -> bool:
    one, other = tools[first], tools[second]
    if one.name == other.name or not one.text.strip() or not other.text.strip():
        return False
    if _names(one.text, other) or _names(other.text, one):
        return False
    a, b = words[first], words[second]
    same_name = _mean_the_same(one, other)
    least = _ALIKE_BY_NAME if same_name else _ALIKE
    if not a or not b or len(a & b) < least * len(a | b) or _arguments(one) != _arguments(other):
        return False
    if a == b or same_name:
        return True
    # Where the names differ by what the descriptions differ by, or these say the opposite, a
    # model can tell the tools apart.
    return not (_told_by(set(one.words) ^ set(other.words), a ^ b) or _opposed(a - b, b - a))


def _told_by(names: set[str], words: frozenset[str]) -> bool:
    """Whether a word of the names, or one that it is short for, is among the words."""
    return any(
        each == name or (len(name) >= _SHORT and each.startswith(name))
        for name in names
        for each in words
    )


_SHORT = 3  # letters of a name's word that may stand for a longer one: min for minimum


def _opposed(a: frozenset[str], b: frozenset[str]) -> bool:
    return any((one in a and other in b) or (one in b and other in a) for one, other in _OPPOSITES)


def _arguments(tool: Subject) -> frozenset[str]:
    return frozenset(tool.properties)


def _mean_the_same(one: Subject, other: Subject) -> bool:
    return {_WORD.get(each, each) for each in one.words} == {
        _WORD.get(each, each) for each in other.words
    }


def _names(text: str, tool: Subject) -> bool:
    return len(tool.label) > 3 and tool.label.lower() in text.lower()  # noqa: PLR2004
