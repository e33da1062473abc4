"""Draw a bar chart: a tool that returns an image, made with the standard library alone."""

import struct
import zlib
from typing import Annotated, Literal

from pydantic import Field

from toolkit import Image, tool

BAR, GAP, HEIGHT = 24, 8, 120
BLANK = b"\xff\xff\xff"
COLOURS = {"blue": b"\x2b\x6c\xb0", "green": b"\x2f\x85\x5a", "red": b"\xc5\x30\x30"}


@tool
def bar_chart(
    values: Annotated[list[Annotated[float, Field(ge=0)]], Field(min_length=1, max_length=50)],
    colour: Literal["blue", "green", "red"] = "blue",
) -> Image:
    """Draw numbers as a bar chart and return it as a PNG image.

    Args:
        values: The heights of the bars, from left to right; the largest fills the picture.
        colour: The colour of the bars.
    """
    largest = max(values) or 1
    heights = [round(HEIGHT * value / largest) for value in values]
    rows = [_row(heights, level, COLOURS[colour]) for level in range(HEIGHT, 0, -1)]
    return Image("png", _png(rows))


def _row(heights: list[int], level: int, colour: bytes) -> bytes:
    bars = [(colour if height >= level else BLANK) * BAR + BLANK * GAP for height in heights]
    return BLANK * GAP + b"".join(bars)


def _png(rows: list[bytes]) -> bytes:
    """Pack rows of 8-bit RGB pixels, top first, by https://www.w3.org/TR/png/."""
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\x00" + row for row in rows))
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
