"""A function's signature as one validator and one schema, built once, on first use."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from typing import Any, NamedTuple, Union, get_args

import pydantic
import typing_extensions
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

from ..errors import DefinitionError, InvalidInputError, InvalidSignatureError, ToolkitError
from ..findings import shown_path
from ..types import Content, Note, ToolContext, ToolResult
from . import hints
from .adapter import adapter_of, is_record, raw_schema, schema_of
from .annotations import alias, annotated_text, field_info, takes_none
from .clean import clean
from .docstring import parse
from .faults import closest, describe, explain
from .repair import parse_texts

if typing.TYPE_CHECKING:
    import types
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Bound", "Compiled", "compile_signature"]

EMPTY = inspect.Parameter.empty
CONTENT = (*get_args(Content), ToolResult)  # what a tool may return as it stands: no data
Kind = inspect._ParameterKind  # noqa: SLF001 - the enum has no public name


class Bound(NamedTuple):
    """What a call of the function gets, and what its caller should know."""

    args: list[Any]
    kwargs: dict[str, Any]
    notes: list[Note]


@dataclass(slots=True)
class Parameter:
    """One parameter that a model can fill."""

    name: str
    kind: Kind
    annotation: Any
    default: Any
    text: str
    wire: str = ""

    @property
    def required(self) -> bool:
        """Whether a call without it is refused."""
        return self.default is EMPTY


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

    def bind(self, arguments: Mapping[str, Any], context: ToolContext) -> Bound:
        """Validate, and lay the values out as the function takes them.

        Raises `InvalidInputError` with every fault of the input at once.
        """
        values, notes = self._validate(arguments)
        if self.context is not None:
            values[self.context] = context
        if self.agent is not None and context.agent is not None:
            values[self.agent] = context.agent
        args, kwargs = self._lay_out(values)
        return Bound(args, kwargs, notes)

    def _validate(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[Note]]:
        notes: list[Note] = []
        try:
            values = self.adapter.validate_python(arguments)
        except pydantic.ValidationError as error:
            values = self._repair(arguments, error, notes)
        except RecursionError:
            raise InvalidInputError("input: nested too deeply") from None
        if self.extra is None and not arguments.keys() <= self.wires.keys():
            notes += self._ignored(arguments)
        return values, notes

    def _repair(
        self, arguments: Mapping[str, Any], error: pydantic.ValidationError, notes: list[Note]
    ) -> dict[str, Any]:
        """Parse JSON texts that stand where an object or array is wanted, then try once more."""
        repaired, parsed = parse_texts(arguments, error.errors(include_url=False))
        if not parsed:
            raise self._refused(arguments, error) from None
        try:
            values = self.adapter.validate_python(repaired)
        except pydantic.ValidationError as second:
            raise self._refused(repaired, second) from None
        notes += [Note("converted", path, "JSON text was parsed") for path in parsed]
        return values

    def _refused(
        self, arguments: Mapping[str, Any], error: pydantic.ValidationError
    ) -> InvalidInputError:
        faults = describe(error.errors(include_url=False), arguments)
        lines = [(fault.path, fault.message) for fault in faults]
        unknown = [] if self.extra else self._ignored(arguments)
        message = explain([*faults])
        message += "".join(f"\n- {note.path}: {note.message}" for note in unknown)
        return InvalidInputError(message, faults=tuple(lines), tool=self.tool)

    def _ignored(self, arguments: Mapping[str, Any]) -> list[Note]:
        notes = []
        for name in arguments:
            if name not in self.wires:
                meant = closest(str(name), self.wires, most=1)
                hint = f"; did you mean '{meant[0]}'?" if meant else ""
                notes.append(Note("ignored", str(name), f"unknown argument, ignored{hint}"))
        return notes

    def _lay_out(self, values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        positional = [p for p in self.order if p.kind is Kind.POSITIONAL_ONLY]
        given = [number for number, p in enumerate(positional) if p.name in values]
        needed = positional[: given[-1] + 1 if given else 0]
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
    reader = _Reader(function, tool, scope)
    order = hints.parameters(function, tool=tool)
    _refuse_unbound(order, reader)
    under = hints.origin(function).function
    docstring = parse(_docstring(function, under), [each.name for each in order])
    special = _special(order, reader, context=context)
    chosen = [each for each in order if each.name not in special.values()]
    fields = [
        reader.parameter(each, docstring.parameters.get(each.name, ""))
        for each in chosen
        if each.kind not in (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)
    ]
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
        wires={each.wire: each.name for each in fields},
        extra=var_keyword.name if var_keyword else None,
        context=special.get("context"),
        agent=special.get("agent"),
        output=output,
    )


def _docstring(function: Any, under: Any) -> str | None:
    own = getattr(under, "__doc__", None)
    if own or hints.origin(function).function is function:
        return own
    return getattr(type(function), "__doc__", None) if not inspect.isroutine(function) else own


def _refuse_unbound(order: list[inspect.Parameter], reader: _Reader) -> None:
    """A method reached through its class has no instance to run on."""
    if not order or order[0].name not in ("self", "cls") or order[0].annotation is not EMPTY:
        return
    name = getattr(hints.origin(reader.function).function, "__qualname__", reader.tool)
    if "." in name.rsplit("<locals>.", 1)[-1]:
        owner = name.rpartition(".")[0]
        message = f"'{reader.tool}' is a method of '{owner}' without an instance"
        hint = f"make an instance and use its method: {owner.rpartition('.')[2]}(…).{reader.tool}"
        raise DefinitionError(message, hint=hint, tool=reader.tool, **reader.place())


def _special(
    order: list[inspect.Parameter], reader: _Reader, *, context: bool | str
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


class _Reader:
    """Reads one callable; every error it raises names the callable and its place."""

    def __init__(self, function: Any, tool: str, scope: Sequence[types.FrameType]) -> None:
        self.function = function
        self.tool = tool
        self.names = hints.local_names(function, scope)

    def place(self) -> dict[str, Any]:
        return hints.place(self.function)._asdict()

    def resolve(self, annotation: Any) -> Any:
        return hints.resolve(annotation, callable_=self.function, names=self.names)

    def hint(self, parameter: inspect.Parameter) -> Any:
        """The evaluated hint; `Any` where there is none."""
        if parameter.annotation is EMPTY:
            return Any
        try:
            return self.resolve(parameter.annotation)
        except Exception as error:
            raise self.fault(parameter.name, parameter.annotation, why=str(error)) from error

    def fault(self, name: str, annotation: Any, *, why: str) -> InvalidSignatureError:
        shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        where = hints.place(self.function)
        at = f" ({shown_path(where.path)}:{where.line})" if where.path else ""
        message = f"'{self.tool}': the type {shown} of parameter '{name}' can't be used: {why}{at}"
        return InvalidSignatureError(message, tool=self.tool, parameter=name, **self.place())

    def role(self, parameter: inspect.Parameter) -> str | None:
        """Whether the pipeline fills it: "context", "agent" or None."""
        annotation = parameter.annotation
        if annotation is EMPTY:
            return "agent" if parameter.name == "agent" else None
        try:
            resolved = self.resolve(annotation)
        except Exception:  # noqa: BLE001 - a name that only the type checker sees; told later
            if hints.names_context(annotation):
                return "context"
            is_agent = parameter.name == "agent" and hints.names_agent(annotation)
            return "agent" if is_agent else None
        members = [each for each in (resolved, *get_args(resolved)) if isinstance(each, type)]
        if any(issubclass(each, ToolContext) for each in members):
            return "context"
        if parameter.name == "agent" and (
            resolved is Any or any(each.__name__.endswith("Agent") for each in members)
        ):
            return "agent"
        return None

    def parameter(self, parameter: inspect.Parameter, documented: str) -> Parameter:
        annotation = self.hint(parameter)
        default = parameter.default
        text = annotated_text(annotation) or documented or f"Parameter {parameter.name}"
        info = field_info(annotation)
        if isinstance(default, FieldInfo):
            info, annotation = default, typing.Annotated[annotation, default]
            text = default.description or text
            default = EMPTY if default.is_required() else default
        elif info is not None and default is EMPTY and not info.is_required():
            default = info
        elif default is None and not takes_none(annotation):
            annotation = Union[annotation, None]  # noqa: UP007 - a string hint may be in there
        wire = alias(info) or parameter.name
        return Parameter(parameter.name, parameter.kind, annotation, default, text, wire)

    def adapter(
        self, fields: list[Parameter], extra: Any, *, open_: bool
    ) -> tuple[TypeAdapter[dict[str, Any]], dict[str, Any]]:
        """The validator and raw schema of all parameters together."""
        keys = {each.name: _key(each) for each in fields}
        options = {"extra_items": extra} if open_ else {}
        make: Any = typing_extensions.TypedDict
        shape = make("Input", keys, **options)
        try:
            adapter = adapter_of(shape, names=self.names)
            return adapter, raw_schema(adapter)
        except Exception as error:
            raise self._culprit(fields) or self.fault("?", "?", why=_reason(error)) from error

    def _culprit(self, fields: list[Parameter]) -> InvalidSignatureError | None:
        for each in fields:
            try:
                raw_schema(adapter_of(each.annotation, names=self.names))
            except Exception as error:  # noqa: BLE001 - whatever the type's own code raises
                return self.fault(each.name, each.annotation, why=_reason(error))
        return None


def _key(parameter: Parameter) -> Any:
    annotation: Any = parameter.annotation
    if isinstance(parameter.default, FieldInfo):
        return typing_extensions.NotRequired[annotation]
    if parameter.required:
        return typing_extensions.Required[annotation]
    default = pydantic.Field(default=parameter.default)
    return typing_extensions.NotRequired[typing.Annotated[annotation, default]]


def _reason(error: Exception) -> str:
    if isinstance(error, ToolkitError):
        return error.message
    text = str(error).partition("\n")[0].strip()
    if isinstance(error, PydanticUserError) or "JsonSchema" in text or "schema for" in text:
        return "it has no JSON form"
    return text or type(error).__name__


def _finish(schema: dict[str, Any], fields: list[Parameter]) -> dict[str, Any]:
    """Give each parameter its text, and the object its fixed parts, in a steady order."""
    properties = schema.get("properties", {})
    for each in fields:
        own = properties.get(each.wire)
        if isinstance(own, dict):
            own["description"] = each.text
    finished: dict[str, Any] = {"type": "object", "properties": properties}
    for key in ("required", "additionalProperties", "$defs"):
        if key in schema:
            finished[key] = schema[key]
    return finished


def _output(reader: _Reader) -> tuple[TypeAdapter[Any] | None, dict[str, Any] | None]:
    """The schema of a returned model, dataclass or TypedDict; no return hint breaks a tool."""
    function = inspect.unwrap(hints.origin(reader.function).function)
    annotation = getattr(function, "__annotations__", {}).get("return", EMPTY)
    if annotation is EMPTY:
        return None, None
    try:
        resolved = reader.resolve(annotation)
        if not is_record(resolved) or resolved in CONTENT:
            return None, None
        adapter, schema = schema_of(resolved, mode="serialization", names=reader.names)
    except Exception:  # noqa: BLE001 - the author's types may raise anything
        return None, None
    return (adapter, schema) if schema.get("type") == "object" else (None, None)
