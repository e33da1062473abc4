"""Secrets that stand in a declaration."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from ...findings import Severity
from ..rule import Fault, rule
from .example import taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []

_KINDS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("an AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
        ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})"),
        ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("an Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
        ("an OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{24,}"),
        ("a Stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("a Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("a Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
        ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
        ("an npm token", r"\bnpm_[A-Za-z0-9]{36}"),
        ("a SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("a private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
        ("a JSON Web Token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
        ("a bearer token", r"\b[Bb]earer\s+[A-Za-z0-9_\-.=+/]{24,}"),
        (
            "a password in a URL",
            r"\b[a-z][a-z0-9+.-]*://[^\s:/@<>{}$*]+:[^\s:/@<>{}$*]{3,}@[\w.-]+",
        ),
    )
)
_MADE_UP = re.compile(
    r"example|sample|dummy|placeholder|changeme|redacted|your[-_ ]|[-_]here\b|xxx|\*\*\*|\.\.\.|…"
    r"|<[^>]*>|\$\{|:(?:pass|password|pw|pwd|secret|pass123|password123)@|user(?:name)?:p|0{6}|1234567|abcdef",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:^|[_\-.])(?:password|passwd|pwd|secret|token|api_?key|apikey|access_?key|credentials?)$"
    r"|(?:Password|Secret|Token|ApiKey|APIKey|AccessKey)$",
)
_HARMLESS = re.compile(r"[a-z_ -]*|none|null|\d{1,6}|[A-Z_]+|\s*", re.IGNORECASE)


_SHORTEST = 8  # characters: none is shorter


@rule(
    "X008 secret-in-schema",
    Severity.ERROR,
    bad=taking(
        {
            "type": "string",
            "description": "The token to sign in with.",
            "default": "ghp_" + "A7xK9mQ2vR5tY8wB3nZ6cE1dF4gH0jL" + "pS2u",
        },
        name="github_token",
    ),
    good=taking(
        {
            "type": "string",
            "description": "The token to sign in with.",
            "default": "ghp_your_token_here",
        },
        name="github_token",
    ),
    evidence="defaults and examples are copied from a working configuration",
)
def secret_in_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """A text looks like a key, a token, a password or a private key.

    It goes to every provider and into every log. What is plainly made up is no fault.
    """
    del using
    for path, text, _ in tool.strings:
        kind = _kind(path, text)
        if kind is not None:
            yield Fault(
                f"the text holds what looks like {kind}",
                path,
                hint="take it out, and take it back where it came from",
            )


def _kind(path: Path, text: str) -> str | None:
    for name, pattern in _KINDS:
        found = pattern.search(text) if len(text) >= _SHORTEST else None
        if found and not _MADE_UP.search(found[0]) and _is_random(found[0]):
            return name
    value = len(path) > 1 and path[-1] in ("default", "const")
    value = value or (len(path) > 2 and path[-2] in ("examples", "enum"))  # noqa: PLR2004
    named = any(isinstance(step, str) and _NAMED.search(step) for step in path[-3:-1])
    if not value or not named or len(text) < _SHORTEST:
        return None
    return None if _MADE_UP.search(text) or _HARMLESS.fullmatch(text) else "a secret"


def _is_random(text: str) -> bool:
    """Whether the letters are mixed as no word and no filler is: 2.5 bits a letter, or more."""
    counts = Counter(text)
    bits = -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
    return bits > 2.5  # noqa: PLR2004
