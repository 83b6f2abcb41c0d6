"""Tells which sources have changed on this device, a moment after the last change.

`Watcher.run` blocks and belongs on a lane of its own. It uses what the system offers; where that has limits (inotify
watches) or does not reach (network folders), it looks at the folders now and then instead.
"""

from __future__ import annotations

import logging
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from app.sources.files.ignore import is_clutter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from watchfiles.main import FileChange

DEBOUNCE_MS = 1_000
_STEP_MS = 200
_POLL_MS = 5_000
_WAKE_MS = 1_000
_RETRY_S = 5.0
_log = logging.getLogger(__name__)


class Watcher:
    """Watches the paths of all sources.

    Args:
        on_change: called with a source id, in the thread of `run`; must return soon.
        debounce_ms: changes within this time of each other are told as one.
    """

    def __init__(self, on_change: Callable[[str], None], *, debounce_ms: int = DEBOUNCE_MS) -> None:
        self._on_change = on_change
        self._debounce_ms = debounce_ms
        self._lock = threading.Lock()
        self._targets: dict[str, tuple[Path, ...]] = {}
        self._excluded: tuple[Path, ...] = ()
        self._interrupt = threading.Event()
        self._is_stopped = threading.Event()
        self._is_polling = False

    @property
    def is_polling(self) -> bool:
        """Whether the folders are looked at now and then, because the system cannot tell their changes."""
        return self._is_polling

    def watch(self, targets: Mapping[str, Sequence[Path]], excluded: Sequence[Path] = ()) -> None:
        """Watch these paths of these sources from now on; changes below `excluded` (our own data) mean nothing."""
        with self._lock:
            self._targets = {source_id: tuple(map(_resolved, paths)) for source_id, paths in targets.items()}
            self._excluded = tuple(map(_resolved, excluded))
        self._interrupt.set()

    def stop(self) -> None:
        """Let `run` return; from any thread."""
        self._is_stopped.set()
        self._interrupt.set()

    def run(self) -> None:
        """Watch until `stop`; blocks."""
        while not self._is_stopped.is_set():
            self._interrupt.clear()
            with self._lock:
                targets, excluded = dict(self._targets), self._excluded
            if self._is_stopped.is_set():
                return
            self._watch_these(targets, excluded)

    def _watch_these(self, targets: dict[str, tuple[Path, ...]], excluded: tuple[Path, ...]) -> None:
        """Watch until interrupted, or until a folder comes or goes."""
        looks = {path: _look(path) for paths in targets.values() for path in paths}
        folders = [path for path in looks if path.is_dir()]
        if not folders:
            self._interrupt.wait(_WAKE_MS / 1000 if looks else None)
            self._compare(targets, looks)
            return
        try:
            self._follow(targets, folders, looks, excluded)
        except OSError as error:
            # the usual reason is the system's limit of watches; without a message, since it holds a path
            _log.warning("watching failed (%s), looking at the folders instead", type(error).__name__)
            if self._is_polling:
                self._interrupt.wait(_RETRY_S)
            self._is_polling = True

    def _follow(
        self,
        targets: dict[str, tuple[Path, ...]],
        folders: list[Path],
        looks: dict[Path, _Look],
        excluded: tuple[Path, ...],
    ) -> None:
        import watchfiles  # noqa: PLC0415 - a megabyte, and only where there is a folder to watch

        for changes in watchfiles.watch(
            *folders,
            watch_filter=None,
            debounce=self._debounce_ms,
            step=min(_STEP_MS, self._debounce_ms),
            stop_event=self._interrupt,
            rust_timeout=_WAKE_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=self._is_polling,
            poll_delay_ms=_POLL_MS,
            ignore_permission_denied=True,
        ):
            touched = {source_id for source_id, paths in targets.items() if _concern(changes, paths, excluded)}
            for source_id in sorted(touched):
                self._on_change(source_id)
            if self._compare(targets, looks):
                return

    def _compare(self, targets: dict[str, tuple[Path, ...]], looks: dict[Path, _Look]) -> bool:
        """Tell of paths that came, went or were replaced, which no watch of the system shows.

        A single file is looked at here too: a program that saves it by renaming a new one ends the watch of the old.
        """
        now = {path: _look(path) for path in looks}
        different = {path for path in looks if now[path] != looks[path]}
        for source_id, paths in sorted(targets.items()):
            if different.intersection(paths):
                self._on_change(source_id)
        looks.update(now)
        return bool(different)


_Look = tuple[int, ...] | None


def _look(path: Path) -> _Look:
    """What shows that a path is another one now: a folder's identity, and a file's times and size too."""
    try:
        status = path.stat()
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return status.st_dev, status.st_ino
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _resolved(path: Path) -> Path:
    return path.resolve()


def _concern(changes: set[FileChange], paths: Sequence[Path], excluded: Sequence[Path]) -> bool:
    return any(_concerns(Path(name), paths, excluded) for _, name in changes)


def _concerns(changed: Path, paths: Sequence[Path], excluded: Sequence[Path]) -> bool:
    """Whether a changed path belongs to a source and is not clutter, such as an editor's swap file."""
    if any(changed.is_relative_to(folder) for folder in excluded):
        return False
    for path in paths:
        if changed != path and changed.is_relative_to(path):
            *folders, name = changed.relative_to(path).parts
            is_in_clutter = any(is_clutter(folder, is_folder=True) for folder in folders)
            return not is_in_clutter and not is_clutter(name, is_folder=False)
    return False
