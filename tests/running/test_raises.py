"""Whatever a tool raises becomes its result, and costs no other call its own."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import ToolUse, tool

from .pipeline import PATIENCE, executor, settle, use

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


class OddError(BaseException):
    def __str__(self) -> str:
        raise RuntimeError


RAISED = [
    (ValueError("v"), "Error: ValueError: v"),
    (ValueError(), "Error: ValueError"),
    (KeyError("k"), "Error: KeyError: key 'k' is missing"),
    (StopIteration(3), "Error: StopIteration: 3"),
    (StopAsyncIteration(3), "Error: StopAsyncIteration: 3"),
    (SystemExit(3), "Error: SystemExit: 3"),
    (GeneratorExit(), "Error: GeneratorExit"),
    (asyncio.CancelledError("c"), "Error: CancelledError: c"),
    (TimeoutError("t"), "Error: TimeoutError: t"),
    (MemoryError(), "Error: MemoryError"),
    (RecursionError("deep"), "Error: RecursionError: deep"),
    (AssertionError("a"), "Error: AssertionError: a"),
    (OddError(), "Error: OddError"),
    (
        OSError(2, "No such file", "x.txt"),
        "Error: FileNotFoundError: [Errno 2] No such file: 'x.txt'",
    ),
    (
        ExceptionGroup("g", [ValueError("a"), ExceptionGroup("h", [TypeError()])]),
        "Error: ExceptionGroup: g (2 sub-exceptions): ValueError: a; ExceptionGroup: h (1 sub-exc",
    ),
    (
        BaseExceptionGroup("g", [SystemExit(1)]),
        "Error: BaseExceptionGroup: g (1 sub-exception): SystemExit: 1",
    ),
    (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "Error: UnicodeDecodeError: 'utf-8'"),
    (ValueError("\ud800"), "Error: ValueError: \\ud800"),
]


def raising(error: BaseException) -> list[Any]:
    def plain() -> None:
        raise error

    async def coroutine() -> None:
        raise error

    def generator() -> Iterator[int]:
        yield 1
        raise error

    async def async_generator() -> AsyncIterator[int]:
        yield 1
        raise error

    return [plain, coroutine, generator, async_generator]


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize(("error", "text"), RAISED, ids=lambda each: type(each).__name__)
def test_what_is_raised_is_the_result(error: BaseException, text: str, kind: int) -> None:
    async def both() -> None:
        it = executor(tool(raising(error)[kind], name="bad"), tool(lambda: "fine", name="good"))
        uses = [use("good", 1), use("bad", 2), use("good", 3)]
        batch = await asyncio.wait_for(it.run_batch(uses), PATIENCE)
        first, bad, last = batch.results
        assert first is not None
        assert last is not None
        assert bad is not None
        assert (first.text, last.text) == ("fine", "fine")
        assert bad.status == "error"
        if not (kind >= 2 and isinstance(error, GeneratorExit)):
            assert bad.text.startswith(text)
            assert bad.exception is error
        assert bad.tool_use_id == "use-2"
        assert not await settle()

    asyncio.run(both())


def test_only_a_keyboard_interrupt_goes_up() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    async def run() -> None:
        with pytest.raises(KeyboardInterrupt):
            await executor(interrupted).run(use("interrupted"))

    asyncio.run(run())


def test_a_tool_that_exits_ends_itself_alone() -> None:
    def leaves() -> None:
        sys.exit("enough")

    result = asyncio.run(executor(leaves).run(use("leaves")))
    assert result.text == "Error: SystemExit: enough"


def test_endless_recursion_is_an_error_result() -> None:
    def again() -> Any:
        return again()

    result = asyncio.run(executor(again).run(use("again")))
    assert result.text.startswith("Error: RecursionError")


@pytest.mark.parametrize("timeout", [None, 5])
def test_a_tool_that_cancels_its_own_task_costs_the_batch_nothing(timeout: float | None) -> None:
    async def cancels() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(100)

    async def run() -> None:
        it = executor(cancels, tool(lambda: "fine", name="good"), timeout=timeout)
        batch = await it.run_batch([use("cancels", 1), use("good", 2)])
        assert [each and each.status for each in batch.results] == ["error", "success"]
        assert batch.results[0] is not None
        assert batch.results[0].text == "Error: CancelledError"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("god", {}, "unknown tool 'god'; did you mean 'good'?"),
        ("", {}, "no legal tool name"),
        ("good", [1], "expected an object"),
        ("good", "{", "not a JSON object"),
    ],
)
def test_what_can_not_be_called_has_its_result_too(name: str, given: Any, said: str) -> None:
    it = executor(tool(lambda: "fine", name="good"))
    result = asyncio.run(it.run(ToolUse("x", name, given)))
    assert result.status == "error"
    assert said in result.text
