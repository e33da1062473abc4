"""One callable's parameters as fields, read with its hints; an error names its place."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar, get_args, get_origin

import pydantic
import typing_extensions
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import SchemaError

from ..errors import InvalidSignatureError, ToolkitError
from ..findings import shown_path
from ..types import ToolContext
from . import hints
from .adapter import adapter_of, is_record, keys_of, raw_schema
from .annotations import (
    aliases,
    alternatives,
    annotated_text,
    field_info,
    materialised,
    nullable,
    takes_none,
)
from .unseen import unseen

if typing.TYPE_CHECKING:
    import types
    from collections.abc import Callable, Sequence

    from pydantic import TypeAdapter

__all__ = ["EMPTY", "Kind", "Parameter", "Reader"]

T = TypeVar("T")
EMPTY = inspect.Parameter.empty
_UNPACK = (typing.Unpack, typing_extensions.Unpack)  # two before Python 3.12
_ABSENT: Any = FieldInfo()  # the default of what need not be given and has none
Kind = inspect._ParameterKind  # noqa: SLF001 - the enum has no public name


@dataclass(slots=True)
class Parameter:
    """One parameter that a model can fill."""

    name: str
    kind: Kind
    annotation: Any
    default: Any
    text: str
    wires: tuple[str, ...]  # the names that an input may have for it, the schema's first

    @property
    def required(self) -> bool:
        """Whether a call without it is refused."""
        return self.default is EMPTY


class Reader:
    """Reads one callable; every error it raises names the callable and its place."""

    def __init__(self, function: Any, tool: str, scope: Sequence[types.FrameType]) -> None:
        self.function = function
        self.tool = tool
        self.names = hints.local_names(function, scope)

    def place(self) -> dict[str, Any]:
        """`path` and `line` of the definition, as errors take them."""
        return hints.place(self.function)._asdict()

    def resolve(self, annotation: Any) -> Any:
        """The evaluated hint; whatever its evaluation raises passes through."""
        return self.with_unseen(
            lambda: hints.resolve(annotation, callable_=self.function, names=self.names)
        )

    def with_unseen(self, evaluate: Callable[[], T]) -> T:
        """A value whose evaluation may need names that only a type checker imports."""
        while True:
            try:
                return evaluate()
            except NameError as error:
                if error.name is None or error.name in self.names:
                    raise
                try:
                    found = unseen(error.name, hints.module_of(self.function))
                except LookupError:
                    raise error from None
                self.names[error.name] = found

    def hint(self, parameter: inspect.Parameter) -> Any:
        """The evaluated hint; `Any` where there is none."""
        if parameter.annotation is EMPTY:
            return Any
        try:
            return materialised(self.resolve(parameter.annotation))
        except Exception as error:
            raise self.fault(parameter.name, parameter.annotation, why=str(error)) from error

    def fault(self, name: str, annotation: Any, *, why: str) -> InvalidSignatureError:
        """The error for a type that can't be used: tool, parameter, type, file and line."""
        shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        where = hints.place(self.function)
        at = f" ({shown_path(where.path)}:{where.line})" if where.path else ""
        message = f"'{self.tool}': the type {shown} of parameter '{name}' can't be used: {why}{at}"
        hint = None
        if why == _NO_JSON:
            hint = (
                f"annotate what a model can give, or fix the value: functools.partial(…, {name}=…)"
            )
        return InvalidSignatureError(
            message, hint=hint, tool=self.tool, parameter=name, **self.place()
        )

    def role(self, parameter: inspect.Parameter) -> str | None:
        """Whether the pipeline fills it: "context", "agent" or None."""
        annotation = parameter.annotation
        if annotation is EMPTY:
            return "agent" if parameter.name == "agent" else None
        try:
            resolved = hints.resolve(annotation, callable_=self.function, names=self.names)
        except Exception:  # noqa: BLE001 - a name that only the type checker sees; told later
            if hints.names_context(annotation):
                return "context"
            if parameter.name == "agent" and hints.names_agent(annotation):
                return "agent"
            resolved = None
        members = alternatives(resolved)
        if any(issubclass(each, ToolContext) for each in members if isinstance(each, type)):
            return "context"
        return "agent" if parameter.name == "agent" and any(map(_is_agent, members)) else None

    def parameter(self, parameter: inspect.Parameter, documented: str) -> Parameter:
        """A field of the input; `documented` is what the docstring says of it."""
        annotation = self.hint(parameter)
        default = parameter.default
        mark = get_origin(annotation)
        if mark in (typing_extensions.Required, typing_extensions.NotRequired):
            (annotation,) = get_args(annotation)
            default = EMPTY if mark is typing_extensions.Required else _ABSENT
        text = annotated_text(annotation) or documented or self._of_model(parameter.name)
        text = text or f"Parameter {parameter.name}"
        info = field_info(annotation)
        if isinstance(default, FieldInfo) and default is not _ABSENT:
            info, annotation = default, typing.Annotated[annotation, default]
            text = default.description or text
            default = EMPTY if default.is_required() else default
        elif info is not None and default is EMPTY and not info.is_required():
            default = info
        elif default is None and not takes_none(annotation):
            annotation = nullable(annotation)
        wires = aliases(info) or (parameter.name,)
        return Parameter(parameter.name, parameter.kind, annotation, default, text, wires)

    def expanded(self, parameter: inspect.Parameter) -> list[inspect.Parameter]:
        """`**options: Unpack[Keys]` as a parameter for each key; any other as it is."""
        if parameter.kind is not Kind.VAR_KEYWORD:
            return [parameter]
        hint = self.hint(parameter)
        (kind,) = get_args(hint) if get_origin(hint) in _UNPACK else (None,)
        if not typing_extensions.is_typeddict(get_origin(kind) or kind):
            return [parameter]
        keys = self.with_unseen(lambda: keys_of(kind, self.names))
        return [
            inspect.Parameter(name, Kind.KEYWORD_ONLY, annotation=each)
            for name, each in keys.items()
        ]

    def _of_model(self, name: str) -> str:
        """What a model that is itself the callable says of a field, by its name or alias."""
        fields = getattr(self.function, "model_fields", None)
        for own, info in (fields if isinstance(fields, dict) else {}).items():
            if name in (own, *aliases(info)) and info.description:
                return str(info.description)
        return ""

    def adapter(
        self, fields: list[Parameter], extra: Any, *, open_: bool
    ) -> tuple[TypeAdapter[dict[str, Any]], dict[str, Any]]:
        """The validator and raw schema of all parameters together."""
        options = {"extra_items": extra} if open_ else {}
        try:
            shape = _shape(fields, **options)
            adapter = self.with_unseen(lambda: adapter_of(shape, names=self.names))
            return adapter, raw_schema(adapter)
        except Exception as error:
            raise self._culprit(fields) or self.fault("**", extra, why=_reason(error)) from error

    def _culprit(self, fields: list[Parameter]) -> InvalidSignatureError | None:
        for each in fields:
            try:
                raw_schema(adapter_of(_shape([each]), names=self.names))
            except Exception as error:  # noqa: BLE001 - whatever the type's own code raises
                return self.fault(each.name, each.annotation, why=_reason(error))
        return None


def _shape(fields: list[Parameter], **options: Any) -> Any:
    """The type of an input: a key for each parameter, built once its names are known."""
    make: Any = typing_extensions.TypedDict
    shape = make("Input", {each.name: _key(each) for each in fields}, **options)
    shape.__pydantic_config__ = pydantic.ConfigDict(
        defer_build=True,
        arbitrary_types_allowed=True,  # beside one that a model can give, in a union
    )
    return shape


def _is_agent(annotation: Any) -> bool:
    """Whether it is a class of agents, and not a record or choice that a model can give."""
    if annotation is Any:
        return True
    if not isinstance(annotation, type) or is_record(annotation) or issubclass(annotation, Enum):
        return False
    return any("Agent" in each.__name__ for each in annotation.__mro__)


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
    formless = isinstance(error, PydanticUserError) and error.code in _FORMLESS
    if formless or isinstance(error, SchemaError):  # such as a Protocol, whose instances none knows
        return _NO_JSON
    return str(error).partition("\n")[0].strip() or type(error).__name__


_FORMLESS = ("invalid-for-json-schema", "schema-for-unknown-type")
_NO_JSON = "it has no JSON form"
