"""BM25 over the chunks that a viewer may see, with scores that can be compared between queries (G4.2, G4.3, X9.3).

The number of chunks, the frequency of each term and the average length are counted on the visible chunks alone, so a
hidden chunk changes nothing that a viewer gets, not even the last digit of a score.

    idf(t)   = ln(1 + (N - df + 0.5) / (df + 0.5))                 Robertson and Sparck Jones, in Lucene's form
    sat(t,d) = tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean))      1 for one mention in a chunk of average length
    match    = sum w idf sat / sum w idf                           over the terms of the query, also those found nowhere
    coverage = sum w idf of the terms that d holds / sum w idf
    score    = min(1, match * coverage ^ 0.5)                      in 0..1

A score of 1 is thus a chunk that says everything that was asked, once. Coverage is what tells an answer from a chance
hit: a chunk with one common word out of five covers little of the query's information.

For the owner alone, terms are taken rarest first until a budget of list entries is used up, which bounds the time of a
long question; a client's query reads every list whole, since which terms are rare may tell of hidden chunks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.store.analyser import query_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.store.analyser import QueryTerm
    from app.store.visibility import View, Visibility
    from app.store.words import WordIndex

# the values of Anserini, whose collections are passages too; .8 to 1.2 and .4 to .75 differ by a point on LoCoMo
K1 = 0.9
B = 0.4
_COVERAGE_POWER = 0.5
_BUDGET = 300_000
_TERMS_AT_LEAST = 2


@dataclass(frozen=True, slots=True)
class WordHits:
    """The best chunks by words, best first.

    Attributes:
        chunk_ids: int64[n].
        scores: float32[n], 0..1.
        coverage: float32[n], 0..1: the share of the query's information (idf) that the chunk holds.
        term_count: how many terms the query had.
    """

    chunk_ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    coverage: NDArray[np.float32]
    term_count: int


class LexicalSearch:
    """Search by words."""

    def __init__(self, index: WordIndex, visibility: Visibility) -> None:
        self._index = index
        self._visibility = visibility

    def search(self, text: str, view: View, limit: int, *, is_unrestricted: bool) -> WordHits:
        """The best `limit` chunks under a view.

        Args:
            is_unrestricted: whether hidden chunks do not exist for this viewer (`VisibilityFilter.is_unrestricted`).
        """
        terms = query_terms(text)
        sums = _Sums(len(view.mask))
        if view.count:
            for term in self._within_budget(terms) if is_unrestricted else terms:
                self._add(sums, term, view)
        return sums.best(limit, len(terms))

    def _within_budget(self, terms: tuple[QueryTerm, ...]) -> list[QueryTerm]:
        if len(terms) <= _TERMS_AT_LEAST:
            return list(terms)
        chosen: list[QueryTerm] = []
        used = 0
        for frequency, term in sorted(
            ((self._index.frequency(term), term) for term in terms), key=lambda pair: pair[0]
        ):
            used += frequency
            if used > _BUDGET and len(chosen) >= _TERMS_AT_LEAST:
                break
            chosen.append(term)
        return chosen

    def _add(self, sums: _Sums, term: QueryTerm, view: View) -> None:
        postings = self._index.postings(term)
        end = int(np.searchsorted(postings.chunk_ids, len(view.mask)))
        is_visible = view.mask[postings.chunk_ids[:end]]
        ids = postings.chunk_ids[:end][is_visible]
        counts = postings.counts[:end][is_visible].astype(np.float32)
        idf = term.weight * float(np.log1p((view.count - len(ids) + 0.5) / (len(ids) + 0.5)))
        lengths = self._visibility.lengths(ids).astype(np.float32)
        norms = np.float32(K1 * (1 - B)) + lengths * np.float32(K1 * B / view.mean_length)
        sums.add(ids, (counts * np.float32(idf * (K1 + 1)) / (counts + norms)).astype(np.float32), idf)


class _Sums:
    """Scores under way, for each chunk id."""

    def __init__(self, size: int) -> None:
        self._match = np.zeros(size, np.float32)
        self._coverage = np.zeros(size, np.float32)
        self._total = 0.0

    def add(self, ids: NDArray[np.int32], match: NDArray[np.float32], idf: float) -> None:
        # an id stands once in a list, so the fancy index adds to each once
        self._match[ids] += match
        self._coverage[ids] += np.float32(idf)
        self._total += idf

    def best(self, limit: int, term_count: int) -> WordHits:
        ids = np.flatnonzero(self._match)
        if self._total == 0 or not len(ids):
            empty = np.empty(0, np.float32)
            return WordHits(np.empty(0, np.int64), empty, empty, term_count)
        total = np.float32(self._total)
        coverage = np.minimum(self._coverage[ids] / total, np.float32(1))
        match = self._match[ids] / total * np.sqrt(coverage)
        if len(ids) > limit:
            place = np.argpartition(-match, limit)[:limit]
            ids, match, coverage = ids[place], match[place], coverage[place]
        # equal scores in the order of ids, newest first, so that a search gives the same list every time
        order = np.lexsort((-ids, -match))
        return WordHits(ids[order], np.minimum(match[order], np.float32(1)), coverage[order], term_count)
