"""Descriptions: those that are missing, say nothing, say too much, or no longer say what is so."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from ...findings import Severity
from ...schema.faults import closest
from ..rule import Fault, rule
from .agreement import told_defaults
from .example import declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "do",
        "does",
        "for",
        "from",
        "function",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "of",
        "on",
        "or",
        "something",
        "stuff",
        "that",
        "the",
        "thing",
        "things",
        "this",
        "to",
        "tool",
        "tools",
        "use",
        "used",
        "uses",
        "using",
        "with",
        "your",
    ]
)
_SHORTEST = 10  # characters of a description in a script with an alphabet
_UNSPACED = Pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


@rule(
    "D001 missing-description",
    Severity.ERROR,
    bad=declared(description=""),
    good=declared(),
    evidence="a model chooses tools by their descriptions; Bedrock refuses an empty one",
)
def missing_description(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool has no description.

    The model has nothing but the name to choose it by.
    """
    del using
    if tool.described and isinstance(tool.description, str) and tool.description.strip():
        return
    if tool.dialect == "jsonschema" and tool.description is None:
        return  # a model for structured output is chosen by nobody
    if isinstance(tool.description, str | None) or not tool.described:
        hint = "write a docstring" if tool.source else 'give it a "description"'
        yield Fault("the tool has no description", ("name",), hint=hint)
    else:
        what = type(tool.description).__name__
        yield Fault(f"the description must be a text, not {what}", ("description",))


@rule(
    "D002 description-too-short",
    Severity.WARNING,
    bad=declared(description="Get the forecast."),
    good=declared(description="Tell tomorrow's weather in a city."),
    evidence="arXiv 2602.14878: of 856 tools, 56 % do not say what they are for",
)
def description_too_short(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description says no more than the name does.

    The model learns nothing from it: not of what, from where, or in which form.
    """
    del using
    text = tool.text.strip()
    if not text or not tool.described:
        return
    spoken = [each for each in re.findall(r"[^\W_]+", text.lower()) if each not in _STOP]
    said = {_stem(each) for each in spoken} - _STOP
    named = {_stem(each) for each in tool.words}
    least, fewest = (4, 0) if _UNSPACED.search(text) else (_SHORTEST, 2)
    if len(text) < least or len(said) < fewest:
        yield Fault("the description is too short to choose the tool by", ("description",))
    elif said <= named:
        yield Fault("the description only repeats the name", ("description",))


def _stem(word: str) -> str:
    for ending, left in (("ies", "y"), ("ing", ""), ("es", ""), ("ed", ""), ("s", ""), ("e", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + left
    return word


_PLACEHOLDER = Pattern(
    r"""\s*[<\[({]?\s*(?:
        (?:TO[D]O|FIX[M]E|X{3})\b\s*(?:[:\-–—.>\])}]|$)
      | (?i:TBD|TBA|N/A|WIP|TO[D]O|FIX[M]E|X{3,})\s*[.>\])}]*\s*$
      | (?i:
          (?:to\ be\ (?:done|written|added|documented|completed|filled|described)\b)
        | auto(?:matically)?[- ]?generated\ (?:description|documentation|docs|docstring)\b.{0,20}$
        | (?:no|missing|empty|default|sample|example|placeholder|dummy)\ description\b.{0,20}$
        | (?:(?:a|the|my|some|your|tool|function|parameter|param|short|brief
              |add|insert|enter|put|write)\ )*
          description(?:\ (?:goes\ |here|of|for|the|this|a|tool|function|parameter|text)+)*
          [\ >\])}.…:]*$
        | describe\ (?:what\ )?(?:this|the|your)\ (?:tool|function|parameter|argument|param)\b.*
        | placeholder\b.{0,20}$
        | _(?:description|summary|type|returns?)_\s*$
        | (?:asdf|foo|foo\ ?bar|blah(?:\ blah)*|test(?:\ tool|\ description)?|string
            |\.\.\.|…)\s*\.?$
        )
    )""",
    re.VERBOSE,
)
_ANYWHERE = Pattern(
    r"lorem ipsum"
    r"|\bTO[D]O:? (?:add|write|fill|describe|document|finish|complete|improve|explain)\b"
    r"|\b(?:TO[D]O|FIX[M]E|X{3}):\s|<(?:your|(?:insert|add)(?![a-z]))[^<>]{0,40}>",
    re.IGNORECASE,
)
_CODE = Pattern(r"`[^`]*`|\"[^\"]*\"|'[^'\n]*'")


@rule(
    "D003 placeholder-text",
    Severity.WARNING,
    bad=declared(description="Describe what this tool does."),
    good=declared(description="Tell what the weather will be in a city."),
    evidence="what templates and generators leave behind",
)
def placeholder_text(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description is what a template left: lorem ipsum, “description here”, a note to oneself.

    It was meant to be written later, and a model reads it now.
    """
    del using
    for path, text, prose in tool.strings:
        if not prose or not text.strip() or path[-1] != "description":
            continue
        if len(path) > 1 and text == f"Parameter {path[-2]}":
            continue  # written for a parameter of which nothing was said: that is told by D006
        bare = _CODE.sub("", text)
        found = _PLACEHOLDER.match(text) or _ANYWHERE.search(bare) or _of_itself(path, text)
        if found:
            shown = " ".join(found[0].split())[:40]
            yield Fault(f"the description is a placeholder: '{shown}'", path)


