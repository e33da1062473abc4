"""The sample tools, called as the plain functions that they still are."""

from __future__ import annotations

import asyncio
import struct
import zlib
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from sample_tools.chart import bar_chart
from sample_tools.invoice import Line, invoice
from sample_tools.lines import count_lines
from sample_tools.notebook import Notebook
from sample_tools.ports import open_ports
from sample_tools.streams import countdown, primes
from sample_tools.temperature import convert
from sample_tools.weather import weather
from toolkit import ToolContext, ToolUse

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("city", ["Tokyo", "tokyo", "  TOKYO ", "Tōkyō"])
def test_a_city_is_found_whatever_its_case_accents_and_spaces(city: str) -> None:
    assert weather(city).startswith("Tokyo, a year: mean 15.8 °C; warmest August (26.9 °C)")


def test_a_month_of_a_city_is_told_in_the_unit_that_is_asked_for() -> None:
    told = weather("sao paulo", unit="fahrenheit", month=7)
    assert told.startswith("São Paulo in July: mean 60.4 °F, rain 44 mm.")


@pytest.mark.parametrize(
    ("city", "said"),
    [("Tokio", "closest: Tokyo"), ("Viena", "closest: Vienna"), ("", "known: Auckland, Bangkok")],
)
def test_an_unknown_city_is_an_error_that_names_others(city: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        weather(city)


def test_an_invoice_is_exact_to_the_cent() -> None:
    lines = [
        Line(item="pen", quantity=3, price=Decimal("0.10")),
        Line(item="ink", quantity=1, price=Decimal("9.99"), discount=Decimal("12.5")),
    ]
    made = invoice("Ada", lines, tax_rate=Decimal(19))
    assert (made.net, made.tax, made.total) == (Decimal("9.04"), Decimal("1.72"), Decimal("10.76"))


def test_two_notebooks_keep_their_own_notes() -> None:
    one, other = Notebook(), Notebook()
    assert one.add_note("Buy milk", ("shop",)) == "noted as number 1"
    assert one.add_note("Call Ada") == "noted as number 2"
    assert [note.number for note in one.search_notes("MILK")] == [1]
    assert [note.number for note in one.search_notes(tag="shop")] == [1]
    assert len(one.search_notes()) == 2
    assert other.search_notes() == []


def test_a_port_answers_while_something_listens_on_it() -> None:
    async def look() -> tuple[int, list[int], list[int]]:
        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            while_open = await open_ports([port])
        return port, while_open, await open_ports([port])

    port, while_open, after = asyncio.run(look())
    assert while_open == [port]
    assert after == []


@pytest.mark.parametrize("limit", [2, 3, 4, 9, 100, 7919])
def test_the_primes_are_those_that_nothing_divides(limit: int) -> None:
    *found, said = primes(limit)
    assert found == [n for n in range(2, limit + 1) if all(n % d for d in range(2, n))]
    assert said == f"{len(found)} primes up to {limit}"


def test_a_countdown_ends_with_lift_off() -> None:
    async def listen() -> list[str]:
        return [said async for said in countdown(2, pause=0)]

    assert asyncio.run(listen()) == ["2 …", "1 …", "lift-off"]


def test_lines_are_counted_once_and_remembered_in_the_callers_state(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"one\ntwo\n\xff")
    (tmp_path / "b.txt").write_text("not asked for\n")
    context = ToolContext(ToolUse("t1", "count_lines"))
    assert count_lines(tmp_path, context) == {"a.py": 3}
    (key,) = context.state["count_lines"]
    context.state["count_lines"][key] = 99
    assert count_lines(tmp_path, context) == {"a.py": 99}


def test_a_cancelled_count_stops_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\n")
    context = ToolContext(ToolUse("t1", "count_lines"))
    context.cancelled.set()
    assert count_lines(tmp_path, context) == {}


def test_a_chart_is_a_png_whose_bars_have_their_heights() -> None:
    image = bar_chart([1, 2, 0], colour="red")
    assert image.format == "png"
    assert image.data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image.data[16:24])
    assert (width, height) == (3 * 32 + 8, 120)
    start = image.data.index(b"IDAT") + 4
    pixels = zlib.decompress(image.data[start : image.data.index(b"IEND") - 8])
    rows = [pixels[i + 1 : i + 1 + 3 * width] for i in range(0, len(pixels), 3 * width + 1)]
    columns = [sum(row[3 * x : 3 * x + 3] == b"\xc5\x30\x30" for row in rows) for x in (12, 44, 76)]
    assert columns == [60, 120, 0]


def test_a_temperature_there_and_back_is_the_same() -> None:
    assert convert(451, "celsius") == 232.8
    assert convert(convert(-40, "fahrenheit"), "celsius") == -40
