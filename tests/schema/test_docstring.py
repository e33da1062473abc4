"""What a docstring says of each parameter, and what is left of it, in every style."""

# ruff: noqa: E501 - a row holds a whole docstring on one line

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.schema.docstring import Docstring, parse


@dataclass(frozen=True)
class Row:
    """A docstring, and both things that it must be read as; `names` are the parameters."""

    text: str
    description: str
    texts: dict[str, str]
    names: tuple[str, ...] = ("x", "y")


def same(text: str) -> str:
    return " ".join(text.split())


GOOGLE = {
    "plain": Row("S.\n\nArgs:\n    x: One.\n    y: Two.", "S.", {"x": "One.", "y": "Two."}),
    "typed": Row("S.\n\nArgs:\n    x (int): One.", "S.", {"x": "One."}),
    "typed_optional": Row("S.\n\nArgs:\n    x (int, optional): One.", "S.", {"x": "One."}),
    "blank_before_colon": Row("S.\n\nArgs:\n    x (int) : One.", "S.", {"x": "One."}),
    "no_blank_at_all": Row("S.\n\nArgs:\n    x(int):One.", "S.", {"x": "One."}),
    "nested_brackets": Row("S.\n\nArgs:\n    x (dict[str, tuple[int]]): A: b.", "S.", {"x": "A: b."}),
    "callable_type": Row("S.\n\nArgs:\n    x (Callable[[int], str]): F.", "S.", {"x": "F."}),
    "colon_in_type": Row("S.\n\nArgs:\n    x ({'a': int}): One.", "S.", {"x": "One."}),
    "parentheses_in_type": Row("S.\n\nArgs:\n    x (array (n, m)): One.", "S.", {"x": "One."}),
    "type_over_lines": Row("S.\n\nArgs:\n    x (dict[str,\n        int]): One.", "S.", {"x": "One."}),
    "cross_reference": Row("S.\n\nArgs:\n    x (:class:`Foo`): One.", "S.", {"x": "One."}),
    "fullwidth_colon": Row("S.\n\nArgs:\n    x\uff1a语言:zh。", "S.", {"x": "语言:zh。"}),
    "fullwidth_header": Row("S.\n\nArgs\uff1a\n    x: 一。", "S.", {"x": "一。"}),
    "chinese_header": Row("S.\n\n参数:\n    x: 一。", "S.", {"x": "一。"}),
    "continuation": Row("S.\n\nArgs:\n    x: One\n        and more\n    y: Two.", "S.",
                        {"x": "One\nand more", "y": "Two."}),
    "starts_below": Row("S.\n\nArgs:\n    x:\n        One.\n    y (int):\n        Two.", "S.",
                        {"x": "One.", "y": "Two."}),
    "looks_like_an_entry_but_deeper": Row("S.\n\nArgs:\n    x: Keys:\n        sky: blue\n        y: no",
                                          "S.", {"x": "Keys:\nsky: blue\ny: no"}),
    "paragraphs": Row("S.\n\nArgs:\n    x: One.\n\n        More.\n\n        - a: b\n    y: Two.", "S.",
                      {"x": "One.\n\nMore.\n\n- a: b", "y": "Two."}),
    "paragraph_at_entry_indent": Row("S.\n\nArgs:\n    x: One.\n\n    It goes on.\n    y: Two.", "S.",
                                     {"x": "One.\n\nIt goes on.", "y": "Two."}),
    "remark_at_entry_indent": Row("S.\n\nArgs:\n    x: One.\n    Note: beware.\n    y: Two.", "S.",
                                  {"x": "One.\nNote: beware.", "y": "Two."}),
    "address_at_entry_indent": Row("S.\n\nArgs:\n    x: See\n    https://a.b/c\n    y: Two.", "S.",
                                   {"x": "See\nhttps://a.b/c", "y": "Two."}),
    "fence_in_an_entry": Row("S.\n\nArgs:\n    x: Such as\n        ```\n        y: 1\n        ```\n    y: Two.",
                             "S.", {"x": "Such as\n```\ny: 1\n```", "y": "Two."}),
    "list_at_entry_indent": Row("S.\n\nArgs:\n    x: One of:\n    - a: first\n    - b: second\n    y: Two.",
                                "S.", {"x": "One of:\n- a: first\n- b: second", "y": "Two."}),
    "type_behind_the_colon": Row("S.\n\nParameters:\n    x : int\n        One.", "S.", {"x": "One."}),
    "default_in_the_name": Row("S.\n\nArgs:\n    x: One.\n    y=3: Two.", "S.", {"x": "One.", "y": "Two."}),
    "header_without_colon": Row("S.\n\nArguments\n    x: One.", "S.", {"x": "One."}),
    "markdown": Row("S.\n\n## Parameters\n\n- x: One.\n- y: Two.\n\nMore.", "S.\n\nMore.",
                    {"x": "One.", "y": "Two."}),
    "epytext_header": Row("S.\n\n:Args:\n    x: One.", "S.", {"x": "One."}),
    "remark_in_the_header": Row("S.\n\nArgs (all optional):\n    x: One.", "S.", {"x": "One."}),
    "stars": Row("S.\n\nArgs:\n    *args: Rest.\n    **kwargs (int): More.", "S.",
                 {"args": "Rest.", "kwargs": "More."}, ("args", "kwargs")),
    "escaped_stars": Row("S.\n\nArgs:\n    \\*args: Rest.", "S.", {"args": "Rest."}, ("args",)),
    "numbers": Row("S.\n\nArgs:\n    1. x: One.\n    2) y (int): Two.", "S.", {"x": "One.", "y": "Two."}),
    "bullets": Row("S.\n\nArgs:\n    - x: One.\n    * y (int): Two.", "S.", {"x": "One.", "y": "Two."}),
    "marked_up": Row("S.\n\nArgs:\n    `x`: One.\n    **y** (int): Two.", "S.",
                     {"x": "One.", "y": "Two."}),
    "dashes": Row("S.\n\nArgs:\n    x - One.\n    y (int) -- Two.", "S.", {"x": "One.", "y": "Two."}),
    "two_names": Row("S.\n\nArgs:\n    x, y: Both.", "S.", {"x": "Both.", "y": "Both."}),
    "tabs": Row("S.\n\n\tArgs:\n\t\tx:\tOne.\n\t\ty: Two.", "S.", {"x": "One.", "y": "Two."}),
    "underscores": Row("S.\n\nArgs:\n    _x: One.\n    __y: Two.", "S.", {"_x": "One.", "__y": "Two."},
                       ("_x", "__y")),
    "words_that_are_names": Row("S.\n\nArgs:\n    x: One.\n    note: Two.\n    Default: Three.", "S.",
                                {"x": "One.", "note": "Two.", "Default": "Three."},
                                ("x", "note", "Default")),
    "keyword_args": Row("S.\n\nArgs:\n    x: One.\n\nKeyword Args:\n    y: Two.", "S.",
                        {"x": "One.", "y": "Two."}),
    "other_headers": Row("S.\n\nArguments:\n    x: One.\n\nOther Parameters:\n    y: Two.", "S.",
                         {"x": "One.", "y": "Two."}),
    "params_header": Row("S.\n\nParams:\n    x: One.", "S.", {"x": "One."}),
    "lower_case_header": Row("S.\n\nargs:\n    x: One.", "S.", {"x": "One."}),
    "bold_header": Row("S.\n\n**Args:**\n    x: One.", "S.", {"x": "One."}),
    "text_after": Row("S.\n\nArgs:\n    x: One.\n\nAnd a last word.", "S.\n\nAnd a last word.", {"x": "One."}),
    "all_other_sections": Row(
        "S.\n\nArgs:\n    x: One.\n\nReturns:\n    R.\n\nRaises:\n    V: W.\n\nWarning:\n    T.\n\nTodo:\n    * U",
        "S.\n\nReturns:\n    R.\n\nRaises:\n    V: W.\n\nWarning:\n    T.\n\nTodo:\n    * U", {"x": "One."}),
    "no_blank_lines": Row("S.\nArgs:\n    x: One.\nReturns:\n    R.", "S.\nReturns:\n    R.", {"x": "One."}),
    "section_before": Row("S.\n\nReturns:\n    R.\n\nArgs:\n    x: One.", "S.\n\nReturns:\n    R.", {"x": "One."}),
    "only_arguments": Row("Args:\n    x: One.", "", {"x": "One."}),
    "only_arguments_from_the_first_line": Row("Args:\n        x: One\n            more.\n        y: Two.\n    ",
                                              "", {"x": "One\nmore.", "y": "Two."}),
    "unindented_entries": Row("S.\n\nArgs:\nx: One.\ny: Two.\n\nMore.", "S.\n\nMore.",
                              {"x": "One.", "y": "Two."}),
    "ghosts_alone": Row("S.\n\nArgs:\n    gone: One.\n    left: Two.", "S.", {"gone": "One.", "left": "Two."}),
    "ghosts_without_any_parameter": Row("S.\n\nArgs:\n    gone (int): One.", "S.", {"gone": "One."}, ()),
    "a_ghost_among_others": Row("S.\n\nArgs:\n    x: One.\n    gone: Two.", "S.", {"x": "One.", "gone": "Two."}),
    "none": Row("S.\n\nArgs:\n    None\n\nReturns:\n    R.", "S.\n\nReturns:\n    R.", {}),
    "indented_section": Row("S.\n\nText.\n\n  Args:\n    x: One.", "S.\n\nText.", {"x": "One."}),
    "flush_fence": Row("S.\n\n    ```\ncode\n    ```\n\n    Args:\n        x: One.", "S.\n\n    ```\ncode\n    ```",
                       {"x": "One."}),
    "misplaced_returns": Row("S.\n\nArgs:\n    x: One.\n    Returns:\n        R.", "S.\n\n    Returns:\n        R.",
                             {"x": "One."}),
    "a_parameter_called_raises": Row("S.\n\nArgs:\n    x: One.\n    raises:\n        Two.", "S.",
                                     {"x": "One.", "raises": "Two."}, ("x", "raises")),
    "fields_in_a_section": Row("S.\n\nArgs:\n    :param x: One.\n    y: Two.", "S.", {"x": "One.", "y": "Two."}),
}  # fmt: skip

