"""How a docstring's entry opens in each style: the names it documents, and where its text is."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Head", "dedented", "field_head", "google_head", "is_field", "is_telling", "numpy_head"]

_COLONS = ":\uff1a"
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_NAME = re.compile(
    r"(?P<quote>`{1,2}|\*\*|['\"]|)(?P<name>(?:\\?\*){0,2}[^\W\d](?:[\w.-]*\w)?)(?P=quote)"
)
_BULLET = re.compile(r"(?:[-*+•‣–]|\d{1,2}[.)])[ \t]+")
_DASH = re.compile(r"(?<=[ \t])(?:--?|–|=)[ \t]+|—[ \t]*")
_DEFAULT = re.compile(r"[ \t]*=[ \t]*[^:\s]+(?=[ \t]*[(:\uff1a])")
_FIELD = re.compile(
    r"""(?P<mark>[:@\\])
        (?P<kind>param|parameter|arg|argument|key|keyword|kwarg|kwparam|type|kwtype|paramtype)
        (?:\[[\w, ]*\])?[ \t]+(?P<rest>\S.*)""",
    re.DOTALL | re.VERBOSE,
)
_ANY_FIELD = re.compile(r":[A-Za-z][^:`]*:(?:\s|$)|[@\\][A-Za-z]+(?:\s|$|:)")
# Words that open a remark on the entry above, in a place where a name might stand.
_REMARK = re.compile(
    r"""note|notes|nb|warning|warnings|caution|important|tip|hint|defaults?|examples?|see|todo
        |required|optional|e\.g|i\.e|eg|ie|https?|ftp|file|deprecated|or|and|options?|choices
        |values?|one|either|valid|allowed|supported|possible|format|type|returns?|raises?|yields?""",
    re.VERBOSE,
)
_TYPE_WORD = re.compile(
    r"""\b(?:int|integers?|floats?|str|strings?|bool|booleans?|list|dict|tuple|sets?|arrays?
        |array[-_]like|sequence|iterable|iterator|callable|object|None|optional|default|scalars?
        |numbers?|functions?|path|file|ndarray|matrix|DataFrame|Series|bytes|datetime|Any|Union
        |Literal|instance|shape|type|dtype)\b|[\[\]{}|]""",
    re.VERBOSE,
)
_WORD = re.compile(r"[\w.-]+")
_PLAIN = re.compile(rf"{_TYPE_WORD.pattern}|or|of|and|true|false|\d+", re.IGNORECASE | re.VERBOSE)
_STOPS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")


@dataclass(frozen=True, slots=True)
class Head:
    """An entry's opening: its names without stars, the text that follows, and how sure it is.

    `real` says that the function has a parameter of one of the names; `typed` that a type stands
    behind the name; neither, and the line may as well be prose. `kind` is what NumPy's style has
    in a type's place.
    """

    names: tuple[str, ...]
    text: str
    real: bool
    typed: bool = False
    kind: str = ""
    bulleted: bool = False

    @property
    def ghost(self) -> bool:
        """Whether this opens an entry though the function has no such parameter."""
        first = self.names[0]
        word = first.isascii() and first.isidentifier() and not first[0].isupper()
        return self.typed or (word and not _REMARK.fullmatch(first))


def google_head(block: str, known: Collection[str]) -> Head | None:
    """Read `name: text`, `name (type): text` and what people write like it.

    `block` may go on over the following lines, for a type may.
    """
    at = len(block) - len(block.lstrip())
    bullet = _BULLET.match(block, at)
    names, end = _names(block, bullet.end() if bullet else at)
    if not names:
        return None
    real = any(name in known for name in names)
    default = _DEFAULT.match(block, end) if real else None
    behind, typed = _past_type(block, default.end() if default else end)
    if block[behind : behind + 1] and block[behind] in _COLONS:
        if block.startswith("//", behind + 1) or (len(names) > 1 and not real):
            return None
        text = block[behind + 1 :]
        if not typed and block[behind - 1] == " ":
            text = _without_kind(text)
        return Head(names, text, real, typed, bulleted=bool(bullet))
    if not real:
        return None
    if dash := _DASH.match(block, behind):
        return Head(names, block[dash.end() :], real, typed, bulleted=bool(bullet))
    line_ends = block.startswith("\n", behind) or behind == len(block)
    if not line_ends and not typed:
        return None
    return Head(names, block[behind:], real, typed, bulleted=bool(bullet))


def _without_kind(text: str) -> str:
    """Text below a line that has only a type, which NumPy's style puts behind ` : `."""
    first, _, others = text.partition("\n")
    words = _WORD.findall(first)
    if others.strip() and words and all(_PLAIN.fullmatch(word) for word in words):
        return others
    return text


