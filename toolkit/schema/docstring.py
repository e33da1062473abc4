"""Docstrings: what they say of each parameter, and what remains without it."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import docstring_parser

from .entries import Head, dedented, field_head, google_head, is_field, is_telling, numpy_head
from .page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Docstring", "parse"]

_HEADER = re.compile(
    r"""(?:(?:Other|Keyword|Optional|Required|Input|Function|Method|Tool)[ -])?
        (?:Args?|Arguments?|Params?|Parameters?)
        |Kwargs|Keywords|参数|參數|引数|パラメータ""",
    re.IGNORECASE | re.VERBOSE,
)
_GOOGLE_HEADER = re.compile(
    r"(?:#{1,6}[ ]+|:)?(?:\*\*)?(?P<title>[^:\uff1a*(]+)(?:\([^)]*\))?(?:\*\*)?[ ]*"
    r"(?P<colon>[:\uff1a]?)(?:\*\*)?"
)
_OTHER_HEADER = re.compile(
    r"""(?:Returns?|Raises?|Yields?|Receives?|Warns?|Warnings?|Notes?|Examples?|See[ ]Also
        |References?|Attributes?|Methods?|Todo|Usage|Exceptions?|Side[ ]Effects?)[ ]*:""",
    re.IGNORECASE | re.VERBOSE,
)
# No style documents a parameter without one of these.
_SIGNS = (":", "---", "@", "===")
_OUTCOME = re.compile(r"(?:Returns?|Raises?|Yields?)[ ]*:", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:none|no (?:arguments|args|parameters|params)|n/?a|无|無|なし)[.。]?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring in two parts.

    `description` is the cleaned text without its parameter sections, else byte for byte.
    `parameters` has a text for each documented name, without stars, in the order of the text;
    names that the function does not have are among them, names without a text are not.
    """

    description: str
    parameters: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines `start` to `end` (exclusive) that document parameters, and what they say."""

    start: int
    end: int
    texts: tuple[tuple[str, str], ...]


def parse(text: str | None, names: Sequence[str]) -> Docstring:
    """Read a docstring in Google, NumPy, reST or Epydoc style, or in several of them.

    `names` are the parameters that the function has, `args` for `*args`. What decides is where
    a line stands: code fences, literal blocks and prose that only looks like a section stay.
    """
    if not text or not text.strip():
        return Docstring("", {})
    page = Page(inspect.cleandoc(text).split("\n"))
    known = frozenset(names)
    parts = list(_parts(page, known, {0, page.base}))
    if not parts and known:
        deeper = {depth for depth in page.indent if depth} - {page.base}
        parts = list(_parts(page, known, deeper))
    found: dict[str, str] = {}
    for part in parts:
        for name, said in part.texts:
            if said and said not in found.get(name, ""):
                found[name] = f"{found[name]}\n\n{said}" if name in found else said
    if not parts and known:
        found = _second_reading(page, known)
    return Docstring(_without(page.lines, parts), found)


def _without(lines: Sequence[str], parts: Sequence[_Part]) -> str:
    """Cut the parts out, each with the blank lines after it."""
    kept: list[str] = []
    at = 0
    for part in parts:
        kept += lines[at : part.start]
        at = part.end
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at > part.end and kept and kept[-1].strip():
            kept.append("")
    kept += lines[at:]
    return "\n".join(kept).strip("\n").rstrip()


def _second_reading(page: Page, known: frozenset[str]) -> dict[str, str]:
    """What the library finds where no part was: it can tell texts, but not where they stand."""
    if not any(sign in line for line in page.lines for sign in _SIGNS):
        return {}
    plain = [
        "" if literal else line for line, literal in zip(page.lines, page.literal, strict=True)
    ]
    try:
        read = docstring_parser.parse("\n".join(plain))
    except (docstring_parser.ParseError, ValueError, IndexError):
        return {}
    return {
        name: param.description.strip()
        for param in read.params
        if (name := param.arg_name.lstrip("*")) in known
        and param.args[0] != "attribute"
        and param.description
    }


def _parts(page: Page, known: frozenset[str], depths: set[int]) -> Iterator[_Part]:
    """Every part whose first line has one of these indents."""
    at = 0
    while at < len(page):
        here: list[_Part] = []
        if page.indent[at] in depths and not page.literal[at] and _stands_free(page, at):
            here = _numpy(page, at, known) or _google(page, at, known) or _field(page, at, known)
        yield from here
        at = max(at + 1, here[-1].end) if here else at + 1


def _stands_free(page: Page, at: int) -> bool:
    return page.depth(at) <= page.base or not page.introduced(at)


def _text(page: Page, start: int, end: int) -> str:
    return "\n".join(page.lines[start:end])


# -- reST, Epydoc -----------------------------------------------------------------------------


def _field(page: Page, at: int, known: frozenset[str]) -> list[_Part]:
    if not is_field(page.lines[at]):
        return []
    end = _field_end(page, at)
    head = field_head(_text(page, at, end), known)
    if head is None or (page.depth(at) > page.base and not head.real):
        return []
    return [_Part(at, end, _said(head, head.text))]


def _field_end(page: Page, at: int) -> int:
    """Behind the field's deeper lines, and behind lines that follow it without a blank."""
    own = page.depth(at)
    end = page.block_end(at + 1, own)
    while end < len(page) and not page.blank(end) and not _opens(page, end):
        end = page.block_end(end + 1, own)
    return end


