"""The frame of a command: its loop on a daemon thread, signals and deadlines on the main one."""

from __future__ import annotations

import asyncio
import atexit
import io
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from ..errors import ToolTimeoutError
from .children import end_children

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

__all__ = ["Terminated", "data_stream", "guard_streams", "leave", "run", "run_on_main_thread"]

T = TypeVar("T")
GRACE = 0.4  # seconds that a cancelled command, or the exit functions, have to end
_data: list[TextIO] = []


class Terminated(BaseException):
    """The process was asked to end by a signal other than Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def data_stream() -> TextIO:
    """Where data goes: the real standard output, whatever tools do with theirs."""
    return _data[0] if _data else sys.stdout


def guard_streams(*, keep_stdin: bool = False) -> None:
    """Send what tools and their children print to stderr, and give them no stdin of a pipe."""
    if _data:
        return
    sys.stdout.flush()
    raw = os.fdopen(os.dup(1), "wb", buffering=0)
    _data.append(
        io.TextIOWrapper(
            io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", newline="\n"
        )
    )
    os.dup2(2, 1)
    sys.stdout = io.TextIOWrapper(
        os.fdopen(1, "wb", buffering=0, closefd=False),
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )
    if not keep_stdin and not os.isatty(0):
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - stays open


def run(main: Callable[[], Coroutine[Any, Any, T]], *, deadline: float | None = None) -> T:
    """Run a coroutine function to its end.

    Raises `ToolTimeoutError` where it has not ended after `deadline` seconds, `KeyboardInterrupt`
    on Ctrl-C, `Terminated` on SIGTERM or SIGHUP; no child process outlives any of these.
    """
    work = _Work(main)
    thread = threading.Thread(target=work.run, name="toolkit-loop", daemon=True)
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, _terminate)
    thread.start()
    try:
        ended = work.done.wait(timeout=deadline)
    except (KeyboardInterrupt, Terminated):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C changes nothing
        work.cancel()
        end_children()
        raise
    if not ended:
        work.cancel()
        end_children()
        seconds = deadline or 0.0
        raise ToolTimeoutError(f"no end within {seconds:g} seconds", seconds=seconds)
    thread.join(GRACE)
    if work.error is not None:
        raise work.error
    return work.value  # type: ignore[no-any-return]


def run_on_main_thread(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run where a debugger needs it: on the main thread, without a deadline."""
    return asyncio.run(main())


def _terminate(number: int, frame: object) -> NoReturn:
    del frame
    raise Terminated(number)


class _Work:
    """The coroutine on its thread, which the process can leave behind whatever runs on it."""

    def __init__(self, main: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        self.main = main
        self.done = threading.Event()
        self.value: Any = None
        self.error: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None

    def run(self) -> None:
        try:
            with asyncio.Runner() as runner:
                self._loop = runner.get_loop()
                try:
                    self.value = runner.run(self._tracked())
                except BaseException as error:  # noqa: BLE001 - raised again on the main thread
                    self.error = error
                self.done.set()  # closing the loop may wait for threads: nobody has to wait for it
        finally:
            self.done.set()

    async def _tracked(self) -> Any:
        self._task = asyncio.current_task()
        return await self.main()

    def cancel(self) -> None:
        """Cancel, and give the command a moment to close what it holds."""
        if self._loop is not None and self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)
            self.done.wait(GRACE)


def leave(code: int) -> NoReturn:
    """End the process now, also where a thread of somebody's would keep it waiting."""
    for stream in (*_data, sys.stderr):
        _flush(stream)
    lingering = [each for each in threading.enumerate() if each is not threading.main_thread()]
    if lingering:
        ending = threading.Thread(target=atexit._run_exitfuncs, daemon=True)  # noqa: SLF001
        ending.start()
        ending.join(GRACE)
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)
        os._exit(code)
    raise SystemExit(code)


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except (OSError, ValueError):  # the reader of a pipe has gone, or a tool closed it
        nothing = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nothing, stream.fileno())
        except (OSError, ValueError):
            return
        finally:
            os.close(nothing)
