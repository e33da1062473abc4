"""A resource or a prompt of an MCP server, read and shown."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import MCPRequestError, UsageError
from ..formats.mcp import read_content
from ..formats.wire import stand_in
from ..mcp.connection import Connection
from ..mcp.listing import list_everything
from ..schema.faults import closest
from ..targets import is_server_word
from ..types import Content, Resource, Text
from .console import write, write_json
from .offering import meant, of_prompt, of_template, offered, page, variables
from .render.saving import save_resources
from .session import say_problem

if TYPE_CHECKING:
    from ..mcp.session import Session
    from ..reaching import Reach

__all__ = ["HELP", "show_prompt", "show_resource"]

HELP = ("--help", "-h")


async def show_resource(
    words: Sequence[str], reach: Reach, *, save: str | None, as_json: bool
) -> int:
    """Print a resource: text as it is, anything else in words, or saved into a file."""
    target, (uri, *rest) = _target(words, reach, what="URI")
    _nothing_more(rest)
    async with _session(target, reach) as session:
        try:
            result = await _ask(session, "resources/read", {"uri": uri}, phase="read")
        except MCPRequestError as error:
            error.hint = error.hint or await _uri_meant(session, uri)
            raise
    contents = _objects(result.get("contents"))
    if as_json:
        write_json(result)
        return 0
    parts = [read_content({"type": "resource", "resource": one}) for one in contents]
    if save is not None:
        save_resources(parts, Path(save))
        return 0
    for part in parts:
        write(_text(part))
    return 0


async def show_prompt(words: Sequence[str], reach: Reach, *, as_json: bool) -> int:
    """Print the messages of a prompt, each behind its role; with `--help`, what it takes."""
    helps = any(word in HELP for word in words)
    target, (name, *rest) = _target([w for w in words if w not in HELP], reach, what="NAME")
    async with _session(target, reach) as session:
        prompt = _known(name, (await list_everything(session, "prompts")).items)
        if helps:
            write(await page(session, prompt))
            return 0
        arguments = _arguments(rest, name, prompt)
        await _refuse_missing(session, prompt, arguments)
        params = {"name": name, "arguments": arguments}
        try:
            result = await _ask(session, "prompts/get", params, phase="prompt")
        except MCPRequestError as error:
            error.hint = error.hint or await meant(session, of_prompt(name), given=arguments)
            raise
    if as_json:
        write_json(result)
        return 0
    for message in _objects(result.get("messages")):
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else [blocks]:
            write(f"{message.get('role', '?')}: {_text(read_content(block))}")
    return 0


async def _ask(
    session: Session, method: str, params: dict[str, Any], *, phase: str
) -> dict[str, Any]:
    return await session.request(method, params, phase=phase, seconds=session.limits.call)


@contextlib.asynccontextmanager
async def _session(word: str, reach: Reach) -> AsyncIterator[Session]:
    connection = Connection(reach.server(word), limits=reach.limits(), listener=reach.listener())
    try:
        await connection.open()
        yield connection.session
    finally:
        await connection.close()
        for finding in await connection.stray_output():
            say_problem(finding)


def _target(words: Sequence[str], reach: Reach, *, what: str) -> tuple[str, list[str]]:
    """Split TARGET off the words; a command behind `--` is one already."""
    found = list(words)
    target = "--" if reach.command else (found.pop(0) if found else "")
    if not target or not found:
        raise UsageError(f"no {what} given", hint=f"write TARGET {what}, or {what} -- COMMAND ARG…")
    return target if is_server_word(target) else f"mcp:{target}", found


def _nothing_more(words: Sequence[str]) -> None:
    if words:
        raise UsageError(f"'{words[0]}' is one word too many", hint="write TARGET URI")


async def _uri_meant(session: Session, uri: str) -> str | None:
    """The resource that was probably meant, by what the server offers for its templates."""
    for item in (await list_everything(session, "templates")).items:
        template = str(item.get("uriTemplate"))
        given = variables(template, uri)
        if given is not None:
            return await meant(session, of_template(template), given=given)
    return None


def _known(name: str, known: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    prompt = next((one for one in known if one.get("name") == name), None)
    if prompt is None:
        names = [str(one.get("name")) for one in known]
        meant = closest(name, names, most=1)
        offered = f"there are: {', '.join(names)}" if names else "the server offers none"
        hint = f"did you mean '{meant[0]}'?" if meant else offered
        raise UsageError(f"there is no prompt '{name}'", hint=hint)
    return prompt


def _arguments(words: Sequence[str], name: str, prompt: Mapping[str, Any]) -> dict[str, str]:
    """Read `--key value`, `--key=value` and `key=value`; only names that it declares."""
    declared = _objects(prompt.get("arguments"))
    names = [str(one.get("name")) for one in declared]
    given = _pairs(words)
    for key in given:
        if key not in names:
            meant = closest(key, names, most=1)
            hint = f"did you mean '{meant[0]}'?" if meant else f"it takes: {', '.join(names)}"
            raise UsageError(f"the prompt '{name}' has no argument '{key}'", hint=hint)
    return given


async def _refuse_missing(
    session: Session, prompt: Mapping[str, Any], given: Mapping[str, str]
) -> None:
    for one in _objects(prompt.get("arguments")):
        name = str(one.get("name"))
        if one.get("required") is not True or name in given:
            continue
        reference = of_prompt(str(prompt.get("name")))
        found = await offered(session, reference, argument=name, given=given)
        told = [str(one["description"])] if one.get("description") else []
        told += [f"one of: {found}"] if found.values else []
        message = f"the prompt '{prompt.get('name')}' needs '{name}'"
        raise UsageError(message, hint=" ".join(told) or None)


def _objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; what is none of either is left out."""
    listed = value if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, Mapping)]


def _pairs(words: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        key, equals, value = word.removeprefix("--").partition("=")
        if not equals and word.startswith("--") and waiting:
            value = waiting.pop(0)
        elif not equals:
            raise UsageError(f"'{word}' has no value", hint="write --key value or key=value")
        given[key] = value
    return given


def _text(content: Content) -> str:
    if isinstance(content, Text):
        return content.text
    if isinstance(content, Resource) and content.text is not None:
        return content.text
    return stand_in(content)
