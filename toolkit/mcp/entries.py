"""One entry of a configuration file as a server: every host's fields, its transport inferred."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..findings import Place
from .servers import Kind, Server

if TYPE_CHECKING:
    from .expansion import Expander

__all__ = ["read_entry", "transport_of"]

_URLS = ("url", "httpUrl", "serverUrl", "uri", "endpoint")
_OLD_HTTP = frozenset({"sse"})


def read_entry(name: str, entry: Mapping[str, Any], *, expander: Expander) -> Server:
    """Read an entry; a ConfigError names the file and the key that is wrong or missing."""
    place = Place(path=str(expander.path))
    kept = {key: entry[key] for key in entry if key in _EXPANDED}
    read = {key: expander.expand(value, key) for key, value in kept.items()}
    url = next((read[key] for key in _URLS if isinstance(read.get(key), str)), None)
    if url is not None:
        return Server(
            name,
            f"mcp:{name}",
            _kind(entry, url=url),
            url=url,
            headers=_headers(read, expander),
            secrets=frozenset(expander.used),
            place=place,
        )
    argv = _argv(read, expander)
    return Server(
        name,
        f"mcp:{name}",
        "stdio",
        argv,
        env=_environment(read, expander),
        cwd=_cwd(read, expander),
        secrets=frozenset(expander.used),
        place=place,
    )


_FIELDS = """
command args env cwd envFile headers http_headers env_http_headers bearer_token_env_var env_vars
"""
_EXPANDED = frozenset((*_FIELDS.split(), *_URLS))


def transport_of(entry: Mapping[str, Any]) -> Kind:
    """Say how an entry is reached: stdio, http or sse."""
    url = next((entry[key] for key in _URLS if isinstance(entry.get(key), str)), None)
    return "stdio" if url is None else _kind(entry, url=url)


def _kind(entry: Mapping[str, Any], *, url: str) -> Kind:
    """Infer how a URL is spoken to: as it is named, else by its path."""
    named = str(entry.get("type") or entry.get("transport") or "").lower()
    if named in _OLD_HTTP or (not named and url.rstrip("/").endswith("/sse")):
        return "sse"
    return "http"


def _argv(read: Mapping[str, Any], expander: Expander) -> tuple[str, ...]:
    command: Any = read.get("command")
    args: Any = read.get("args", [])
    if isinstance(command, Mapping):  # Zed wrote {"path": …, "args": …}
        command, args = command.get("path"), command.get("args", args)
    if isinstance(command, list):
        command, args = (command or [None])[0], [*command[1:], *args]
    if not isinstance(command, str) or not command:
        raise _wrong(expander, "command", "names neither a 'command' nor a 'url'")
    if not isinstance(args, list):
        raise _wrong(expander, "args", "has 'args' that are no list")
    if command.startswith("~"):
        command = str(Path(command).expanduser())
    return (command, *map(str, args))


def _environment(read: Mapping[str, Any], expander: Expander) -> dict[str, str]:
    found: dict[str, str] = {}
    if isinstance(read.get("envFile"), str):
        found |= _env_file(Path(read["envFile"]), expander)
    for name in _list(read.get("env_vars")):
        if str(name) in expander.environ:
            found[str(name)] = expander.environ[str(name)]
    env = read.get("env")
    if env is None:
        return found
    if not isinstance(env, Mapping):
        raise _wrong(expander, "env", "has an 'env' that is no object")
    for name, value in env.items():
        found[str(name)] = _plain(value)
    return found


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _env_file(path: Path, expander: Expander) -> dict[str, str]:
    """Read NAME=VALUE lines; quotes around a value, `export` and comments are taken off."""
    path = path if path.is_absolute() else expander.path.parent / path
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise _wrong(expander, "envFile", f"names the file '{path}', which is not there") from None
    found = {}
    for line in lines:
        name, given, value = line.strip().removeprefix("export ").partition("=")
        if given and name and not name.startswith("#"):
            value = value.strip()
            quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            found[name.strip()] = value[1:-1] if quoted else value
    return found


def _cwd(read: Mapping[str, Any], expander: Expander) -> str | None:
    cwd = read.get("cwd")
    if cwd is None:
        return None
    if not isinstance(cwd, str):
        raise _wrong(expander, "cwd", "has a 'cwd' that is no text")
    path = Path(cwd).expanduser()
    return str(path if path.is_absolute() else expander.path.resolve().parent / path)


def _headers(read: Mapping[str, Any], expander: Expander) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in ("headers", "http_headers"):
        given = read.get(key)
        if given is None:
            continue
        if not isinstance(given, Mapping):
            raise _wrong(expander, key, f"has '{key}' that are no object")
        found |= {str(name): _plain(value) for name, value in given.items()}
    names = read.get("env_http_headers")
    for header, variable in (names if isinstance(names, Mapping) else {}).items():
        found[str(header)] = expander.expand(f"${{{variable}}}", f"env_http_headers.{header}")
    token = read.get("bearer_token_env_var")
    if isinstance(token, str):
        value = expander.expand(f"${{{token}}}", "bearer_token_env_var")
        found["Authorization"] = f"Bearer {value}"
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _wrong(expander: Expander, key: str, what: str) -> ConfigError:
    return ConfigError(
        f"{expander.path}: {expander.key} {what}",
        hint='Write {"command": "npx", "args": ["-y", "server"]} or {"url": "https://…"}.',
        path=str(expander.path),
        key=f"{expander.key}.{key}",
    )
