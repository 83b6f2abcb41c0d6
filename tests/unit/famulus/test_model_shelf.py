from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput, Refused
from app.famulus.model_shelf import list_packs, remove_pack
from tests.unit.inference.conftest import built, network, pack, pin, wheel

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.packs import ModelPack

__all__ = ["built", "network", "pack", "pin", "wheel"]


def test_a_broken_pack_is_told_and_hides_no_other(pack: ModelPack) -> None:
    models = pack.folder.parent
    shutil.copytree(pack.folder, models / "another-1")
    (models / "another-1" / "model.onnx").write_bytes(b"changed")
    (models / "broken-1").mkdir()
    (models / "broken-1" / "manifest.json").write_text("{", "utf-8")
    found = list_packs([models], pack.folder)
    assert all(info.problem is not None for info in found if not info.is_verified)
    assert sum(not info.is_verified for info in found) == 2
    (good,) = [info for info in found if info.is_in_use]
    assert (good.model_id, good.task, good.is_verified, good.problem) == (pack.manifest.id, "embedding", True, None)
    assert good.fidelity > 0.9
    assert "broken-1" in {info.model_id for info in found}


def test_remove_takes_one_pack_and_leaves_the_rest(pack: ModelPack, tmp_path: Path) -> None:
    models = pack.folder.parent
    (models / "broken-1").mkdir()
    (models / "broken-1" / "manifest.json").write_text("{", "utf-8")
    before = {info.model_id for info in list_packs([models], None)}
    remove_pack([models], "broken-1")
    assert not (models / "broken-1").exists()
    remove_pack([models], pack.manifest.id)
    assert {info.model_id for info in list_packs([models], None)} == before - {"broken-1", pack.manifest.id}
    with pytest.raises(BadInput) as caught:
        remove_pack([models, tmp_path / "nowhere"], pack.manifest.id)
    assert pack.manifest.id in str(caught.value.what)


@pytest.mark.parametrize("name", ["", "..", "../models", "."])
def test_no_name_leads_out_of_the_folder(pack: ModelPack, name: str) -> None:
    with pytest.raises(BadInput):
        remove_pack([pack.folder.parent], name)
    assert pack.folder.exists()


def test_what_came_with_the_program_stays(pack: ModelPack, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        remove_pack([tmp_path / "own", pack.folder.parent], pack.manifest.id)
    assert pack.folder.exists()
