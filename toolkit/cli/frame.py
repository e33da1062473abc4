"""The frame of a command: its loop on a daemon thread, signals and deadlines on the main one."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import faulthandler
import functools
import io
import math
import os
import signal
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from ..errors import ToolTimeoutError
from .children import end_children
from .statusline import STATUS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

__all__ = [
    "Terminated",
    "data_stream",
    "expect_end",
    "expect_no_end",
    "guard_streams",
    "leave",
    "run",
    "run_on_main_thread",
]

T = TypeVar("T")
GRACE = 0.2  # seconds that a cancelled command, or the exit functions, have to end
HEARTBEAT = 0.1  # seconds: a signal that comes while another thread forks may wake nobody
LAST_RESORT = 0.5  # seconds after a deadline at which the process ends even from C code
ENDING = (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
_running: list[_Work] = []
_data: list[TextIO] = []
_nowhere: list[int] = []


class Terminated(BaseException):
    """The process was asked to end by a signal: Ctrl-C, SIGTERM or SIGHUP."""

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


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function to its end.

    Raises `ToolTimeoutError` where a deadline set by `expect_end` passes, and `Terminated` on
    Ctrl-C, SIGTERM or SIGHUP; no child process outlives any of these.
    """
    work = _Work(main)
    _running.append(work)
    owner = os.getpid()
    for number in ENDING:
        signal.signal(number, functools.partial(_terminate, owner=owner))
    try:
        threading.Thread(target=work.run, name="toolkit-loop", daemon=True).start()
        work.wait()
    except (KeyboardInterrupt, Terminated) as stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C changes nothing
        work.cancel()
        end_children()
        raise stop if isinstance(stop, Terminated) else Terminated(signal.SIGINT) from None
    except ToolTimeoutError:
        work.cancel()
        end_children()
        STATUS.end(keep=True)
        if not work.has_value:
            raise
    finally:
        faulthandler.cancel_dump_traceback_later()
        _running.remove(work)
    if isinstance(work.error, KeyboardInterrupt):
        raise Terminated(signal.SIGINT) from None
    if work.error is not None:
        raise work.error
    value: T = work.value
    return value


def expect_end(seconds: float) -> None:
    """Set the deadline of the running command, from now; called on its loop.

    A last resort stands behind it, for C code that never gives Python its turn again.
    """
    for work in _running:
        work.messages.put(seconds)
    if not _nowhere:
        _nowhere.append(os.open(os.devnull, os.O_WRONLY))  # stays open: the watchdog writes to it
    faulthandler.dump_traceback_later(seconds + LAST_RESORT, exit=True, file=_nowhere[0])


def expect_no_end() -> None:
    """Lift the deadline: a person is asked something, or nothing runs."""
    for work in _running:
        work.messages.put(math.inf)
    faulthandler.cancel_dump_traceback_later()


def run_on_main_thread(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run where a debugger needs it: on the main thread, without a deadline."""
    return asyncio.run(main())


def _terminate(number: int, frame: object, *, owner: int) -> None:
    del frame
    if os.getpid() == owner:
        raise Terminated(number)
    signal.signal(number, signal.SIG_DFL)  # a fork of ours that a tool made
    os.kill(os.getpid(), number)


class _Work:
    """The coroutine on its thread, which the process can leave behind whatever runs on it."""

    def __init__(self, main: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        self.main = main
        self.messages: SimpleQueue[float | None] = SimpleQueue()  # a deadline, or None at the end
        self.has_value = False
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
                    self.has_value = True
                except BaseException as error:  # noqa: BLE001 - raised again on the main thread
                    self.error = error
                # closing the loop may wait for threads of tools: nobody has to wait for that
                self.messages.put(None)
        finally:
            self.messages.put(None)

    async def _tracked(self) -> Any:
        self._task = asyncio.current_task()
        return await self.main()

    def wait(self) -> None:
        """Wait for the end, or for the deadline once there is one."""
        deadline: float | None = None
        seconds = 0.0
        while True:
            left = math.inf if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                message = self.messages.get(timeout=min(left, HEARTBEAT))
            except Empty:
                if left > HEARTBEAT:
                    continue
                text = f"no end within {seconds:g} seconds"
                raise ToolTimeoutError(text, seconds=seconds) from None
            if message is None:
                return
            seconds = message
            deadline = None if message == math.inf else time.monotonic() + message

    def cancel(self) -> None:
        """Cancel, and give the command a moment to close what it holds."""
        if self._loop is None or self._task is None or self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._task.cancel)
        with contextlib.suppress(Empty):
            while self.messages.get(timeout=GRACE) is not None:
                continue


def leave(code: int) -> NoReturn:
    """End the process now, also where a thread of somebody's would keep it waiting."""
    STATUS.end(keep=True)
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


def _flush(stream: TextIO | None) -> None:
    if stream is None:  # a tool took it away
        return
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