NUMPY = {
    "plain": Row("S.\n\nParameters\n----------\nx : int\n    One.\ny : str, optional\n    Two.", "S.",
                 {"x": "One.", "y": "Two."}),
    "two_names": Row("S.\n\nParameters\n----------\nx, y : int\n    Both.", "S.", {"x": "Both.", "y": "Both."}),
    "no_type": Row("S.\n\nParameters\n----------\nx\n    One.", "S.", {"x": "One."}),
    "no_blank_before_colon": Row("S.\n\nParameters\n----------\nx: int\n    One.", "S.", {"x": "One."}),
    "choices": Row("S.\n\nParameters\n----------\nx : {'a', 'b'}\n    One.", "S.", {"x": "One."}),
    "mapping_type": Row("S.\n\nParameters\n----------\nx : dict[str, int], default: None\n    One.", "S.",
                        {"x": "One."}),
    "paragraphs": Row("S.\n\nParameters\n----------\nx : int\n    One.\n\n    More: so.\ny : int\n    Two.", "S.",
                      {"x": "One.\n\nMore: so.", "y": "Two."}),
    "stars": Row("S.\n\nParameters\n----------\n*args\n    Rest.\n**kwargs : int\n    More.", "S.",
                 {"args": "Rest.", "kwargs": "More."}, ("args", "kwargs")),
    "other_parameters": Row("S.\n\nParameters\n----------\nx : int\n    One.\n\nOther Parameters\n"
                            "----------------\ny : int\n    Two.\n\nReturns\n-------\nint\n    R.",
                            "S.\n\nReturns\n-------\nint\n    R.", {"x": "One.", "y": "Two."}),
    "text_after": Row("S.\n\nParameters\n----------\nx : int\n    One.\n\nA last word.", "S.\n\nA last word.",
                      {"x": "One."}),
    "text_between": Row("S.\n\nParameters\n----------\nx : int\n    One.\n\nAnd by name:\n\ny : int\n    Two.",
                        "S.\n\nAnd by name:", {"x": "One.", "y": "Two."}),
    "sentence_for_a_type": Row("S.\n\nParameters\n----------\nx : How many there are.\ny : int", "S.",
                               {"x": "How many there are."}),
    "telling_type": Row("S.\n\nParameters\n----------\nx : int in [0, 255]", "S.", {"x": "int in [0, 255]"}),
    "ghosts": Row("S.\n\nParameters\n----------\na1, a2, ... : int\n    All.", "S.", {"a1, a2, ...": "All."}),
    "indented_entries": Row("S.\n\nParameters\n----------\n    x : int\n        One.", "S.", {"x": "One."}),
    "google_section_after": Row("S.\n\nParameters\n----------\nx : int\n    One.\n\nReturns:\n    R.",
                                "S.\n\nReturns:\n    R.", {"x": "One."}),
    "none": Row("S.\n\nParameters\n----------\nNone\n\nNotes\n-----\nN.", "S.\n\nNotes\n-----\nN.", {}),
}  # fmt: skip

