"""Turns texts into vectors with a model pack, on the device.

One text goes through the network at a time: the int8 matrices share one scale over all that is computed together, so in
a batch a text's vector would depend on its neighbours, and a bigger batch gains almost nothing on a desktop processor.
A text's vector depends on the text alone.

A short text, as a question is, takes one core: for so little work two wait for each other longer than they save, and
the second one is free for the search by words. Long texts, which are to be indexed, take several in a session of their
own, which is opened when the first of them comes. Both give the same vectors.
"""

from __future__ import annotations

import base64
import logging
import threading
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.calibration import Calibration
from app.inference.packs import CALIBRATION, MODEL, damaged
from app.inference.session import Session
from app.inference.tokens import BEGIN, END, TokenCounter, Tokenizer
from app.inference.windows import abridged, windows
from app.runtime import memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.domain.progress import StopSignal
    from app.inference.packs import ModelPack

    Vectors = NDArray[np.float32]
    HalfVectors = NDArray[np.float16]

LEAST_LIKENESS = 0.98
SHORT = 64
"""Tokens: up to here one core is as quick as two (5 ms for 20; 13 ms for 64)."""

_log = logging.getLogger(__name__)


class Embedder:
    """The embedding model. It loads at first use or by `load`; call it from one lane.

    Args:
        pack: a pack; its files are verified before they are used.
        threads: how many processor cores to use at most.
    """

    def __init__(self, pack: ModelPack, *, threads: int = 2) -> None:
        self.pack = pack
        self._threads = threads
        self._lock = threading.Lock()
        self._sessions: dict[int, Session] = {}
        self._tokenizer = Tokenizer.of(pack)
        self._calibration: Calibration | None = None
        self.counter = TokenCounter(self._tokenizer)

    @property
    def model_id(self) -> str:
        """Travels with every vector, as does `version`; vectors of different ones are never compared."""
        return self.pack.manifest.id

    @property
    def version(self) -> str:
        """Names the vector space; see `Manifest.version`."""
        return self.pack.manifest.version

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.pack.manifest.dimension

    @property
    def is_loaded(self) -> bool:
        """Whether the next call answers without loading first."""
        return bool(self._sessions)

    @property
    def calibration(self) -> Calibration:
        """What this model's cosines mean; raises `Damaged`."""
        if self._calibration is None:
            self._calibration = Calibration.read(self.pack.path(CALIBRATION))
        return self._calibration

    def load(self) -> None:
        """Verify the pack, load the network and the tokenizer, and check one known vector.

        Raises:
            Damaged: a file is missing, or is not what the manifest says.
            Unavailable: onnxruntime is not installed, or this processor computes other vectors than it should.
        """
        self._session(1)

    def unload(self) -> None:
        """Give the memory of the network and the tokenizer back; the next call loads them again."""
        with self._lock:
            self._sessions = {}
            self._tokenizer.rest(self)
            memory.give_back()

    def rest(self) -> None:
        """Give back what only many long texts need; questions are answered as before."""
        with self._lock:
            if len(self._sessions) > 1:
                self._sessions = {threads: session for threads, session in self._sessions.items() if threads == 1}
                memory.give_back()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions.

        Returns:
            float32[len(texts), dimension], each of length 1; zeros for a text without any visible character.

        Raises:
            Damaged, Unavailable: see `load`.
        """
        vectors = [self._embed(text, self.pack.manifest.query_prefix) for text in texts]
        return np.array(vectors, np.float32).reshape(len(texts), self.dimension)

    def embed_passages(self, texts: Sequence[str], stop: StopSignal | None = None) -> HalfVectors:
        """Embed passages; asks `stop` before each, and raises `Cancelled` when it says so.

        Returns:
            float16[len(texts), dimension], each of length 1; zeros for a text without any visible character.

        Raises:
            Damaged, Unavailable: see `load`.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float16)
        for row, text in enumerate(texts):
            if stop is not None:
                stop.checkpoint()
            vectors[row] = self._embed(text, self.pack.manifest.passage_prefix)
        return vectors

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, without prefix and marks."""
        return self.counter.count(text)

    def covers(self, text: str) -> float:
        """The share, 0..1, of a text's visible characters that the model's vocabulary knows."""
        return self._tokenizer.coverage(text)

    def _embed(self, text: str, prefix: str) -> Vectors:
        """One text: the mean of its windows, weighted by their tokens, of length 1."""
        ids = self._tokenizer.ids(abridged(text))
        if not len(ids):
            return np.zeros(self.dimension, np.float32)
        head = self._tokenizer.ids(prefix)
        room = self.pack.manifest.max_tokens - len(head) - 2
        parts = windows(ids, room)
        total = np.zeros(self.dimension, np.float32)
        for part in parts:
            session = self._session(1 if len(part) <= SHORT else self._threads)
            total += len(part) * session.vector(np.concatenate([[BEGIN], head, part, [END]]))
        return total / max(float(np.linalg.norm(total)), 1e-12)

    def _session(self, threads: int) -> Session:
        with self._lock:
            if threads not in self._sessions:
                self.pack.verify()
                self._tokenizer.begin(self)
                session = Session(self.pack.path(MODEL), threads=threads, is_for_short=threads < self._threads)
                self._check_probe(session)
                self._sessions[threads] = session
                memory.give_back()
                _log.info("embedding model loaded: %s %s, %s threads", self.model_id, self.version, threads)
            return self._sessions[threads]

    def _check_probe(self, session: Session) -> None:
        """A processor that saturates gives vectors that look like vectors; one known vector tells."""
        probe = self.pack.manifest.probe
        try:
            expected = np.frombuffer(base64.b64decode(probe.vector, validate=True), "<f2").astype(np.float32)
        except ValueError as error:
            raise damaged() from error
        found = session.vector(np.concatenate([[BEGIN], self._tokenizer.ids(probe.text), [END]]))
        if expected.shape != found.shape:
            raise damaged()
        if float(expected @ found) < LEAST_LIKENESS:
            raise Unavailable(
                msg("The embedding model was built on another kind of processor, and gives wrong results on this one."),
                next_step=msg("Run `famulus models install` to build it for this computer."),
            )
