"""The vectors of the examples that come with Famulus, computed beforehand: embedding 2,000 sentences takes 20 s.

`resources/models/examples.npz` holds, for one model and version, the raw vectors of known texts as int8 (the loss is
below 0.4 % of a value). A text that is not in it is embedded: that is how a person's own example counts at once.
packaging/models/examples.py writes it.
"""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from app.inference.intent.features import raw_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.intent.features import TextEncoder

    Floats = NDArray[np.float32]

_STEPS = 127.0


class KnownVectors:
    """Raw vectors of texts by their hash; empty where the file is missing or was made for another model."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        codes: NDArray[np.int8],
        scales: NDArray[np.float16],
        head: tuple[int, Floats] | None = None,
    ) -> None:
        self._head = head
        self._places = {int(key): place for place, key in enumerate(keys)}
        self._codes = codes
        self._scales = scales

    @classmethod
    def read(cls, path: Path, space: str) -> KnownVectors:
        """Read the file; `space` names the model and its version (`space_of`)."""
        try:
            with np.load(path, allow_pickle=False) as held:
                if str(held["space"]) == space:
                    head = int(held["head_key"]), held["head"].astype(np.float32)
                    return cls(held["keys"], held["codes"], held["scales"], head)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            pass  # what it would have saved is computed instead
        return cls(np.zeros(0, np.uint64), np.zeros((0, 0), np.int8), np.zeros((0, 1), np.float16))

    def __contains__(self, text: str) -> bool:
        """Whether a text's vector is known."""
        return key_of(text) in self._places

    def __len__(self) -> int:
        """How many texts are known."""
        return len(self._places)

    def coefficients(self, examples: Sequence[tuple[str, str]]) -> Floats | None:
        """Those of the head that was fitted on exactly these texts and classes; None for any other table."""
        return self._head[1] if self._head is not None and self._head[0] == table_key(examples) else None

    def raw(self, texts: Sequence[str], encoder: TextEncoder) -> Floats:
        """float32[texts, 2 * dimension]; what is not known is embedded."""
        result = np.zeros((len(texts), 2 * encoder.dimension), np.float32)
        places = [self._places.get(key_of(text), -1) for text in texts]
        for row, place in enumerate(places):
            if place >= 0:
                result[row] = self._codes[place] * self._scales[place].astype(np.float32)
        missing = [row for row, place in enumerate(places) if place < 0]
        if missing:
            result[missing] = raw_vectors(encoder, [texts[row] for row in missing])
        return result


def packed(texts: Sequence[str], raw: Floats, space: str, head: tuple[int, Floats]) -> dict[str, NDArray[np.generic]]:
    """What `KnownVectors.read` reads, as named arrays; `head`: the key of its table, and its coefficients."""
    scales = (np.abs(raw).max(axis=1, keepdims=True) / _STEPS).astype(np.float16)
    codes = np.round(raw / np.maximum(scales.astype(np.float32), 1e-8)).clip(-_STEPS, _STEPS).astype(np.int8)
    keys = np.array([key_of(text) for text in texts], np.uint64)
    return {
        "space": np.array(space),
        "keys": keys,
        "codes": codes,
        "scales": scales,
        "head_key": np.array(head[0], np.uint64),
        "head": head[1].astype(np.float16),
    }


def table_key(examples: Sequence[tuple[str, str]]) -> int:
    """A hash, 64 bits, of texts and their classes in this order."""
    return key_of("\0".join(f"{text}\1{name}" for text, name in examples))


def key_of(text: str) -> int:
    """A text's hash, 64 bits."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big")


def space_of(model_id: str, version: str) -> str:
    """The name of a vector space."""
    return f"{model_id} {version}"
