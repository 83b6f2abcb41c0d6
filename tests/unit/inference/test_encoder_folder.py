from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput, Unavailable
from app.inference import building_encoder
from app.inference.building_encoder import build_encoder, checked_name, pack_name
from app.inference.encoder_folder import read_folder

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = {"model_type": "bert", "hidden_size": 32, "max_position_embeddings": 512}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that may be built, as far as can be seen from outside."""
    place = tmp_path / "Little BERT"
    place.mkdir()
    (place / "config.json").write_text(json.dumps(CONFIG), "utf-8")
    (place / "model.safetensors").write_bytes(b"weights")
    (place / "tokenizer.json").write_text("{}", "utf-8")
    return place


def test_it_says_what_the_folder_says(folder: Path) -> None:
    (folder / "README.md").write_text("---\nlicense: mit\n---\n", "utf-8")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', "utf-8")
    prompts = {"prompts": {"query": "ask: ", "document": "say: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts), "utf-8")
    found = read_folder(folder)
    assert (found.architecture, found.dimension, found.max_tokens) == ("bert", 32, 512)
    assert (found.pooling, found.licence) == ("cls", "mit")
    assert (found.query_prefix, found.passage_prefix) == ("ask: ", "say: ")


def test_without_more_it_is_mean_pooling_and_an_unknown_licence(folder: Path) -> None:
    found = read_folder(folder)
    assert (found.pooling, found.licence, found.query_prefix) == ("mean", "unknown", "")


def test_positions_of_some_architectures_begin_later(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG | {"model_type": "xlm-roberta"}), "utf-8")
    assert read_folder(folder).max_tokens == 510


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("no config", "no config.json"),
        ("broken config", "no config.json"),
        ("deep config", "no config.json"),
        ("no weights", "no weights"),
        ("pickled", "pickled"),
        ("code", "code of its own"),
        ("auto_map", "code of its own"),
        ("decoder", "none that can be built"),
        ("unknown", "none that can be built"),
        ("no tokenizer", "no tokenizer"),
        ("no sizes", "cannot be understood"),
    ],
)
def test_what_cannot_or_may_not_be_built_is_refused_with_its_reason(folder: Path, change: str, reason: str) -> None:
    config = folder / "config.json"
    texts = {
        "broken config": "{",
        "deep config": "[" * 5000,
        "auto_map": json.dumps(CONFIG | {"auto_map": {"AutoModel": "x.Model"}}),
        "decoder": json.dumps(CONFIG | {"is_decoder": True}),
        "unknown": json.dumps(CONFIG | {"model_type": "gpt2"}),
        "no sizes": json.dumps({"model_type": "bert"}),
    }
    if change in texts:
        config.write_text(texts[change], "utf-8")
    elif change == "no config":
        config.unlink()
    elif change in {"no weights", "pickled"}:
        (folder / "model.safetensors").unlink()
        if change == "pickled":
            (folder / "pytorch_model.bin").write_bytes(b"")
    elif change == "code":
        (folder / "modeling.py").write_text("", "utf-8")
    else:
        (folder / "tokenizer.json").unlink()
    with pytest.raises(BadInput) as caught:
        read_folder(folder)
    assert reason in str(caught.value.what)


def test_a_missing_package_is_named_with_its_command(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building_encoder, "_NEEDED", ("onnx", "no_such_package"))
    with pytest.raises(Unavailable) as caught:
        build_encoder(folder, tmp_path, "x1", step=lambda _: None)
    assert "no_such_package" in str(caught.value.what)
    assert "onnx" not in str(caught.value.what)
    assert "pip install" in str(caught.value.next_step)


def test_an_export_that_fails_is_said_so(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building_encoder, "_NEEDED", ())
    made = tmp_path / "made"
    made.mkdir()
    with pytest.raises(Unavailable) as caught:
        build_encoder(folder, made, "x1", step=lambda _: None)
    assert "could not be exported" in str(caught.value.what)


def test_a_pack_is_called_as_its_folder(folder: Path) -> None:
    assert pack_name(folder) == "little-bert"
    assert checked_name("e5.v2_x-1") == "e5.v2_x-1"
    for name in ("", "../x", "A", "模型", "x" * 99):
        with pytest.raises(BadInput):
            checked_name(name)
