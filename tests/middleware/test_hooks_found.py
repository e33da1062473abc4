"""Which event a function wants, and which functions of a file are hooks."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from toolkit import AfterToolCallEvent, BeforeToolCallEvent
from toolkit.errors import LoadError
from toolkit.middleware.hooks import events_of
from toolkit.middleware.hooks_file import hooks_in

from .pipeline import executor, run

if TYPE_CHECKING:
    from pathlib import Path

    from toolkit import AfterToolCallEvent as Ended

BOTH = {BeforeToolCallEvent, AfterToolCallEvent}


def before(event: BeforeToolCallEvent) -> None: ...
def both(event: BeforeToolCallEvent | AfterToolCallEvent) -> None: ...
def annotated(event: Annotated[BeforeToolCallEvent, "why"]) -> None: ...
def unresolved(event: AfterToolCallEvent, other: Unknown = None) -> None: ...  # type: ignore[name-defined] # noqa: F821
def renamed(event: Ended) -> None: ...
def partial(rules: dict[str, str], event: BeforeToolCallEvent) -> None: ...
def second(name: str, event: BeforeToolCallEvent) -> None: ...
def bare(event: Any) -> None: ...
def nothing() -> None: ...


class Instance:
    def __call__(self, event: BeforeToolCallEvent) -> None: ...
    def method(self, event: AfterToolCallEvent) -> None: ...


@pytest.mark.parametrize(
    ("function", "events"),
    [
        (before, {BeforeToolCallEvent}),
        (both, BOTH),
        (annotated, {BeforeToolCallEvent}),
        (unresolved, {AfterToolCallEvent}),
        (functools.partial(partial, {}), {BeforeToolCallEvent}),
        (Instance(), {BeforeToolCallEvent}),
        (Instance().method, {AfterToolCallEvent}),
        (renamed, set()),  # its name is known to type checkers alone
        (second, set()),
        (bare, set()),
        (nothing, set()),
        (len, set()),
        (dict.fromkeys, set()),
    ],
    ids=lambda value: getattr(value, "__name__", None) if callable(value) else "",
)
def test_the_first_parameter_says_which_event(function: Any, events: set[type]) -> None:
    assert events_of(function) == events


def test_a_function_that_wants_no_event_is_refused_when_the_executor_is_made() -> None:
    with pytest.raises(TypeError, match="'bare' is no hook: annotate its first parameter"):
        executor(hooks=[bare])


def test_one_function_may_want_both_events() -> None:
    seen: list[str] = []

    def note(event: BeforeToolCallEvent | AfterToolCallEvent) -> None:
        seen.append(type(event).__name__)

    run(executor(hooks=[note]), "nobody")
    assert seen == ["BeforeToolCallEvent", "AfterToolCallEvent"]


def test_a_file_gives_its_own_hooks_in_order(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(
        "from toolkit import BeforeToolCallEvent\ndef imported(event: BeforeToolCallEvent): ...\n"
    )
    (tmp_path / "hooks.py").write_text(
        "from __future__ import annotations\n"
        "from typing import TYPE_CHECKING\n"
        "from shared import imported\n"
        "if TYPE_CHECKING:\n"
        "    from toolkit import AfterToolCallEvent, BeforeToolCallEvent\n"
        "def zoo(event: AfterToolCallEvent): ...\n"
        "def plain(number: int): ...\n"
        "async def ant(event: BeforeToolCallEvent): ...\n"
    )
    assert [hook.__name__ for hook in hooks_in([tmp_path / "hooks.py"])] == ["zoo", "ant"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def plain(number: int): ...\n", "defines no hooks"),
        ("def (:\n", "is not valid Python"),
        ("import nowhere_to_be_found\n", "needs the module"),
    ],
)
def test_a_file_without_hooks_is_an_error(tmp_path: Path, source: str, said: str) -> None:
    path = tmp_path / "broken_hooks.py"
    path.write_text(source)
    with pytest.raises(LoadError, match=said):
        hooks_in([path])


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        hooks_in([tmp_path / "none.py"])
