"""Hear of changes below some folders, and have a reloader look again: by events, or by polling."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
import warnings
from typing import TYPE_CHECKING, Any, Literal, Self

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from .disk import signature
from .heard import Heard
from .reloader import PATIENCE, Reloader, ToolState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType

    from watchdog.observers.api import BaseObserver, ObservedWatch

    from ..findings import Finding
    from ..registry import ToolRegistry
    from ..types import ToolsChanged
    from .disk import Signature

__all__ = ["ToolWatcher"]

QUIET = 0.05  # seconds without an event after which a save is taken to be over
EMPTIED = 2.0  # seconds after which a file that stands empty is taken to be meant so
LONGEST = 0.5  # seconds after which is looked even where it never gets quiet
RESCAN = 1.0  # seconds after which is looked although nothing was heard
POLL = 0.3  # the same where nothing can be heard, or something is not there
SHARE = 50  # a rescan may take a fiftieth of the time

# Reading a file, our own importing included, is no change; other systems send other events.
MERE_READING = {"opened", "closed_no_write"}


class ToolWatcher:
    """Keeps the tools of some files and folders current in a registry, as a context manager.

    `with ToolWatcher(registry, "tools/"): …` has loaded the tools when the block begins, and
    reloads them whenever a file changes. A path need not exist yet. `on_report` is called with
    each `ToolsChanged`, on the watcher's own thread, after the registry has changed;
    `registry.subscribe` hears the same. What these raise ends nothing, and is kept in `errors`.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *paths: str | os.PathLike[str],
        on_report: Callable[[ToolsChanged], Any] | None = None,
        pattern: str | None = None,
        names: Sequence[str] = (),
        poll: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        """`pattern` narrows the tools by a glob on their names, `names` to a few of them.

        `poll` looks again and again instead of waiting for events, as file systems of other
        machines need it; it is also what happens where the system's limits leave no events.
        `patience` is in seconds: an import that takes longer is reported, and not waited for.
        """
        self.started_with: ToolsChanged | None = None
        self.why_polling: str | None = "asked for" if poll else None
        self._wakened = threading.Event()
        self._stopped = threading.Event()
        self._told = Heard()
        self._last_heard = 0.0
        self._surveyed = 0.0
        self._pause = 0.0  # seconds between two rescans beyond the usual
        self._reloader = Reloader(
            registry,
            *paths,
            pattern=pattern,
            names=names,
            patience=patience,
            on_late=self.look_again,
        )
        self.errors = self._reloader.errors
        self._on_report = on_report
        self._ears = _Ears(self._wake, self._told)
        self._thread: threading.Thread | None = None
        self._glance: dict[Path, Signature | None] = {}

    # -- what there is ------------------------------------------------------------------------

    @property
    def mode(self) -> Literal["events", "polling"]:
        """How changes are heard of."""
        return "events" if self.why_polling is None else "polling"

    @property
    def tools(self) -> list[ToolState]:
        """Every tool that is watched: name, place, fresh or stale, and the failure if stale."""
        return self._reloader.tools

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What can't be loaded now."""
        return self._reloader.failures

    @property
    def missing(self) -> list[Path]:
        """The paths that are waited for."""
        return self._reloader.missing

    @property
    def generation(self) -> int:
        """How many batches there have been."""
        return self._reloader.generation

    @property
    def folders(self) -> list[Path]:
        """The folders in which something may happen."""
        return sorted(self._reloader.folders())

    # -- life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Load the tools, and begin to watch."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it; the tools stay in the registry."""
        self.stop()

    def start(self) -> None:
        """Load the tools, and begin to watch."""
        try:
            self._listen()  # before the first look, so that no save falls between
            self._glance = self._reloader.glance()
            self.started_with = self._reloader.look()
            self._listen()
            self._surveyed = time.monotonic()
        except BaseException:
            self._ears.close()
            raise
        self._thread = threading.Thread(target=self._watch, name="toolkit-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; afterwards nothing is reported any more."""
        self._stopped.set()
        self._wakened.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._ears.close()
        self._reloader.close()

    def look_again(self) -> None:
        """Something may have changed; safe to call from anywhere, and as often as one likes."""
        self._told.anything()
        self._wake()

    def _wake(self) -> None:
        self._last_heard = time.monotonic()
        self._wakened.set()

    # -- the thread ---------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._stopped.is_set():
            heard = self._wakened.wait(self._interval())
            if self._stopped.is_set():
                return
            if not heard and not self._has_changed():
                self._listen()
                continue
            if not heard:
                self._told.anything()
                self._last_heard = time.monotonic()
            self._settle()
            self._look()
            if time.monotonic() - self._surveyed > self._interval() and self._has_changed():
                self.look_again()  # where saves never end, what was not heard is found as well

    def _interval(self) -> float:
        usual = POLL if self.why_polling is not None or self.missing else RESCAN
        return usual + self._pause

    def _has_changed(self) -> bool:
        self._surveyed = began = time.monotonic()
        before, self._glance = self._glance, self._reloader.glance()
        cost = time.monotonic() - began
        # With so many files that looking for nothing would be work, it is done more rarely.
        self._pause = max(0.0, cost * SHARE - RESCAN)
        return before != self._glance

    def _settle(self) -> None:
        """Wait until a save is over: no event, and nothing written, for a moment."""
        deadline = time.monotonic() + LONGEST
        while not self._stopped.is_set() and time.monotonic() < deadline:
            self._wakened.clear()
            rest = min(self._last_heard + QUIET, deadline) - time.monotonic()
            if rest > 0 and self._wakened.wait(rest):
                continue
            if not self._is_being_written():
                return
            self._last_heard = time.monotonic()

    def _is_being_written(self) -> bool:
        """Polling, whether anything was written meanwhile; else one would have heard of it."""
        if self.why_polling is None:
            return False
        before, self._glance = self._glance, self._reloader.glance()
        return before != self._glance

    def _wait_for(self, emptied: set[Path]) -> None:
        """Wait until something is written to the files, or it seems that they are meant so."""
        deadline = time.monotonic() + EMPTIED
        while time.monotonic() < deadline and not self._stopped.wait(QUIET):
            found = [signature(path) for path in emptied]
            if all(each is None or each.size for each in found):
                return

    def _look(self) -> None:
        at, known = self._where(set()), len(self._reloader.known)
        if at is not None and not at:
            return
        try:
            report = self._reloader.look(at=at, while_emptied=False)
            if self._reloader.unfinished:
                self._wait_for(self._reloader.unfinished)
                self._last_heard = time.monotonic()
                self._settle()
                at = self._where(at)
                report = self._reloader.look(at=at)
            if report is not None and self._on_report is not None:
                self._on_report(report)
        except Exception as error:  # noqa: BLE001 - a subscriber's, and it ends nothing here
            self.errors.append(error)
        if at is None or len(self._reloader.known) != known:
            self._listen()

    def _where(self, before: set[Path] | None) -> set[Path] | None:
        """The files to look at: those of `before`, and those that were told of; None for all."""
        told = self._told.take()
        both = before | told if before is not None and told is not None else None
        at = self._reloader.narrowed(both) if both is not None else None
        if at is None:
            self._listen()  # to a folder that was replaced, before it is looked at
            self._surveyed = time.monotonic()
            self._glance = self._reloader.glance()  # before the look: what comes after differs
        else:
            self._glance |= {path: signature(path) for path in at if path in self._glance}
        return at

    def _listen(self) -> None:
        """Have every folder listened to that is there now; poll where that can't be had."""
        if self.why_polling is not None:
            return
        try:
            self._ears.listen_to(self._reloader.folders())
        except OSError as error:
            self.why_polling = _limit(error)
            self._ears.close()


class _Ears(FileSystemEventHandler):
    """Watches of real folders, each taken anew where its folder was replaced."""

    def __init__(self, wake: Callable[[], None], heard: Heard | None = None) -> None:
        self._wake = wake
        self._heard = heard or Heard()
        self._observer: BaseObserver | None = None
        self._watches: dict[Path, tuple[ObservedWatch, tuple[int, int], bool]] = {}

    def dispatch(self, event: FileSystemEvent) -> None:
        """Any event that may concern a source means: look again, and most of them say where."""
        if event.event_type in MERE_READING:
            return
        given = (event.src_path, getattr(event, "dest_path", ""))
        paths = [os.fsdecode(each) for each in given if each]
        if event.event_type != "modified":
            for path in paths:
                self._heard.explain(path)
        counting = [path for path in paths if self._may_count(path, event)]
        for path in counting:
            if not event.is_directory:
                self._heard.file(path)
            elif event.event_type == "modified":
                self._heard.folder(path)
            else:
                self._heard.anything()
        if counting:
            self._wake()

    @staticmethod
    def _may_count(path: str, event: FileSystemEvent) -> bool:
        return not path.endswith("__pycache__") if event.is_directory else path.endswith(".py")

    def listen_to(self, folders: dict[Path, bool]) -> None:
        """Listen to these folders and no others; raises `OSError` at the system's limits."""
        if self._observer is None:
            # Folders made one in the other are taken twice by watchdog, which warns of itself.
            warnings.filterwarnings("ignore", "Callback with id .* already exists", RuntimeWarning)
            self._observer = Observer()
            self._observer.start()
        for folder in [each for each in self._watches if not self._is_well(each, folders)]:
            self._forget(folder)
        for folder, all_below in folders.items():
            if folder not in self._watches:
                self._take(folder, all_below=all_below)

    def _is_well(self, folder: Path, folders: dict[Path, bool]) -> bool:
        """Whether a watch is wanted, and still hears what happens at its path."""
        watch, identity, all_below = self._watches[folder]
        if folders.get(folder) is not all_below or _identity(folder) != identity:
            return False
        alive = {each.watch for each in self._observer.emitters if each.is_alive()}  # type: ignore[union-attr]
        return watch in alive

    def _take(self, folder: Path, *, all_below: bool) -> None:
        identity = _identity(folder)
        if identity is None or self._observer is None:
            return
        try:
            watch = self._observer.schedule(self, str(folder), recursive=all_below)
        except FileNotFoundError:  # deleted meanwhile: the next look will tell
            return
        self._watches[folder] = (watch, identity, all_below)

    def _forget(self, folder: Path) -> None:
        watch, _, _ = self._watches.pop(folder)
        with contextlib.suppress(KeyError, OSError):  # its emitter ended with its folder
            self._observer.unschedule(watch)  # type: ignore[union-attr]

    def close(self) -> None:
        """Hear nothing any more."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._observer, self._watches = None, {}


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _limit(error: OSError) -> str:
    """Why there are no events, and what lifts the limit."""
    if error.errno == errno.ENOSPC:
        return "no watches left (fs.inotify.max_user_watches)"
    if error.errno == errno.EMFILE:
        return "no watchers left (fs.inotify.max_user_instances, or open files)"
    return f"no events here: {error.strerror or error}"
