"""Questions of a server in the middle of a call, asked at the terminal or answered beforehand."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..threads import shared
from .console import hint, is_terminal, say
from .statusline import STATUS

if TYPE_CHECKING:
    from ..mcp.servers import Server

__all__ = ["Asker"]

# How often a person may answer wrongly before the question counts as declined.
TRIES = 3


class Asker:
    """Answers forms from `--answer K=V`, then from a person; without either it says how to.

    `unanswered` tells afterwards that a question had no answer.
    """

    def __init__(self, answers: Sequence[str] = (), *, no_input: bool = False) -> None:
        """`answers` are `K=V`, by the names of the forms' fields."""
        self.unanswered = False
        self._given = dict(map(_pair, answers))
        self._asks = not no_input and is_terminal(sys.stdin)

    @property
    def asks(self) -> bool:
        """Whether a person may be asked at the terminal."""
        return self._asks

    async def elicit(self, server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer one question: accepted with content, declined, or cancelled."""
        message = server.mask(str(params.get("message", "")))
        if params.get("mode") == "url":
            return await self._page(server, message, str(params.get("url", "")))
        say(f"'{server.name}' asks: {message}")
        schema = params.get("requestedSchema")
        return await self._form(schema if isinstance(schema, Mapping) else {})

    async def _page(self, server: Server, message: str, url: str) -> Mapping[str, Any]:
        """Show a URL; it is never opened from here, for anybody may have written it."""
        say(f"'{server.name}' asks you to open a page: {message}")
        say(f"  {url}")
        if not self._asks:
            return self._nobody("open the page, then call again at a terminal")
        answer = await _line("done? [y/N] ")
        return {"action": "accept" if answer.lower() in {"y", "yes"} else "decline"}

    async def _form(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        from ..schema.check import checker

        faults_of = checker(dict(schema))
        content: dict[str, Any] = {}
        fields = schema.get("properties")
        required = schema.get("required") or ()
        for name, field in (fields if isinstance(fields, Mapping) else {}).items():
            field_ = field if isinstance(field, Mapping) else {}
            found = await self._field(name, field_, needed=name in required)
            if found is _DECLINED:
                return {"action": "decline"}
            if found is _NOTHING and name in required:
                return self._nobody(f"--answer {name}=VALUE")
            if found is not _NOTHING:
                content[name] = found
        faults = faults_of(content)
        if faults:
            told = "; ".join(f"{path}: {what}" if path else what for path, what in faults)
            say(f"the answers do not fit: {told}", kind="error")
            return self._nobody("--answer NAME=VALUE for each")
        return {"action": "accept", "content": content}

    async def _field(self, name: str, field: Mapping[str, Any], *, needed: bool) -> Any:
        if name in self._given:
            return _parsed(self._given[name], field)
        if not self._asks:
            return _NOTHING
        for _ in range(TRIES):
            answer = await _line(_prompt(name, field, needed=needed))
            if answer:
                return _parsed(answer, field)
            if "default" in field:
                return field["default"]
            if not needed:
                return _NOTHING
        return _DECLINED

    def _nobody(self, advice: str) -> Mapping[str, Any]:
        self.unanswered = True
        say("the question has no answer", kind="error")
        hint(advice)
        return {"action": "cancel"}


_NOTHING: Any = object()
_DECLINED: Any = object()


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError(f"'{text}' is no answer", hint="write --answer NAME=VALUE")
    return key, value


def _parsed(text: str, field: Mapping[str, Any]) -> Any:
    """Read an answer by its field's type; what can't be read stays text, and does not fit."""
    kind = field.get("type")
    if kind == "boolean":
        words = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
        return words.get(text.strip().lower(), text)
    if kind == "array":
        return _json(text, list, [part.strip() for part in text.split(",")])
    if kind in {"integer", "number"}:
        return _json(text, (int, float), text)
    return text


def _json(text: str, kinds: Any, otherwise: Any) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return otherwise
    return value if isinstance(value, kinds) else otherwise


def _prompt(name: str, field: Mapping[str, Any], *, needed: bool) -> str:
    """`city (text): Where to? ` with the choices and the default."""
    about = str(field.get("description") or field.get("title") or "")
    choices = field.get("enum")
    kind = "|".join(map(str, choices)) if isinstance(choices, list) else field.get("type", "text")
    facts = [str(kind), *([] if needed else ["optional"])]
    if "default" in field:
        facts.append(f"default {field['default']}")
    return f"  {name} ({', '.join(facts)}){f' {about}' if about else ''}: "


async def _line(prompt: str) -> str:
    from .console import escaped

    with STATUS.away():
        sys.stderr.write(escaped(prompt))
        sys.stderr.flush()
        answer: str = await shared().run(sys.stdin.readline)
    return answer.strip()
