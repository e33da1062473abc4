"""Everything that a server lists, page by page, each item as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import MCPError, MCPProtocolError, MCPRequestError
from ..findings import Finding, Place, Severity
from ..schema.faults import short

if TYPE_CHECKING:
    from .session import Session

__all__ = ["MOST_PAGES", "Listed", "found", "list_everything", "stray_output"]

MOST_PAGES = 1_000
_NO_SUCH_METHOD = -32601

# What is listed: the method, the key of its items, the capability that announces it, and the
# field that tells one from another.
_KINDS = {
    "tools": ("tools/list", "tools", "tools", "name"),
    "resources": ("resources/list", "resources", "resources", "uri"),
    "templates": ("resources/templates/list", "resourceTemplates", "resources", "uriTemplate"),
    "prompts": ("prompts/list", "prompts", "prompts", "name"),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """The items as they came, in order, none twice, and what was wrong with the list."""

    items: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[Finding, ...] = ()


def found(
    code: str,
    message: str,
    *,
    server: str,
    severity: Severity = Severity.ERROR,
    tool: str | None = None,
    hint: str | None = None,
    cause: BaseException | None = None,
) -> Finding:
    """Build a finding about a server; `code` is both forms in one text: `M101 repeated-cursor`."""
    number, _, name = code.partition(" ")
    place = Place(server=server)
    return Finding(number, name, message, severity, hint, tool, place, cause=cause)


async def list_everything(session: Session, kind: str = "tools") -> Listed:
    """List tools, resources, templates or prompts, within the session's deadline for lists.

    A cursor that repeats and a list without end are findings, and what came until then stays. A
    server that does not know the method has nothing of the kind.
    """
    pages = _Pages(session, kind)
    until = asyncio.get_running_loop().time() + session.limits.list
    cursor: str | None = None
    for number in range(1, MOST_PAGES + 1):
        left = max(until - asyncio.get_running_loop().time(), 0.001)
        try:
            page = await pages.ask(cursor, left)
        except MCPError as error:
            if number == 1 or error.kind not in ("error", "timeout"):
                raise
            pages.complain(
                "M103 malformed-list",
                f"Page {number} of the {kind} can't be had, what came before it stays:"
                f" {error.message}",
                hint=error.hint,
                cause=error,
            )
            break
        if page is None:
            break
        cursor = pages.take(page, number)
        if cursor is None:
            break
    else:
        pages.complain(
            "M102 endless-pages",
            f"'{session.server.name}' has more than {MOST_PAGES:,} pages of {kind};"
            f" the first {len(pages.items):,} are kept",
        )
    return Listed(tuple(pages.items), tuple(pages.findings))


class _Pages:
    """One walk over the pages of a list."""

    def __init__(self, session: Session, kind: str) -> None:
        self.items: list[Mapping[str, Any]] = []
        self.findings: list[Finding] = []
        self._session, self._kind = session, kind
        self._method, self._key, self._capability, self._identity = _KINDS[kind]
        self._cursors: set[str] = set()
        self._names: set[str] = set()

    def complain(self, code: str, message: str, **more: Any) -> None:
        """Note what is wrong with the list."""
        server = self._session.server
        self.findings.append(found(code, server.mask(message), server=server.name, **more))

    async def ask(self, cursor: str | None, seconds: float) -> Mapping[str, Any] | None:
        """Ask for a page; None where the server does not know this kind of list."""
        params = {} if cursor is None else {"cursor": cursor}
        try:
            return await self._session.request(self._method, params, phase="list", seconds=seconds)
        except MCPRequestError as error:
            if error.code != _NO_SUCH_METHOD or (self._kind == "tools" and self._promised()):
                raise
            return None

    def _promised(self) -> bool:
        return self._capability in self._session.identity.get("capabilities", {})

    def take(self, page: Mapping[str, Any], number: int) -> str | None:
        """Take a page's items; the next cursor, or None at the end ("" is a cursor like others)."""
        items = page.get(self._key)
        if not isinstance(items, list):
            if number == 1:
                raise MCPProtocolError(
                    f"'{self._session.server.name}' answered {self._method}"
                    f" without a list of '{self._key}'",
                    hint="Show the conversation with --wire.",
                    server=self._session.server.name,
                    phase="list",
                    kind="protocol",
                )
            self.complain("M103 malformed-list", f"Page {number} has no list of '{self._key}'")
            items = []
        cursor = page.get("nextCursor")
        repeated = cursor is not None and cursor in self._cursors
        for item in items:
            self._add(item, quiet=repeated)
        if cursor is None:
            return None
        if not isinstance(cursor, str):
            self.complain("M103 malformed-list", f"The nextCursor of page {number} is no text")
            return None
        if repeated:
            self.complain(
                "M101 repeated-cursor",
                f"'{self._session.server.name}' repeats the cursor '{cursor[:40]}' on page"
                f" {number}: its list of {self._kind} would never end",
                hint="The last page must have no nextCursor.",
            )
            return None
        self._cursors.add(cursor)
        return cursor

    def _add(self, item: Any, *, quiet: bool) -> None:
        if not isinstance(item, Mapping):
            self.complain(
                "M104 malformed-item", f"One of its {self._kind} is no object: {short(item)}"
            )
            return
        name = item.get(self._identity)
        if isinstance(name, str) and name:
            if name in self._names:
                if not quiet:
                    self.complain(
                        "M105 listed-twice",
                        f"'{name}' is listed twice; the first one stays",
                        tool=name,
                        severity=Severity.WARNING,
                    )
                return
            self._names.add(name)
        self.items.append(item)


async def stray_output(session: Session) -> tuple[Finding, ...]:
    """Return a warning that quotes the first line on stdout that is not of the protocol."""
    evidence = await session.transport.evidence()
    if not evidence.strays:
        return ()
    server = session.server
    count = "a line" if evidence.strays == 1 else f"{evidence.strays:,} lines"
    first = server.mask(next((line for line in evidence.stray if line.strip()), ""))
    message = f"'{server.name}' printed {count} on stdout that are not of the protocol"
    if evidence.strays == 1:
        message = message.replace("are not", "is not")
    return (
        found(
            "M106 stray-stdout",
            f"{message}, first: '{first}'",
            server=server.name,
            severity=Severity.WARNING,
            hint="Print to stderr (in Python: print(…, file=sys.stderr)); stdout is the wire.",
        ),
    )
