"""Whole commands without the start of Python: each is forked from a process that has it behind it.

What a fresh process imports, and when, is held by tests of its own; those that only need many
commands of MCP, whose SDK takes longest to import, save the most of their time here.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import pkgutil
import selectors
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.cli.runner import PATIENCE, Ended, environment, steady

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["run"]

MOST = 1 << 20  # bytes of one request


def run(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> Ended:
    """Run `toolkit WORDS` with pipes, as `runner.run` does."""
    inputs, outputs, errors = os.pipe(), os.pipe(), os.pipe()
    asked = {"words": words, "cwd": str(cwd), "env": environment(**env)}
    theirs = [inputs[0], outputs[1], errors[1]]
    socket.send_fds(_nursery(), [json.dumps(asked).encode()], theirs)
    for descriptor in theirs:
        os.close(descriptor)
    with os.fdopen(inputs[1], "w", encoding="utf-8") as file:
        file.write(stdin or "")
    out, err = _read_all(outputs[0], errors[0])
    code = int(_nursery().recv(64).decode())
    return Ended(code, steady(out, cwd), steady(err, cwd))


@functools.cache
def _nursery() -> socket.socket:
    """The process that forks: one for each process of the tests, and no child of it.

    Tests count the children of their process, and commands that run within it end them all.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(PATIENCE)
    subprocess.run(
        [sys.executable, "-P", __file__, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        env=environment(),
        check=True,
    )
    theirs.close()
    atexit.register(ours.close)  # it ends with the last who may ask
    return ours


def _read_all(*descriptors: int) -> list[str]:
    """What comes until all of them are closed, also by whoever else holds them."""
    deadline = time.monotonic() + PATIENCE
    found = dict.fromkeys(descriptors, b"")
    with selectors.DefaultSelector() as waiting:
        for descriptor in descriptors:
            waiting.register(descriptor, selectors.EVENT_READ)
        while waiting.get_map():
            if time.monotonic() > deadline:
                raise TimeoutError(found)
            for key, _ in waiting.select(timeout=1):
                piece = os.read(key.fd, 65536)
                found[key.fd] += piece
                if not piece:
                    waiting.unregister(key.fd)
                    os.close(key.fd)
    return [found[descriptor].decode() for descriptor in descriptors]


def _serve(asking: socket.socket) -> None:
    """Import everything, then fork a command for each request until nobody asks any more."""
    for room in ("toolkit.cli", "toolkit.mcp"):
        for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            importlib.import_module(module.name)
    while True:
        told, streams, _, _ = socket.recv_fds(asking, MOST, 3)
        if not told:
            return
        child = os.fork()
        if child == 0:
            asking.close()
            _become(json.loads(told), streams)
        for descriptor in streams:
            os.close(descriptor)
        _, status = os.waitpid(child, 0)
        asking.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Be a `python -m toolkit` that has just begun."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.path.insert(0, asked["cwd"])
    sys.argv = ["toolkit", *asked["words"]]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(
        2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1
    )
    from toolkit.__main__ import main

    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    atexit._run_exitfuncs()  # noqa: SLF001 - what `os._exit` leaves out
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    if os.fork():
        os._exit(0)
    _serve(socket.socket(fileno=int(sys.argv[1])))
