"""Names: whether they are legal, short enough, and no two of them alike."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from ...findings import Severity
from ..rule import Fault, rule
from .example import CITY, declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rule import Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

# What holds where no profile was chosen: the dialect's own, the widest that is known to be taken.
_PLAIN = r"[A-Za-z0-9_-]+"
_WIDEST = {
    "openai": (_PLAIN, 64),
    "openai-responses": (_PLAIN, 64),
    "anthropic": (_PLAIN, 128),
    "bedrock": (_PLAIN, 64),
    "toolspec": (_PLAIN, 64),
    "gemini": (r"[A-Za-z_][A-Za-z0-9_.:-]*", 128),
    "gemini-openapi": (r"[A-Za-z_][A-Za-z0-9_.:-]*", 128),
}
_MCP = (r"[A-Za-z0-9._-]+", 128)
_NARROWEST = 64  # what OpenAI and Bedrock take


def _owners(tool: Subject, using: Using) -> Iterator[tuple[str | None, str, int]]:
    """Who takes which names: each chosen profile, else the dialect."""
    for profile in using.profiles:
        yield profile.name, profile.get("name.pattern", "(?s:.+)"), profile.get("name.length", 128)
    if not using.profiles:
        pattern, length = _WIDEST.get(tool.dialect or "toolspec", _MCP)
        yield None, pattern, length


@rule(
    "N001 duplicate-tool-name",
    Severity.ERROR,
    bad=[declared(), declared(description="Tell the weather of the week in a city.")],
    good=[declared(), declared(name="get_week", description="Tell the weather of the week.")],
    evidence="every provider answers two tools of one name with an error for the whole request",
    scope="set",
)
def duplicate_tool_name(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """Two tools have one name.

    A request that holds both is refused, or the model can reach only one of them. That several
    have no name at all is said by another rule.
    """
    del using
    names = Counter(one.name for one in tools if isinstance(one.name, str) and one.name.strip())
    seen: set[str] = set()
    for one in tools:
        if isinstance(one.name, str) and names[one.name] > 1:
            if one.name in seen:
                yield Fault(
                    f"the name '{one.name}' is taken by another tool",
                    ("name",),
                    hint="rename one of them",
                    tool=one,
                )
            seen.add(one.name)


@rule(
    "N002 name-charset",
    Severity.ERROR,
    bad=declared(name="get forecast"),
    good=declared(name="get_forecast"),
    evidence="the SDKs' own patterns: openai 3.57.0, botocore 1.44.8; MCP 2026-07-28, tools",
)
def name_charset(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool's name has characters that the provider does not take, or is none at all.

    One such tool makes the provider refuse the request, with every other tool in it.
    """
    if not isinstance(tool.name, str) or not tool.name:
        yield Fault("the tool has no name", ("name",), hint='give it a "name"')
        return
    for profile, pattern, _ in _owners(tool, using):
        if not re.fullmatch(pattern, using.prefix + tool.name):
            odd = sorted({each for each in tool.name if not re.fullmatch(_PLAIN, each)})
            what = f": {', '.join(map(repr, odd))}" if odd else f", which has to be {pattern}"
            yield Fault(
                f"the name '{tool.name}' has characters that {profile or 'models'} can't call"
                + what
                if odd
                else f"the name '{tool.name}' is not of the form {pattern}",
                ("name",),
                hint="use letters, digits, '_' and '-'",
                profile=profile,
            )


