"""What is chosen for a run: rules, profiles, severities, exceptions; from options and TOML."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError, UsageError
from ..findings import Severity
from .rule import LIMITS, RULES
from .rules import every

if TYPE_CHECKING:
    from ..formats.profiles import Profile

__all__ = ["FAIL_ON", "Settings", "codes_of", "from_table"]

FAIL_ON = ("error", "warning", "info", "never")
_LISTS = ("select", "ignore", "for")
_TEXTS = ("name-prefix", "fail-on", "baseline")
_TABLES = ("per-file-ignores", "per-tool-ignores", "severity", "limits")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run; codes are resolved, so that a typing error is told before it."""

    select: frozenset[str] = field(default_factory=lambda: frozenset(every()))
    profiles: tuple[Profile, ...] = ()
    prefix: str = ""
    fail_on: str = "error"
    baseline: str | None = None
    per_file: Mapping[str, frozenset[str]] = field(default_factory=dict)
    per_tool: Mapping[str, frozenset[str]] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)


def codes_of(selectors: Sequence[str]) -> frozenset[str]:
    """The codes that selectors mean: `S002`, `root-not-object`, `S` or `S0` for many, `ALL`.

    Raises `UsageError` with the closest one for what is none of these.
    """
    rules = every()
    names = {each.name: code for code, each in rules.items()}
    found: set[str] = set()
    for selector in _words(selectors):
        upper = selector.upper()
        matching = {code for code in rules if code.startswith(upper)}
        if upper == "ALL":
            matching = set(rules)
        elif selector.lower() in names:
            matching = {names[selector.lower()]}
        if not matching:
            raise _unknown(selector, names)
        found |= matching
    return frozenset(found)


def _words(texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in text.replace(",", " ").split()]


def _unknown(selector: str, names: Mapping[str, str]) -> UsageError:
    close = difflib.get_close_matches(selector.lower(), names, 1, 0.6)
    close = close or difflib.get_close_matches(selector.upper(), RULES, 1, 0.6)
    hint = f"did you mean '{close[0]}'?" if close else "toolkit explain --all lists the rules"
    return UsageError(f"there is no rule '{selector}'", hint=hint)


def from_table(
    table: Mapping[str, Any], *, path: str | None = None, given: Mapping[str, Any] | None = None
) -> Settings:
    """Settings from `[tool.toolkit.lint]`, with what the command line gives put over it.

    Raises `ConfigError` for the table's faults, `UsageError` for the command line's.
    """
    _check(table, path)
    given = {key: value for key, value in (given or {}).items() if value not in (None, [], ())}
    try:
        from_file = _settings(table)
    except UsageError as error:
        message = f"'{path}': {error.message} in [tool.toolkit.lint]"
        raise ConfigError(message, hint=error.hint, path=path) from error
    return _settings({**table, **given}) if given else from_file


def _settings(table: Mapping[str, Any]) -> Settings:
    chosen = table.get("select")
    selected = codes_of(chosen) if chosen else frozenset(every())
    return Settings(
        select=selected - codes_of(table.get("ignore", ())),
        profiles=_profiles(table.get("for", ())),
        prefix=table.get("name-prefix", ""),
        fail_on=_fail_on(table.get("fail-on", "error")),
        baseline=table.get("baseline"),
        per_file={glob: codes_of(one) for glob, one in table.get("per-file-ignores", {}).items()},
        per_tool={glob: codes_of(one) for glob, one in table.get("per-tool-ignores", {}).items()},
        severities={
            code: _severity(word)
            for rule, word in table.get("severity", {}).items()
            for code in codes_of([rule])
        },
        limits=table.get("limits", {}),
    )


def _profiles(names: Sequence[str]) -> tuple[Profile, ...]:
    words = _words(names)
    if not words:
        return ()
    from ..formats.profiles import profile, profiles

    if "all" in words:
        return tuple(profiles().values())
    return tuple(profile(word) for word in dict.fromkeys(words))


def _fail_on(word: str) -> str:
    if word not in FAIL_ON:
        raise UsageError(f"--fail-on takes {', '.join(FAIL_ON)}, not '{word}'")
    return word


def _severity(word: str) -> Severity:
    try:
        return Severity(word)
    except ValueError:
        raise UsageError(f"a severity is error, warning or info, not '{word}'") from None


def _check(table: Mapping[str, Any], path: str | None) -> None:
    """The kinds of all keys, so that the rest may rely on them."""
    for key, value in table.items():
        if key in _LISTS:
            ok = _is_texts(value)
        elif key in _TEXTS:
            ok = isinstance(value, str)
        elif key in _TABLES:
            ok = isinstance(value, Mapping) and all(_fits(key, each) for each in value.values())
        else:
            raise _unknown_key(key, path)
        if not ok:
            wanted = "a list of texts" if key in _LISTS else "a text"
            wanted = _TABLE_OF[key] if key in _TABLES else wanted
            message = f"'{path}': '{key}' in [tool.toolkit.lint] must be {wanted}"
            raise ConfigError(message, path=path, key=key)
    for name in table.get("limits", {}):
        if name not in LIMITS:
            message = f"'{path}': there is no limit '{name}' in [tool.toolkit.lint.limits]"
            raise ConfigError(message, hint=f"there are {', '.join(LIMITS)}", path=path, key=name)


_TABLE_OF = {
    "per-file-ignores": "a table from globs to lists of rules",
    "per-tool-ignores": "a table from globs to lists of rules",
    "severity": "a table from rules to error, warning or info",
    "limits": "a table from names to whole numbers",
}


def _fits(key: str, value: Any) -> bool:
    if key == "severity":
        return isinstance(value, str)
    if key == "limits":
        return isinstance(value, int) and not isinstance(value, bool) and value > 0
    return _is_texts(value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _unknown_key(key: str, path: str | None) -> ConfigError:
    known = (*_LISTS, *_TEXTS, *_TABLES)
    close = difflib.get_close_matches(key.replace("_", "-"), known, 1, 0.6)
    hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}"
    message = f"'{path}': unknown key '{key}' in [tool.toolkit.lint]"
    return ConfigError(message, hint=hint, path=path, key=key)