FIELDS = {
    "rest": Row("S.\n\n:param x: One.\n:param y: Two.", "S.", {"x": "One.", "y": "Two."}),
    "rest_typed": Row("S.\n\n:param int x: One.\n:param dict[str, int] y: Two.", "S.", {"x": "One.", "y": "Two."}),
    "rest_type_field": Row("S.\n\n:param x: One.\n:type x: int or\n    str\n:rtype: int", "S.\n\n:rtype: int",
                           {"x": "One."}),
    "rest_continuation": Row("S.\n\n:param x: One\n    more\n\n    still\n:returns: R.", "S.\n\n:returns: R.",
                             {"x": "One\nmore\n\nstill"}),
    "rest_unindented_continuation": Row("S.\n\n:param x: One\nmore\n:param y: Two.", "S.",
                                        {"x": "One\nmore", "y": "Two."}),
    "rest_colons": Row("S.\n\n:param x: A: b: c.", "S.", {"x": "A: b: c."}),
    "rest_no_blank": Row("S.\n\n:param x:One.", "S.", {"x": "One."}),
    "rest_below": Row("S.\n\n:param x:\n    One.", "S.", {"x": "One."}),
    "rest_stars": Row("S.\n\n:param \\*args: Rest.\n:param **kwargs: More.", "S.",
                      {"args": "Rest.", "kwargs": "More."}, ("args", "kwargs")),
    "rest_synonyms": Row("S.\n\n:arg x: One.\n:keyword y: Two.", "S.", {"x": "One.", "y": "Two."}),
    "rest_text_after": Row("S.\n\n:param x: One.\n\nAfter.", "S.\n\nAfter.", {"x": "One."}),
    "rest_others_stay": Row("S.\n\n:return: R.\n:param x: One.\n:raises V: W.", "S.\n\n:return: R.\n:raises V: W.",
                            {"x": "One."}),
    "rest_ghost": Row("S.\n\n:param gone: One.", "S.", {"gone": "One."}),
    "rest_indented": Row("S.\n\nText.\n\n    :param x: One.", "S.\n\nText.", {"x": "One."}),
    "rest_chinese": Row("S.\n\n:param x\uff1a 一:二。", "S.", {"x": "一:二。"}),
    "epydoc": Row("S.\n\n@param x: One\n    more.\n@type x: int\n@return: R.", "S.\n\n@return: R.",
                  {"x": "One\nmore."}),
    "epydoc_keyword": Row("S.\n\n@keyword x: One.\n@arg y: Two.", "S.", {"x": "One.", "y": "Two."}),
    "javadoc": Row("S.\n\n@param x the first\n@param {string} y - the second", "S.",
                   {"x": "the first", "y": "the second"}),
    "doxygen": Row("S.\n\n\\param x the first\n@param[in] y the second", "S.",
                   {"x": "the first", "y": "the second"}),
    "mixed_with_google": Row("S.\n\n:param x: One.\n\nArgs:\n    y: Two.", "S.", {"x": "One.", "y": "Two."}),
}  # fmt: skip

