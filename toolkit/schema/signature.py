"""A function's signature as one validator and one schema, built once, on first use."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

import pydantic

from ..errors import DefinitionError, InvalidInputError
from ..types import Content, Note, ToolContext, ToolResult
from . import hints
from .adapter import from_json, is_record, schema_of
from .annotations import alternatives
from .clean import clean
from .docstring import Docstring, parse
from .faults import Fault, closest, describe, explain
from .outline import Outline
from .reader import EMPTY, Kind, Parameter, Reader
from .repair import members_in, parse_texts

if typing.TYPE_CHECKING:
    import types
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import TypeAdapter

__all__ = ["Bound", "Compiled", "compile_signature"]

LAYERS = 3  # of JSON text within JSON text
CONTENT = (*get_args(Content), ToolResult)  # what a tool may return as it stands: no data


class Bound(NamedTuple):
    """What a call of the function gets, and what its caller should know."""

    args: list[Any]
    kwargs: dict[str, Any]
    notes: list[Note]


@dataclass(slots=True)
class Compiled:
    """A function made ready: its description, its schemas, and its validator."""

    tool: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    adapter: TypeAdapter[dict[str, Any]]
    order: list[inspect.Parameter]
    wires: dict[str, str]  # wire name -> parameter name
    extra: str | None  # the name of `**extra`, where there is one
    context: str | None
    agent: str | None
    output: TypeAdapter[Any] | None = None
    positional: list[inspect.Parameter] = field(init=False)  # those that take no keyword

    def __post_init__(self) -> None:
        """Read from the order what each call needs of it."""
        self.positional = [each for each in self.order if each.kind is Kind.POSITIONAL_ONLY]

    @property
    def needed(self) -> frozenset[str]:
        """The parameters without which Python refuses the call."""
        return frozenset(each.name for each in self.order if each.default is EMPTY)

    def bind(self, arguments: Mapping[str, Any], context: ToolContext) -> Bound:
        """Validate, and lay the values out as the function takes them.

        Raises `InvalidInputError` with every fault of the input at once.
        """
        values, notes = self._validate(arguments)
        if self.context is not None:
            values[self.context] = context
        if self.agent is not None and (context.agent is not None or self.agent in self.needed):
            values[self.agent] = context.agent
        args, kwargs = self._lay_out(values)
        return Bound(args, kwargs, notes)

    def _validate(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[Note]]:
        notes: list[Note] = []
        try:
            values = self._read(arguments)
        except pydantic.ValidationError as error:
            values = self._repair(arguments, error, notes)
        except RecursionError:
            raise InvalidInputError("input: nested too deeply") from None
        if self.extra is None and not arguments.keys() <= self.wires.keys():
            notes += self._ignored(arguments)
        return values, notes

    def _read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """As Python's values, which is quicker; what is refused gets its hearing as JSON."""
        try:
            return self.adapter.validate_python(arguments)
        except pydantic.ValidationError:
            values: dict[str, Any] = from_json(self.adapter, arguments)
            return values

    def _repair(
        self, arguments: Mapping[str, Any], error: pydantic.ValidationError, notes: list[Note]
    ) -> dict[str, Any]:
        """Parse JSON texts that stand where an object or array is wanted, then try again.

        A text may hold further ones: each round opens one level.
        """
        outline = Outline(self.input_schema)
        errors, parsed = error.errors(include_url=False), list[str]()
        came: Mapping[str, Any] = arguments
        members = members_in(self.adapter.core_schema)
        for _ in range(LAYERS):
            opened, paths = parse_texts(came, errors, outline=outline, members=members)
            if opened == came:
                break
            came, parsed = opened, [*parsed, *paths]
            try:
                values = self._read(came)
            except pydantic.ValidationError as again:
                errors = again.errors(include_url=False)
            else:
                notes += [Note("converted", path, "JSON text was parsed") for path in parsed]
                return values
        raise self._refused(describe(errors, came, outline=outline), arguments) from None

    def _refused(self, faults: list[Fault], arguments: Mapping[str, Any]) -> InvalidInputError:
        unknown = [] if self.extra else self._ignored(arguments)
        told = [*faults, *(Fault(note.path, note.message) for note in unknown)]
        lines = [(fault.path, fault.message) for fault in faults]
        return InvalidInputError(explain(told), faults=tuple(lines), tool=self.tool)

    def _ignored(self, arguments: Mapping[str, Any]) -> list[Note]:
        notes = []
        wire_of = {name: wire for wire, name in reversed(self.wires.items())}
        for name in arguments:
            if name not in self.wires:
                near = closest(str(name), self.wires, most=1)
                meant = wire_of.get(name) or (near[0] if near else None)
                hint = f"; did you mean '{meant}'?" if meant else ""
                notes.append(Note("ignored", str(name), f"unknown argument, ignored{hint}"))
        return notes

    def _lay_out(self, values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        if not self.positional:
            return [], values
        given = [number for number, p in enumerate(self.positional) if p.name in values]
        needed = self.positional[: given[-1] + 1 if given else 0]
        args = [values.pop(parameter.name, parameter.default) for parameter in needed]
        return args, values


def compile_signature(
    function: Callable[..., Any],
    *,
    tool: str,
    context: bool | str = False,
    scope: Sequence[types.FrameType] = (),
) -> Compiled:
    """Read a callable's signature, hints and docstring.

    Raises `InvalidSignatureError` naming tool, parameter, type, file and line where a hint can't
    be resolved or has no JSON form. `scope` are the frames around the definition, inner first.
    """
    reader = Reader(function, tool, scope)
    order = hints.parameters(function, tool=tool)
    _refuse_unbound(order, reader)
    under = hints.origin(function).function
    special = _special(order, reader, context=context)
    given = [each for each in order if each.name not in special.values()]
    chosen = [part for each in given for part in reader.expanded(each)]
    known = dict.fromkeys(each.name for each in (*order, *chosen))
    docstring = _read(function, under, names=[*known])
    fields = [
        reader.parameter(each, docstring.parameters.get(each.name, ""))
        for each in chosen
        if each.kind not in (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)
    ]
    _refuse_twins(fields, reader)
    var_keyword = next((each for each in chosen if each.kind is Kind.VAR_KEYWORD), None)
    extra_type = reader.hint(var_keyword) if var_keyword else None
    adapter, raw = reader.adapter(fields, extra_type, open_=var_keyword is not None)
    output, output_schema = _output(reader)
    return Compiled(
        tool=tool,
        description=docstring.description,
        input_schema=_finish(clean(raw), fields),
        output_schema=output_schema,
        adapter=adapter,
        order=order,
        wires={wire: each.name for each in fields for wire in each.wires},
        extra=var_keyword.name if var_keyword else None,
        context=special.get("context"),
        agent=special.get("agent"),
        output=output,
    )


def _read(function: Any, under: Any, *, names: list[str]) -> Docstring:
    """The docstring; of a class also its `__init__`'s, which knows the parameters as well."""
    own = parse(_docstring(function, under), names)
    init = vars(under).get("__init__") if isinstance(under, type) else None
    made = parse(getattr(init, "__doc__", None), names)
    text = own.description or made.description
    return Docstring(text, {**made.parameters, **own.parameters})


def _docstring(function: Any, under: Any) -> str | None:
    own = getattr(under, "__doc__", None)
    if own or hints.origin(function).function is function:
        return own
    return getattr(type(function), "__doc__", None) if not inspect.isroutine(function) else own


def _refuse_unbound(order: list[inspect.Parameter], reader: Reader) -> None:
    """A method reached through its class has no instance to run on."""
    if not order or order[0].name not in ("self", "cls") or order[0].annotation is not EMPTY:
        return
    name = getattr(hints.origin(reader.function).function, "__qualname__", reader.tool)
    if "." in name.rsplit("<locals>.", 1)[-1]:
        owner = name.rpartition(".")[0]
        message = f"'{reader.tool}' is a method of '{owner}' without an instance"
        hint = f"make an instance and use its method: {owner.rpartition('.')[2]}(…).{reader.tool}"
        raise DefinitionError(message, hint=hint, tool=reader.tool, **reader.place())


def _refuse_twins(fields: list[Parameter], reader: Reader) -> None:
    """An alias that is another parameter's name: an input could not say which is meant."""
    owners: dict[str, str] = {}
    for each in fields:
        for wire in each.wires:
            first = owners.setdefault(wire, each.name)
            if first != each.name:
                message = f"'{reader.tool}': '{first}' and '{each.name}' are both called '{wire}'"
                hint = f"give '{each.name}' another alias"
                raise DefinitionError(message, hint=hint, tool=reader.tool, **reader.place())


def _special(
    order: list[inspect.Parameter], reader: Reader, *, context: bool | str
) -> dict[str, str]:
    """The parameters that the pipeline fills: role -> parameter name."""
    found: dict[str, str] = {}
    for each in order:
        role = reader.role(each)
        if role is not None:
            found.setdefault(role, each.name)
    names = [each.name for each in order]
    if isinstance(context, str):
        if context not in names:
            message = f"'{reader.tool}' has no parameter '{context}' to put the context in"
            raise DefinitionError(message, tool=reader.tool, **reader.place())
        found["context"] = context
    elif context and "context" not in found:
        name = next((each for each in ("tool_context", "context") if each in names), None)
        if name is None:
            message = f"'{reader.tool}' asks for a context but has no parameter for it"
            hint = "add a parameter `context: ToolContext`"
            raise DefinitionError(message, hint=hint, tool=reader.tool, **reader.place())
        found["context"] = name
    return found


def _finish(schema: dict[str, Any], fields: list[Parameter]) -> dict[str, Any]:
    """Give each parameter its text, and the object its fixed parts, in a steady order."""
    properties = schema.get("properties", {})
    for each in fields:
        own = properties.get(each.wires[0])
        if isinstance(own, dict):
            own["description"] = each.text
    finished: dict[str, Any] = {"type": "object", "properties": properties}
    for key in ("required", "additionalProperties", "$defs"):
        if key in schema:
            finished[key] = schema[key]
    return finished


def _output(reader: Reader) -> tuple[TypeAdapter[Any] | None, dict[str, Any] | None]:
    """The schema of a returned model, dataclass or TypedDict; no return hint breaks a tool."""
    function = inspect.unwrap(hints.origin(reader.function).function)
    annotation = getattr(function, "__annotations__", {}).get("return", EMPTY)
    if annotation is EMPTY:
        return None, None
    try:
        (resolved, *others) = alternatives(reader.resolve(annotation))
        if others or not is_record(resolved) or resolved in CONTENT:
            return None, None
        adapter, schema = reader.with_unseen(
            lambda: schema_of(resolved, mode="serialization", names=reader.names)
        )
    except Exception:  # noqa: BLE001 - the author's types may raise anything
        return None, None
    return (adapter, schema) if schema.get("type") == "object" else (None, None)
