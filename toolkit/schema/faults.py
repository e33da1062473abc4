"""A validator's errors as faults: `path: what was expected, what came`."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .outline import Outline
from .wording import ABSENT, expected, is_foreign, says_all

__all__ = ["Fault", "closest", "describe", "explain", "located", "short"]

SHORT = 60
SECRET = re.compile(
    r"passw|passphrase|secret|token|api_?key|credential|authorization|private_?key", re.IGNORECASE
)
NOTHING = Outline({})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input; `path` is dotted, empty for the input itself."""

    path: str
    message: str

    def __str__(self) -> str:
        """`path: message`."""
        return f"{self.path or 'input'}: {self.message}"


def closest(name: str, names: Iterable[str], *, most: int = 3) -> list[str]:
    """The names that someone who typed `name` may have meant, best first."""
    by_key = {_plain(each): each for each in names}
    found = difflib.get_close_matches(_plain(name), by_key, n=most, cutoff=0.6)
    return [by_key[key] for key in found]


def _plain(name: str) -> str:
    """A name without what people write differently: case, `-` and `_`, camels."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).casefold().replace("-", "_")


def short(value: Any, *, path: str = "") -> str:
    """A short form of what came: never a whole payload, nothing that looks like a secret."""
    if path and SECRET.search(path):
        return "a value that is not shown"
    if isinstance(value, Mapping):
        return f"an object with {_counted(len(value), 'key')}" if value else "an empty object"
    if isinstance(value, list | tuple | set | frozenset):
        return f"an array of {len(value)}" if value else "an empty array"
    if value is None or isinstance(value, bool | int | float | str):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
    return f"a {type(value).__name__}"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def describe(
    errors: Sequence[Mapping[str, Any]], value: Any, *, outline: Outline = NOTHING
) -> list[Fault]:
    """Every fault of an input, in the order of the parameters.

    `errors` are pydantic's (`type`, `loc`, `input`, `ctx`, `msg`); `value` is the whole input,
    and `outline` its schema: they tell the steps of a path from the labels that a union puts
    between them. Of a union's members only the one that was meant is told, else what all want.
    """
    open_ = [(tuple(_tokens(error, value, outline)), error) for error in errors]
    found = _resolved(open_, ())
    return list(dict.fromkeys(each.fault(value, outline) for each in found))


def explain(faults: Sequence[Fault]) -> str:
    """One line for one fault, else a list."""
    if len(faults) == 1:
        return str(faults[0])
    return "\n".join([f"{len(faults)} faults in the input:", *(f"- {fault}" for fault in faults)])


def located(error: Mapping[str, Any], value: Any, *, outline: Outline) -> tuple[Any, ...]:
    """The path of an error in the input, without a union's labels."""
    return tuple(token.step for token in _tokens(error, value, outline) if not token.label)


@dataclass(frozen=True, slots=True)
class _Token:
    """A step of an error's place: a key or index, or the label of a union's member."""

    step: Any
    label: bool


def _tokens(error: Mapping[str, Any], value: Any, outline: Outline) -> list[_Token]:
    tokens: list[_Token] = []
    path: list[Any] = []
    current = value
    steps = [step for step in error["loc"] if step != "[key]"]
    for number, step in enumerate(steps):
        absent = number == len(steps) - 1 and error["type"] in ABSENT
        inside = _has(current, step)
        real = inside or absent or (isinstance(step, str) and step in outline.names(path))
        tokens.append(_Token(step, label=not real))
        if real:
            path.append(step)
            current = current[step] if inside and not isinstance(current, str) else None
    return tokens


def _has(value: Any, step: Any) -> bool:
    if isinstance(value, Mapping):
        return step in value
    if not isinstance(step, int) or isinstance(step, bool):
        return False
    return isinstance(value, str) or (isinstance(value, list | tuple) and step < len(value))


@dataclass(frozen=True, slots=True)
class _Found:
    """A fault while unions are being resolved: its place, what was expected, the error."""

    path: tuple[Any, ...]
    words: str
    error: Mapping[str, Any]

    def fault(self, value: Any, outline: Outline) -> Fault:
        """The fault as it is told."""
        kind = self.error["type"]
        path, words = self.path, self.words
        if kind in ("union_tag_invalid", "union_tag_not_found"):
            return _of_tag(self, outline)
        dotted = _dotted(path)
        if kind in ABSENT:
            return Fault(dotted, words + _meant(self, value, outline))
        if says_all(self.error):
            return Fault(dotted, words)
        if "[key]" in self.error["loc"]:
            return Fault(dotted, f"not a key that is allowed: {words}")
        came = self.error.get("input")
        shown = _HIDDEN if outline.secret(path) else short(came, path=dotted)
        return Fault(dotted, f"{words}, got {shown}")