ROWS = [
    pytest.param(row, id=f"{style}_{name}")
    for style, table in (("google", GOOGLE), ("numpy", NUMPY), ("field", FIELDS))
    for name, row in table.items()
]

PROSE = {
    "words_after_the_header": "S.\nparams: must be ok\nMust not be called twice.",
    "a_hint": "S.\n\nArgs: see below.\n\n    x: not here",
    "a_sentence_in_a_section": "S.\n\nArgs:\n    See the manual for all of them.",
    "backtick_fence": "S.\n\n```\nArgs:\n    x: no\n```",
    "tilde_fence": "S.\n\n~~~text\n:param x: no\n~~~",
    "a_fence_in_a_fence": "S.\n\n````\n```\nArgs:\n    x: no\n```\n````",
    "an_open_fence": "S.\n\n```\nArgs:\n    x: no",
    "a_literal_block": "S.\n\nSo::\n\n    Args:\n        x: no",
    "a_directive": "S.\n\n.. code-block:: python\n\n    Args:\n        x: no",
    "an_indented_example": "S.\n\nNot this:\n\n    Args:\n        x: no",
    "an_example_section": "S.\n\nExample:\n    Args:\n        x: no",
    "a_doctest": "S.\n\n>>> print(f.__doc__)\nArgs:\n    x: no",
    "a_field_in_a_sentence": "Write :param x: in a docstring.",
    "an_address": "S.\n\nhttps://a.b/c: d",
    "an_attribute_section": "S.\n\nAttributes:\n    x: no",
    "a_title_without_entries": "S.\n\nParameters\n    are the things that vary.",
    "an_underlined_title": "S.\n\nParameters of the curve\n-----------------------\nx is flat.",
    "a_header_at_the_end": "S.\n\nArgs:",
}


