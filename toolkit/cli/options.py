"""The options that several commands share, each written once."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = ["Json", "Pattern", "Targets"]

Targets: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TARGET]...",
        help="A file, folder, module, file.py:name, or a tool's name.",
        show_default=False,
    ),
]
Pattern: TypeAlias = Annotated[
    str | None,
    typer.Option("-k", metavar="GLOB", help="Only tools whose name matches.", show_default=False),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