def _opens(page: Page, at: int) -> bool:
    """Whether something new begins here: a field, a heading, a section, a code block."""
    line = page.lines[at].strip()
    return (
        page.literal[at]
        or is_field(line)
        or page.underlined(at)
        or bool(_OTHER_HEADER.match(line))
        or (line.endswith((":", "\uff1a")) and bool(_HEADER.fullmatch(line[:-1].strip())))
    )


# -- Google -----------------------------------------------------------------------------------


def _google(page: Page, at: int, known: frozenset[str]) -> list[_Part]:
    match = _GOOGLE_HEADER.fullmatch(page.lines[at].strip())
    if match is None or not _HEADER.fullmatch(match["title"].strip()):
        return []
    start = page.after_blanks(at + 1)
    if start == len(page):
        return []
    own = page.depth(at)
    flat = page.depth(start) <= own
    end = _flat_end(page, start, known) if flat else page.block_end(start, own)
    starts, end = _starts(page, (start, end), known)
    if not starts:
        nothing = not flat and _NOTHING.fullmatch(_text(page, start, end).strip())
        return [_Part(at, end, ())] if nothing else []
    blocks = [_text(page, *lines) for lines in zip(starts, [*starts[1:], end], strict=True)]
    heads = [head for block in blocks if (head := _google_entry(block, known))]
    plain = match["colon"] and match["title"][0].isupper()
    doubtful = flat or not plain or own > page.base or starts[0] != start
    if doubtful and not any(head.real for head in heads):
        return []
    texts = tuple(pair for head in heads for pair in _said(head, head.text))
    return [_Part(at if starts[0] == start else starts[0], end, texts)]


def _google_entry(block: str, known: frozenset[str]) -> Head | None:
    return field_head(block, known) if is_field(block) else google_head(block, known)


def _flat_end(page: Page, start: int, known: frozenset[str]) -> int:
    """Where a section ends whose entries are not indented: at anything that is no entry."""
    own = page.depth(start)
    end = start
    while end < len(page) and not (end > start and _opens(page, end)):
        head = None if page.literal[end] else google_head(page.lines[end], known)
        if (end == start or page.blank(end - 1)) and not (head and head.real):
            break
        end = page.after_blanks(page.block_end(end + 1, own))
    return page.before_blanks(end)


def _starts(page: Page, lines: tuple[int, int], known: frozenset[str]) -> tuple[list[int], int]:
    """The lines at which entries open, and where the last one ends."""
    start, end = lines
    level = page.depth(start)
    starts: list[int] = []
    bulleted = False
    for at in range(start, end):
        if page.blank(at) or page.literal[at] or page.depth(at) > level:
            continue
        head = _google_entry(_text(page, at, end), known)
        if starts and not (head and head.real) and _OUTCOME.fullmatch(page.lines[at].strip()):
            return starts, page.before_blanks(at)
        if head and (not starts or (head.bulleted == bulleted and (head.real or head.ghost))):
            bulleted = head.bulleted
            starts.append(at)
    return starts, end


# -- NumPy ------------------------------------------------------------------------------------


def _numpy(page: Page, at: int, known: frozenset[str]) -> list[_Part]:
    title = page.lines[at].strip().rstrip(":").rstrip()
    if not page.underlined(at) or not _HEADER.fullmatch(title):
        return []
    start = page.after_blanks(at + 2)
    limit = _numpy_limit(page, start)
    if start < limit and _NOTHING.fullmatch(_text(page, start, limit).strip()):
        return [_Part(at, page.before_blanks(limit), ())]
    parts: list[_Part] = []
    begin = at
    while start < limit:
        end, texts = _numpy_run(page, (start, limit), known, ghosts=not parts)
        if end > start:
            parts.append(_Part(begin, end, texts))
        start = begin = page.after_blanks(_prose_end(page, max(end, start), limit))
    return parts


def _numpy_limit(page: Page, start: int) -> int:
    """Where the next underlined heading stands."""
    limit = start
    while limit < len(page) and not page.underlined(limit):
        limit += 1
    return limit


def _prose_end(page: Page, at: int, limit: int) -> int:
    """Behind the paragraph that stands between entries, if one does."""
    at = page.after_blanks(at)
    while at < limit and not page.blank(at):
        at += 1
    return min(at, limit)


def _numpy_run(
    page: Page, lines: tuple[int, int], known: frozenset[str], *, ghosts: bool
) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Entries that follow each other: where they end, and their texts."""
    at, limit = lines
    level = page.depth(at)
    texts: list[tuple[str, str]] = []
    end = at
    while at < limit:
        head = _numpy_entry(page, at, known, ghosts=ghosts)
        if head is None:
            break
        end = page.block_end(at + 1, level)
        while end < limit and not page.blank(end) and not _opens(page, end):
            if _numpy_entry(page, end, known, ghosts=ghosts):
                break
            end = page.block_end(end + 1, level)
        end = min(end, limit)
        below = "\n".join(page.lines[at + 1 : end])
        bare = not below.strip() and not head.text and is_telling(head.kind)
        texts += _said(head, head.kind if bare else f"{head.text}\n{below}")
        at = page.after_blanks(end)
    return page.before_blanks(end), tuple(texts)


def _numpy_entry(page: Page, at: int, known: frozenset[str], *, ghosts: bool) -> Head | None:
    line = page.lines[at]
    if page.literal[at] or _OTHER_HEADER.fullmatch(line.strip()):
        return None
    head = numpy_head(line, known)
    if head is None or head.real:
        return head
    described = at + 1 < len(page) and page.depth(at) < page.depth(at + 1) < page.NOWHERE
    return head if ghosts and (head.typed or described) else None


def _said(head: Head, text: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, dedented(text)) for name in head.names)
