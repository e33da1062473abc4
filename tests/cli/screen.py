"""What a terminal shows of what is written to it: as much of one as a redrawn line needs."""

from __future__ import annotations

import re

__all__ = ["screen"]

PIECE = re.compile(r"\x1b\[K|\x1b\[[0-9;]*m|\r|\n|[^\x1b\r\n]+")


def screen(written: str) -> list[str]:
    """The lines that stay: carriage returns, erased ends of lines and colours are obeyed.

    Any other control sequence is an error, so that none goes unnoticed.
    """
    lines, column, end = [""], 0, 0
    for piece in PIECE.finditer(written):
        if piece.start() != end:
            raise ValueError(f"unknown sequence: {written[end : piece.start() + 8]!r}")
        end = piece.end()
        match piece[0]:
            case "\x1b[K":
                lines[-1] = lines[-1][:column]
            case "\r":
                column = 0
            case "\n":
                lines.append("")
            case text if not text.startswith("\x1b"):
                lines[-1] = (
                    lines[-1][:column].ljust(column) + text + lines[-1][column + len(text) :]
                )
                column += len(text)
        if piece[0] == "\n":
            column = 0
    if end != len(written):
        raise ValueError(f"unknown sequence: {written[end : end + 8]!r}")
    return [line.rstrip() for line in lines]
