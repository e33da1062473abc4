"""What an annotation says beside its type: text, alias, constraints, whether None fits."""

from __future__ import annotations

import types
import typing
from collections import abc
from typing import Any, Literal, Union, get_args, get_origin

import pydantic
import typing_extensions
from pydantic.fields import FieldInfo

__all__ = [
    "aliases",
    "alternatives",
    "annotated_text",
    "field_info",
    "materialised",
    "nullable",
    "takes_none",
]


def annotated_text(annotation: Any) -> str:
    """The last text in `Annotated`: a string, a `Field(description=…)` or a `Doc(…)`."""
    annotation = unalias(annotation)
    text = ""
    for each in getattr(annotation, "__metadata__", ()):
        documented = getattr(each, "documentation", None)
        if isinstance(each, str):
            text = each
        elif isinstance(each, FieldInfo) and each.description:
            text = each.description
        elif isinstance(documented, str):
            text = documented
    if not text and get_origin(annotation) in (Union, types.UnionType):
        return next(filter(None, map(annotated_text, get_args(annotation))), "")
    return text


def unalias(annotation: Any) -> Any:
    """What a `type X = …` alias stands for."""
    while isinstance(annotation, typing_extensions.TypeAliasType):
        annotation = annotation.__value__
    return annotation


def field_info(annotation: Any) -> FieldInfo | None:
    """The `Field(…)` of an `Annotated`, several merged into one."""
    found = [
        each
        for each in getattr(unalias(annotation), "__metadata__", ())
        if isinstance(each, FieldInfo)
    ]
    if len(found) > 1:
        return FieldInfo.merge_field_infos(*found)
    return found[0] if found else None


def aliases(info: FieldInfo | None) -> tuple[str, ...]:
    """The names on the wire where a field has aliases, the schema's own first."""
    found = None if info is None else info.validation_alias or info.alias
    choices = found.choices if isinstance(found, pydantic.AliasChoices) else [found]
    named = [each for each in choices if isinstance(each, str)]
    paths = [each.path[0] for each in choices if isinstance(each, pydantic.AliasPath)]
    return (*named, *map(str, paths)) if named else ()


def nullable(annotation: Any) -> Any:
    """A type that takes None too; its `Field(…)` goes on speaking for the whole parameter."""
    if get_origin(annotation) is not typing.Annotated:
        return Union[annotation, None]  # noqa: UP007 - a string hint may be in there
    inner, *metadata = get_args(annotation)
    annotated: Any = typing.Annotated
    spoken: list[Any] = []
    for each in metadata:
        if isinstance(each, FieldInfo):
            spoken.append(each)
        else:
            inner = annotated[inner, each]
    outer: Any = Union[inner, None]  # noqa: UP007 - as above
    for each in spoken:
        outer = annotated[outer, each]
    return outer


_LISTS = (abc.Iterable, abc.Collection, abc.Container, abc.Reversible)


def materialised(annotation: Any) -> Any:
    """A hint in which `Iterable[T]` is a list and `Iterator[T]` runs over one.

    pydantic would check their items only when the function takes them, and take a text for one.
    """
    kind, inner = get_origin(annotation) or annotation, get_args(annotation)
    members = tuple(map(materialised, inner))
    listed: Any = list
    try:
        if any(kind is each for each in _LISTS):
            return listed[members or Any]
        if kind is abc.Iterator:
            return typing.Annotated[listed[members or Any], pydantic.AfterValidator(iter)]
        if kind is typing.LiteralString:
            return str
        if all(one is other for one, other in zip(members, inner, strict=True)):
            return annotation
    except TypeError:  # arguments that are no types
        return annotation
    return _rebuilt(kind, members)


def _rebuilt(kind: Any, members: tuple[Any, ...]) -> Any:
    if kind is types.UnionType:
        kind = Union
    return kind[members]


def alternatives(annotation: Any) -> list[Any]:
    """The members of a union at any depth, without aliases and metadata; else the type alone."""
    annotation = unalias(annotation)
    if get_origin(annotation) is typing.Annotated:
        return alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [each for member in get_args(annotation) for each in alternatives(member)]
    return [annotation]


def takes_none(annotation: Any) -> bool:
    """Whether a type allows None."""
    return any(
        each in (None, type(None), Any, object)
        or (get_origin(each) is Literal and None in get_args(each))
        for each in alternatives(annotation)
    )
