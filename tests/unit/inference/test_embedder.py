from __future__ import annotations

import base64
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.errors import Cancelled, Damaged, Unavailable
from app.inference import embedder as embedder_module
from app.inference.embedder import Embedder
from app.inference.packs import Probe, seal_of
from app.inference.session import Session
from app.runtime.stop import StopSwitch
from tests.unit.inference.tiny import PIECES

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.packs import ModelPack
    from tests.unit.inference.tiny import TinyNetwork


@pytest.fixture
def embedder(pack: ModelPack) -> Embedder:
    return Embedder(pack, threads=1)


def _ids(*pieces: str) -> list[int]:
    return [0, *(PIECES.index(piece) for piece in pieces), 2]


def test_a_question_and_a_passage_get_their_prefixes(embedder: Embedder, network: TinyNetwork) -> None:
    question = embedder.embed_queries(["hello world"])
    passage = embedder.embed_passages(["hello world"])
    assert (question.dtype, question.shape) == (np.float32, (1, 64))
    assert (passage.dtype, passage.shape) == (np.float16, (1, 64))
    assert question[0] @ network.vector(_ids("▁query", ":", "▁hello", "▁world")) > 0.99
    assert passage[0] @ network.vector(_ids("▁passage", ":", "▁hello", "▁world")) > 0.99
    assert np.linalg.norm(question[0]) == pytest.approx(1, abs=1e-5)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    texts = ["hello", "the house is open today", "你好世界", "z" * 30]
    together = embedder.embed_passages(texts)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(embedder.embed_passages([text])[0], together[row])


@pytest.mark.parametrize("text", ["", " \n\t ", "\x00\x07\x1b", "\ud800"])
def test_a_text_without_content_has_no_direction(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_queries([text]).any()
    assert not embedder.embed_passages([text]).any()


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_queries([]).shape == (0, 64)
    assert embedder.embed_passages([]).shape == (0, 64)


def test_a_long_text_is_read_to_its_end(embedder: Embedder) -> None:
    """48 tokens are the tiny network's input: a change behind them must change the vector."""
    text = "the house is open today " * 30
    vector = embedder.embed_queries([text + "hello"])[0]
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert not np.array_equal(vector, embedder.embed_queries([text + "world"])[0])


def test_windows_are_averaged_by_their_tokens(embedder: Embedder, network: TinyNetwork) -> None:
    # 60 tokens, and room for 48 less the two marks and the prefix: two windows of 30
    text = "hello " * 30 + "world " * 30
    halves = [network.vector(_ids("▁query", ":", *[piece] * 30)) for piece in ("▁hello", "▁world")]
    mean = (halves[0] + halves[1]) / np.linalg.norm(halves[0] + halves[1])
    assert embedder.embed_queries([text])[0] @ mean > 0.99


def test_a_huge_line_is_bounded(embedder: Embedder) -> None:
    assert np.linalg.norm(embedder.embed_queries(["x" * 10_000_000])[0]) == pytest.approx(1, abs=1e-5)


def test_stop_is_asked_before_each_passage(embedder: Embedder) -> None:
    stop = StopSwitch()
    embedder.embed_passages(["hello"], stop)
    stop.stop()
    with pytest.raises(Cancelled):
        embedder.embed_passages(["hello"], stop)


def test_it_loads_late_and_again_after_unloading(embedder: Embedder) -> None:
    assert not embedder.is_loaded
    before = embedder.embed_queries(["hello"])
    assert embedder.is_loaded
    embedder.unload()
    assert not embedder.is_loaded
    np.testing.assert_array_equal(embedder.embed_queries(["hello"]), before)


@pytest.mark.parametrize("name", ["model.onnx", "embedding.bin", "tokenizer.model"])
def test_a_damaged_pack_is_not_loaded(pack: ModelPack, name: str) -> None:
    pack.path(name).write_bytes(b"damaged")
    with pytest.raises(Damaged) as caught:
        Embedder(pack).load()
    assert "words" in str(caught.value.what)


def test_a_graph_that_is_none_is_damage_even_if_its_hash_fits(pack: ModelPack) -> None:
    pack.path("model.onnx").write_bytes(b"\x08\x0anonsense")
    seals = dict(pack.manifest.files) | {"model.onnx": seal_of(pack.path("model.onnx"))}
    with pytest.raises(Damaged):
        Embedder(replace(pack, manifest=replace(pack.manifest, files=seals))).load()


def test_a_processor_that_computes_otherwise_is_noticed(pack: ModelPack, network: TinyNetwork) -> None:
    """A pack that was copied from another machine: its probe's exact vector tells."""
    other = network.vector(_ids("▁today", "▁today", "你好")).astype("<f2")
    probe = Probe("query: hello", base64.b64encode((-other).tobytes()).decode())
    embedder = Embedder(replace(pack, manifest=replace(pack.manifest, probe=probe)))
    with pytest.raises(Unavailable) as caught:
        embedder.load()
    assert "processor" in str(caught.value.what)
    assert not embedder.is_loaded


@pytest.mark.parametrize("code", ["***", "AAAA", ""])
def test_a_broken_probe_is_damage(pack: ModelPack, code: str) -> None:
    manifest = replace(pack.manifest, probe=Probe("query: hello", code))
    with pytest.raises(Damaged):
        Embedder(replace(pack, manifest=manifest)).load()


def test_a_missing_onnxruntime_is_told(pack: ModelPack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(Unavailable):
        Embedder(pack).load()


def test_it_names_the_space_that_its_vectors_live_in(embedder: Embedder) -> None:
    assert (embedder.model_id, embedder.version, embedder.dimension) == ("multilingual-e5-small", "1", 64)


def test_it_counts_and_covers(embedder: Embedder) -> None:
    assert embedder.count_tokens("hello world") == 2
    assert embedder.covers("hello") == 1


def test_long_texts_have_a_session_of_their_own_and_the_same_vectors(
    pack: ModelPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder_module, "SHORT", 4)
    opened: list[int] = []

    class Counted(Session):
        def __init__(self, model: Path, *, threads: int, is_for_short: bool = False) -> None:
            opened.append(threads)
            super().__init__(model, threads=threads, is_for_short=is_for_short)

    monkeypatch.setattr(embedder_module, "Session", Counted)
    several, one = Embedder(pack, threads=2), Embedder(pack, threads=1)
    texts = ["hello", "the house is open today", "hello world " * 15]
    several.embed_queries(texts[:1])
    assert opened == [1], "a question opens nothing that only passages need"
    assert (several.embed_passages(texts) == one.embed_passages(texts)).all()
    assert opened == [1, 2, 1]
    several.rest()
    several.embed_queries(texts[:1])
    assert opened == [1, 2, 1], "what answers questions stayed"
    several.embed_passages(texts)
    assert opened == [1, 2, 1, 2]
    several.unload()
    assert not several.is_loaded
