"""Any type as a validator and a cleaned JSON Schema, with pydantic's rough edges taken off."""

from __future__ import annotations

import dataclasses
import enum
import functools
import json
import operator
import sys
import types
import warnings
from typing import Any, Generic, Literal, get_args, get_origin

import typing_extensions
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticSerializationError

from .clean import clean

if typing_extensions.TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["adapter_of", "from_json", "is_record", "keys_of", "raw_schema", "schema_of"]


def schema_of(
    annotation: Any,
    *,
    mode: Literal["validation", "serialization"] = "validation",
    names: Mapping[str, Any] | None = None,
) -> tuple[TypeAdapter[Any], dict[str, Any]]:
    """The validator of any type and its cleaned JSON Schema; `names` as in `adapter_of`."""
    adapter = adapter_of(annotation, names=names)
    schema = clean(raw_schema(adapter, mode=mode))
    reference = schema.get("$ref", "")
    if reference.startswith("#/$defs/"):  # a recursive type: its own entry is the root
        schema = {**schema["$defs"][reference.removeprefix("#/$defs/")], **schema}
        del schema["$ref"]
    return adapter, schema


def raw_schema(
    adapter: TypeAdapter[Any], *, mode: Literal["validation", "serialization"] = "validation"
) -> dict[str, Any]:
    """The schema as pydantic makes it, without titles of its own making and without warnings."""
    return adapter.json_schema(schema_generator=_Generator, mode=mode)


