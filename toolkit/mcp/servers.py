"""What a server is to us, before anything of it runs: how it is started or reached."""

from __future__ import annotations

import os
import re
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..findings import Place

__all__ = [
    "SAFE",
    "Kind",
    "Options",
    "Server",
    "child_environment",
    "from_argv",
    "from_word",
    "is_server_word",
]

Kind = Literal["stdio", "http", "sse"]

# The variables that a child gets without being asked for: where it is, who runs it, its language.
_SAFE = """
HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE LC_ALL LC_CTYPE TMPDIR TZ
APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE
PROGRAMDATA SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR
"""
SAFE = frozenset(_SAFE.split())
# Programs that start another: the server's name is the other's.
_STARTERS = """
npx bunx bun node deno uv uvx pipx python py docker podman sh bash cmd env run tool exec dlx
pnpm yarn npm
"""
_RUNNERS = frozenset(_STARTERS.split())
_SECRET_NAME = re.compile(r"key|token|secret|passw|auth|credential|bearer|signature", re.IGNORECASE)
# Shorter values would blot out ordinary words.
_SHORTEST_SECRET = 6
HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class Server:
    """One server: a command with its arguments and environment, or a URL with its headers.

    `secrets` are texts that must never be printed; `place` says where it is configured.
    """

    name: str
    target: str
    kind: Kind = "stdio"
    argv: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    inherit_env: bool = False
    url: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: frozenset[str] = field(default_factory=frozenset, repr=False)
    place: Place | None = None

    @property
    def shown(self) -> str:
        """The command line or URL as it may be printed."""
        return self.mask(_shown_url(self.url) if self.url else _shown_command(self.argv))

    def mask(self, text: str) -> str:
        """Return `text` with every secret of this server hidden."""
        for secret in sorted(self.hidden, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

    @property
    def hidden(self) -> set[str]:
        """The texts that must never be shown: secrets, environment values, header values."""
        values = {*self.secrets, *self.env.values(), *_secret_words(self.argv)}
        for value in self.headers.values():
            values |= {value, value.rpartition(" ")[2]}
        if self.url is not None:
            values |= _url_secrets(self.url)
        return {value for value in values if len(value) >= _SHORTEST_SECRET}


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line adds to a server: `env` are `K` or `K=V`, `headers` are `N: V`."""

    env: tuple[str, ...] = ()
    inherit_env: bool = False
    headers: tuple[str, ...] = ()
    bearer_env: str | None = None

    def apply(self, server: Server, environ: Mapping[str, str] | None = None) -> Server:
        """Return the server with these options; a UsageError names a variable that is not set."""
        around = os.environ if environ is None else environ
        if server.url is None:
            env = {**server.env, **dict(_variable(one, around) for one in self.env)}
            inherit = self.inherit_env or server.inherit_env
            return replace(server, env=env, inherit_env=inherit)
        headers = {**server.headers, **dict(_header(one) for one in self.headers)}
        if self.bearer_env is not None:
            token = around.get(self.bearer_env)
            if not token:
                raise UsageError(
                    f"The variable '{self.bearer_env}' is not set",
                    hint="--bearer-env names the variable that holds the token.",
                )
            headers = {k: v for k, v in headers.items() if k.lower() != "authorization"}
            headers["Authorization"] = f"Bearer {token}"
        return replace(server, headers=headers)


def _variable(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    name, given, value = text.partition("=")
    if not name:
        raise UsageError(
            f"'{text}' names no variable", hint="Write --env NAME or --env NAME=VALUE."
        )
    if given:
        return name, value
    if name not in environ:
        raise UsageError(f"The variable '{name}' is not set", hint=f"Write --env {name}=VALUE.")
    return name, environ[name]


def _header(text: str) -> tuple[str, str]:
    name, given, value = text.partition(":")
    if not given or not name.strip():
        raise UsageError("A header is 'Name: value'", hint="Write --header 'Name: value'.")
    return name.strip(), value.strip()


def child_environment(server: Server, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a server's process: the safe set, or all, and its own.

    Shell functions that stand in the environment are left out: they are code.
    """
    around = os.environ if environ is None else environ
    kept = {
        name: value
        for name, value in around.items()
        if (server.inherit_env or name.upper() in SAFE) and not value.startswith("()")
    }
    return {**kept, **server.env}


def is_server_word(word: str) -> bool:
    """Whether a TARGET is a server's: `cmd:…`, `mcp:NAME` or an http(s) URL."""
    return word.startswith(("cmd:", "mcp:", "http://", "https://"))


def from_word(word: str) -> Server:
    """Read `cmd:COMMAND ARG…` or a URL; a UsageError says what is wrong with it."""
    if word.startswith("cmd:"):
        try:
            argv = shlex.split(word.removeprefix("cmd:"), posix=sys.platform != "win32")
        except ValueError as error:
            raise UsageError(
                f"The command of '{word}' can't be split: {error}",
                hint="Close the quotes, or put the command last on the line behind --.",
            ) from error
        return from_argv(argv, target=word)
    parts = urlsplit(word)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"'{word}' is no URL of a server", hint="Write http://HOST/mcp.")
    name = legal_name(parts.hostname if parts.port is None else parts.netloc.rpartition("@")[2])
    # The older transport has no other mark; its servers' paths end so by custom.
    kind: Kind = "sse" if parts.path.rstrip("/").endswith("/sse") else "http"
    return Server(name, _shown_url(word), kind, url=word)


