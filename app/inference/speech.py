"""Transcribes recordings, on this device and offline, where a person has put a speech model (L6.5).

The model is a folder that sherpa-onnx can read: SenseVoice (`model.int8.onnx` or `model.onnx`, and `tokens.txt`),
which knows Chinese, Cantonese, English, Japanese and Korean. There is no model in the package, and none is fetched.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib.util import find_spec
from math import isfinite
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

FOLDER = "speech"
_MODELS = ("model.int8.onnx", "model.onnx")
_TOKENS = "tokens.txt"
_METADATA = (b"vocab_size", b"lfr_window_size", b"lfr_window_shift", b"neg_mean", b"inv_stddev", b"lang_zh")
# they stand behind the graph in the file
_METADATA_BYTES = 1 << 20
_PIECE_S = 25
_SEARCHED_S = 5
_WINDOW_S = 0.1
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpeechModel:
    """The two files of a model."""

    model: Path
    tokens: Path


def find_model(folders: Sequence[Path]) -> SpeechModel | None:
    """The first model in the folder `speech` of these folders, or one below it; None where there is none."""
    for parent in folders:
        place = parent / FOLDER
        try:
            inner = sorted(one for one in place.iterdir() if one.is_dir()) if place.is_dir() else []
        except OSError:
            continue
        for folder in (place, *inner):
            model = next((folder / name for name in _MODELS if (folder / name).is_file()), None)
            if model is not None and (folder / _TOKENS).is_file() and _is_sense_voice(model):
                return SpeechModel(model, folder / _TOKENS)
    return None


def _is_sense_voice(model: Path) -> bool:
    """Whether a model says of itself what the library asks of it, which ends the whole process when it does not."""
    try:
        with model.open("rb") as file:
            file.seek(max(0, model.stat().st_size - _METADATA_BYTES))
            end = file.read()
    except OSError:
        return False
    return all(key in end for key in _METADATA)


def is_installed() -> bool:
    """Whether what runs a model is there; imports nothing."""
    return find_spec("sherpa_onnx") is not None


class Transcriber:
    """Loads with the first recording; `unload` frees its memory until the next one. Blocks; from any thread."""

    def __init__(self, model: SpeechModel) -> None:
        self.model = model
        self._recognizer: Any = None
        self._turn = Lock()

    def transcribe(self, samples: bytes, rate: int) -> list[tuple[int, str]]:
        """What is said, and from which second on, for each piece of the recording; silence has none.

        Args:
            samples: 16-bit mono, little endian; `rate` in Hz.
        """
        sound = np.frombuffer(samples, "<i2").astype(np.float32) / np.float32(32768)
        with self._turn:
            recognizer = self._loaded()
            said = []
            start = 0
            for piece in pieces(sound, rate):
                begins_s, text = _said(recognizer, piece, rate)
                if text:
                    said.append((int(start / rate + begins_s), text))
                start += len(piece)
        return said

    def unload(self) -> None:
        """Let the model go."""
        with self._turn:
            self._recognizer = None

    def _loaded(self) -> Any:  # noqa: ANN401 - the package has no types
        if self._recognizer is None:
            import sherpa_onnx  # noqa: PLC0415 - an extra

            self._recognizer = sherpa_onnx.OfflineRecognizer.from_sense_voice(
                model=str(self.model.model), tokens=str(self.model.tokens), num_threads=1, use_itn=True
            )
            _log.info("the speech model was loaded")
        return self._recognizer


def pieces(sound: NDArray[np.float32], rate: int) -> list[NDArray[np.float32]]:
    """A recording in pieces of at most 25 s, cut where it is quietest: models are made for utterances."""
    most, searched, window = _PIECE_S * rate, _SEARCHED_S * rate, max(1, int(_WINDOW_S * rate))
    found, start = [], 0
    while len(sound) - start > most:
        first = start + most - searched
        tail = sound[first : start + most]
        whole = len(tail) // window * window
        loudness = np.abs(tail[:whole]).reshape(-1, window).mean(axis=1)
        cut = first + int(loudness.argmin()) * window + window // 2
        found.append(sound[start:cut])
        start = cut
    found.append(sound[start:])
    return [piece for piece in found if len(piece)]


def _said(recognizer: Any, piece: NDArray[np.float32], rate: int) -> tuple[float, str]:  # noqa: ANN401 - see above
    """Where in a piece the words begin, in seconds, and the words; the times of the tokens are told by most models."""
    stream = recognizer.create_stream()
    stream.accept_waveform(rate, piece)
    recognizer.decode_stream(stream)
    times = getattr(stream.result, "timestamps", None) or (0.0,)
    begins_s = min(max(float(times[0]), 0.0), len(piece) / rate)
    return begins_s if isfinite(begins_s) else 0.0, str(stream.result.text).strip()
