"""The words behind a tool's name as its input: flags, `key=value`, `key:=json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .flags import Flag, flags_of, kind_of, kinds_of
from .schema.faults import closest, short

if TYPE_CHECKING:
    from .types import ToolSpec

__all__ = ["Given", "parse", "parse_json", "read_file"]

BEFORE = ("-t", "--target", "-k", "--config")
WHOLE = re.compile(r"[+-]?[0-9]+")
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(slots=True)
class Given:
    """What a line gave: the tool's input, and the words of the toolkit's own options."""

    input: dict[str, Any]
    options: list[str]
    wants_help: bool = False
    shadowed: tuple[str, ...] = ()


def parse(
    spec: ToolSpec,
    words: Sequence[str],
    *,
    options: Mapping[str, bool] | None = None,
    elsewhere: bool = False,
) -> Given:
    """Read the words behind a tool's name.

    `options` are the toolkit's own flags that may stand among them, each with whether it takes a
    value; where the tool has a flag of that name, the flag is the tool's. With `elsewhere` the
    whole input has been given already, so nothing is missing. Raises `UsageError` for an unknown
    flag (closest named), a missing one, or a text that is not of the flag's type.
    """
    own = dict(options or {})
    root = spec.input_schema
    flags = flags_of(root)
    by_name = {name: flag for flag in reversed(flags) for name in flag.names}
    shadowed = tuple(name for name in own if name in by_name)
    reader = _Reader(spec, by_name, {k: v for k, v in own.items() if k not in by_name})
    reader.read(words)
    if reader.wants_help:
        return Given({}, reader.own_words, wants_help=True)
    input_ = reader.input(root)
    if not elsewhere and not reader.has_input:
        _refuse_missing(spec, flags, input_)
    return Given(input_, reader.own_words, shadowed=tuple(n for n in shadowed if n in words))


class _Reader:
    """Sorts the words: flags of the tool, options of the toolkit, `key=value`."""

    def __init__(self, spec: ToolSpec, by_name: dict[str, Flag], own: Mapping[str, bool]) -> None:
        self.spec = spec
        self.by_name = by_name
        self.own = own
        self.values: dict[tuple[str, ...], list[Any]] = {}
        self.ready: dict[tuple[str, ...], Any] = {}
        self.own_words: list[str] = []
        self.wants_help = False

    @property
    def has_input(self) -> bool:
        """Whether `--input` gives the whole input, so that nothing is missing."""
        return any(word == "--input" or word.startswith("--input=") for word in self.own_words)

    def read(self, words: Sequence[str]) -> None:
        queue = list(words)
        while queue:
            word = queue.pop(0)
            if word in ("-h", "--help") and word not in self.by_name:
                self.wants_help = True
            elif word.startswith("-") and len(word) > 1:
                self._flag(word, queue)
            elif "=" in word:
                self._pair(word)
            else:
                hint = "values are given as --flag VALUE or name=VALUE"
                raise UsageError(f"unexpected argument '{word}'", hint=hint)

    def _flag(self, word: str, queue: list[str]) -> None:
        name, equals, value = word.partition("=")
        flag = self.by_name.get(name) or self._entry(name)
        if flag is None and name in self.own:
            self._own(name, value if equals else None, queue)
        elif flag is not None:
            self._of_tool(flag, name, value if equals else None, queue)
        elif (switch := self._negated(name)) is not None and not equals:
            self.ready[switch.path] = False
        elif self._is_open and name.startswith("--"):
            text = value if equals else self._next(name, queue)
            self.ready[(name[2:],)] = _extra(self.spec, name, text)
        else:
            raise self._unknown(name)

    def _entry(self, name: str) -> Flag | None:
        """The flag of one entry of an object that takes any names: `--headers.Accept`."""
        above, dot, key = name.partition(".")
        flag = self.by_name.get(above)
        rest = None if flag is None else flag.schema.get("additionalProperties", True)
        if flag is None or not dot or not key or "object" not in flag.kinds or rest is False:
            return None
        if flag.schema.get("properties") and rest is True:  # then a slip is likelier
            return None
        schema = rest if isinstance(rest, Mapping) else {}
        kinds = kinds_of(schema, self.spec.input_schema)
        made = self.by_name[name] = Flag((*flag.path, key), schema, kinds, required=False)
        return made

    def _own(self, name: str, value: str | None, queue: list[str]) -> None:
        if not self.own[name]:
            self.own_words.append(name)
            return
        text = self._next(name, queue) if value is None else value
        self.own_words.append(f"{name}={text}" if name.startswith("--") else f"{name}{text}")

    def _of_tool(self, flag: Flag, name: str, value: str | None, queue: list[str]) -> None:
        if flag.is_switch:
            if value is None and queue and queue[0].lower() in (*TRUE[:3], *FALSE[:3]):
                value = queue.pop(0)
            self.ready[flag.path] = True if value is None else _boolean(value, name)
            return
        text = self._next(name, queue) if value is None else value
        self.values.setdefault(flag.path, []).append((name, text))

    def _negated(self, name: str) -> Flag | None:
        flag = self.by_name.get(f"--{name.removeprefix('--no-')}")
        return flag if name.startswith("--no-") and flag and flag.is_switch else None

    def _next(self, name: str, queue: list[str]) -> str:
        if not queue or queue[0] in self.by_name or queue[0] in self.own:
            raise UsageError(f"{name} needs a value")
        return queue.pop(0)

    @property
    def _is_open(self) -> bool:
        return self.spec.input_schema.get("additionalProperties", False) is not False

    def _unknown(self, name: str) -> UsageError:
        if name in BEFORE:
            return UsageError(f"{name} stands before TOOL: it decides the tool's flags")
        names = [*self.by_name, *self.own, "--help"]
        meant = closest(name, names, most=1)
        hint = f"did you mean '{meant[0]}'?" if meant else None
        hint = hint or f"toolkit call {self.spec.name} --help lists the flags"
        return UsageError(f"'{self.spec.name}' has no flag '{name}'", hint=hint)

    def _pair(self, word: str) -> None:
        key, _, text = word.partition("=")
        if key.endswith(":"):
            self.ready[self._path(key[:-1])] = parse_json(text, key[:-1])
            return
        path = self._path(key)
        if text.startswith("@"):
            text = read_file(text[1:])
        flag = self.by_name.get(f"--{'.'.join(path)}")
        if flag is None:
            self.ready[path] = _extra(self.spec, key, text)
        elif flag.is_switch:
            self.ready[path] = _boolean(text, key)
        else:
            self.values.setdefault(path, []).append((key, text))

    def _path(self, key: str) -> tuple[str, ...]:
        """The property that a key names: odd names as they stand, else as a flag is read."""
        properties = self.spec.input_schema.get("properties") or {}
        if key in properties:
            return (key,)
        flag = self.by_name.get(f"--{key}") or self._entry(f"--{key}")
        if flag is not None:
            return flag.path
        if not self._is_open:
            meant = closest(key, properties, most=1)
            hint = f"did you mean '{meant[0]}'?" if meant else None
            raise UsageError(f"'{self.spec.name}' has no parameter '{key}'", hint=hint)
        return (key,)

    def input(self, root: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[tuple[str, ...], Any] = {}
        flags = {flag.path: flag for flag in self.by_name.values()}
        for path, given in self.values.items():
            found[path] = _value(flags[path], [text for _, text in given], given[0][0], root)
        found.update(self.ready)
        return _nested(found)


def _nested(found: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    input_: dict[str, Any] = {}
    for path in sorted(found, key=len):
        inner = input_
        for part in path[:-1]:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                dotted = ".".join(path)
                raise UsageError(f"--{dotted} can't be set: '{part}' is given as no object")
        inner[path[-1]] = found[path]
    return input_


def _value(flag: Flag, texts: list[str], name: str, root: Mapping[str, Any]) -> Any:
    if flag.repeats or ("array" in flag.kinds and len(texts) > 1):
        return _array(flag, texts, name, root)
    if len(texts) > 1:
        raise UsageError(f"{name} is given {len(texts)} times, but takes one value")
    return _scalar(texts[0], flag.kinds, name)


def _array(flag: Flag, texts: list[str], name: str, root: Mapping[str, Any]) -> list[Any]:
    if len(texts) == 1 and texts[0].lstrip().startswith(("[", "@")):
        value = parse_json(_from_file(texts[0]), name)
        if isinstance(value, list):
            return value
    items = flag.schema.get("items")
    kinds = kinds_of(items if isinstance(items, Mapping) else {}, root)
    return [_scalar(text, kinds, name) for text in texts]


def _scalar(text: str, kinds: frozenset[str], name: str) -> Any:
    """A text as the one kind that the schema wants; of several, JSON of an allowed kind wins."""
    wanted = kinds - {"null"}
    if wanted == {"string"}:
        return text
    if text.startswith("@") and wanted & {"object", "array"} and "string" not in wanted:
        text = _from_file(text)
    try:
        value = _strict(text)
    except (ValueError, RecursionError) as error:
        if "string" in kinds:
            return text
        if wanted & {"integer", "number"} and WHOLE.fullmatch(text):
            return int(text)  # 07 and +5 are no JSON, but whole numbers to whoever types them
        if wanted == {"boolean"}:
            return _boolean(text, name)
        raise _not_ofkind_of(name, text, wanted, error) from None
    if _fits(value, kinds):
        return value
    if "string" in kinds:
        return text
    raise _not_ofkind_of(name, text, wanted, None)


def _fits(value: Any, kinds: frozenset[str]) -> bool:
    kind = kind_of(value)
    if kind == "integer":
        return bool(kinds & {"integer", "number"})
    if kind == "number" and "integer" in kinds and "number" not in kinds:
        return bool(value == int(value)) if abs(value) < 1e300 else False  # noqa: PLR2004
    return kind in kinds


def _not_ofkind_of(
    name: str, text: str, kinds: Iterable[str], error: Exception | None
) -> UsageError:
    words = {"integer": "an integer", "number": "a number", "boolean": "true or false"}
    words |= {"object": "a JSON object", "array": "a JSON array"}
    wanted = " or ".join(words[kind] for kind in sorted(kinds) if kind in words)
    at = ""
    if isinstance(error, json.JSONDecodeError) and text.lstrip()[:1] in ("{", "["):
        at = f" ({error.msg} at line {error.lineno}, column {error.colno})"
    return UsageError(f"{name} takes {wanted}, not {short(text)}{at}")


def _boolean(text: str, name: str) -> bool:
    if text.lower() in TRUE:
        return True
    if text.lower() in FALSE:
        return False
    raise UsageError(f"{name} takes true or false, not {short(text)}")


def _extra(spec: ToolSpec, name: str, text: str) -> Any:
    schema = spec.input_schema.get("additionalProperties")
    return _scalar(text, kinds_of(schema, spec.input_schema), name)


def parse_json(text: str, name: str) -> Any:
    """The value of a JSON text; `UsageError` naming `name` and the position where it is none."""
    try:
        return _strict(text.removeprefix("\ufeff"))  # some shells begin a pipe with a mark
    except RecursionError:
        raise UsageError(f"the JSON of {name} is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise UsageError(f"the JSON of {name} does not parse: {where}") from None
    except ValueError as error:
        raise UsageError(f"the JSON of {name} does not parse: {error}") from None


def _strict(text: str) -> Any:
    """Parse JSON by RFC 8259: NaN and Infinity are a ValueError."""
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _from_file(text: str) -> str:
    return read_file(text[1:]) if text.startswith("@") else text


def read_file(path: str) -> str:
    """The text of a file that a word names behind `@`."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"can't read '{path}': {reason}") from error


def _refuse_missing(spec: ToolSpec, flags: Sequence[Flag], input_: Mapping[str, Any]) -> None:
    missing = [name for name, flag in _required(flags) if flag.path[0] not in input_]
    if missing:
        message = f"'{spec.name}' needs {', '.join(missing)}"
        raise UsageError(message, hint=f"toolkit call {spec.name} --help lists the flags")


def _required(flags: Sequence[Flag]) -> list[tuple[str, Flag]]:
    return [(flag.names[0], flag) for flag in flags if flag.required and len(flag.path) == 1]
