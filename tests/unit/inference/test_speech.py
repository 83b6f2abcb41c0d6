"""Speech models are found, refused when they are another kind, and given pieces of a recording (L6.5)."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.inference.speech import SpeechModel, Transcriber, find_model, pieces

if TYPE_CHECKING:
    from pathlib import Path

METADATA = b"vocab_size lfr_window_size lfr_window_shift neg_mean inv_stddev lang_zh"


def put_model(folder: Path, metadata: bytes = METADATA, name: str = "model.int8.onnx") -> None:
    folder.mkdir(parents=True)
    (folder / name).write_bytes(bytes(100) + metadata)
    (folder / "tokens.txt").write_text("a 0\n")


def test_a_model_is_found_in_the_folder_or_below_it(tmp_path: Path) -> None:
    assert find_model([tmp_path]) is None
    put_model(tmp_path / "speech" / "sense-voice")
    found = find_model([tmp_path / "none", tmp_path])
    assert found is not None
    assert found.model.parent.name == "sense-voice"
    put_model(tmp_path / "two" / "speech", name="model.onnx")
    assert find_model([tmp_path / "two"]) is not None


def test_another_model_is_none(tmp_path: Path) -> None:
    """The library would end the process."""
    put_model(tmp_path / "speech", b"vocab_size")
    assert find_model([tmp_path]) is None


def test_long_recordings_are_cut_where_they_are_quiet() -> None:
    rate = 16_000
    sound = np.ones(60 * rate, np.float32)
    sound[22 * rate : 23 * rate] = 0
    sound[45 * rate : 46 * rate] = 0
    found = pieces(sound, rate)
    assert sum(map(len, found)) == len(sound)
    assert [round(len(piece) / rate) for piece in found] == [22, 23, 15]
    assert pieces(sound[:0], rate) == []


def test_the_library_is_given_samples_between_minus_one_and_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seam alone: the library is played here."""
    heard: list[np.ndarray[tuple[int], np.dtype[np.float32]]] = []
    loads: list[dict[str, object]] = []

    class Stream:
        result = SimpleNamespace(text=" 船周五出发 ", timestamps=[1.5, 1.8])

        def accept_waveform(self, rate: int, samples: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
            assert rate == 16_000
            heard.append(samples)

    def load(**options: object) -> SimpleNamespace:
        loads.append(options)
        return SimpleNamespace(create_stream=Stream, decode_stream=lambda _: None)

    module = ModuleType("sherpa_onnx")
    module.OfflineRecognizer = SimpleNamespace(from_sense_voice=load)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sherpa_onnx", module)
    transcriber = Transcriber(SpeechModel(tmp_path / "model.onnx", tmp_path / "tokens.txt"))
    samples = np.full(30 * 16_000, -32_768, "<i2").tobytes()
    assert transcriber.transcribe(samples, 16_000) == [(1, "船周五出发"), (21, "船周五出发")]
    # of a moment's length nothing can begin in its second second
    assert transcriber.transcribe(samples[:2], 16_000) == [(0, "船周五出发")]
    Stream.result = SimpleNamespace(text="hello", timestamps=[])
    assert transcriber.transcribe(samples[:2], 16_000) == [(0, "hello")]
    Stream.result = SimpleNamespace(text=" ")
    assert transcriber.transcribe(samples, 16_000) == []
    assert len(loads) == 1
    assert loads[0]["num_threads"] == 1
    assert heard[0].min() == -1.0
    transcriber.unload()
    transcriber.transcribe(samples[:2], 16_000)
    assert len(loads) == 2
