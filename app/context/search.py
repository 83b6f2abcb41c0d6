"""The context service: a request becomes passages with their reasons (G4).

    request -> filter (policy) -> mask (store) -> words and meaning at the same time -> candidates -> clues
            -> ranking -> items

The filter comes first, and nothing outside its mask is scored or counted (G4.3). Words are found on a reader's lane
while the question is embedded and compared on the inference lane; that takes longer, so the best of what
words found is read meanwhile: half of it comes among the best of both. Without a model, and as long as it loads, words
alone answer.

A commit may come in the middle. What was found and may not be seen any more by the time it is ranked (erased, outdated,
given other rights) has no part in the result: then the search is done again, as if it had begun after the commit.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.context.candidates import (
    breadth,
    find_by_meaning,
    find_by_words,
    score_by_meaning,
    unite,
    united_ids,
)
from app.context.closeness import Closeness
from app.context.clues import read_clues
from app.context.namesakes import variants
from app.context.question import read_question
from app.context.ranked import Asked, rank
from app.context.semantics import Semantics
from app.context.speakers import Speakers
from app.context.under_way import MeaningUnderWay
from app.domain.errors import BadInput, Expected, Unavailable
from app.domain.text import msg
from app.policy.disclosure import filter_for
from app.runtime import clock
from app.store.reading import passages
from app.store.vector_rows import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from app.context.candidates import MeaningHits, VectorSearch
    from app.context.clues import Clues
    from app.context.question import Question
    from app.context.ranked import Ranked
    from app.context.ranking import Weights
    from app.context.semantics import Meaning, QuestionEmbedder
    from app.domain.context_item import ContextItem, SearchRequest
    from app.domain.visibility import VisibilityFilter
    from app.runtime.lanes import Lanes
    from app.store.lexical import WordHits
    from app.store.reading import Passage
    from app.store.store import Store
    from app.store.visibility import View

FULL, WORDS, VECTORS = "full", "words", "vectors"
MODES = (FULL, WORDS, VECTORS)
MOST_ITEMS = 200
_ATTEMPTS = 3
"""How often a search is begun for what a commit hid meanwhile, before that is left out of what was found."""
_READ_AHEAD = 12
"""How many of the best passages by words are read while the question is compared."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Model:
    """A model's side of the search; both parts belong to the same model (G9.1)."""

    semantics: Semantics
    vectors: VectorSearch

    def likeness(self, chunk_ids: Sequence[int], languages: Sequence[str]) -> NDArray[np.float32]:
        """How alike some chunks are: float32[n, n] in 0..1; 0 where there is no vector."""
        vectors = self.vectors.vectors(np.array(chunk_ids, np.int64))
        table = self.semantics.likeness(vectors, languages)
        has_vector = vectors.any(axis=1)
        table[~has_vector] = table[:, ~has_vector] = 0
        return table


@dataclass(frozen=True, slots=True)
class _Heard:
    """What is made of a question on a reader's lane, while its meaning is made on the inference lane.

    Attributes:
        words: None where words are not searched.
        close: measures by these words, and has measured the passages that were read.
        passages: the best ones by words, by chunk.
    """

    words: WordHits | None
    close: Closeness
    clues: Clues
    passages: Mapping[int, Passage]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request on its way, as its viewer may see things."""

    request: SearchRequest
    view: View
    visible: VisibilityFilter
    model: _Model | None
    now: datetime

    @property
    def count(self) -> int:
        """How many passages each search is asked for."""
        return breadth(self.request.limit)


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search.

    Attributes:
        language: the question's.
        close: measures sentences against the question.
        semantics, meaning: measure sentences by meaning; None when words alone were searched.
    """

    ranked: Sequence[Ranked]
    language: str
    close: Closeness
    semantics: Semantics | None = None
    meaning: Meaning | None = None


