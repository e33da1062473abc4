"""What a tool does by the words of its name and its description: reads, writes or destroys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence
from .pattern import Pattern

__all__ = ["destroys", "only_reads", "verb_of", "writes"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRITES = _words(
    "append clear create delete destroy drop edit erase insert install kill modify move "
    "overwrite patch purge remove rename replace save send set terminate truncate uninstall "
    "update upload upsert wipe write"
)
# Words that are a noun as often, as in book_details: the description has to begin with one, too.
_WRITES_OR_NAMES = _words(
    "add approve archive assign ban block book buy cancel charge commit deploy deposit disable "
    "email enable grant invite lock mail merge migrate notify order pay post publish purchase "
    "push reboot refund register reply reschedule reserve reset restart restore revoke "
    "rollback rotate schedule share submit transfer unlock upgrade withdraw"
)
# Of the former those that begin a name as a noun, too: patch_notes, drop_rates, update_check.
_NAMES_TOO = _words("drop edit move patch save send set update write")
_EITHER = _WRITES | _WRITES_OR_NAMES
_DESTROYS = _words("delete destroy drop erase kill purge remove truncate uninstall wipe")
_READS = _words("describe find get list lookup read search show")
# Of these the second word of a name can be a server's verb, as in github_delete_repo.
_BEHIND = _words("create delete destroy erase insert overwrite purge remove uninstall upsert wipe")
_SERVERS = _words("book email mail order")  # verbs that are the name of a server as often
# What makes the word before it a noun, as in delete_history or remove_count.
_OF_IT = _words(
    "count history info link list log logs permission permissions policy report request requests"
    " stats status url"
)
# First words that are a verb already, or ask a question: no server's name.
_NO_SERVERS = _READS | _words(
    "abort after analyze before calculate can check close compare compute convert count diff dry"
    " estimate explain fetch format generate has how is parse plan preview query render retrieve"
    " pause resume return run should simulate start stop suggest summarize test text validate"
    " verify view wait watch what"
)
_BEGINS = Pattern(
    r"\s*(?P<verb>[A-Za-z]+?)(?:e?s)?\s+(?:an?|the|this|one|all|some|every|new|several|[a-z]+'s)\s"
)
_BEGINS_READING = Pattern(
    r"\W*(?:gets?|lists?|returns?|reads?|shows?|finds?|checks?|fetch(?:es)?|retrieves?"
    r"|search(?:es)?|describes?|counts?|looks? up|computes?|compares?|validates?)\b"
    r"(?!\s+(?:and|or)\b)",
    re.IGNORECASE,
)
_SAYS_DESTROYS = Pattern(
    r"\b(?:permanently|irreversibly)\s+(?:delet|remov|eras|destroy|wip|drop|purg)|"
    r"^\s*(?:delete|remove|erase|destroy|drop|purge|wipe)s?\b",
    re.IGNORECASE,
)
_SAYS_NOT = Pattern(r"\b(?:never|not|n't|without|no longer|dry[- ]run|preview)\b", re.IGNORECASE)
# “Get the user and delete it”: a second deed in a first sentence that begins with reading.
_AND = Pattern(
    r"\s*(?:get|list|find|read|fetch|search|show|retrieve|look|return)(?:e?s)?\b"
    r"(?P<first>[^.!?\n]{0,120}?)\b(?:and|then)\s+(?:then\s+|also\s+)?"
    r"(?:(?:delete|erase|purge|wipe|cancel|terminate|kill|destroy|overwrite|revoke|uninstall)(?:e?s)?"
    r"\s+(?:it|them|the|all|any|every|each|those|these|this|that|old|stale|expired)"
    r"|(?:remove|drop|archive|send|email|publish|upload|update|replace)(?:e?s)?\s+(?:it|them))\b",
    re.IGNORECASE,
)
_ABOUT_DEEDS = Pattern(
    r"\b(?:who|that|which|can|could|may|might|to|how|whether|would|will|allowed|not|never"
    r"|without)\b|n't\b",
    re.IGNORECASE,
)
# “Create a free API key”: what a system keeps, where a chart or a hash is only given back.
_MAKES = Pattern(
    r"\W*(?:creates?|registers?|adds?|opens?)\s+(?:an?|the|new|one)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:key|account|user|token|ticket|issue|order|record|row|entry|folder|repo|repository|branch"
    r"|project|task|event|invoice|payment|booking|subscription|webhook|database|bucket|instance"
    r"|secret|reservation|member|group|channel|customer|contact|campaign)s?\b",
    re.IGNORECASE,
)
# Words of a name by which it works on what is shown, or on what no system keeps.
_IN_HAND = _words(
    "accents cursor diacritics filters highlight highlights punctuation selection stopwords tokens"
    " viewport whitespace zoom"
)
_SAYS_IN_HAND = Pattern(
    r"\b(?:from|in|of|on|into|to) (?:(?:an?|the|some|this|any|each|given|input|provided|plain|raw"
    r"|passed) )*(?:texts?|(?:text )?strings?|images?|pictures?|photos?|json|html|markdown|xml|yaml"
    r"|sentences?|expressions?|inputs?|arguments?)\b"
    r"(?! (?:files?|cells?|documents?|fields?|columns?|box(?:es)?|layers?|nodes?|blocks?"
    r"|variables?))"
    r"|^\W*(?:truncate|trim|shorten|cut)s? (?:an? |the |some )?(?:texts?|strings?)\b",
    re.IGNORECASE,
)
# Verbs by which a text is changed and given back; the others change what is kept somewhere.
_FOR_TEXTS = _words(
    "append clear drop edit insert modify move patch purge remove replace set truncate wipe"
)
_GIVES_BACK = Pattern(
    r"\W*creates?\s+(?:an?|the|new)\s+(?:[\w-]+\s+){0,3}?(?:chart|diagram|graph|plot|hash|qr code"
    r"|embedding|summary|preview|thumbnail|checksum|uuid|regex|outline|palette|estimate)s?\b",
    re.IGNORECASE,
)
_WOULD = Pattern(
    r"^\W*(?:an? |the )?(?:dry[- ]run|previews?|simulat\w+|estimates?)\b|\bnon-?mutating\b"
    r"|\bwould (?:be )?(?:remove|delete|change|overwrite|create|update|affect|happen|do\b)"
    r"|\b(?:without|does not|doesn't|never) (?:actually )?(?:chang|modify|delet|writ|apply|remov"
    r"|execut|alter|mutat|touch|creat|mak)\w*",
    re.IGNORECASE,
)
_TRIES = _words("preview dryrun dry simulate simulation estimate")

By = Literal["", "name", "text"]


def verb_of(words: Sequence[str]) -> str:
    """The word of a name that says what is done: the first, or the one behind a server's name."""
    first, second = ([*words, "", ""])[:2]
    known = first in _NO_SERVERS or first in _EITHER - _SERVERS
    if known or second not in _BEHIND | _READS or words[-1] in _OF_IT:
        return first
    return second


