"""Tool uses out of a message, each of them ready to be answered by exactly one result."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import InvalidInputError, UnknownToolError
from .schema.faults import closest, short
from .types import TOOL_NAME, Malformed, Message, Note, ToolContext, ToolUse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import Tool

__all__ = ["ready", "refusal", "tool_uses", "unknown"]


def tool_uses(message: Message) -> tuple[ToolUse, ...]:
    """The tool uses of a message, in order, repeated ids and all."""
    return tuple(part for part in message.content if isinstance(part, ToolUse))


def ready(use: ToolUse, context: ToolContext, *, known: bool = False) -> ToolUse:
    """The use with an input that is an object; what is none is an error, and never `{}`.

    No input, null and empty text mean `{}`; a JSON text of an object is parsed, and noted. A name
    that is `known`, being a registered tool's, is legal.
    """
    if known and isinstance(use.input, dict):
        return use
    if not isinstance(use.name, str) or TOOL_NAME.fullmatch(use.name) is None:
        shown = short(use.name)
        message = f"{shown} is no legal tool name: 1 to 64 letters, digits, '_' or '-'"
        raise UnknownToolError(message, name=use.name)
    if isinstance(use.input, dict):
        return use
    if use.input is None or use.input == "":
        return replace(use, input={})
    if isinstance(use.input, Malformed):
        why = use.input.why  # the readers of formats say "is not JSON: …", others only the fault
        text = f"input {why}" if why.startswith(("is ", "nests ")) else f"input: not JSON: {why}"
        raise InvalidInputError(text, tool=use.name)
    if isinstance(use.input, str):
        return replace(use, input=_parsed(use.input, use.name, context))
    raise InvalidInputError(f"input: expected an object, got {short(use.input)}", tool=use.name)


def refusal(use: ToolUse, tool: Tool | None, *, names: Sequence[str] = ()) -> BaseException | None:
    """Why a use would be refused before its tool runs; None where it would run.

    The name, the input's form and the tool's own validation are looked at, hooks are not.
    """
    context = ToolContext(use)
    try:
        known = ready(use, context)
        _check(known, unknown(use.name, names) if tool is None else tool, context)
    except Exception as error:  # noqa: BLE001 - a validator of the author's may raise anything
        return error
    return None


def _check(use: ToolUse, tool: Tool, context: ToolContext) -> None:
    own = getattr(tool, "check", None)
    if own is not None:
        own(use, context)
        return
    from .schema.check import checker

    faults = checker(tool.spec.input_schema)(use.input)
    if faults:
        message = "\n".join(f"{path or 'input'}: {why}" for path, why in faults)
        raise InvalidInputError(message, faults=tuple(faults), tool=use.name)


def _parsed(text: str, tool: str, context: ToolContext) -> dict[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except RecursionError:
        raise InvalidInputError("input: nested too deeply", tool=tool) from None
    except ValueError as error:
        raise InvalidInputError(f"input: not a JSON object: {error}", tool=tool) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInputError(f"input: expected an object, got {short(value)}", tool=tool)
    context.notes.append(Note("converted", "input", "JSON text was parsed"))
    return value


def unknown(name: str, names: Sequence[str]) -> NoReturn:
    """Raise the error of a name that no tool has, with the closest ones."""
    meant = tuple(closest(name, names))
    if meant:
        hint = "did you mean " + " or ".join(f"'{each}'" for each in meant) + "?"
    else:
        hint = f"known tools: {', '.join(names[:10])}" if names else "there are no tools"
    raise UnknownToolError(f"unknown tool '{name}'; {hint}", name=name, closest=meant)
