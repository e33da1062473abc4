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
from ..pattern import Pattern

__all__: list[str] = []

# A value of mixed letters and digits behind a word for it: `password: Xk29...`.
_ASSIGNED = (
    r"(?i:(?<![:\w-])(?:password|passwd|pwd|secret|token|api[_ -]?key|access[_ -]?key|credentials?)"
    r"\s{0,3}(?:is|=|:|:=)\s{0,3}['\"`]?)(?=[^\s'\"`,;]*[a-z])(?=[^\s'\"`,;]*[A-Z])"
    r"(?=[^\s'\"`,;]*\d)[A-Za-z0-9!@#$%^&*+/=_.~-]{10,}"
)
# With the beginning of what is inside: who writes of the form has the first line alone.
_PRIVATE = r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\s|\\[rn])*[A-Za-z0-9+/=]{12}"
# What it is, a part that every such text has, and its form.
_KINDS = tuple(
    (name, parts.split("|"), Pattern(pattern))
    for name, parts, pattern in (
        ("an AWS access key", "AKIA|ASIA|ABIA|ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
        (
            "a GitHub token",
            "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
            r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})",
        ),
        ("a GitLab token", "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("an Anthropic key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
        ("an OpenAI key", "sk-", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{24,}"),
        ("a Stripe key", "k_live_|k_test_", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("a Slack token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("a Google key", "AIza", r"\bAIza[0-9A-Za-z_-]{35}"),
        ("a Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}"),
        ("an npm token", "npm_", r"\bnpm_[A-Za-z0-9]{36}"),
        ("a SendGrid key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("a private key", "PRIVATE KEY", _PRIVATE),
        (
            "a JSON Web Token",
            "eyJ",
            r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        ),
        (
            "a Slack webhook",
            "slack.com",
            r"\bhooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_]{20,}",
        ),
        (
            "a Discord webhook",
            "/webhooks/",
            r"\bdiscord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{40,}",
        ),
        ("a Telegram bot's token", ":AA", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
        ("a DigitalOcean token", "_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
        ("a Google OAuth secret", "GOCSPX-", r"\bGOCSPX-[A-Za-z0-9_-]{28}"),
        ("a Google OAuth token", "ya29.", r"\bya29\.[A-Za-z0-9_-]{30,}"),
        ("a PyPI token", "pypi-", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
        ("a Shopify token", "shp", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
        ("a Square token", "EAAA|sq0", r"\b(?:EAAA|sq0(?:atp|csp)-)[A-Za-z0-9_-]{22,}"),
        ("a Mailgun key", "key-", r"\bkey-[0-9a-f]{32}\b"),
        ("a Mailchimp key", "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
        ("a Databricks token", "dapi", r"\bdapi[0-9a-f]{32}\b"),
        ("a Linear key", "lin_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
        ("a Notion token", "ntn_|secret_", r"\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{43}\b"),
        ("an Airtable token", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
        (
            "a model provider's key",
            "gsk_|xai-|pplx-|r8_|fw_|nvapi-|tgp_",
            r"\b(?:gsk_|xai-|pplx-|r8_|fw_|nvapi-|tgp_v1_)[A-Za-z0-9_-]{32,}",
        ),
        ("a Supabase token", "sbp_|sb_", r"\bsb(?:p|_secret)_[A-Za-z0-9_-]{30,}"),
        ("a Vault token", "hv", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}"),
        ("a Doppler token", "dp.", r"\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9.]{40,}"),
        ("an Atlassian token", "ATATT", r"\bATATT3[A-Za-z0-9_=-]{60,}"),
        ("a Figma token", "figd_", r"\bfigd_[A-Za-z0-9_-]{36,}"),
        ("a New Relic key", "NRAK-", r"\bNRAK-[A-Z0-9]{27}\b"),
        ("a Sentry token", "sntry", r"\bsntry[su]_[A-Za-z0-9_=+/-]{40,}"),
        ("a Grafana token", "glsa_|glc_", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
        ("a Postman key", "PMAK-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
        ("a Twilio key", "SK", r"\bSK[0-9a-f]{32}\b"),
        ("an Azure key", "Key=", r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}"),
        ("a Docker token", "dckr_", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
        ("a Terraform token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}"),
        ("an age key", "AGE-SECRET", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
        ("basic credentials", "Basic", r"\bBasic\s+[A-Za-z0-9+/]{20,}={0,2}(?![\w+/])"),
        ("a secret with its name", "", _ASSIGNED),
        ("a bearer token", "earer", r"\b[Bb]earer\s+[A-Za-z0-9_\-.=+/]{24,}"),
        (
            "a password in a URL",
            "://",
            r"\b[a-z][a-z0-9+.-]*://[^\s:/@<>{}$*]+:[^\s:/@<>{}$*]{3,}@[\w.-]+",
        ),
    )
)
_MADE_UP = Pattern(
    r"example|sample|dummy|placeholder|changeme|redacted|your[-_ /]|[-_]here\b|xxx|\*\*\*|\.\.\.|…"
    r"|://(\w+):\1@|<[^>]*>|\$\{|:(?:pass|password|pw|pwd|secret|pass123|password123)@|user(?:name)?:p|0{6}|1234567|abcdef|eyJzdWIiOiIxMjM0NTY3ODkw",
    re.IGNORECASE,
)
_COUNTED = Pattern(r"0{6,}|1234567(?:89?0?)?|^xox[a-z]-")
_REST, _REST_OF_SLACK = 28, 12  # characters that are left of a token without them
_NAMED = Pattern(
    r"(?:^|[_\-.])(?:password|passwd|pwd|secret|token|api_?key|apikey|access_?key|credentials?)$"
    r"|(?:Password|Secret|Token|ApiKey|APIKey|AccessKey)$",
)
_HARMLESS = Pattern(r"[a-z_ -]*|0x[0-9a-f]{40}|none|null|\d{1,6}|[A-Z_]+|\s*", re.IGNORECASE)


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
    for name, parts, pattern in _KINDS if len(text) >= _SHORTEST else ():
        for part in parts:
            if part in text:
                break
        else:
            continue
        found = pattern.search(text)
        if found and _is_random(found[0]) and not _is_made_up(found[0]):
            return name
    value = len(path) > 1 and path[-1] in ("default", "const")
    value = value or (len(path) > 2 and path[-2] in ("examples", "enum"))  # noqa: PLR2004
    named = any(isinstance(step, str) and _NAMED.search(step) for step in path[-3:-1])
    if not value or not named or len(text) < _SHORTEST:
        return None
    return None if _MADE_UP.search(text) or _HARMLESS.fullmatch(text) else "a secret"


def _is_made_up(text: str) -> bool:
    """Whether it is a placeholder: digits in order alone don't make one of a token's random rest.

    Slack's tokens begin with the numbers of a workspace, and any long one may hold some zeros.
    """
    if not _MADE_UP.search(text):
        return False
    rest = _COUNTED.sub("", text.removeprefix("Bearer "))
    mixed = all(any(test(sign) for sign in rest) for test in (str.islower, str.isupper))
    long = len(rest) >= (_REST_OF_SLACK if text.startswith("xox") else _REST)
    return not (mixed and long and any(map(str.isdigit, rest))) or bool(_MADE_UP.search(rest))


def _is_random(text: str) -> bool:
    """Whether the letters are mixed as no word and no filler is: 2.5 bits a letter, or more."""
    if re.fullmatch(r"[a-z]+(?:[-_][a-z]+){2,}", text):
        return False  # words
    counts = Counter(text)
    bits = -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
    return bits > 2.5  # noqa: PLR2004
