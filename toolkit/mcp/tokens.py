"""Where the tokens of servers are kept: a file for each, for its owner's eyes alone."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..errors import ConfigError

__all__ = ["TokenStore"]


class TokenStore:
    """The tokens and the registration of one server, by its URL."""

    def __init__(self, url: str, *, folder: Path | None = None) -> None:
        """`folder` is the user's own by default; nothing is read or written yet."""
        parts = urlsplit(url)
        plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        mark = hashlib.sha256(plain.encode()).hexdigest()[:16]
        self.url = plain
        self.path = (folder or _folder()) / f"{parts.hostname}-{mark}.json"

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return self.path.exists()

    def get(self, key: str) -> Mapping[str, Any] | None:
        """Return `tokens`, `client` or `grant` as put; a ConfigError where others can read them."""
        value = self._read().get(key)
        return value if isinstance(value, Mapping) else None

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Keep a value; the file is never readable by others, not even for a moment."""
        held = {**self._read(), "server": self.url, key: dict(value)}
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(held, file)
        fresh.replace(self.path)

    def delete(self) -> bool:
        """Forget everything; whether there was anything."""
        try:
            self.path.unlink()
        except FileNotFoundError:
            return False
        return True

    @property
    def secrets(self) -> frozenset[str]:
        """The texts among what is kept that must never be printed."""
        tokens, client = self.get("tokens") or {}, self.get("client") or {}
        values = [tokens.get("access_token"), tokens.get("refresh_token")]
        values.append(client.get("client_secret"))
        values.append(self.client_secret)
        return frozenset(value for value in values if isinstance(value, str))

    @property
    def client_secret(self) -> str | None:
        """The secret of a client of its own, which stands in a variable and never in the file."""
        variable = (self.get("grant") or {}).get("secret_env")
        return os.environ.get(variable) if isinstance(variable, str) else None

    def _read(self) -> dict[str, Any]:
        try:
            with self.path.open(encoding="utf-8") as file:
                self._check(os.fstat(file.fileno()).st_mode)
                held = json.load(file)
        except FileNotFoundError:
            return {}
        except ValueError:
            return {}
        return held if isinstance(held, dict) else {}

    def _check(self, mode: int) -> None:
        if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigError(
                f"{self.path} can be read by others, so its tokens are not used",
                hint=f"chmod 600 {self.path}, or log in again after toolkit mcp logout.",
                path=str(self.path),
            )


def _folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", base)
    return Path(base) / "toolkit" / "tokens"
