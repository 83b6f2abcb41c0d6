"""Recordings: how long they are by their headers, and their samples (L6.5)."""

from __future__ import annotations

import io
import wave
from datetime import datetime
from struct import pack
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About, Parsed, Sense
from app.sources.parsing.recording_length import length_s
from app.sources.parsing.recording_samples import decoded

ZONE = ZoneInfo("Asia/Shanghai")
TYPES = ("audio/wav", "audio/ogg", "audio/flac", "audio/mp4", "audio/mpeg", "audio/amr", "audio/silk")


def tone(seconds: float, rate: int = 44_100, channels: int = 1) -> bytes:
    """A WAV file with a tone of 440 Hz."""
    times = np.arange(int(seconds * rate)) / rate
    samples = (np.sin(2 * np.pi * 440 * times) * 20_000).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(np.repeat(samples, channels).tobytes())
    return file.getvalue()


def parsed(data: bytes, name: str = "note.wav", senses: frozenset[Sense] = frozenset(Sense)) -> Parsed:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    return parse_content(data, About(name, ZONE, window, ParseLimits(), senses=senses))


def ogg_opus(seconds: int) -> bytes:
    head = b"OpusHead\x01\x01" + pack("<HIhB", 312, 48_000, 0, 0)
    first = b"OggS\0\x02" + pack("<q", 0) + bytes(12) + b"\x01\x13" + head
    return first + b"OggS\0\x04" + pack("<q", seconds * 48_000 + 312) + bytes(12) + b"\x00"


def m4a(seconds: int) -> bytes:
    header = b"mvhd" + bytes(12) + pack(">II", 600, seconds * 600) + bytes(80)
    return b"\0\0\0\x18ftypM4A \0\0\0\0" + bytes(8) + pack(">I", len(header) + 12) + b"moov" + b"\0\0\0\x6c" + header


def flac(seconds: int) -> bytes:
    packed = (16_000 << 44) | (15 << 36) | (seconds * 16_000)
    return b"fLaC\0\0\0\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)


def mp3(seconds: int) -> bytes:
    return b"ID3\x04\0\0\0\0\0\0" + b"\xff\xfb\x90\0" + bytes(seconds * 16_000 - 4)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (tone(3), "a.wav"),
        (tone(3, 8_000, 2), "b.wav"),
        (ogg_opus(3), "c.ogg"),
        (m4a(3), "d.m4a"),
        (flac(3), "e.flac"),
        (mp3(3), "f.mp3"),
        (b"#!AMR\n" + (b"\x3c" + bytes(31)) * 150, "g.amr"),
    ],
)
def test_lengths_by_the_headers(data: bytes, name: str) -> None:
    (entry,) = parsed(data, name).entries
    assert entry.kind is EntryKind.VOICE
    assert entry.metadata["duration_s"] == "3"


def test_samples_come_as_16_khz_mono() -> None:
    for data in (tone(2), tone(2, 8_000), tone(2, 48_000, 2)):
        samples = decoded(data, "audio/wav")
        assert samples is not None
        assert samples.rate == 16_000
        sound = np.frombuffer(samples.data, "<i2").astype(float)
        assert abs(len(sound) - 32_000) < 10
        spectrum = np.abs(np.fft.rfft(sound))
        assert abs(spectrum.argmax() * 16_000 / len(sound) - 440) < 2


def test_a_recording_that_is_heard_later_is_another_version() -> None:
    deaf = parsed(tone(1), senses=frozenset({Sense.RECORDINGS})).entries[0]
    heard = parsed(tone(1)).entries[0]
    assert deaf.samples is None
    assert heard.samples is not None
    assert deaf.content_hash != heard.content_hash


def test_what_cannot_be_decoded_is_known_by_name() -> None:
    result = parsed(m4a(3), "Memo 2024-05-01 10.20.30.m4a")
    (entry,) = result.entries
    assert entry.samples is None
    assert f"{entry.event_time:%Y-%m-%d %H:%M}" == "2024-05-01 10:20"
    assert "cannot be decoded" in str(result.warnings[0])


def test_what_is_not_to_be_taken_in_is_refused() -> None:
    with pytest.raises(Unreadable, match="settings"):
        parsed(tone(1), senses=frozenset({Sense.PICTURES}))


@given(st.binary(max_size=200), st.sampled_from(TYPES))
def test_any_bytes_have_a_length_or_none(data: bytes, media_type: str) -> None:
    for start in (b"", b"RIFF....WAVEfmt ", b"OggS", b"fLaC", b"ID3", b"#!AMR\n", b"mvhd"):
        length_s(start + data, media_type)
    decoded(b"RIFF....WAVE" + data, "audio/wav")
