"""The model packs on this device: what there is, each checked by itself, removing one, and building one's own.

Loading and using models is not here: the embedding model is kept by `model_host`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Refused
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.api import ModelInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.progress import ProgressSink, StopSignal
    from app.inference.packs import Installed, ModelPack

_TASK = "model"


def list_packs(folders: Sequence[Path], in_use: Path | None) -> list[ModelInfo]:
    """Every pack of the folders, verified now; blocks.

    Args:
        in_use: the folder of the embedding model that is loaded.
    """
    from app.inference.packs import installed  # noqa: PLC0415 - a tray without a model does not need it

    return [_info(found, in_use) for folder in folders for found in installed(folder)]


def info_of(pack: ModelPack) -> ModelInfo:
    """What a shell is told of a pack that was just made."""
    from app.inference.packs import Installed  # noqa: PLC0415 - see above

    return _info(Installed(pack.folder, pack, None), None)


def remove_pack(folders: Sequence[Path], name: str) -> None:
    """Delete a pack by its id, or by the name of its folder; blocks.

    Raises:
        BadInput: there is none of that name.
        Refused: it belongs to the installed program.
    """
    from app.inference.packs import installed  # noqa: PLC0415 - see above

    for place, folder in enumerate(folders):
        for found in installed(folder):
            if name not in {found.folder.name, found.pack.manifest.id if found.pack is not None else None}:
                continue
            if place:
                raise Refused(
                    msg("The model {name} came with the program, and leaves with it.", name=name),
                    next_step=msg("Remove Famulus, or keep the model."),
                )
            # first out of sight, so that a half deleted pack is never found
            doomed = found.folder.with_name(f".replaced-{found.folder.name}")
            shutil.rmtree(doomed, ignore_errors=True)
            found.folder.rename(doomed)
            shutil.rmtree(doomed, ignore_errors=True)
            return
    raise BadInput(
        msg("There is no model called {name}.", name=name),
        next_step=msg("`famulus models list` shows the names."),
    )


def build_pack(
    models: Path, source: str, name: str | None, progress: ProgressSink, stop: StopSignal | None
) -> ModelPack:
    """Build a pack of an encoder from its folder, and put it beside the others; blocks.

    Raises:
        BadInput, Unavailable, DiskFull, ReadOnly, Cancelled: see `app.inference.prepare.build_own`.
    """
    from app.inference.prepare import build_own  # noqa: PLC0415 - the builder is heavy, and used once

    def step(percent: int) -> None:
        progress(Progress(_TASK, msg("Building the model"), percent, 100))

    return build_own(models, Path(source), name, step=step, stop=stop)


def _info(found: Installed, in_use: Path | None) -> ModelInfo:
    problem = found.problem.what if found.problem is not None else None
    if found.pack is None:
        return ModelInfo(found.folder.name, "", "", (), 0, "", is_installed=True, is_verified=False, problem=problem)
    manifest = found.pack.manifest
    return ModelInfo(
        model_id=manifest.id,
        version=manifest.version,
        task=manifest.task,
        languages=manifest.languages,
        size_bytes=found.pack.size_bytes,
        licence=manifest.licence,
        is_installed=True,
        is_verified=problem is None,
        problem=problem,
        is_in_use=found.folder == in_use,
        fidelity=manifest.fidelity.mean,
    )
