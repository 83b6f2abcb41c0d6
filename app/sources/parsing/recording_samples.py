"""A recording as 16 kHz mono samples, which is what speech models take.

WAV is decoded here. Ogg with Opus or Vorbis, FLAC and MP3 are decoded by soundfile, where it is installed (the extra
`voice`); M4A, AMR and SILK are not.
"""

from __future__ import annotations

import importlib.util
import io
import struct
from typing import TYPE_CHECKING

import numpy as np

from app.sources.parsing.parsed import Samples
from app.sources.parsing.recording_length import wav_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE = 16_000
MOST_SECONDS = 30 * 60
_BY_SOUNDFILE = frozenset({"audio/ogg", "audio/flac", "audio/mpeg", "audio/wav"})
_PCM, _FLOAT = 1, 3
_LEAST_RATE, _MOST_RATE = 4_000, 400_000
_MOST_CHANNELS = 32


def decoded(data: bytes, media_type: str) -> Samples | None:
    """The samples of the first half hour; None where it cannot be decoded."""
    found = _wav(data) if media_type == "audio/wav" else None
    if found is None and media_type in _BY_SOUNDFILE and importlib.util.find_spec("soundfile") is not None:
        found = _by_soundfile(data)
    if found is None:
        return None
    mono, rate = found
    if not len(mono) or not _LEAST_RATE <= rate <= _MOST_RATE:
        return None
    return Samples(RATE, _as_16_bit(_resampled(mono, rate)))


def _wav(data: bytes) -> tuple[NDArray[np.float32], int] | None:
    try:
        parts = wav_parts(data)
    except (struct.error, IndexError):
        return None
    if parts is None:
        return None
    (code, channels, rate, bits), raw = parts
    wanted = {(_PCM, 8): "u1", (_PCM, 16): "<i2", (_PCM, 32): "<i4", (_FLOAT, 32): "<f4"}.get((code, bits))
    if wanted is None or not 1 <= channels <= _MOST_CHANNELS or not _LEAST_RATE <= rate <= _MOST_RATE:
        return None
    frame = channels * bits // 8
    raw = raw[: min(len(raw), MOST_SECONDS * rate * frame) // frame * frame]
    samples = np.frombuffer(raw, wanted).astype(np.float32)
    if code == _PCM:
        samples -= np.float32(128 if bits == 8 else 0)  # noqa: PLR2004 - bytes are unsigned
        samples /= np.float32(1 << (bits - 1))
    return samples.reshape(-1, channels).mean(axis=1, dtype=np.float32), rate


def _by_soundfile(data: bytes) -> tuple[NDArray[np.float32], int] | None:
    import soundfile  # noqa: PLC0415 - an extra

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            if file.channels > _MOST_CHANNELS:
                return None
            samples = file.read(MOST_SECONDS * file.samplerate, dtype="float32", always_2d=True)
            mono: NDArray[np.float32] = samples.mean(axis=1, dtype=np.float32)
            return mono, int(file.samplerate)
    except (RuntimeError, ValueError, TypeError):
        return None


def _resampled(mono: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """At 16 kHz: averaged over what one new sample spans, then read between the two nearest."""
    width = max(1, rate // RATE)
    whole = len(mono) // width * width
    coarse = mono[:whole].reshape(-1, width).mean(axis=1)
    places = np.arange(int(len(coarse) * RATE * width / rate)) * (rate / width / RATE)
    found: NDArray[np.float32] = np.interp(places, np.arange(len(coarse)), coarse).astype(np.float32)
    return found


def _as_16_bit(mono: NDArray[np.float32]) -> bytes:
    clean = np.nan_to_num(mono, nan=0.0, posinf=1.0, neginf=-1.0)
    return (np.clip(clean, -1.0, 1.0) * 32767).astype("<i2").tobytes()
