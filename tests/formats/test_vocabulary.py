from __future__ import annotations

import pytest
import quicktok

from toolkit.formats import FORMATS, by_name
from toolkit.formats.tokens import cost, vocabulary
from toolkit.types import ToolSpec


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_estimate_is_within_ten_per_cent_of_the_count(name: str) -> None:
    counter = vocabulary()
    assert counter is not None
    properties = {
        "query": {"type": "string", "description": "Search terms, e.g. `repo:owner/name`."},
        "per_page": {"type": "integer", "minimum": 1, "maximum": 100, "default": 30},
        "sort": {"type": "string", "enum": ["created", "updated", "comments"]},
        "labels": {"type": "array", "items": {"type": "string"}},
    }
    spec = ToolSpec(
        "search_issues",
        "Search for issues and pull requests across repositories. Results are paged.",
        {"type": "object", "properties": properties, "required": ["query"]},
    )
    exact = cost(spec, by_name(name), counter=counter)
    assert exact.exact
    assert exact.method == "o200k_base"
    assert cost(spec, by_name(name)).total == pytest.approx(exact.total, rel=0.1)


def test_the_count_is_that_of_the_vocabulary() -> None:
    counter = vocabulary()
    assert counter is not None
    text = 'Grüße, {"a": [1, 2]} 天气 <|endoftext|>'
    assert counter.count(text) == len(quicktok.get_encoding("o200k_base").encode_ordinary(text))
    assert counter.count("The quick brown fox jumps over the lazy dog.") == 10