def from_json(adapter: TypeAdapter[Any], value: Any) -> Any:
    """Validate what came as JSON: a strict type takes a date, an enum, a set from its text too.

    A value that only Python has is validated as it is. Raises pydantic's ValidationError.
    """
    try:
        return adapter.validate_json(json.dumps(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] != "json_invalid" or first["loc"]:
            raise
    except (TypeError, ValueError):
        pass  # no JSON after all
    return adapter.validate_python(value)


def is_record(annotation: Any) -> bool:
    """Whether a type is a model, a dataclass or a TypedDict."""
    kind = get_origin(annotation) or annotation
    if not isinstance(kind, type):
        return False
    return (
        issubclass(kind, BaseModel)
        or dataclasses.is_dataclass(kind)
        or typing_extensions.is_typeddict(kind)
    )


def adapter_of(annotation: Any, *, names: Mapping[str, Any] | None = None) -> TypeAdapter[Any]:
    """The validator of a type; `typing.TypedDict` works on Python 3.11 too.

    `names` are those that the types' own hints may use beside their modules', such as classes
    that a function defines. Raises what pydantic raises, and NameError for an unknown name.
    """
    known = dict(names or {})
    try:
        return _complete(annotation, known)
    except PydanticUserError as error:
        if error.code != "typed-dict-version":
            raise
        _teach_typed_dicts(annotation, known, set())
        return _complete(annotation, known)


def _complete(annotation: Any, names: dict[str, Any]) -> TypeAdapter[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pydantic's advice for authors of models
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        if not adapter.pydantic_complete:
            adapter.rebuild(raise_errors=True, _types_namespace=names)
    return adapter


def _teach_typed_dicts(annotation: Any, names: dict[str, Any], seen: set[int]) -> None:
    """Tell pydantic how to read `typing.TypedDict`, which it refuses before Python 3.12.

    The class gets pydantic's own hook, which hands over an equal typing_extensions.TypedDict.
    """
    if id(annotation) in seen:
        return
    seen.add(id(annotation))
    for each in get_args(annotation):
        _teach_typed_dicts(each, names, seen)
    kind = get_origin(annotation) or annotation
    if isinstance(kind, typing_extensions.TypeAliasType):
        _teach_typed_dicts(kind.__value__, names, seen)
    if not is_record(kind):
        return
    members = _members(kind, names)
    for each in members.values():
        _teach_typed_dicts(each, names, seen)
    if type(kind).__module__ == "typing" and typing_extensions.is_typeddict(kind):
        _attach(kind, members)


def _members(kind: Any, names: dict[str, Any]) -> dict[str, Any]:
    """The hints of a record's members; a model knows its own, and pydantic tells of the others."""
    fields = getattr(kind, "model_fields", None)
    if fields is not None:
        return {name: each.annotation for name, each in fields.items()}
    module = sys.modules.get(kind.__module__)
    own = {**names, kind.__name__: kind}
    try:
        return typing_extensions.get_type_hints(
            kind, dict(vars(module)) if module else {}, own, include_extras=True
        )
    except NameError:
        if typing_extensions.is_typeddict(kind):
            raise
        return {}


def _attach(kind: Any, members: dict[str, Any]) -> None:
    body = {
        "__annotations__": _keys(kind, members),
        "__module__": kind.__module__,
        "__doc__": kind.__doc__,
        "__pydantic_config__": getattr(kind, "__pydantic_config__", {}),
    }
    parameters = getattr(kind, "__parameters__", ())
    generic = (Generic[parameters],) if parameters else ()  # type: ignore[index] # at run time
    bases: tuple[Any, ...] = (typing_extensions.TypedDict, *generic)
    twin: Any = types.new_class(kind.__name__, bases, {}, lambda names: names.update(body))

    def schema(_: Any, source: Any, handler: Any) -> Any:
        given = get_args(source)
        return handler.generate_schema(twin[given] if given else twin)

    kind.__get_pydantic_core_schema__ = classmethod(schema)


def keys_of(kind: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a TypedDict with their hints, each inside `Required` or `NotRequired`."""
    return _keys(kind, _members(kind, dict(names)))


def _keys(kind: Any, members: dict[str, Any]) -> dict[str, Any]:
    required = getattr(kind, "__required_keys__", frozenset(members))
    return {name: _marked(each, name in required) for name, each in members.items()}


def _marked(annotation: Any, required: object) -> Any:
    """A member's hint inside `Required` or `NotRequired`, its own mark first.

    Under postponed annotations `__required_keys__` does not know of the marks.
    """
    marks = (typing_extensions.Required, typing_extensions.NotRequired)
    if get_origin(annotation) in marks:
        return annotation
    return marks[0][annotation] if required else marks[1][annotation]


class _Generator(GenerateJsonSchema):
    """pydantic's generator without titles of its own making and without warnings."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's signature
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        return _untitled(super().model_schema(schema), schema)

    def field_is_present(self, field: Any) -> bool:
        """A dataclass sets a field that its `__init__` does not take: what comes is dropped."""
        unasked = self.mode == "validation" and field.get("init") is False
        return not unasked and super().field_is_present(field)

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        return _untitled(super().dataclass_schema(schema), schema)

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        return _untitled(super().typed_dict_schema(schema), schema)

    def enum_schema(self, schema: Any) -> dict[str, Any]:
        members = schema["members"]
        if members and isinstance(members[0], enum.Flag):  # their sums are values too
            most = functools.reduce(operator.or_, (each.value for each in members))
            return {"type": "integer", "minimum": 0, "maximum": most}
        return _untitled(super().enum_schema(schema), schema)

    def union_schema(self, schema: Any) -> dict[str, Any]:
        """A union in which no member has a JSON form has none; null alone would say nothing."""
        union = super().union_schema(schema)
        if union in ({"anyOf": []}, {"type": "null"}):
            return self.handle_invalid_for_json_schema(schema, "core_schema.UnionSchema")
        return union

    def is_subclass_schema(self, schema: Any) -> dict[str, Any]:
        """A class has no JSON form; pydantic would say that anything fits."""
        return self.handle_invalid_for_json_schema(schema, "core_schema.IsSubclassSchema")

    def encode_default(self, dft: Any) -> Any:
        encoded = super().encode_default(dft)
        try:
            json.dumps(encoded, allow_nan=False, ensure_ascii=False).encode()
        except ValueError as error:
            raise PydanticSerializationError(str(error)) from error
        return encoded

    def emit_warning(self, kind: Any, detail: str) -> None:
        """A default that JSON can't hold is left out, without a word."""


def _untitled(json_schema: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    cls = schema.get("cls")
    if cls is not None and json_schema.get("title") == cls.__name__:
        json_schema.pop("title")
    return json_schema