def _of_itself(path: Path, text: str) -> re.Match[str] | None:
    """Whether it is a description of what it describes: “Description of body” for 'body'."""
    name = str(path[-2] if len(path) > 1 else "").replace("_", " ")
    words = rf"{re.escape(name)}|{re.escape(name.replace(' ', '_'))}"
    form = rf"\s*(?:a |the )?descriptions? (?:of|for) (?:the )?(?:{words})(?: \w+)?\s*\.?\s*"
    return re.fullmatch(form, text, re.IGNORECASE) if name else None


@rule(
    "D004 description-too-long",
    Severity.WARNING,
    bad=declared(description="Tell tomorrow's weather in a city. " * 120),
    good=declared(description="Tell tomorrow's weather in a city. " * 20),
    evidence="arXiv 2602.14878: longer descriptions cost steps, and past some length help no more",
)
def description_too_long(tool: Subject, using: Using) -> Iterator[Fault]:
    """A description is longer than the budget (`description`, 4,000 characters).

    It is sent with every request, and what matters drowns in it.
    """
    limit = using.limit("description")
    if len(tool.text) > limit:
        yield Fault(
            f"the description has {len(tool.text):,} characters, the budget is {limit:,}",
            ("description",),
            hint="keep what helps to choose and to call; the rest can stand in results",
        )


@rule(
    "D007 docstring-signature-drift",
    Severity.ERROR,
    bad='''
from toolkit import tool

@tool
def forecast(city: str) -> str:
    """Tell tomorrow's weather in a city.

    Args:
        town: An English city name, such as Tokyo.
    """
    return city
''',
    good='''
from toolkit import tool

@tool
def forecast(city: str) -> str:
    """Tell tomorrow's weather in a city.

    Args:
        city: An English city name, such as Tokyo.
    """
    return city
''',
    evidence="no other linter of tools reads both",
)
def docstring_signature_drift(tool: Subject, using: Using) -> Iterator[Fault]:
    """A docstring documents a parameter that is not there, or a text a default that is not so.

    The parameter was renamed or the default changed, and the model is told what was.
    """
    del using
    source = tool.source
    if source is None or not source.docstring:
        yield from told_defaults(tool)
        return
    from ...schema.docstring import parse

    texts = parse(source.docstring, list(source.parameters)).parameters
    for name, text in texts.items():
        span = source.documented(name)
        place = tool.at_line(span.line, span.column) if span else None
        if name not in source.parameters:
            if source.node.args.kwarg is not None or not name.isidentifier():
                continue  # what `**options` takes has to be documented somewhere
            meant = closest(name, source.parameters, most=1)
            hint = f"did you mean '{meant[0]}'?" if meant else "take it out of the docstring"
            message = f"the docstring documents '{name}', which is no parameter"
            yield Fault(message, ("description",), hint=hint, place=place)
        elif (said := _said_default(text)) is not None and not _agrees(said, tool, name):
            message = f"the docstring says that '{name}' defaults to {said}, which is not so"
            yield Fault(message, ("inputSchema", "properties", name, "description"), place=place)


_DEFAULT = Pattern(
    r"\bdefault(?:s? to|s? is|:|=|\s+value is)?\s*"
    r"(?:(?:`+|['\"])?(?P<value>-?\d+(?:\.\d+)?|true|false)(?:`+|['\"])?|(?P<quote>['\"])(?P<text>[^'\"]{1,40})(?P=quote))(?=\s*(?:[.,;)\]]+(?:\s|$)|$))",
    re.IGNORECASE,
)


def _said_default(text: str) -> str | None:
    found = _DEFAULT.search(text)
    return (found["value"] or f"'{found['text']}'") if found else None


def _agrees(said: str, tool: Subject, name: str) -> bool:
    assert tool.source is not None  # noqa: S101 - the caller has looked
    node = tool.source.defaults.get(name)
    try:
        real = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return True  # computed: nothing can be said
    if isinstance(real, str) and said.startswith("'"):
        return real in (said[1:-1], "")  # an empty one stands for what is chosen later
    if said.startswith("'"):
        return True
    if isinstance(real, bool):
        return said.lower() == str(real).lower()
    if isinstance(real, int | float) and said.lower() not in ("true", "false"):
        return float(said) == float(real)
    return True