@rule(
    "N003 name-length",
    Severity.ERROR,
    bad=declared(name="get_the_forecast_of_" + "tomorrow_" * 6),
    good=declared(name="get_the_forecast_of_tomorrow"),
    evidence="64 characters at OpenAI and Bedrock, 128 at Anthropic and in MCP; anthropics/"
    "claude-code#96152: hosts put a prefix before them",
)
def name_length(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool's name is longer than the provider takes, with the prefix that a host puts before it.

    A host that prefixes `mcp__server__` leaves less than the limit says.
    """
    if not isinstance(tool.name, str):
        return
    length = len(using.prefix) + len(tool.name)
    what = f"with its prefix '{using.prefix}' the name" if using.prefix else "the name"
    for profile, _, limit in _owners(tool, using):
        if length > limit:
            message = f"{what} has {length} characters, {limit} are taken"
            yield Fault(message, ("name",), hint="shorten it", profile=profile)
        elif profile == "anthropic" and length > _NARROWEST:
            message = f"{what} has {length} characters, a reference to a tool takes {_NARROWEST}"
            yield Fault(
                message, ("name",), "shorten it", severity=Severity.WARNING, profile=profile
            )
        elif profile is None and length > _NARROWEST:
            message = f"{what} has {length} characters, OpenAI and Bedrock take {_NARROWEST}"
            yield Fault(message, ("name",), hint="shorten it", severity=Severity.WARNING)


@rule(
    "N004 name-leading-char",
    Severity.WARNING,
    bad=declared(name="2day_forecast"),
    good=declared(name="forecast_2day"),
    evidence="Bedrock Agents, and models behind Bedrock, want a letter first",
    profiles=("bedrock",),
)
def name_leading_char(tool: Subject, using: Using) -> Iterator[Fault]:
    """A name begins with a digit or a hyphen, which some models behind a provider refuse.

    The tool works with one model and fails with the next.
    """
    for profile in using.profiles:
        first = profile.get("name.first")
        if first and isinstance(tool.name, str) and tool.name and not re.match(first, tool.name):
            message = f"the name '{tool.name}' begins with no letter"
            yield Fault(message, ("name",), profile=profile.name)


@rule(
    "N005 case-collision",
    Severity.WARNING,
    bad=[declared(), declared(name="getForecast", description="Tell the weather of the week.")],
    good=[declared(), declared(name="get_week", description="Tell the weather of the week.")],
    evidence="MCP names are case-sensitive; models are not",
    scope="set",
)
def case_collision(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """Two names differ only by case, or by `-`, `_` and `.`.

    A model mixes them up, and a host that makes names legal makes one name of the two.
    """
    del using
    first: dict[str, str] = {}
    for one in tools:
        if not isinstance(one.name, str) or not one.name:
            continue
        key = re.sub(r"[-_. ]", "", one.name).casefold()
        known = first.setdefault(key, one.name)
        if known != one.name:
            yield Fault(
                f"the name '{one.name}' differs from '{known}' only by case or punctuation",
                ("name",),
                hint="give one of them a name of its own",
                tool=one,
            )


_DIGITS = str.maketrans("0158", "olsb")  # digits, and the letters that look like them


@rule(
    "N007 confusable-names",
    Severity.WARNING,
    bad=[declared(name="get_log"), declared(name="get_l0g", description="Tell of the week.")],
    good=[declared(name="get_log"), declared(name="get_lag", description="Tell of the week.")],
    evidence="a name that looks like a known one is how a tool takes the place of another",
    scope="set",
)
def confusable_names(tools: Sequence[Subject], using: Using) -> Iterator[Fault]:
    """Two names look the same: a digit in one stands where the other has a letter like it.

    Whoever approves or calls one takes it for the other.
    """
    del using
    first: dict[str, str] = {}
    for one in tools:
        if not isinstance(one.name, str) or not one.name:
            continue
        known = first.setdefault(_looks(one.name), one.name)
        if known.casefold() != one.name.casefold():
            message = f"the name '{one.name}' looks like '{known}'"
            yield Fault(message, ("name",), hint="give it a name of its own", tool=one)


def _looks(name: str) -> str:
    """The name with letters for the digits behind letters."""
    return re.sub(r"(?<=[A-Za-z])\d+", lambda found: found[0].translate(_DIGITS), name).casefold()


_GENERIC = Pattern(
    r"(?:my_?|new_?|the_?|some_?)?(?:tool|function|func|fn|action|handler|method|thing|untitled)_?\d*"
    r"|do(?:_?(?:it|stuff|something|things?|work|action))?|process(?:_?(?:data|it))?|main"
    r"|run|exec(?:ute)?|invoke|call|perform|handle"
    r"|foo|bar|baz|helper|misc|utils?|example(?:_?tool)?|test(?:_?tool)?",
    re.IGNORECASE,
)


@rule(
    "N006 generic-name",
    Severity.WARNING,
    bad=declared(name="tool1"),
    good=declared(name="get_forecast"),
    evidence="a model reads the name first",
)
def generic_name(tool: Subject, using: Using) -> Iterator[Fault]:
    """A name could be that of any tool.

    It says nothing of what the tool is for, and the next server has one of the same name.
    """
    del using
    if isinstance(tool.name, str) and _GENERIC.fullmatch(tool.name):
        message = f"the name '{tool.name}' could be that of any tool"
        yield Fault(message, ("name",), hint="say in it what is done to what")


@rule(
    "N009 param-key-charset",
    Severity.ERROR,
    bad=declared(inputSchema={"type": "object", "properties": {"city name": CITY}}),
    good=declared(inputSchema={"type": "object", "properties": {"city_name": CITY}}),
    evidence="API error “Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'”,"
    " ComposioHQ/composio#3500",
)
def param_key_charset(tool: Subject, using: Using) -> Iterator[Fault]:
    """A parameter's name has characters, or a length, that a provider refuses.

    Anthropic takes `[a-zA-Z0-9_.-]{1,64}`, Gemini's OpenAPI form no dot and no hyphen; one such
    key makes the whole request fail.
    """
    if using.profiles:
        for profile in using.profiles:
            pattern, where = profile.get("keys.pattern"), profile.get("keys.where", "root")
            if pattern:
                yield from _keys(tool, pattern, where, profile.name)
    else:
        yield from _keys(tool, r"[a-zA-Z0-9_.-]{1,64}", "root", None)


def _keys(tool: Subject, pattern: str, where: str, profile: str | None) -> Iterator[Fault]:
    for path, _, schema in tool.spots:
        keys: Any = schema.get("properties") if isinstance(schema, dict) else None
        if (path and where == "root") or not isinstance(keys, dict):
            continue
        for key in keys:
            if not re.fullmatch(pattern, key):
                who = profile or "Anthropic"
                yield Fault(
                    f"the parameter '{key}' has a name that {who} refuses ({pattern})",
                    ("inputSchema", *path, "properties", key),
                    hint="rename it, or give it an alias",
                    severity=None if profile else Severity.WARNING,
                    profile=profile,
                )
