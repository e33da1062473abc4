"""Records that take Python's values alone, or none: what JSON can say reaches them all the same."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import field
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from .rows import Row, an_object, check

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}


@dataclasses.dataclass
class Sum:
    parts: list[int]
    total: int = field(init=False, default=0)


class Shade(enum.Enum):
    DARK = "dark"


class Kind(enum.Enum):
    LAMP = "lamp"
    DESK = 2


class Lamp(BaseModel):
    kind: Literal[Kind.LAMP]
    watts: int


class Desk(BaseModel):
    kind: Literal[Kind.DESK]
    lamps: list[Lamp] = []


class Exact(BaseModel):
    model_config = ConfigDict(strict=True)
    shade: Shade
    size: tuple[int, int]


LAMP = an_object("kind", "watts", kind={**TEXT, "const": "lamp"}, watts=INTEGER)
DESK = an_object(
    "kind", kind={**INTEGER, "const": 2}, lamps={"type": "array", "items": LAMP, "default": []}
)
ROWS = {
    "dataclass that sets a field itself": Row(
        Sum,
        an_object("parts", parts={"type": "array", "items": INTEGER}),
        (({"parts": [1]}, Sum([1])),),
    ),
    "strict model": Row(
        Exact,
        an_object(
            "shade",
            "size",
            shade={**TEXT, "enum": ["dark"]},
            size={
                "type": "array",
                "prefixItems": [INTEGER, INTEGER],
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (({"shade": "dark", "size": [1, 2]}, Exact(shade=Shade.DARK, size=(1, 2))),),
        (({"shade": "dark", "size": [1, "2"]}, 'x.size.1: expected an integer, got "2"'),),
    ),
    "discriminated by the members of an enum": Row(
        Annotated[Lamp | Desk, Field(discriminator="kind")],
        {"oneOf": [LAMP, DESK]},
        (
            ({"kind": "lamp", "watts": 3}, Lamp(kind=Kind.LAMP, watts=3)),
            (
                {"kind": 2, "lamps": [{"kind": "lamp", "watts": 3}]},
                Desk(kind=Kind.DESK, lamps=[Lamp(kind=Kind.LAMP, watts=3)]),
            ),
        ),
        (
            ({"kind": "shelf"}, 'x.kind: expected one of "lamp", 2, got "shelf"'),
            ({"kind": "lamp", "watts": "many"}, "x.watts: expected an integer"),
        ),
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_json_can_say_is_taken(name: str) -> None:
    check(ROWS[name])