def numpy_head(line: str, known: Collection[str]) -> Head | None:
    """Read `name : type` or `name`; `text` is a sentence in the type's place, mostly none.

    A line that is neither, but has a blank colon or stands for several (`a, b, ... : int`), is
    read under its own words.
    """
    names, end = _names(line, len(line) - len(line.lstrip()))
    real = any(name in known for name in names)
    behind, bracketed = _past_type(line, end)
    rest = line[behind:].strip()
    if names and not rest:
        return Head(names, "", real, bracketed)
    if not names or not rest or rest[0] not in _COLONS:
        label, colon, said = line.strip().partition(" : ")
        return Head((label,), "", real=False, typed=True, kind=said.strip()) if colon else None
    said = rest[1:].strip()
    typed = bracketed or (line[behind - 1 : behind] == " " and bool(said))
    return Head(names, said if _is_text(said) else "", real, typed, said)


def is_telling(kind: str) -> bool:
    """Whether a type says something that the schema's own type will not: `int in [0, 255]`."""
    words = _WORD.findall(kind)
    return len(words) > 2 and not all(_PLAIN.fullmatch(word) for word in words)  # noqa: PLR2004


def is_field(line: str) -> bool:
    """Whether any reST, Epydoc or Doxygen field opens here, of a parameter or not."""
    bare = line.lstrip()
    return bool(_ANY_FIELD.match(bare) or _FIELD.match(bare))


def field_head(block: str, known: Collection[str]) -> Head | None:
    """Read `:param type name: text`, `@param name: text` and their synonyms; a type has no text."""
    match = _FIELD.match(block.lstrip())
    if match is None:
        return None
    rest = match["rest"]
    colon = _first_colon(rest)
    if match["mark"] != ":":
        return _at_field(match["kind"], rest, known)
    if colon < 0:
        return None
    words = rest[:colon].replace("\\", "").split()
    bare = [word.strip("*`,") for word in words]
    names = tuple(name for name in (bare[-1], bare[0]) if name in known)[:1] or (bare[-1],)
    if len(bare) > 1 and all(name in known for name in bare):
        names = tuple(bare)
    if not _NAME.fullmatch(names[0]):
        return None
    text = "" if "type" in match["kind"] else rest[colon + 1 :]
    return Head(names, text, real=any(name in known for name in names))


def _at_field(kind: str, rest: str, known: Collection[str]) -> Head | None:
    if rest.startswith("{"):
        rest = rest[_balanced(rest, 0) :].lstrip()
    match = _NAME.match(rest)
    if match is None:
        return None
    name = match["name"].replace("\\", "").strip("*")
    text = rest[match.end() :]
    bare = text.lstrip(" \t")
    if bare[:1] and bare[0] in _COLONS:
        text = bare[1:]
    elif dash := _DASH.match(text, len(text) - len(bare)):
        text = text[dash.end() :]
    elif text and not text[0].isspace():
        return None
    return Head((name,), "" if "type" in kind else text, real=name in known)


def dedented(text: str) -> str:
    """An entry's text: its first line, and the others without the indent they share."""
    first, _, others = text.partition("\n")
    return f"{first.strip()}\n{textwrap.dedent(others)}".strip()


def _names(text: str, at: int) -> tuple[tuple[str, ...], int]:
    names: list[str] = []
    while match := _NAME.match(text, at):
        names.append(match["name"].replace("\\", "").strip("*"))
        at = match.end()
        comma = re.compile(r"[ \t]*[,，、/][ \t]*").match(text, at)
        if comma is None or not _NAME.match(text, comma.end()):
            break
        at = comma.end()
    return tuple(names), at


def _past_type(text: str, at: int) -> tuple[int, bool]:
    """Behind a bracketed type and the blanks around it, and whether there was one."""
    behind = at + len(text[at:]) - len(text[at:].lstrip(" \t"))
    if text[behind : behind + 1] not in ("(", "[", "<", "{", "\uff08"):
        return behind, False
    end = _balanced(text, behind)
    if end < 0:
        return behind, False
    return end + len(text[end:]) - len(text[end:].lstrip(" \t")), True


def _balanced(text: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`, or -1; arrows close nothing."""
    opening = text[at]
    closing = _BRACKETS.get(opening, "\uff09")
    level = 0
    for end in range(at, len(text)):
        if text[end] == opening:
            level += 1
        elif text[end] == closing and text[end - 1] not in "-=":
            level -= 1
            if not level:
                return end + 1
        elif text.startswith("\n\n", end):
            break
    return -1


def _first_colon(text: str) -> int:
    """Where the first colon outside brackets stands on the first line, or -1."""
    level = 0
    for at, sign in enumerate(text.partition("\n")[0]):
        if sign in "([{":
            level += 1
        elif sign in ")]}":
            level -= 1
        elif sign in _COLONS and level <= 0:
            return at
    return -1


def _is_text(said: str) -> bool:
    """Whether what stands in a type's place is a sentence about the parameter."""
    if " " in said and said.endswith(_STOPS):
        return True
    return len(said.split()) > 2 and not _TYPE_WORD.search(said)  # noqa: PLR2004 - "a kind of x"
