"""Structured output: the object that is wanted, as the input of a tool that a model has to call."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import typing_extensions
from pydantic import RootModel, ValidationError

from ..errors import (
    DefinitionError,
    InvalidInputError,
    StructuredOutputException,
    ToolkitError,
)
from ..pairing import ready
from ..results import from_value
from ..schema.adapter import from_json, is_record, schema_of
from ..schema.annotations import materialised
from ..schema.faults import describe, explain, short
from ..schema.outline import Outline
from ..schema.repair import members_in, parse_texts
from ..types import Note, Text, ToolContext, ToolResult, ToolSpec, ToolUse
from .embedding import WRAPPER, GivenSchema, is_object_schema
from .naming import name_of, other_name, plain_type
from .texts import json_in, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import TypeAdapter

    from ..registry import ToolRegistry
    from ..types import Message

__all__ = [
    "StructuredOutputContext",
    "StructuredOutputException",
    "StructuredOutputTool",
    "plain_json",
]

OURS = f"{__name__.partition('.')[0]}."
SHOWN = 60  # characters of what is no type
LAST = "Call this tool last, once, with the final answer."


class StructuredOutputTool:
    """A tool whose input is the object that is wanted; calling it gives that object.

    `wanted` is a pydantic model, a dataclass, a TypedDict, any other type that pydantic takes, or
    a JSON Schema. What is no object travels under the one required key `value`.
    """

    def __init__(
        self, wanted: Any, *, name: str | None = None, description: str | None = None
    ) -> None:
        """The schema is made on first use: `DefinitionError` where the type has none."""
        self.wanted = wanted
        self.name = name or name_of(wanted)
        self.owner: StructuredOutputContext | None = None
        self._description = description
        self._names = _names_around()
        self._shape: _Shape | None = None
        self._spec: ToolSpec | None = None

    @property
    def options(self) -> dict[str, Any]:
        """Tells a registry that the schema has been examined, and is shown as it is."""
        return {}

    @property
    def shape(self) -> _Shape:
        """The validator and the schema."""
        if self._shape is None:
            if isinstance(self.wanted, Mapping):
                self._shape = GivenSchema(self.wanted, tool=self.name)
            else:
                self._shape = _OfType(self.wanted, tool=self.name, names=self._names)
            self._names = {}  # a frame's names keep all its values alive
        return self._shape

    @property
    def wrapped(self) -> bool:
        """Whether the value travels under the key `value`."""
        return self.shape.wrapped

    @property
    def spec(self) -> ToolSpec:
        """What a model is told."""
        if self._spec is None:
            about = self._description or self.shape.about
            text = f"{about}\n\n{LAST}" if about else LAST
            self._spec = ToolSpec(self.name, text, self.shape.schema)
        return self._spec

    async def invoke(self, use: ToolUse, context: ToolContext) -> ToolResult:
        """Validate the input; `InvalidInputError` with every fault, else the object as JSON text.

        The result is made here: an object that looks like a result is data all the same.
        """
        value, notes = self.shape.read(use.input)
        context.notes += notes
        context.mark("validate")
        if self.owner is not None:
            self.owner.store(use.tool_use_id, value)
        plain = plain_json(value)
        text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
        return ToolResult(use.tool_use_id, "success", (Text(text),))

    def validate(self, arguments: Mapping[str, Any]) -> Any:
        """The object that an input stands for, or `InvalidInputError` with every fault."""
        return self.shape.read(arguments)[0]

    def from_json(self, came: Any) -> Any:
        """As `validate`; what would travel wrapped may also come as it is."""
        if self.wrapped and not (isinstance(came, dict) and came.keys() == {WRAPPER}):
            came = {WRAPPER: came}
        if not isinstance(came, dict):
            fault = ("", f"expected an object, got {short(came)}")
            raise InvalidInputError(f"input: {fault[1]}", faults=(fault,), tool=self.name)
        return self.validate(came)

    def owned(self, owner: StructuredOutputContext | None, *, name: str) -> StructuredOutputTool:
        """A copy for one run, under a name that is free there."""
        twin = copy.copy(self)
        twin.name, twin.owner = name, owner
        twin._spec = dataclasses.replace(self.spec, name=name)  # noqa: SLF001 - our own copy
        return twin

    def __repr__(self) -> str:
        return f"<structured output {self.name}>"


def plain_json(value: Any) -> Any:
    """An object as the JSON value that a model is told of it."""
    use = ToolUse("plain", "plain")
    result = from_value(use, {WRAPPER: value}, context=ToolContext(use), structured=True)
    return result.structured[WRAPPER]


class _Shape(Protocol):
    """A validator and its schema."""

    schema: dict[str, Any]
    wrapped: bool
    about: str

    def read(self, arguments: Mapping[str, Any]) -> tuple[Any, list[Note]]:
        """The value, or `InvalidInputError`."""


class _OfType:
    """The shape of a type, by pydantic."""

    def __init__(self, wanted: Any, *, tool: str, names: Mapping[str, Any]) -> None:
        if isinstance(wanted, str) or inspect.isroutine(wanted):
            raise _no_schema(wanted, tool, "it is no type")
        self.tool = tool
        plain = plain_type(wanted)
        self.wrapped = not is_record(plain) or _is_root_model(plain)
        try:
            self.adapter, self.schema = self._build(materialised(wanted), names)
        except ToolkitError:
            raise
        except Exception as error:
            why = str(error).partition("\n")[0].partition(". Set `")[0]
            raise _no_schema(wanted, tool, why) from error
        said = "" if self.wrapped else self.schema.pop("description", "")
        self.about = said or _own_docstring(plain)

    def _build(
        self, wanted: Any, names: Mapping[str, Any]
    ) -> tuple[TypeAdapter[Any], dict[str, Any]]:
        if not self.wrapped:
            adapter, schema = schema_of(wanted, names=names)
            if is_object_schema(schema):
                return adapter, schema
            self.wrapped = True  # a model whose own JSON form is something else
        make: Any = typing_extensions.TypedDict
        return schema_of(make("Wrapped", {WRAPPER: wanted}), names=names)

    def read(self, arguments: Mapping[str, Any]) -> tuple[Any, list[Note]]:
        notes: list[Note] = []
        try:
            value = from_json(self.adapter, arguments)
        except ValidationError as error:
            value = self._repaired(arguments, error, notes)
        except RecursionError:
            raise InvalidInputError("input: nested too deeply", tool=self.tool) from None
        return (value[WRAPPER] if self.wrapped else value), notes

    def _repaired(
        self, arguments: Mapping[str, Any], error: ValidationError, notes: list[Note]
    ) -> Any:
        """Parse JSON texts that stand where an object or array is wanted, then try once more."""
        outline = Outline(self.schema)
        errors = error.errors(include_url=False)
        members = members_in(self.adapter.core_schema)
        repaired, parsed = parse_texts(arguments, errors, outline=outline, members=members)
        for validate in (partial(from_json, self.adapter), self.adapter.validate_python):
            if repaired == arguments:
                break
            try:
                value = validate(repaired)
            except ValidationError as second:
                errors = second.errors(include_url=False)
            else:
                notes += [Note("converted", path, "JSON text was parsed") for path in parsed]
                return value
        faults = describe(errors, repaired, outline=outline)
        pairs = tuple((fault.path, fault.message) for fault in faults)
        raise InvalidInputError(explain(faults), faults=pairs, tool=self.tool) from None


def _is_root_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, RootModel)


def _own_docstring(kind: Any) -> str:
    """A class's own docstring; not one that it inherits, or that was made from its fields."""
    kind = typing_extensions.get_origin(kind) or kind
    if not isinstance(kind, type) or kind.__module__ == "builtins":
        return ""
    text = inspect.cleandoc(vars(kind).get("__doc__") or "")
    return "" if text.startswith(f"{kind.__name__}(") else text


