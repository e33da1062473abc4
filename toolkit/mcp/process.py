"""A server's process: its group, its lines both ways, its stderr, and its bounded end."""

from __future__ import annotations

import asyncio
import errno
import shutil
import struct
import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import children

if sys.platform != "win32":
    import fcntl
    import termios

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["LONGEST_LINE", "Child", "LineTooLongError", "Lines"]

# A message longer than this is refused: it would fill the memory before anyone could read it.
LONGEST_LINE = 512 * 1024 * 1024
# How many lines of stderr are kept, and how much of each.
_KEPT_LINES = 60
_KEPT_WIDTH = 2_000
# After the process has ended a grandchild may hold the pipe open: what is in it comes within this.
_LAST_WORDS = 0.3


class LineTooLongError(ValueError):
    """A line that passes LONGEST_LINE."""


class Lines:
    """Cuts a stream of bytes into lines, each byte looked at once however long a line is."""

    def __init__(self, limit: int = LONGEST_LINE) -> None:
        """`limit` is the longest line in bytes."""
        self._parts: list[bytes] = []
        self._held = 0
        self._limit = limit

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without their ends."""
        *ended, rest = data.split(b"\n")
        lines = []
        for piece in ended:
            self._parts.append(piece)
            lines.append(b"".join(self._parts))
            self._parts.clear()
            self._held = 0
        if rest:
            self._parts.append(rest)
            self._held += len(rest)
        if self._held > self._limit:
            raise LineTooLongError(f"a line of more than {self._limit} bytes")
        return lines

    def rest(self) -> bytes:
        """Return, once, what came after the last line end."""
        held = b"".join(self._parts)
        self._parts.clear()
        return held


class Child(asyncio.SubprocessProtocol):
    """One running server; `status` is its exit status once it has ended (negative: a signal)."""

    def __init__(self, on_log: Callable[[str], None] | None = None) -> None:
        """`on_log` gets each line of the server's stderr as it comes."""
        self.status: int | None = None
        self.exited = asyncio.Event()
        self.ended = asyncio.Event()
        self._on_log = on_log
        self._on_line: Callable[[bytes | None], None] | None = None
        self._early: deque[bytes] = deque()
        self._stdout, self._stderr = Lines(), Lines()
        self._log: deque[str] = deque(maxlen=_KEPT_LINES)
        self._log_ended = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._transport: Any = None
        self._told = False
        self._unread = False

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | None = None,
        on_log: Callable[[str], None] | None = None,
    ) -> Child:
        """Start a process in a group of its own; an OSError says why it could not be started."""
        program = _program(argv[0], env, cwd)
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP
        loop = asyncio.get_running_loop()
        _, child = await loop.subprocess_exec(
            lambda: cls(on_log), program, *argv[1:], env=dict(env), cwd=cwd, **group
        )
        return child

    @property
    def pid(self) -> int:
        """The process's id, which is also its group's."""
        pid: int = self._transport.get_pid()
        return pid

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the group before anything can go wrong with it."""
        self._transport = transport
        children.register(self.pid)
        stdin = self._transport.get_pipe_transport(0)
        stdin.set_protocol(_Stdin(stdin, self._stdin_lost))

    def _stdin_lost(self, *, unread: bool) -> None:
        self._unread = unread

    @property
    def unheard(self) -> bool:
        """Whether it has read nothing of the last that it was told, as far as the system says."""
        return not self._told or self._unread

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Cut lines out of what came; a line without end closes the conversation."""
        if fd == 2:  # noqa: PLR2004 - stderr
            for line in self._stderr.feed(data):
                self._keep(line)
            return
        try:
            lines = self._stdout.feed(data)
        except LineTooLongError as error:
            self._keep(f"toolkit: {error}".encode())
            self._finish()
            return
        for line in lines:
            self._deliver(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take what is left of the last line."""
        del exc
        if fd == 1:
            if rest := self._stdout.rest():
                self._deliver(rest)
            self._finish()
        elif fd == 2:  # noqa: PLR2004 - stderr
            if rest := self._stderr.rest():
                self._keep(rest)
            self._log_ended.set()
        else:
            self._writable.set()

    def process_exited(self) -> None:
        """Note the status; the pipes may be held open by others, so they are not waited for."""
        self.status = self._transport.get_returncode()
        self.exited.set()
        asyncio.get_running_loop().call_later(_LAST_WORDS, self._finish)

    def pause_writing(self) -> None:
        """Hold the writer: the server reads more slowly than it is told."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Let the writer go on."""
        self._writable.set()

    def listen(self, on_line: Callable[[bytes | None], None]) -> None:
        """Give each line of stdout, those that came already first, and None at its end."""
        self._on_line = on_line
        while self._early:
            on_line(self._early.popleft())
        if self.ended.is_set():
            on_line(None)

    async def write(self, data: bytes) -> None:
        """Write to stdin; a BrokenPipeError where nobody reads it any more."""
        stdin = self._transport.get_pipe_transport(0)
        if stdin is None or stdin.is_closing() or self.exited.is_set():
            raise BrokenPipeError
        stdin.write(data)
        self._told = True
        await self._writable.wait()

    def log_tail(self, lines: int = 20) -> str:
        """Return the last lines of stderr."""
        return "\n".join(list(self._log)[-lines:])

    async def settle(self, seconds: float = 0.5) -> None:
        """Wait a moment for the exit status and the last words of a server that hung up."""
        waits = [asyncio.ensure_future(self.exited.wait())]
        waits.append(asyncio.ensure_future(self._log_ended.wait()))
        _, pending = await asyncio.wait(waits, timeout=seconds)
        for wait in pending:
            wait.cancel()

    async def stop(self, *, grace: float = 2.0, term: float = 1.0) -> None:
        """Close stdin and wait `grace`, terminate the group and wait `term`, then kill it.

        A process that has ended by itself may have left children: they are ended all the same.
        When the caller is cancelled the group is killed at once.
        """
        gone = False
        try:
            gone = await self._stop(grace, term)
        finally:
            if not gone:
                children.signal_group(self.pid, "KILL")
            children.forget(self.pid)
            self._finish()
            self._transport.close()

    async def _stop(self, grace: float, term: float) -> bool:
        """Whether the whole group is known to be gone: its id may be another's by now."""
        stdin = self._transport.get_pipe_transport(0)
        if stdin is not None:
            stdin.close()
        ended = await _within(self.exited, grace)
        if ended and not children.group_lives(self.pid):
            return True
        children.signal_group(self.pid, "TERM")
        if not await _within(self.exited, term):
            children.signal_group(self.pid, "KILL")
            await _within(self.exited, 2.0)
        return await self._group_gone(term)

    async def _group_gone(self, seconds: float) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while children.group_lives(self.pid):
            if loop.time() >= until:
                return False
            await asyncio.sleep(0.02)
        return True

    def _deliver(self, line: bytes) -> None:
        if self._on_line is None:
            self._early.append(line)
        else:
            self._on_line(line)

    def _keep(self, line: bytes) -> None:
        text = line[:_KEPT_WIDTH].decode("utf-8", "replace").rstrip("\r")
        self._log.append(text)
        if self._on_log is not None:
            self._on_log(text)

    def _finish(self) -> None:
        if self.ended.is_set():
            return
        self.ended.set()
        self._writable.set()
        if self._on_line is not None:
            self._on_line(None)


class _Stdin(asyncio.BaseProtocol):
    """Stands before asyncio's own protocol of a pipe, and looks into it once before it closes."""

    def __init__(self, stdin: Any, on_lost: Callable[..., None]) -> None:
        self._inner, self._stdin, self._on_lost = stdin.get_protocol(), stdin, on_lost

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_lost(unread=_unread(self._stdin.get_extra_info("pipe")) > 0)
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()


def _unread(pipe: Any) -> int:
    """How many bytes nobody has read; 0 where the system does not tell."""
    if sys.platform != "win32":
        try:
            answer = fcntl.ioctl(pipe.fileno(), termios.FIONREAD, bytes(struct.calcsize("i")))
            return int(struct.unpack("i", answer)[0])
        except (OSError, ValueError):
            return 0
    return 0


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event happens within `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _program(command: str, env: Mapping[str, str], cwd: str | None) -> str:
    """Find the program on the child's own PATH (on Windows `npx` is `npx.cmd`)."""
    if cwd is not None and not Path(cwd).is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "no such folder", cwd)
    return shutil.which(command, path=env.get("PATH")) or command