class ContextService:
    """Search. Its methods are called on the loop.

    Attributes:
        weights: the ranking in force.
        problem: why the last question was answered without meaning though there is a model, or None.
    """

    def __init__(self, store: Store, lanes: Lanes, weights: Weights) -> None:
        self._store = store
        self._lanes = lanes
        self._model: _Model | None = None
        self._speakers = Speakers(store.database, store.lexical)
        self.weights = weights
        self.problem: Expected | None = None

    def use(self, embedder: QuestionEmbedder, vectors: VectorSearch) -> None:
        """Search by meaning too from now on, with a model and the vectors that this very model made."""
        semantics = Semantics(embedder)
        self._model = _Model(semantics, vectors)
        self.problem = None

    def use_words_alone(self) -> None:
        """Search without a model from now on."""
        self._model = None
        self.problem = None

    @property
    def model(self) -> EmbeddingModel | None:
        """The model that is searched with; None while words alone are."""
        if self._model is None:
            return None
        embedder = self._model.semantics.embedder
        return EmbeddingModel(embedder.model_id, embedder.version, embedder.dimension)

    @property
    def has_meaning(self) -> bool:
        """Whether questions are answered by meaning too."""
        return self._model is not None

    async def search(self, request: SearchRequest) -> list[ContextItem]:
        """The best passages for a request, best first; raises as `find` does."""
        return [ranked.item for ranked in (await self.find(request)).ranked]

    async def find(self, request: SearchRequest) -> Found:
        """The same, with what an answer is made of.

        Raises:
            BadInput: an empty question, an unknown mode, or a limit out of its range.
            Unavailable: search by meaning alone was asked for, and there is no model.
        """
        question = self._checked(request)
        now = clock.now()
        visible = filter_for(request.viewer, request)
        left, found = _ATTEMPTS, None
        while found is None:
            left -= 1
            model = self._model if request.mode != WORDS else None
            asked = _Asked(request, self._store.visibility.view(visible, now), visible, model, now)
            found = await self._found(question, asked, is_last=not left)
        return found

    async def _found(self, question: Question, asked: _Asked, *, is_last: bool) -> Found | None:
        """One attempt: None where something that was compared may not be seen any more."""
        guess = question.about(self._speakers.known_in(question.text, asked.visible))
        under_way = MeaningUnderWay(self._lanes.inference, partial(_meant, asked))
        if asked.model is not None:
            under_way.begin(guess)
        try:
            heard = await self._lanes.readers.run(self._hear, question, asked, under_way)
            meaning = await self._understood(under_way, asked)
        finally:
            under_way.drop()
        ranked = await self._lanes.readers.run(self._rank, heard, meaning, asked, is_last=is_last)
        if ranked is None:
            return None
        if asked.model is None or meaning is None:
            return Found(ranked, question.language, heard.close)
        return Found(ranked, question.language, heard.close, asked.model.semantics, meaning.meaning)

    def _hear(self, question: Question, asked: _Asked, meaning: MeaningUnderWay) -> _Heard:
        """On a reader's lane: who is named, and what is found by words.

        Args:
            meaning: of the question as it stands if nobody else is named than was named before. Where that guess was
                wrong, it is made again.
        """
        question = self._who_is_named(question, asked.view, asked.visible)
        if asked.model is not None:
            meaning.begin(question)
        clues = read_clues(question, asked.now)
        if asked.request.mode == VECTORS:
            return _Heard(None, Closeness({}), clues, {})
        words = find_by_words(
            self._store.lexical,
            question,
            asked.view,
            self.weights.candidates,
            count=asked.count,
            is_unrestricted=asked.visible.is_unrestricted,
        )
        with self._store.database.reader() as reader:
            read = passages(reader, words.chunk_ids[:_READ_AHEAD].tolist(), asked.visible)
        close = Closeness(words.weights)
        for one in read:
            close.of_passage(one.text)
        return _Heard(words, close, clues, {one.chunk_id: one for one in read})

    def _who_is_named(self, question: Question, view: View, visible: VisibilityFilter) -> Question:
        question = question.about(self._speakers.named_in(question.text, view, visible))
        if not visible.is_unrestricted or question.is_talk:
            return question
        with self._store.database.reader() as reader:
            return replace(question, variants=variants(reader, question.text))

    def _checked(self, request: SearchRequest) -> Question:
        if request.mode not in MODES:
            raise BadInput(
                msg("There is no way to search called {mode}.", mode=request.mode),
                next_step=msg("Use one of: {names}.", names=", ".join(MODES)),
            )
        if not 1 <= request.limit <= MOST_ITEMS:
            raise BadInput(
                msg("{limit} results cannot be asked for.", limit=request.limit),
                next_step=msg("Ask for 1 to {most}.", most=MOST_ITEMS),
            )
        if request.mode == VECTORS and self._model is None:
            raise Unavailable(
                msg("Search by meaning needs the embedding model, which is not there yet."),
                next_step=msg("Wait until it has loaded, or install it with `famulus models install`."),
            )
        return read_question(request.text)

    async def _understood(self, under_way: MeaningUnderWay, asked: _Asked) -> MeaningHits | None:
        """A model that fails costs the meaning and not the answer; what is wrong with it stands in `problem`."""
        problem: Expected | None = None
        found = None
        try:
            found = await under_way.made()
        except Expected as raised:
            if asked.request.mode == VECTORS:
                raise
            _log.warning("a question is answered by words alone: %s", type(raised).__name__)
            problem = raised
        # of a model that was taken away meanwhile nothing is wrong any more
        if asked.model is not None and asked.model is self._model:
            self.problem = problem
        return found

    def _rank(self, heard: _Heard, meaning: MeaningHits | None, asked: _Asked, *, is_last: bool) -> list[Ranked] | None:
        """On a reader's lane: unite what was found, read it, rank it.

        Returns:
            None where something of it may not be seen any more; the last time that is left out instead.
        """
        ids = united_ids(heard.words, meaning)
        visibility = self._store.visibility
        model = asked.model if meaning is not None else None
        scores = None
        if model is not None and meaning is not None:
            scores = score_by_meaning(model.semantics, model.vectors, meaning, ids, visibility)
        candidates = unite(heard.words, meaning, scores, visibility.entries(ids), self.weights.candidates)
        likeness = model.likeness if model is not None else None
        # what was read before a commit may be labelled otherwise by now
        is_as_heard = visibility.view(asked.visible, asked.now) is asked.view
        by = Asked(heard.close, heard.clues, asked.visible, heard.passages if is_as_heard else {}, likeness)
        with self._store.database.reader() as reader:
            ranked = rank(reader, candidates, by, self.weights, limit=asked.request.limit, now=asked.now)
        view = visibility.view(asked.visible, asked.now)
        if view is asked.view or view.shows(ids).all():
            return ranked
        return [one for one in ranked if view.shows(one.passage.chunk_id)] if is_last else None


def _meant(asked: _Asked, question: Question) -> MeaningHits:
    """On the inference lane: a question's meaning, and what is nearest to it."""
    model = asked.model
    assert model is not None  # noqa: S101 - nothing is begun without one
    return find_by_meaning(model.semantics, model.vectors, question, asked.view, count=asked.count)