_HIDDEN = "a value that is not shown"
_Open = list[tuple[tuple[_Token, ...], Mapping[str, Any]]]


def _resolved(errors: _Open, path: tuple[Any, ...]) -> list[_Found]:
    """The faults at and below a place, in the order in which they came."""
    groups: dict[Any, _Open] = {}
    for tokens, error in errors:
        first = tokens[0] if tokens else None
        key = "union" if first is not None and first.label else first
        groups.setdefault(key, []).append((tokens, error))
    found: list[_Found] = []
    for key, group in groups.items():
        if key is None:
            found += [_Found(path, expected(error), error) for _, error in group]
        elif isinstance(key, _Token):
            deeper = [(tokens[1:], error) for tokens, error in group]
            found += _resolved(deeper, (*path, key.step))
        else:
            found += _of_union(group, path)
    return found


def _of_union(errors: _Open, path: tuple[Any, ...]) -> list[_Found]:
    labels: dict[Any, _Open] = {}
    for tokens, error in errors:
        labels.setdefault(tokens[0].step, []).append((tokens[1:], error))
    members = [_resolved(group, path) for group in labels.values()]
    near = [each for each in members if not any(_refuses_all(found, path) for found in each)]
    if not near:
        return [_merged([found for each in members for found in each if found.path == path])]
    meant = [each for each in near if not _other_tag(each, path)]
    if meant:
        return min(meant, key=len)
    tags = [found for each in near for found in each if found in _tags_of(each, path)]
    if len({found.path for found in tags}) == 1 and len(near) > 1:
        return [_merged(tags)]
    return min(near, key=len)


def _refuses_all(found: _Found, path: tuple[Any, ...]) -> bool:
    return found.path == path and is_foreign(found.error)


def _tags_of(member: Sequence[_Found], path: tuple[Any, ...]) -> list[_Found]:
    """Faults in the properties that can say which member of a union is meant."""
    return [
        each
        for each in member
        if each.error["type"] in ("literal_error", "enum") and len(each.path) == len(path) + 1
    ]


def _other_tag(member: Sequence[_Found], path: tuple[Any, ...]) -> bool:
    return bool(_tags_of(member, path))


def _merged(found: Sequence[_Found]) -> _Found:
    """One fault at one place out of those of several members; JSON can give no instance."""
    found = [each for each in found if each.error["type"] != "is_instance_of"] or found
    words = list(dict.fromkeys(each.words.removeprefix("expected ") for each in found))
    choices = [each.removeprefix("one of ") for each in words]
    chosen = [each.error["type"] in ("literal_error", "enum") for each in found]
    if all(chosen) and len(words) > 1:
        return replace(found[0], words=f"expected one of {', '.join(choices)}")
    listed = " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    kind = next((each.error for each in found if not says_all(each.error)), found[0].error)
    return replace(found[0], words=f"expected {listed}", error=kind)


def _of_tag(found: _Found, outline: Outline) -> Fault:
    """A tag that names no member of a union, or that is not there: all tags are listed."""
    facts = found.error.get("ctx") or {}
    name = str(facts.get("discriminator", "")).strip("'")
    if not name.isidentifier():  # a function tells the kind
        here = _dotted(found.path)
        if found.error["type"] == "union_tag_invalid":
            return Fault(here, f"{found.words} as its kind, got {short(facts.get('tag'))}")
        came = short(found.error.get("input"), path=here)
        return Fault(here, f"expected a value whose kind can be told, got {came}")
    path = _dotted((*found.path, name))
    if found.error["type"] == "union_tag_invalid":
        return Fault(path, f"{found.words}, got {short(facts.get('tag'), path=path)}")
    tags = outline.tags(found.path, name)
    listed = f"; expected one of {', '.join(map(short, tags))}" if tags else ""
    return Fault(path, f"{found.words}{listed}")


def _meant(found: _Found, value: Any, outline: Outline) -> str:
    """For a key that is unknown or missing: the name that may have been meant."""
    *above, name = found.path or ("",)
    known = outline.names(above)
    if not isinstance(name, str) or not known:
        return ""
    if name not in known:
        near = closest(name, known, most=1)
        return f"; did you mean '{near[0]}'?" if near else f"; known are {', '.join(known[:12])}"
    if not above:
        return ""  # unknown arguments are told one by one
    given = value
    for step in above:
        given = given[step] if _has(given, step) and not isinstance(given, str) else None
    strange = [each for each in given if each not in known] if isinstance(given, Mapping) else []
    near = closest(name, [str(each) for each in strange], most=1)
    return f"; '{near[0]}' is not known, is it meant?" if near else ""


def _dotted(path: Sequence[Any]) -> str:
    return ".".join(str(step) for step in path)
