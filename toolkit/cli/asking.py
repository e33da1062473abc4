"""Questions of a server in the middle of a call, asked at the terminal or answered beforehand."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..threads import shared
from .console import hint, is_terminal, plain, say
from .forms import Field, fields_of
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
        self._turn = asyncio.Lock()
        self._without: list[Mapping[str, Any]] = []
        self._asks = not no_input and is_terminal(sys.stdin)

    @property
    def asks(self) -> bool:
        """Whether a person may be asked at the terminal."""
        return self._asks

    async def elicit(self, server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer one question: accepted with content, declined, or cancelled; one at a time."""
        async with self._turn:
            return await self._answer(server, params)

    async def _answer(self, server: Server, params: Mapping[str, Any]) -> Mapping[str, Any]:
        message = server.mask(str(params.get("message", "")))
        if not self._asks and params in self._without:
            return {"action": "cancel"}  # it has been told once that nobody answers this
        if params.get("mode") == "url":
            found = await self._page(server, message, str(params.get("url", "")))
        else:
            found = await self._told(server, message, params)
        if found["action"] == "cancel":
            self._without.append(params)
        return found

    async def _told(
        self, server: Server, message: str, params: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        say(f"'{server.name}' asks: {message}{' (Ctrl-D declines)' if self._asks else ''}")
        schema = params.get("requestedSchema")
        return await self._form(schema if isinstance(schema, Mapping) else {})

    async def _page(self, server: Server, message: str, url: str) -> Mapping[str, Any]:
        """Show a URL; it is never opened from here, for anybody may have written it."""
        say(f"'{server.name}' asks you to open a page: {message}")
        say(f"  {url}")
        if not self._asks:
            return self._nobody("open the page, then call again at a terminal")
        answer = await _line("done? [y/N] ")
        accepted = answer is not None and answer.lower() in {"y", "yes"}
        return {"action": "accept" if accepted else "decline"}

    async def _form(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        content: dict[str, Any] = {}
        misfits: list[str] = []
        fields = fields_of(schema)
        if not fields:
            return await self._consent()
        for field in fields:
            found = await self._field(field)
            if found is _DECLINED:
                return {"action": "decline"}
            if found is _NOTHING and field.needed:
                return self._nobody(f"--answer {field.name}=VALUE")
            if found is not _NOTHING:
                content[field.name] = found
                fault = field.fault(found)
                misfits += [f"{field.name}: {fault}"] if fault else []
        if not content and not self._asks:  # nobody agreed to anything
            return self._nobody("--answer NAME=VALUE, or call again at a terminal")
        if misfits:
            say(f"the answers do not fit: {'; '.join(misfits)}", kind="error")
            return self._nobody("--answer NAME=VALUE for each")
        return {"action": "accept", "content": content}

    async def _consent(self) -> Mapping[str, Any]:
        """A form without fields asks for a yes alone."""
        if not self._asks:
            return self._nobody("call again at a terminal")
        answer = await _line("accept? [y/N] ")
        agreed = answer is not None and answer.lower() in {"y", "yes"}
        return {"action": "accept", "content": {}} if agreed else {"action": "decline"}

    async def _field(self, field: Field) -> Any:
        """Get one answer: given beforehand, typed, or the default where nothing is typed."""
        if field.name in self._given:
            return field.read(self._given[field.name])
        if not self._asks:
            return _NOTHING
        for _ in range(TRIES):
            answer = await _line(field.prompt)
            if answer is None:
                return _DECLINED
            if not answer and "default" in field.schema:
                return field.schema["default"]
            if not answer and not field.needed:
                return _NOTHING
            if answer:
                value = field.read(answer)
                fault = field.fault(value)
                if fault is None:
                    return value
                say(f"  {field.name}: {fault}", kind="error")
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


async def _line(prompt: str) -> str | None:
    """Ask for a line; None where the input has ended (Ctrl-D)."""
    with STATUS.away():
        sys.stderr.write(plain(prompt))
        sys.stderr.flush()
        answer: str = await shared().run(sys.stdin.readline)
        if not answer:
            sys.stderr.write("\n")
            return None
    return answer.strip()
