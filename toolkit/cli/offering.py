"""The values that a server offers for the arguments of a prompt or a resource template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import MCPError
from ..schema.faults import closest

if TYPE_CHECKING:
    from ..mcp.session import Session

__all__ = ["Offered", "meant", "of_prompt", "of_template", "offered", "page", "variables"]

_VARIABLE = re.compile(r"\{([A-Za-z0-9_.]+)\}")
# Values that a line shows.
_SHOWN = 8
# A question beside the one that was asked waits no longer than this, in seconds.
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Offered:
    """Values, and whether there are more of them."""

    values: tuple[str, ...] = ()
    more: bool = False

    def __str__(self) -> str:
        """The first of them, for a line."""
        dots = ", …" if self.more or len(self.values) > _SHOWN else ""
        return ", ".join(self.values[:_SHOWN]) + dots


def of_prompt(name: str) -> dict[str, str]:
    """The reference to a prompt, as the protocol has it."""
    return {"type": "ref/prompt", "name": name}


def of_template(template: str) -> dict[str, str]:
    """The reference to a resource template, as the protocol has it."""
    return {"type": "ref/resource", "uri": template}


async def offered(
    session: Session,
    reference: Mapping[str, str],
    *,
    argument: str,
    start: str = "",
    given: Mapping[str, str] | None = None,
) -> Offered:
    """Ask what an argument may be, where it begins with `start` and the others are as `given`.

    Nothing where the server does not offer completions, or fails at it: no work depends on it.
    """
    if "completions" not in session.identity.get("capabilities", {}):
        return Offered()
    params: dict[str, Any] = {
        "ref": dict(reference),
        "argument": {"name": argument, "value": start},
    }
    if given:
        params["context"] = {"arguments": dict(given)}
    try:
        result = await session.request(
            "completion/complete",
            params,
            phase="prompt",
            seconds=min(_PATIENCE, session.limits.call),
        )
    except MCPError:
        return Offered()
    found = result.get("completion")
    found = found if isinstance(found, Mapping) else {}
    values = found.get("values")
    values = values if isinstance(values, list) else []
    texts = tuple(value for value in values if isinstance(value, str))
    return Offered(texts, more=found.get("hasMore") is True)


async def meant(
    session: Session, reference: Mapping[str, str], *, given: Mapping[str, str]
) -> str | None:
    """What to say of values that a server did not take: the one that was probably meant."""
    for name, value in given.items():
        others = {key: each for key, each in given.items() if key != name}
        found = await offered(session, reference, argument=name, given=others)
        if not found.values or value in found.values:
            continue
        near = closest(value, list(found.values), most=1)
        if near:
            return f"did you mean {name} '{near[0]}'?"
        return f"the server offers for {name}: {found}"
    return None


async def page(session: Session, prompt: Mapping[str, Any]) -> str:
    """A prompt's help: its arguments, what they are, and what the server offers for each."""
    name = str(prompt.get("name"))
    lines = [f"{name}: {prompt['description']}" if prompt.get("description") else name]
    for each in prompt.get("arguments") or ():
        flag = f"  --{each.get('name')} TEXT"
        facts = [str(each["description"])] if each.get("description") else []
        facts += ["[required]"] if each.get("required") is True else []
        found = await offered(session, of_prompt(name), argument=str(each.get("name")))
        facts += [f"[one of: {found}]"] if found.values else []
        lines.append("  ".join([flag, *facts]))
    return "\n".join(lines)


def variables(template: str, uri: str) -> dict[str, str] | None:
    """The values of a template's variables in a URI; None where it is not of that template."""
    names = _VARIABLE.findall(template)
    parts = _VARIABLE.split(template)
    pattern = "".join("(.+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
    found = re.fullmatch(pattern, uri)
    return dict(zip(names, found.groups(), strict=True)) if found is not None else None