def writes(words: Sequence[str], text: str) -> By:
    """By what one sees that a tool changes something; empty where it does not.

    `words` are those of its name in lower case, `text` is its description.
    """
    if _only_tries(words, text):
        return ""
    verb, spared = verb_of(words), _is_in_hand(words, text)
    doubtful = verb not in words[:1] or verb in _NAMES_TOO
    spared_here = (spared and verb in _FOR_TEXTS) or (doubtful and _BEGINS_READING.match(text))
    if verb in _WRITES and not spared_here and not _GIVES_BACK.match(text):
        return "name"
    if verb in _WRITES_OR_NAMES and _begins_with_writing(text):
        return "name"
    if _says_destroys(text) and not spared:
        return "text"
    return "text" if _does_besides(text) or (_MAKES.match(text) and verb in _READS) else ""


def destroys(words: Sequence[str], text: str) -> By:
    """By what one sees that a tool takes something away; empty where it does not."""
    if _only_tries(words, text):
        return ""
    verb, spared = verb_of(words), _is_in_hand(words, text)
    if verb in _DESTROYS and not (spared and verb in _FOR_TEXTS):
        return "name"
    return "text" if _says_destroys(text) and not spared else ""


def only_reads(words: Sequence[str], text: str) -> bool:
    """Whether the name begins with a word for reading, and neither it nor the text says more."""
    says = _says_destroys(text) or _does_besides(text)
    verb = verb_of(words)
    return verb in _READS and not set(words[words.index(verb) :]) & _EITHER and not says


def _says_destroys(text: str) -> bool:
    return bool(_SAYS_DESTROYS.search(text)) and not _SAYS_NOT.search(text)


def _does_besides(text: str) -> bool:
    found = _AND.match(text)
    return found is not None and not _ABOUT_DEEDS.search(found["first"])


def _begins_with_writing(text: str) -> bool:
    """Whether it says first what is done to something: “Cancels an order”, “Move the mail”."""
    found = _BEGINS.match(text)
    verb = found["verb"].lower() if found else ""
    return verb in _EITHER or f"{verb}e" in _EITHER


def _is_in_hand(words: Sequence[str], text: str) -> bool:
    """Whether it works on its own argument or on what is shown, by the name or the text."""
    return bool(set(words) & _IN_HAND) or bool(_SAYS_IN_HAND.search(text[:300]))


def _only_tries(words: Sequence[str], text: str) -> bool:
    """Whether it shows what would be done, and does not do it."""
    return bool(set(words[:1]) & _TRIES or set(words[-1:]) & _TRIES or _WOULD.search(text[:500]))
