"""Which characters of a text nobody sees, knowing what scripts and emoji need."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
from .pattern import Pattern

__all__ = ["controls", "disguised", "hidden", "spelled", "undisguised", "without"]

# Everything that may be hidden; what of it is needed where it stands is decided below.
_SUSPECT = Pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROL = Pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

_JOINS = Pattern(  # Arabic, Syriac, the scripts of India, Tibetan, Burmese, Khmer, Mongolian
    "[\u0600-\u07ff\u0860-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\ua87f"
    "\ufb50-\ufdff\ufe70-\ufefe\U00010b00-\U00010fff\U00011000-\U000114ff]"
)
_UNSPACED = Pattern(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\uaa60-\uaa7f]"
)
_IDEOGRAPH = Pattern("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_RIGHT_TO_LEFT = Pattern(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_PICTURE = Pattern(
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff"
    "\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_FLAG = Pattern("\U0001f3f4[\U000e0020-\U000e007e]{1,30}\U000e007f")
_MONGOLIAN = Pattern("[\u1800-\u18af]")
_VARIED = Pattern(
    "[\u0000-\u00ff\u1000-\u109f\u2200-\u22ff\u2a00-\u2aff\u3000-\u303f\uff00-\uffef]"
)
_MARKS = frozenset("\u200e\u200f\u061c")  # of direction: a second one says nothing new
_OPEN, _CLOSE = "\u202a\u202b\u2066\u2067\u2068", "\u202c\u2069"


def controls(text: str) -> list[tuple[int, str]]:
    """The control characters but for tab and line ends, each with where it stands."""
    return [(found.start(), found[0]) for found in _CONTROL.finditer(text)]


def hidden(text: str) -> list[tuple[int, str]]:
    """The characters that nobody sees and no script or emoji around them needs."""
    if text.isascii():
        return []
    flags = {at for found in _FLAG.finditer(text) for at in range(*found.span())}
    directed = bool(_RIGHT_TO_LEFT.search(text))
    enclosed = directed and _is_balanced(text)
    return [
        (found.start(), found[0])
        for found in _SUSPECT.finditer(text)
        if found.start() not in flags
        and not _is_needed(text, found.start(), directed=directed, enclosed=enclosed)
    ]


# Cyrillic and Greek letters that no one can tell from Latin ones.
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04cf\u0410\u0412\u0415"
    "\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406\u0408\u0405"
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aeopcyxijsdlABEKMHOPCTXIJSoABEZHIKMNOPTYX",
)
_WORD = Pattern(r"[^\W\d_]{2,}")
_LATIN = Pattern("[A-Za-z]")
_OTHER = Pattern("[\u0370-\u052f]")


def disguised(text: str) -> list[str]:
    """The Latin words of a text in which letters of another script stand for Latin ones.

    None where the text has words of that script, too: then its author writes in it.
    """
    if text.isascii():
        return []
    words = [word for word in _WORD.findall(text) if not word.isascii() and _OTHER.search(word)]
    mixed = [word for word in words if _LATIN.search(word)]
    if len(mixed) < len(words):
        return []
    return [word for word in mixed if word.translate(_LOOKALIKES).isascii()]


def undisguised(text: str) -> str:
    """The text with Latin letters in its disguised words."""
    for word in disguised(text):
        text = text.replace(word, word.translate(_LOOKALIKES))
    return text


def _is_needed(text: str, at: int, *, directed: bool, enclosed: bool) -> bool:
    """Whether what stands around needs it.

    `directed`: the text has letters that are written from right to left; `enclosed`: and what is
    opened in it for them is closed.
    """
    sign = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    match sign:
        case "\u00ad":  # a soft hyphen inside a word that is long enough to be broken
            return before.isalpha() and after.isalpha() and _is_long(text, at)
        case "\u200d":  # joiner
            drawn = _is_picture(text, at - 1) and bool(_PICTURE.match(after))
            return drawn or bool(_JOINS.match(before))
        case "\u200c":  # non-joiner
            return bool(_JOINS.match(before)) and (not after.strip() or bool(_JOINS.match(after)))
        case "\u200b" | "\u2060":  # a place where a line may break, or may not
            return bool(_UNSPACED.match(before) or _UNSPACED.match(after))
        case "\u200e" | "\u200f" | "\u061c":  # marks of direction
            return directed and before not in _MARKS and after not in _MARKS
    if sign in _OPEN or sign in _CLOSE:
        return enclosed
    return _is_variation(sign, before)


_LONG = 8  # letters of a word that a line may break


def _is_long(text: str, at: int) -> bool:
    low = high = at
    lowest, highest = max(0, at - 2 * _LONG), min(len(text), at + 2 * _LONG)
    while low > lowest and (text[low - 1].isalpha() or text[low - 1] == "\u00ad"):
        low -= 1
    while high < highest and (text[high].isalpha() or text[high] == "\u00ad"):
        high += 1
    return len(text[low:high].replace("\u00ad", "")) >= _LONG


def _is_variation(sign: str, before: str) -> bool:
    if sign in "\ufe0e\ufe0f":
        return bool(_PICTURE.match(before))
    if "\ufe00" <= sign <= "\ufe0d":
        fitting = _IDEOGRAPH.match(before) or (_VARIED.match(before) and not before.isspace())
        return bool(fitting) and before != "" and sign <= "\ufe02"
    if "\U000e0100" <= sign <= "\U000e01ef":
        return bool(_IDEOGRAPH.match(before))
    return "\u180b" <= sign <= "\u180f" and bool(_MONGOLIAN.match(before))


def _is_picture(text: str, at: int) -> bool:
    """Whether an emoji ends there: a picture, with a skin or a style behind it."""
    while at > 0 and text[at] == "\ufe0f":
        at -= 1
    return at >= 0 and bool(_PICTURE.match(text[at])) and not text[at].isascii()


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign in _OPEN) - (sign in _CLOSE)
        if depth < 0:
            return False
    return depth == 0


def spelled(signs: Iterator[str] | list[str]) -> str:
    """What tag characters spell; empty where none are among them."""
    return "".join(
        chr(ord(sign) - 0xE0000) for sign in signs if "\U000e0020" <= sign <= "\U000e007e"
    )


def without(text: str, found: list[tuple[int, str]]) -> str:
    """The text without these characters."""
    gone = {at for at, _ in found}
    return "".join(sign for at, sign in enumerate(text) if at not in gone)
