"""Runs an encoder that was built from a folder (`building_encoder`): texts to vectors, by its own tokenizer.

Such a pack has a `tokenizer.json`, which the tokenizers library reads; it is an optional package (decision 0011). The
embedding model of Famulus itself is `embedder`.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.packs import ENCODER, MODEL, TOKENIZER_JSON, damaged
from app.inference.session import Session
from app.inference.tokens import readable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.packs import ModelPack

_LEAST_LIKENESS = 0.95
_LONGEST_CHARACTERS = 16_000
INSTALL = "pip install 'famulus[build-models]'"


class JsonTokenizer:
    """A tokenizer of any kind, from a `tokenizer.json`; raises `Unavailable` without the library, `Damaged`."""

    def __init__(self, path: Path, *, most: int) -> None:
        try:
            import tokenizers  # noqa: PLC0415 - an optional package
        except ImportError as error:
            raise Unavailable(
                msg("The package `tokenizers`, which this model needs, is not installed."),
                next_step=msg("Install it with: {command}", command=INSTALL),
            ) from error
        try:
            self._tokenizer: Any = tokenizers.Tokenizer.from_str(path.read_text("utf-8"))
        except Exception as error:
            raise damaged(ENCODER) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(most)

    def ids(self, text: str) -> NDArray[np.int64]:
        """Token ids with the marks that the model wants, at most `most`."""
        return np.array(self._tokenizer.encode(readable(text)[:_LONGEST_CHARACTERS]).ids, np.int64)


class Encoder:
    """An encoder. It loads at first use or by `load`; call it from one lane.

    Args:
        pack: a pack of the task `encoder`; its files are verified before they are used.
        threads: how many processor cores to use at most.
    """

    def __init__(self, pack: ModelPack, *, threads: int = 1) -> None:
        self.pack = pack
        self._threads = threads
        self._parts: tuple[JsonTokenizer, Session] | None = None

    def load(self) -> None:
        """Verify the pack, load it, and check one known vector.

        Raises:
            Damaged: a file is missing, or is not what the manifest says.
            Unavailable: a package is missing, or this processor computes other vectors than it should.
        """
        self._loaded()

    def unload(self) -> None:
        """Give its memory back; the next call loads it again."""
        self._parts = None

    def embed(self, texts: Sequence[str], *, prefix: str = "") -> NDArray[np.float32]:
        """float32[texts, dimension], each of length 1; what is beyond the model's input is not read."""
        tokenizer, session = self._loaded()
        rows = [session.vector(tokenizer.ids(prefix + text)) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.pack.manifest.dimension)

    def _loaded(self) -> tuple[JsonTokenizer, Session]:
        if self._parts is None:
            self.pack.verify()
            manifest = self.pack.manifest
            tokenizer = JsonTokenizer(self.pack.path(TOKENIZER_JSON), most=manifest.max_tokens)
            session = Session(self.pack.path(MODEL), threads=self._threads)
            try:
                expected = np.frombuffer(base64.b64decode(manifest.probe.vector, validate=True), "<f2")
            except ValueError as error:
                raise damaged(ENCODER) from error
            found = session.vector(tokenizer.ids(manifest.probe.text))
            if expected.shape != found.shape:
                raise damaged(ENCODER)
            if float(expected.astype(np.float32) @ found) < _LEAST_LIKENESS:
                raise Unavailable(
                    msg("The model {name} gives wrong results on this processor.", name=manifest.id),
                    next_step=msg("Build it again on this computer."),
                )
            self._parts = tokenizer, session
        return self._parts