@pytest.mark.parametrize("row", ROWS)
def test_texts_and_the_rest_are_told_apart(row: Row) -> None:
    read = parse(row.text, row.names)
    assert read == Docstring(row.description, row.texts)
    assert list(read.parameters) == list(row.texts)


@pytest.mark.parametrize("row", ROWS)
def test_indenting_the_whole_docstring_changes_nothing(row: Row) -> None:
    text = inspect.cleandoc(row.text)
    first, _, others = text.partition("\n")
    deeper = textwrap.indent(others, " " * 8)
    again = parse(f"{first}\n{deeper}\n    ", row.names)
    assert again == Docstring(row.description, row.texts)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in PROSE.items()])
def test_what_only_looks_like_a_section_stays_byte_for_byte(text: str) -> None:
    assert parse(text, ["x", "y"]) == Docstring(text, {})


@pytest.mark.parametrize("text", [None, "", "  \n ", "\n\n"])
def test_no_docstring_says_nothing(text: str | None) -> None:
    assert parse(text, ["x"]) == Docstring("", {})


def test_a_name_documented_twice_keeps_both_texts() -> None:
    read = parse("S.\n\n:param x: One.\n\nArgs:\n    x: Two.", ["x"])
    assert read.parameters == {"x": "One.\n\nTwo."}


def test_a_fence_between_sections_is_untouched() -> None:
    fence = "```python\nArgs:\n    x: 1\n\n\n  odd   blanks\n```"
    read = parse(f"S.\n\nArgs:\n    x: One.\n\n{fence}\n\nNote:\n    N.", ["x"])
    assert read == Docstring(f"S.\n\n{fence}\n\nNote:\n    N.", {"x": "One."})


BLOCKS = st.sampled_from(
    [
        "Some prose, with: a colon.",
        "```\nArgs:\n    x: fenced\n```",
        "Args:\n    x: the first\n        more: of it\n    y (dict[str, int]): the second",
        "Parameters\n----------\nx : int\n    the first\ny\n    the second",
        ":param x: the first\n    more\n:type x: int",
        "@param y: the second",
        "Returns:\n    int: the result",
        "Raises\n------\nValueError\n    if bad",
        "Like::\n\n    Args:\n        x: literal",
        "- a list\n- of things",
    ]
)


@given(st.lists(BLOCKS, max_size=6), st.sampled_from([(), ("x",), ("x", "y")]))
def test_no_word_but_types_and_headers_is_lost(blocks: list[str], names: tuple[str, ...]) -> None:
    text = "\n\n".join(["Summary.", *blocks])
    read = parse(text, names)
    whole = same(" ".join([read.description, *read.parameters, *read.parameters.values()]))
    dropped = {"Args:", "Parameters", "----------", ":", "int", "(dict[str,", "int]):", ":param"}
    dropped |= {"@param", ":type", "x:", "y:"}
    for word in same(text).split():
        assert word in dropped or word in whole


@given(st.text(alphabet="x y:(){}[]*-=`~#@\\>.\n\tArgsParm\u3000\uff1a", max_size=200))
def test_nothing_breaks_the_reader(text: str) -> None:
    read = parse(text, ["x", "y"])
    assert isinstance(read.description, str)
    assert all(name and said for name, said in read.parameters.items())


@given(st.text(alphabet="ab c.,;!\n", max_size=200))
def test_a_docstring_without_parameters_is_only_cleaned(text: str) -> None:
    assert parse(text, ["x"]).description == inspect.cleandoc(text).rstrip()
