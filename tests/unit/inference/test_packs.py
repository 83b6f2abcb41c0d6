from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Damaged, FromTheFuture
from app.inference.packs import FILES, FORMAT, MANIFEST, Manifest, ModelPack, find_pack, folder_name

if TYPE_CHECKING:
    from pathlib import Path


def test_a_manifest_is_read_as_it_was_written(pack: ModelPack) -> None:
    assert Manifest.from_json(pack.manifest.to_json()) == pack.manifest
    assert ModelPack.open(pack.folder) == pack
    assert pack.folder.name == folder_name(pack.manifest.id, pack.manifest.version)


def test_it_says_what_it_is(pack: ModelPack) -> None:
    manifest = pack.manifest
    assert (manifest.id, manifest.version, manifest.task) == ("multilingual-e5-small", "1", "embedding")
    assert (manifest.query_prefix, manifest.passage_prefix, manifest.pooling) == ("query: ", "passage: ", "mean")
    assert (manifest.licence, manifest.dimension, manifest.max_tokens) == ("MIT", 64, 48)
    assert manifest.fidelity.mean > 0.99
    assert "tiny==1.0" in manifest.source
    assert pack.size_bytes == sum(pack.path(name).stat().st_size for name in FILES)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["one byte", "cut", "missing"])
def test_any_change_to_a_file_is_seen(pack: ModelPack, name: str, change: str) -> None:
    pack.verify()
    content = bytearray(pack.path(name).read_bytes())
    if change == "missing":
        pack.path(name).unlink()
    elif change == "cut":
        pack.path(name).write_bytes(content[:-1])
    else:
        content[len(content) // 2] ^= 1
        pack.path(name).write_bytes(content)
    with pytest.raises(Damaged):
        pack.verify()


def test_a_manifest_that_vouches_for_other_files_is_damage(pack: ModelPack) -> None:
    seals = dict.fromkeys(("../outside",), pack.manifest.files["model.onnx"])
    with pytest.raises(Damaged):
        replace(pack, manifest=replace(pack.manifest, files=seals)).verify()


@pytest.mark.parametrize("content", ["", "{}", "[1]", "null", '{"format": 1}', '{"format": "x"}', "\x00"])
def test_a_broken_manifest_is_damage(pack: ModelPack, content: str) -> None:
    (pack.folder / MANIFEST).write_text(content, "utf-8")
    with pytest.raises(Damaged) as caught:
        find_pack(pack.folder.parent)
    assert "words" in str(caught.value.what)


def test_a_newer_manifest_is_from_the_future(pack: ModelPack) -> None:
    fields = json.loads(pack.manifest.to_json())
    (pack.folder / MANIFEST).write_text(json.dumps(fields | {"format": FORMAT + 1, "new": 1}), "utf-8")
    with pytest.raises(FromTheFuture):
        find_pack(pack.folder.parent)


def test_a_missing_pack_is_no_error(tmp_path: Path) -> None:
    assert find_pack(tmp_path / "nowhere") is None
    assert find_pack(tmp_path) is None


def test_the_newest_whole_pack_of_the_task_is_found(pack: ModelPack) -> None:
    models = pack.folder.parent
    newer = models / "multilingual-e5-small-2"
    other = models / "another-task-9"
    for folder, fields in ((newer, {"version": "2"}), (other, {"task": "recognition", "version": "9"})):
        shutil.copytree(pack.folder, folder)
        (folder / MANIFEST).write_text(replace(pack.manifest, **fields).to_json(), "utf-8")
    (models / "broken-3").mkdir()
    (models / "broken-3" / MANIFEST).write_text("{", "utf-8")
    (models / ".building-1").mkdir()
    shutil.copy(pack.folder / MANIFEST, models / ".building-1" / MANIFEST)
    found = find_pack(models)
    assert found is not None
    assert found.folder == newer
