"""Where the parts of a function stand, as an editor counts."""

from __future__ import annotations

import pytest

from toolkit.schema.source import FileSource, Span

TEXT = '''\
# -*- coding: utf-8 -*-
import functools


@functools.cache
@functools.wraps(print)
async def größe(ä: str, /, *, zahl: "int | None" = 3, **rest: object) -> str:
    """Sag die Größe.

    Args:
        ä: Das „Ding“.
        zahl (int): Wie oft.
        **rest: Was sonst.
    """
    return ä


class Maß:
    if True:
        def tief(
            self,
            eins,
            zwei: list[
                int
            ] = [],
        ):
            """:param eins: Das erste.
            :param int zwei: Das zweite.
            """
'''


@pytest.fixture
def file() -> FileSource:
    return FileSource(TEXT.encode())


def test_a_function_is_found_by_its_decorator_and_its_def(file: FileSource) -> None:
    first, second = file.function_at(5), file.function_at(7)
    assert first is not None
    assert first is second
    assert file.function_at(6) is None
    assert file.function_at(7, "other") is None
    assert first.name == Span(7, 11, 16)
    assert first.first_line == 5


def test_columns_count_characters_not_bytes(file: FileSource) -> None:
    function = file.function_at(7)
    assert function is not None
    line = TEXT.splitlines()[6]
    assert function.parameters["ä"] == Span(7, line.index("ä: str") + 1, line.index(", /") + 1)
    zahl = function.parameters["zahl"]
    assert line[zahl.column - 1 : zahl.end - 1] == 'zahl: "int | None"'
    assert set(function.parameters) == {"ä", "zahl", "rest"}


def test_annotations_and_defaults_are_known_by_name(file: FileSource) -> None:
    function = file.function_at(7)
    assert function is not None
    assert set(function.annotations) == {"ä", "zahl", "rest", "return"}
    assert set(function.defaults) == {"zahl"}
    assert (
        function.span(function.annotations["return"]).column
        == TEXT.splitlines()[6].index("str:") + 1
    )


@pytest.mark.parametrize(
    ("line", "name", "at"),
    [(7, "ä", (11, 9)), (7, "zahl", (12, 9)), (7, "rest", (13, 11)), (20, "zwei", (28, 24))],
)
def test_the_docstring_line_of_a_parameter_is_found(
    file: FileSource, line: int, name: str, at: tuple[int, int]
) -> None:
    function = file.function_at(line)
    assert function is not None
    span = function.documented(name)
    assert span is not None
    assert (span.line, span.column) == at


def test_a_parameter_that_is_not_documented_has_no_line(file: FileSource) -> None:
    function = file.function_at(20)
    assert function is not None
    assert function.documented("self") is None
    assert function.end_of_signature == 26


def test_a_span_over_several_lines_ends_with_the_first(file: FileSource) -> None:
    function = file.function_at(20)
    assert function is not None
    assert function.parameters["zwei"] == Span(23, 13, 24)


def test_other_encodings_and_line_ends_are_read() -> None:
    latin = FileSource("# coding: latin-1\r\ndef f(é): 'ü'\r\n".encode("latin-1"))
    function = latin.function_at(2)
    assert function is not None
    assert function.parameters["é"] == Span(2, 7, 8)


def test_bytes_that_are_no_python_hold_no_function() -> None:
    assert FileSource(b"def f(:\n").functions == {}
    assert FileSource(b"\xff\xfe").functions == {}
    assert FileSource(b"\xff\xfe").lines == ["\ufffd\ufffd"]