def _names_around() -> dict[str, Any]:
    """The local names where the type is used: a local class may refer to another one."""
    frame = inspect.currentframe()
    while frame is not None and f"{frame.f_globals.get('__name__')}.".startswith(OURS):
        frame = frame.f_back
    if frame is None or frame.f_locals is frame.f_globals:
        return {}
    return dict(frame.f_locals)


def _no_schema(wanted: Any, tool: str, why: str) -> DefinitionError:
    own = None if typing_extensions.get_args(wanted) else getattr(wanted, "__name__", None)
    shown = own if isinstance(own, str) else repr(wanted)[:SHOWN]
    message = f"no structured output can be made of {shown}: {why}"
    hint = "pass a model, a dataclass, a TypedDict, another type of JSON values, or a JSON Schema"
    return DefinitionError(message, hint=hint, tool=tool)


class StructuredOutputContext:
    """One run's structured output: its tool, the object once it is there, and force mode.

    Where the model ends its turn without the tool it is asked once more, shown this tool alone
    and bound to call it. After `max_attempts` calls that failed, or when the forced turn brings
    none, the run ends with `StructuredOutputException`. `prompt` is what the forced turn says.
    """

    def __init__(self, wanted: Any, *, max_attempts: int = 3, prompt: str | None = None) -> None:
        """`wanted` as for `StructuredOutputTool`, or such a tool."""
        given = isinstance(wanted, StructuredOutputTool)
        self.tool: StructuredOutputTool = wanted if given else StructuredOutputTool(wanted)
        self.max_attempts = max_attempts
        self.value: Any = None
        self.done = self.forced = False
        self.attempts = 0
        self.faults: tuple[tuple[str, str], ...] = ()
        self._prompt = prompt
        self._registry: ToolRegistry | None = None
        self._values: dict[str, Any] = {}

    @property
    def prompt(self) -> str:
        """What a model is told that has forgotten the tool."""
        return self._prompt or f"Give your final answer now: call the tool '{self.tool.name}'."

    @classmethod
    def of(cls, output: Any) -> StructuredOutputContext:
        """A context as it is; of anything else a new one."""
        return output if isinstance(output, StructuredOutputContext) else cls(output)

    def begin(self) -> None:
        """Forget an earlier run; `DefinitionError` where the type has no schema."""
        self.tool = self.tool.owned(self, name=self.tool.name)
        self._values.clear()
        self.value, self.done, self.forced, self.attempts, self.faults = None, False, False, 0, ()

    def register(self, registry: ToolRegistry) -> None:
        """Put the tool into a registry, under another name where its own is taken."""
        name, number = self.tool.name, 0
        while registry.find(name) is not None:
            number += 1
            name = other_name(self.tool.name, number)
        self.tool = self.tool.owned(self, name=name)
        registry.register(self.tool, dynamic=True)
        self._registry = registry

    def cleanup(self) -> None:
        """Take the tool out again."""
        if self._registry is not None and self._registry.get(self.tool.name) is self.tool:
            self._registry.unregister(self.tool.name)
        self._registry = None

    def store(self, tool_use_id: str, value: Any) -> None:
        """Keep what a call gave until its result is known to stand."""
        self._values[tool_use_id] = value

    def answered(self, uses: Sequence[ToolUse], results: Iterable[ToolResult]) -> None:
        """Look at a batch's results for the object; the first in order counts.

        Raises `StructuredOutputException` at the last attempt, or where a forced turn called no
        tool of this name.
        """
        mine = [pair for pair in zip(uses, results, strict=True) if pair[0].name == self.tool.name]
        for use, result in mine:
            if result.status == "success":
                self.value, self.done = self._value_of(use), True
                return
        if mine:
            self._failed(mine[0][1].exception, mine[0][1].text)
        elif self.forced:
            raise self._error(f"the model did not call '{self.tool.name}', though it was forced to")

    def _value_of(self, use: ToolUse) -> Any:
        """What a call gave; of one in an earlier process, what its input stands for."""
        if use.tool_use_id in self._values:
            return self._values[use.tool_use_id]
        return self.tool.from_json(ready(use, ToolContext(use)).input)

    def ended(self, message: Message) -> str | None:
        """What to tell a model that ended its turn; None where the object has come as text."""
        if not self.forced:
            self.forced = True
            return self.prompt
        came = json_in(text_of(message))
        if came is None:
            raise self._error(f"the model did not call '{self.tool.name}', though it was forced to")
        try:
            self.value, self.done = self.tool.from_json(came[0]), True
        except Exception as error:  # noqa: BLE001 - a validator of the user's may raise anything
            why = error.message if isinstance(error, ToolkitError) else f"Error: {error!r}"
            self._failed(error, why)
            return f"{why}\n\n{self.prompt}"
        return None

    def _failed(self, error: BaseException | None, why: str) -> None:
        self.attempts += 1
        self.faults = error.faults if isinstance(error, InvalidInputError) else (("", why),)
        if self.attempts >= self.max_attempts:
            times = f"{self.attempts} times" if self.attempts > 1 else "once"
            raise self._error(f"'{self.tool.name}' was called {times}, never rightly; last: {why}")

    def _error(self, message: str) -> StructuredOutputException:
        return StructuredOutputException(
            message, tool=self.tool.name, attempts=self.attempts, faults=self.faults
        )
