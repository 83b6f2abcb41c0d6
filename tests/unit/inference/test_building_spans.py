"""The pack of the span model, built from a tiny network and a random delta (G2.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.errors import BadInput, Cancelled, Damaged, Unavailable
from app.inference import building, building_spans, prepare
from app.inference.delta import Delta, Head, LowRank
from app.inference.packs import MANIFEST, ROWS, SPANS, TOKENIZER, find_pack
from app.inference.span_limits import LONGEST_CHARACTERS
from app.inference.span_tokens import CLAUSE_TAGS, ENTITY_TAGS
from app.inference.spans import SpanReader
from app.runtime.stop import StopSwitch

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.fetching import Pin
    from app.inference.packs import ModelPack
    from tests.unit.inference.tiny import TinyNetwork


@pytest.fixture
def delta(network: TinyNetwork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A delta that fits the tiny network, in the place of the one that Famulus carries."""
    random = np.random.default_rng(3)

    def floats(*shape: int) -> np.ndarray:
        return random.normal(0, 0.3, shape).astype(np.float32)

    low_rank = {"l0.q": LowRank(floats(2, network.hidden), floats(network.hidden, 2))}
    heads = {
        name: Head(tags, floats(len(tags), network.hidden) * 4, floats(len(tags)))
        for name, tags in (("entity", ENTITY_TAGS), ("clause", CLAUSE_TAGS))
    }
    path = tmp_path / building_spans.DELTA_RESOURCE
    path.write_bytes(Delta(low_rank, {}, heads).to_bytes())
    monkeypatch.setattr(building_spans, "resource", lambda *_: path)
    monkeypatch.setattr(prepare, "RECIPES", (building.RECIPE, building_spans.RECIPE))
    return path


@pytest.fixture
def packs(pin: Pin, delta: Path, wheel: Path, tmp_path: Path) -> tuple[ModelPack, ...]:
    monkey = pytest.MonkeyPatch()
    monkey.setattr(prepare, "RECIPES", (building.RECIPE, building_spans.RECIPE))
    made = prepare.prepare(tmp_path / "models", wheel=wheel)
    monkey.undo()
    return made


def test_both_packs_are_built_from_one_wheel_and_share_their_files(packs: tuple[ModelPack, ...]) -> None:
    embedder, spans = packs
    assert spans.manifest.task == SPANS
    spans.verify()
    assert find_pack(spans.folder.parent, SPANS) == spans
    for name in (ROWS, TOKENIZER):
        assert spans.path(name).samefile(embedder.path(name))


def test_the_reader_gives_spans_that_stand_in_the_text(packs: tuple[ModelPack, ...]) -> None:
    text = "hello world, the house is open today 你好世界 " * 40
    reader = SpanReader(packs[1])
    found = reader.read(text)
    assert found
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert found == reader.read(text)
    reader.unload()
    assert not reader.is_loaded
    assert reader.read("") == []


def test_a_text_beyond_all_size_is_refused_and_a_stop_ends_the_reading(packs: tuple[ModelPack, ...]) -> None:
    reader = SpanReader(packs[1])
    with pytest.raises(BadInput):
        reader.read("a" * (LONGEST_CHARACTERS + 1))
    with pytest.raises(BadInput):
        reader.read("hello world " * 400, limit_s=0.0)
    stop = StopSwitch()
    stop.stop()
    with pytest.raises(Cancelled):
        reader.read("hello world", stop=stop)


def test_loading_is_not_counted_as_reading(packs: tuple[ModelPack, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first text on a busy machine is read without the model, and which one that is, is chance."""
    reader, passed_s, load = SpanReader(packs[1]), [0.0], SpanReader._loaded

    def slowly(self: SpanReader) -> object:
        passed_s[0] += 60.0
        return load(self)

    monkeypatch.setattr(SpanReader, "_loaded", slowly)
    monkeypatch.setattr("app.inference.spans.monotonic_s", lambda: passed_s[0])
    assert reader.read("hello world", limit_s=4.0) == reader.read("hello world")


def test_a_pack_that_is_not_what_it_was_is_not_used(packs: tuple[ModelPack, ...]) -> None:
    pack = packs[1]
    foreign = replace(pack, manifest=replace(pack.manifest, probe=replace(pack.manifest.probe, vector="AAAA")))
    with pytest.raises(Damaged):
        SpanReader(foreign).load()
    pack.path(MANIFEST).with_name("model.onnx").write_bytes(b"")
    with pytest.raises(Damaged):
        SpanReader(pack).load()


def test_a_processor_that_computes_wrongly_gets_no_spans_but_the_embedder_stays(
    pin: Pin, delta: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "RECIPES", (building.RECIPE, building_spans.RECIPE))
    monkeypatch.setattr(building_spans, "compare", lambda *_: building_spans.Fidelity(0.1, 0.1, 16))
    with pytest.raises(Unavailable):
        prepare.prepare(tmp_path / "models", wheel=wheel)
    assert find_pack(tmp_path / "models") is not None
    assert find_pack(tmp_path / "models", SPANS) is None


def test_a_broken_delta_is_damage(
    pin: Pin, delta: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delta.write_bytes(b"no archive")
    monkeypatch.setattr(prepare, "RECIPES", (building_spans.RECIPE,))
    with pytest.raises(Damaged):
        prepare.prepare(tmp_path / "models", wheel=wheel)
