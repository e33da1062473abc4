"""Texts that give orders to a model, told apart from texts that speak of such orders."""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from .unicode import hidden, undisguised, without

if TYPE_CHECKING:
    from collections.abc import Iterator
from .pattern import Pattern

__all__ = ["CONCEALING", "OVERRIDING", "STEERING", "Order", "found_in", "is_mentioned", "plain"]

# The kinds of orders: to drop instructions, to act behind the user's back, to steer other tools.
OVERRIDING = "overriding"
CONCEALING = "concealing"
STEERING = "steering"

# Words by which a text speaks of such orders, and gives none.
_SPEAKS_OF = Pattern(
    r"\b(?:detect|flag|block|scan|classif|phras|pattern|such as|like|e\.?g|for example"
    r"|for instance|(?<![./\w])examples?\b(?![./])|attempt|inject|jailbreak"
    r"|look(?:s|ing)? for|refus|reject|filter"
    r"|moderat|guard|attack|malicious|adversarial|suspicious|signature"
    r"|test(?:s|ing)? (?:whether|if|for|how)|checks? (?:whether|if|for)|sanitiz|sanitis|redact"
    r"|strip|mask|prevent|protect|defen[cds]|audit|lint|warn(?:s|ing)? (?:about|of|against)"
    r"|tries to|try to|trying to|trick(?:s|ed|ing)?\b|(?:tell|ask)(?:s|ing)? (?:a|the) model to)",
    re.IGNORECASE,
)
_QUOTES = Pattern(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|`[^`\n]{1,200}`|«[^»\n]{1,200}»"
    r"|„[^“”\n]{1,200}[“”]|(?<!\w)'[^'\n]{1,200}'(?!\w)|「[^」]{1,200}」|『[^』]{1,200}』"
)
_REPORTED = Pattern(
    r"\b(?:to|that|which|who|can|could|may|might|would|will|attempts?|tries|trying|telling)\s+$",
    re.IGNORECASE,
)
_LISTED = Pattern(  # behind it everything up to the sentence's end is an example
    r"\b(?:such as|like|e\.?g\.?|for (?:example|instance)|phrases|patterns|examples?)\s*:[^:]*$",
    re.IGNORECASE,
)
_TRIED = Pattern(  # an imperative of its own, at the beginning of a sentence
    r"\W*(?:(?:please|now|then|and|always|first|next|you (?:must|should|have to|need to))\s+)*"
    r"(?:try|attempt)\s+to\s+",
    re.IGNORECASE,
)
_NAMES_IT = Pattern(  # behind a quotation: the sentence is about what it quotes
    r"[\s)]*(?:(?:is|are|was|were|means?|counts?|appears?|occurs?|will|would|should|must|can|gets?)\b"
    r"|as (?:an? |the )?(?:\w+ )?(?:texts?|strings?|data|injections?|attacks?|unsafe|suspicious"
    r"|hostile|malicious|examples?|jailbreaks?|literals?)\b"
    r"|(?:and|or) (?:similar|the like|other)\b|-?(?:style|like)\b"
    r"|(?:\w+\s+)?(?:phrases?|patterns?|attacks?|injections?|strings?|texts?|attempts?|payloads?)\b)",
    re.IGNORECASE,
)
_IN_A_URL = Pattern(r"https?://\S*[/=_-]$", re.IGNORECASE)
_URL_GOES_ON = Pattern(r"[\w%-]*(?:\.[A-Za-z]{2,5}\b|[/?#&])")
_ORDERED = (":", ";", "-", "—", ">", "]", "*")  # behind one of these an imperative begins

_WRAPPED = Pattern(r"(?<=[\w,;])[ \t]*\n[ \t]*(?=[a-z])(?![\w \t]{1,20}:)")
_APOSTROPHE = Pattern(r"(?<=\w)[’ʼ‘](?=\w)")
_RUNS = Pattern(r"\s{3,}")  # what is long enough to make a pattern slow
_LONGEST = 600  # characters of a sentence that are looked at
_MOST = 100  # of one order in one text: who quotes it more often gives it
_NEAR = 25  # characters before a colon in which a word says that examples follow


@dataclass(frozen=True, slots=True)
class Order:
    """A pattern, and what a text has to contain in lower case before it is worth trying.

    Where `unless` fits the sentence before it, the text forbids what the pattern looks for.
    """

    when: tuple[str, ...]
    text: str
    unless: str | None = None

    def is_worth(self, lowered: str) -> bool:
        """Whether the text has one of the words; a plain loop, since it runs most often of all."""
        for word in self.when:  # noqa: SIM110 - a generator takes twice the time
            if word in lowered:
                return True
        return False


@functools.cache
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@functools.cache
def _orders(kind: str) -> tuple[Order, ...]:
    text = resources.files(__package__ or "").joinpath("phrases.toml").read_text("utf-8")
    data = tomllib.loads(text)
    words: dict[str, str] = data["words"]

    def written(pattern: str) -> str:
        return re.sub("<<([a-z]+)>>", lambda found: written(words[found[1]]), pattern)

    return tuple(
        Order(tuple(one["when"]), written(one["pattern"]), written(one.get("unless", "")) or None)
        for one in data[kind]
    )


def plain(text: str) -> str:
    """The text as a model reads it: letters in their plain form, what is hidden taken out."""
    if text.isascii():
        return text
    seen = without(text, hidden(text)).replace("\u00ad", "")
    return _APOSTROPHE.sub("'", unicodedata.normalize("NFKC", undisguised(seen)))


def found_in(text: str, kind: str) -> Iterator[re.Match[str]]:
    """The orders of a kind in a text, one for each pattern; none that it quotes or reports."""
    text = _RUNS.sub(lambda run: "\n\n" if "\n" in run[0] else " ", text)
    text = _WRAPPED.sub(" ", text).replace("**", "")
    lowered = text.lower()
    quotes: list[tuple[int, int]] | None = None
    for order in _orders(kind):
        if not order.is_worth(lowered):
            continue
        for number, found in enumerate(_compiled(order.text).finditer(text)):
            if quotes is None:
                quotes = [each.span() for each in _QUOTES.finditer(text)]
            before = text[_sentence(text, found.start()) : found.start()]
            forbidden = order.unless and _compiled(order.unless).search(before)
            reported = _is_reported(before, found, quotes) or _is_named(before, found, quotes)
            if number > _MOST or not (forbidden or reported):
                yield found
                break


def is_mentioned(found: re.Match[str]) -> bool:
    """Whether a text only quotes or reports what was found in it."""
    text = found.string
    before = text[_sentence(text, found.start()) : found.start()]
    near = max(0, found.start() - _LONGEST)  # quotes around it, and no others, are of interest
    quotes = [each.span() for each in _QUOTES.finditer(text, near, found.end() + _LONGEST)]
    return _is_reported(before, found, quotes) or _is_named(before, found, quotes)


def _is_reported(before: str, found: re.Match[str], quotes: list[tuple[int, int]]) -> bool:
    if _TRIED.fullmatch(before) or not _SPEAKS_OF.search(before):
        return False
    quoted = any(low <= found.start() and found.end() <= high for low, high in quotes)
    told = _SPEAKS_OF.search(before[-_NEAR:]) or _LISTED.search(before)
    ordered = before.rstrip().endswith(_ORDERED) and not told
    return quoted or bool(_REPORTED.search(before)) or not ordered


def _is_named(before: str, found: re.Match[str], quotes: list[tuple[int, int]]) -> bool:
    """Whether it is quoted and the sentence goes on about it, or is a part of an address."""
    rest = found.string[found.end() : found.end() + _LONGEST]
    if _IN_A_URL.search(before) and _URL_GOES_ON.match(rest):
        return True
    around = next((each for each in quotes if each[0] <= found.start() < each[1]), None)
    if around is None or found.end() > around[1]:
        return False
    return bool(_NAMES_IT.match(found.string[around[1] : around[1] + _LONGEST]))


def _sentence(text: str, at: int) -> int:
    """Where the sentence around a place begins."""
    start = max(0, at - _LONGEST)
    ends = re.finditer(r"[.!?](?:\s|$)|\n\n|[。！？]", text[start:at])
    return start + max((found.end() for found in ends), default=0)
