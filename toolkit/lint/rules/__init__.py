"""The rules, a module a subject: importing one registers what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rule import RULES
from . import (
    agreement,
    confusable,
    descriptions,
    effects,
    elsewhere,
    empties,
    encoded,
    fields,
    headers,
    hidden,
    hints,
    keywords,
    links,
    names,
    parameters,
    patterns,
    references,
    requests,
    schemas,
    secrets,
    strict,
    tokens,
    undescribed,
    values,
    wording,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..rule import Rule

__all__ = ["every"]

_MODULES = (
    agreement,
    confusable,
    descriptions,
    effects,
    elsewhere,
    empties,
    encoded,
    fields,
    headers,
    hidden,
    hints,
    keywords,
    links,
    names,
    parameters,
    patterns,
    references,
    requests,
    schemas,
    secrets,
    strict,
    tokens,
    undescribed,
    values,
    wording,
)


def every() -> Mapping[str, Rule]:
    """Every rule by its code."""
    return dict(sorted(RULES.items()))
