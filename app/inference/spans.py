"""Finds names and clauses in a text with the span model (G2.4, G2.7).

Names are people, organisations, places, projects, works and roles; clauses are tasks, decisions and conditions. It says
what it sees, with a confidence; what follows from it is decided elsewhere. Dates, amounts and addresses of mail are not
its business: they have exact forms, and exact readers.
"""

from __future__ import annotations

import base64
import logging
import threading
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.chinese_names import is_chinese, merged
from app.inference.packs import MODEL, SPANS, damaged
from app.inference.session import Session
from app.inference.span_limits import LONGEST_CHARACTERS, too_long
from app.inference.span_tokens import CLAUSE_TAGS, ENTITY_TAGS, decode, encode
from app.inference.tokens import BEGIN, END, Tokenizer
from app.runtime import memory
from app.runtime.clock import monotonic_s

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.progress import StopSignal
    from app.domain.readings import TextSpan
    from app.inference.chinese_names import ChineseNames
    from app.inference.packs import ModelPack

ENTITY, CLAUSE = "entity", "clause"
"""The network's outputs."""
# Cost grows with the square of a window; the overlap gives the tokens at an end a neighbourhood.
_WINDOW, _OVERLAP = 180, 40
_LEAST_LIKENESS = 0.97
_log = logging.getLogger(__name__)


class SpanReader:
    """The span model. It loads at first use or by `load`; call it from one lane.

    Args:
        pack: a pack of the task `spans`; its files are verified before they are used.
        chinese: a second opinion on the names in Chinese text.
        threads: how many processor cores to use at most.
    """

    def __init__(
        self,
        pack: ModelPack,
        *,
        chinese: ChineseNames | None = None,
        threads: int = 1,
    ) -> None:
        self.pack = pack
        self._chinese = chinese
        self._tokenizer = Tokenizer.of(pack)
        self._threads = threads
        self._lock = threading.Lock()
        self._session: Session | None = None

    @property
    def _room(self) -> int:
        """Tokens that the network reads at once, without the marks at both ends."""
        return min(_WINDOW, self.pack.manifest.max_tokens - 2)

    @property
    def is_loaded(self) -> bool:
        """Whether the next call answers without loading first."""
        return self._session is not None

    def load(self) -> None:
        """Verify the pack and load the network.

        Raises:
            Damaged: a file is missing, or is not what the manifest says.
            Unavailable: onnxruntime is not installed.
        """
        self._loaded()

    def unload(self) -> None:
        """Give the memory of the network and the tokenizer back; the next call loads them again."""
        with self._lock:
            self._session = None
            self._tokenizer.rest(self)
            if self._chinese is not None:
                self._chinese.unload()
            memory.give_back()

    def read(self, text: str, *, stop: StopSignal | None = None, limit_s: float | None = None) -> list[TextSpan]:
        """The spans of a text, entities and clauses, by their place; those of one kind do not overlap.

        Args:
            text: of any script; a long one is read in overlapping windows.
            stop: asked before each window; raises `Cancelled` when it says so.
            limit_s: the longest that it may take, once the network is loaded.

        Raises:
            BadInput: the text is longer than `LONGEST_CHARACTERS`, or took longer than `limit_s`.
            Damaged, Unavailable: see `load`.
        """
        if len(text) > LONGEST_CHARACTERS:
            raise too_long()
        session = self._loaded()
        # loading is not the text's fault: whichever text came first on a busy machine would be read without the model
        began = monotonic_s()
        tokens = encode(self._tokenizer, text)
        entity = np.zeros((len(tokens), len(ENTITY_TAGS)), np.float32)
        clause = np.zeros((len(tokens), len(CLAUSE_TAGS)), np.float32)
        for first, last, kept in _windows(len(tokens), self._room):
            if stop is not None:
                stop.checkpoint()
            if limit_s is not None and monotonic_s() - began > limit_s:
                raise too_long()
            outputs = session.outputs(np.array([BEGIN, *tokens.ids[first:last], END], np.int64))
            entity[kept:last] = outputs[ENTITY][1 + kept - first : -1]
            clause[kept:last] = outputs[CLAUSE][1 + kept - first : -1]
        names = decode(entity, tokens, text, ENTITY_TAGS)
        if self._chinese is not None and is_chinese(text):
            names = merged(text, names, self._chinese.words(text))
        found = [*names, *decode(clause, tokens, text, CLAUSE_TAGS)]
        return sorted(found, key=lambda span: (span.start, -span.end, span.label))

    def _loaded(self) -> Session:
        with self._lock:
            if self._session is None:
                self.pack.verify()
                self._tokenizer.begin(self)
                session = Session(self.pack.path(MODEL), threads=self._threads)
                self._check_probe(session)
                self._session = session
                memory.give_back()
                _log.info("span model loaded: %s %s", self.pack.manifest.id, self.pack.manifest.version)
            return self._session

    def _check_probe(self, session: Session) -> None:
        """Scores that a processor computes wrongly still look like scores; one known text tells."""
        probe = self.pack.manifest.probe
        room = self.pack.manifest.max_tokens - 2
        ids = np.array([BEGIN, *encode(self._tokenizer, probe.text).ids[:room], END], np.int64)
        found = session.outputs(ids)[ENTITY].reshape(-1)
        try:
            expected = np.frombuffer(base64.b64decode(probe.vector, validate=True), "<f2").astype(np.float32)
        except ValueError as error:
            raise damaged(SPANS) from error
        if expected.shape != found.shape:
            raise damaged(SPANS)
        if float(expected @ found) < _LEAST_LIKENESS * float(np.linalg.norm(found)):
            raise Unavailable(
                msg("The model that finds names was built on another kind of processor, and is wrong on this one."),
                next_step=msg("Run `famulus models install` to build it for this computer."),
            )


def _windows(count: int, room: int) -> Iterator[tuple[int, int, int]]:
    """(first, last, kept): the tokens to read, and from which on the window's scores are taken."""
    overlap = min(_OVERLAP, room // 2)
    first = 0
    while first < count:
        last = min(count, first + room)
        yield first, last, first if first == 0 else first + overlap // 2
        if last == count:
            return
        first = last - overlap