def from_argv(argv: Sequence[str], *, target: str | None = None) -> Server:
    """Describe a server that a command line starts; `target` is what a person typed.

    Where that holds a secret, its place in it is hidden.
    """
    if not argv:
        raise UsageError(
            "There is no command to start", hint="Write cmd:'npx -y server' or -- COMMAND."
        )
    words = tuple(argv)
    if target is None or any(_secret_words(words)):
        target = f"cmd:{_shown_command(words)}"
    return Server(name_of_command(words), target, "stdio", words)


def name_of_command(argv: Sequence[str]) -> str:
    """Return a short name: of `npx -y @scope/server-x@1.2 DIR` it is `server-x`."""
    for word in argv:
        stem = PurePath(word.replace("\\", "/")).name
        stem = re.sub(r"(?<=.)@[\w.^~-]+$", "", stem)
        bare = re.sub(r"\.(py|js|mjs|cjs|ts|exe|cmd|sh)$", "", stem, flags=re.IGNORECASE)
        runner = re.sub(r"[\d.]+$", "", bare.lower())
        if bare and not word.startswith("-") and runner not in _RUNNERS:
            return legal_name(bare)
    return legal_name(PurePath(argv[0]).stem)


def legal_name(text: str) -> str:
    """Return `text` with everything but letters, digits, `-` and `_` as `-`."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-") or "server"


def _shown_command(argv: Sequence[str]) -> str:
    shown = []
    for word, secret in zip(argv, _secret_words(argv), strict=True):
        if not secret:
            shown.append(shlex.quote(word))
        elif word == secret:
            shown.append(HIDDEN)
        else:
            shown.append(f"{shlex.quote(word.removesuffix(secret))}{HIDDEN}")
    return " ".join(shown)


def _secret_words(argv: Sequence[str]) -> list[str]:
    """What is secret in each word, by the flag before it: `--token X`, `--api-key=X`; else ""."""
    secrets, hide = [], False
    for word in argv:
        flag, given, value = word.partition("=")
        secret = flag.startswith("-") and _SECRET_NAME.search(flag) is not None
        if secret and given:
            secrets.append(value)
        else:
            secrets.append(word if hide and not word.startswith("-") else "")
        hide = secret and not given
    return secrets


def _url_secrets(url: str) -> set[str]:
    """The password, and the values of a query that say by their names that they are secret."""
    parts = urlsplit(url)
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    query = parse_qsl(parts.query)
    return {password, *(value for name, value in query if _SECRET_NAME.search(name))}


def _shown_url(url: str) -> str:
    parts = urlsplit(url)
    netloc = parts.netloc
    if "@" in netloc:
        netloc = f"{HIDDEN}@{netloc.rpartition('@')[2]}"
    query = [
        (name, HIDDEN if _SECRET_NAME.search(name) else value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    ]
    return urlunsplit(
        (parts.scheme, netloc, parts.path, urlencode(query, safe="*"), parts.fragment)
    )
