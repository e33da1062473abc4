"""What an annotation says beside its type: text, alias, constraints, whether None fits."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal, Union, get_args, get_origin

import pydantic
import typing_extensions
from pydantic.fields import FieldInfo

__all__ = ["alias", "annotated_text", "field_info", "takes_none"]


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


def alias(info: FieldInfo | None) -> str | None:
    """The name on the wire where a field has an alias."""
    if info is None:
        return None
    alias = info.validation_alias or info.alias
    if isinstance(alias, pydantic.AliasChoices):
        alias = next((each for each in alias.choices if isinstance(each, str)), None)
    return alias if isinstance(alias, str) else None


def takes_none(annotation: Any) -> bool:
    """Whether a type allows None."""
    annotation = unalias(annotation)
    if annotation in (None, type(None), Any, object):
        return True
    if get_origin(annotation) is typing.Annotated:
        return takes_none(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return any(takes_none(each) for each in get_args(annotation))
    return get_origin(annotation) is Literal and None in get_args(annotation)
