"""How editors and other programs save: their sequences of system calls, as traced."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["NO_CHANGES", "SAVES", "write"]


def write(path: Path, text: str) -> None:
    """VS Code, nano: truncate and write in place."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def in_chunks(path: Path, text: str) -> None:
    """A slow disk: the same, bit by bit."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for start in range(0, len(text), 20):
        os.write(descriptor, text[start : start + 20].encode())
        os.fsync(descriptor)
    os.close(descriptor)


def vim(path: Path, text: str) -> None:
    """Vim's default: a test file, the old one renamed to a backup, a new one written."""
    probe = path.parent / "4913"
    write(probe, "")
    probe.unlink()
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(descriptor, text.encode())
    os.fsync(descriptor)
    os.close(descriptor)
    path.chmod(0o644)
    backup.unlink()


def vim_with_copy(path: Path, text: str) -> None:
    """Vim with `backupcopy=yes`: a copy as the backup, then in place."""
    backup = path.with_name(f"{path.name}~")
    shutil.copy2(path, backup)
    write(path, text)
    backup.unlink()


def pycharm(path: Path, text: str) -> None:
    """PyCharm's safe write: a new file beside, the old one aside, the new one in its place."""
    new, old = (
        path.with_name(f"{path.name}___jb_tmp___"),
        path.with_name(f"{path.name}___jb_old___"),
    )
    write(new, text)
    path.rename(old)
    new.rename(path)
    old.unlink()


def sed(path: Path, text: str) -> None:
    """`sed -i`, formatters: a temporary file renamed over the old one."""
    new = path.with_name("sedX4k2Qz")
    write(new, text)
    new.rename(path)


def formatter(path: Path, text: str) -> None:
    """The same with a temporary file that is Python's too."""
    new = path.with_name(f".{path.stem}.tmp.py")
    write(new, text)
    new.replace(path)


def emacs(path: Path, text: str) -> None:
    """Emacs: a lock that is a dangling link, the old file renamed to a backup that stays."""
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("somebody@host.4711:1764590000")
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    write(path, text)
    lock.unlink()


def gedit(path: Path, text: str) -> None:
    """GLib's programs: a hidden stream file, a hard link as the backup, renamed over."""
    new = path.with_name(".goutputstream-WQ5KL2")
    write(new, text)
    backup = path.with_name(f"{path.name}~")
    os.link(path, backup)
    new.rename(path)


def rsync(path: Path, text: str) -> None:
    """Rsync, `cp -p`: renamed over, with the time of the old file."""
    status = path.stat()
    new = path.with_name(f".{path.name}.a8Kd2s")
    write(new, text)
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.rename(path)


def checkout(path: Path, text: str) -> None:
    """Git: the old file deleted, the new one created."""
    path.unlink()
    write(path, text)


def from_outside(path: Path, text: str) -> None:
    """A file written elsewhere and moved in."""
    new = path.parent.with_name("elsewhere.py")
    write(new, text)
    new.rename(path)


def link_swapped(path: Path, text: str) -> None:
    """A link that leads to another file now, swapped in one step."""
    real, link = path.parent.with_name("real.py"), path.with_name("link")
    write(real, text)
    link.symlink_to(real)
    link.rename(path)


SAVES: list[Callable[[Path, str], None]] = [
    write,
    in_chunks,
    vim,
    vim_with_copy,
    pycharm,
    sed,
    formatter,
    emacs,
    gedit,
    rsync,
    checkout,
    from_outside,
    link_swapped,
]


def touched(path: Path) -> None:
    path.touch()


def mode_changed(path: Path) -> None:
    path.chmod(0o600)


def read(path: Path) -> None:
    path.read_text()


def same_again(path: Path) -> None:
    vim(path, path.read_text())


def byte_code_written(path: Path) -> None:
    cache = path.parent / "__pycache__"
    cache.mkdir()
    (cache / "a.cpython-311.pyc").write_bytes(b"\0" * 16)


def a_log_beside(path: Path) -> None:
    write(path.with_name("tool.log"), "a line\n")


def an_editor_opened_it(path: Path) -> None:
    path.with_name(f".{path.name}.swp").write_bytes(b"b0VIM")
    path.with_name(f".#{path.name}").symlink_to("somebody@host.4711")


NO_CHANGES: list[Callable[[Path], None]] = [
    touched,
    mode_changed,
    read,
    same_again,
    byte_code_written,
    a_log_beside,
    an_editor_opened_it,
]
