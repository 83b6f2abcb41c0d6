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

A term may also count where it does not stand itself, but in the passage before or after, of the same entry (`Spread`):
the answer to "when did Anna move?" often says neither "Anna" nor "move". The share then stands in the place of the
passage's own part wherever it is greater, so nothing is counted twice.

For the owner alone, terms are taken rarest first until a budget of list entries is used up, which bounds the time of a
long question; a client's query reads every list whole, since which terms are rare may tell of hidden chunks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.store.analyser import QueryTerm, query_terms
from app.store.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from app.store.visibility import View, Visibility
    from app.store.words import WordIndex

# the values of Anserini, whose collections are passages too; .8 to 1.2 and .4 to .75 differ by a point on LoCoMo
K1 = 0.9
B = 0.4
_BUDGET = 300_000
_TERMS_AT_LEAST = 2
# No passage says all of a long text: a question is measured by its heaviest terms.
_HEAVIEST_TERMS = 10
# What stands in more passages than this tells little by standing nearby, and would make long lists three times as long.
_SPREAD_AT_MOST = 4_000
_A_LONG_LIST_OF = 16
"""A term that stands in more than a sixteenth of all chunks is looked at in all of them."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How much of a term's part a passage gets from the passage before it, and from the one after it; 0..1."""

    before: float = 0.0
    after: float = 0.0


NO_SPREAD = Spread()


class Scores(Protocol):
    """Scores of all chunks."""

    def at(self, ids: NDArray[np.integer]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and coverage of some chunks."""


@dataclass(frozen=True, slots=True)
class WordHits:
    """The best chunks by words, best first.

    Attributes:
        chunk_ids: int64[n].
        scores: float32[n], 0..1.
        coverage: float32[n], 0..1: the share of the query's information (idf) that the chunk holds.
        term_count: how many terms the query had.
        weights: what each term counts on the visible chunks: its weight times its idf.
    """

    chunk_ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    coverage: NDArray[np.float32]
    term_count: int
    weights: Mapping[str, float]
    sums: Scores = field(repr=False)

    def at(self, chunk_ids: NDArray[np.integer]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and coverage of any chunks, also of those that are not among the best."""
        return self.sums.at(chunk_ids)


class LexicalSearch:
    """Search by words."""

    def __init__(self, index: WordIndex, visibility: Visibility) -> None:
        self._index = index
        self._visibility = visibility

    def search(
        self,
        query: str | Sequence[tuple[str, float]],
        view: View,
        limit: int,
        *,
        is_unrestricted: bool,
        spread: Spread = NO_SPREAD,
    ) -> WordHits:
        """The best `limit` chunks under a view.

        Args:
            query: a text, or several with the weight (0..1) of each.
            is_unrestricted: whether hidden chunks do not exist for this viewer (`VisibilityFilter.is_unrestricted`).
            spread: what the neighbours of a chunk within its entry lend it.
        """
        terms = query_terms(query) if isinstance(query, str) else _weighted_terms(query)
        sums = _Sums(len(view.mask), lambda: _norms(self._visibility.lengths(slice(len(view.mask))), view))
        if view.count:
            for term in self._within_budget(terms) if is_unrestricted else terms:
                self._add(sums, term, view, spread)
        return sums.best(limit, len(terms))

    def frequent_terms(
        self, terms: Sequence[QueryTerm], view: View, least: int, limit: int, *, is_unrestricted: bool
    ) -> list[str]:
        """Those of some whole terms that stand in at least `least` visible chunks, the `limit` most frequent first."""
        whole = [term for term in terms if not term.is_prefix]
        counted = [(count, term.term) for count, term in zip(self._index.frequencies(whole), whole, strict=True)]
        often = sorted((pair for pair in counted if pair[0] >= least), reverse=True)
        if is_unrestricted:
            return [term for _, term in often[:limit]]
        visible: list[tuple[int, str]] = []
        for count, term in often:
            # hidden ones are counted here too, so it only saves work: no more are visible than there are
            if len(visible) >= limit and count < visible[limit - 1][0]:
                break
            held = int(np.count_nonzero(view.mask.take(self._inside(term, view))))
            if held >= least:
                visible = sorted([*visible, (held, term)], reverse=True)
        return [term for _, term in visible[:limit]]

    def holders(self, term: str, view: View) -> NDArray[np.int32]:
        """The visible chunks that hold a term, ascending."""
        ids = self._inside(term, view)
        visible: NDArray[np.int32] = ids.take(np.flatnonzero(view.mask.take(ids)))
        return visible

    def _inside(self, term: str, view: View) -> NDArray[np.int32]:
        """The chunks that hold a term and that a view knows of, hidden ones included."""
        ids = self._index.postings(QueryTerm(term)).chunk_ids
        return ids[: int(np.searchsorted(ids, np.int32(len(view.mask))))]

    def _within_budget(self, terms: tuple[QueryTerm, ...]) -> list[QueryTerm]:
        if len(terms) <= _TERMS_AT_LEAST:
            return list(terms)
        chosen: list[QueryTerm] = []
        used = 0
        counted = zip(self._index.frequencies(terms), terms, strict=True)
        for frequency, term in sorted(counted, key=lambda pair: pair[0]):
            used += frequency
            if used > _BUDGET and len(chosen) >= _TERMS_AT_LEAST:
                break
            chosen.append(term)
        return chosen

    def _add(self, sums: _Sums, term: QueryTerm, view: View, spread: Spread) -> None:
        postings = self._index.postings(term)
        end = int(np.searchsorted(postings.chunk_ids, np.int32(len(view.mask))))
        ids = postings.chunk_ids[:end].astype(np.intp)
        counts = postings.counts[:end]
        if len(ids) > max(len(view.mask) // _A_LONG_LIST_OF, _SPREAD_AT_MOST):
            held = np.zeros(len(view.mask), np.uint8)
            held[ids] = counts
            held *= view.mask
            count = int(np.count_nonzero(held))
            if count > _SPREAD_AT_MOST:
                idf = _idf(term, count, view)
                sums.add_of_all(held, _match(held.astype(np.float32), sums.norms(), idf), term.term, idf)
                return
        chosen = np.flatnonzero(view.mask.take(ids))
        ids = ids.take(chosen)
        idf = _idf(term, len(ids), view)
        match = _match(counts.take(chosen).astype(np.float32), _norms(self._visibility.lengths(ids), view), idf)
        parts = [(ids, match, 1.0)]
        if spread != NO_SPREAD and len(ids) <= _SPREAD_AT_MOST:
            parts += [self._lent(ids, match, view, 1, spread.before), self._lent(ids, match, view, -1, spread.after)]
        sums.add(parts, term.term, idf)

    def _lent(
        self, ids: NDArray[np.intp], match: NDArray[np.float32], view: View, step: int, share: float
    ) -> tuple[NDArray[np.intp], NDArray[np.float32], float]:
        """A term's part where the chunk `step` ids away holds it; the chunks of an entry have successive ids."""
        near = ids + step
        is_inside = near < len(view.mask)
        near, givers, match = near[is_inside], ids[is_inside], match[is_inside]
        takes = view.mask.take(near) & (self._visibility.entries(near) == self._visibility.entries(givers))
        return near[takes], match[takes] * np.float32(share), share


def _idf(term: QueryTerm, count: int, view: View) -> float:
    """What a term counts that stands in `count` visible chunks."""
    return term.weight * float(np.log1p((view.count - count + 0.5) / (count + 0.5)))


def _norms(lengths: NDArray[np.uint32], view: View) -> NDArray[np.float32]:
    """What stands beside a term's count below the line, for chunks of some lengths."""
    return np.float32(K1 * (1 - B)) + lengths.astype(np.float32) * np.float32(K1 * B / view.mean_length)


def _match(counts: NDArray[np.float32], norms: NDArray[np.float32], idf: float) -> NDArray[np.float32]:
    """A term's part of the match of chunks that hold it so often."""
    found: NDArray[np.float32] = counts * np.float32(idf * (K1 + 1)) / (counts + norms)
    return found


def best_of(found: Sequence[WordHits], limit: int) -> WordHits:
    """The best chunks of several searches for the same, of each chunk its best score; with the first one's weights."""
    first, *others = found
    if not others:
        return first
    greatest = _Greatest([hits.sums for hits in found])
    ids = distinct(np.concatenate([hits.chunk_ids for hits in found]))
    match, coverage = greatest.at(ids)
    order = np.lexsort((-ids, -match))[:limit]
    return WordHits(ids[order], match[order], coverage[order], first.term_count, first.weights, greatest)


class _Greatest:
    """The greatest of several scores."""

    def __init__(self, scores: Sequence[Scores]) -> None:
        self._scores = scores

    def at(self, ids: NDArray[np.integer]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        matches, coverages = zip(*(scores.at(ids) for scores in self._scores), strict=True)
        return np.maximum.reduce(matches), np.maximum.reduce(coverages)


def _weighted_terms(texts: Sequence[tuple[str, float]]) -> tuple[QueryTerm, ...]:
    """The terms of several texts; one that stands in more than one counts by the greatest weight."""
    best: dict[tuple[str, bool], QueryTerm] = {}
    for text, weight in texts:
        for term in query_terms(text):
            known = best.get((term.term, term.is_prefix))
            if known is None or known.weight < term.weight * weight:
                best[term.term, term.is_prefix] = replace(term, weight=term.weight * weight)
    return tuple(best.values())


class _Sums:
    """Scores under way, for each chunk id.

    Args:
        norms: makes `_norms` of all chunks; asked once, and only where a term needs them.
    """

    def __init__(self, size: int, norms: Callable[[], NDArray[np.float32]]) -> None:
        self._make_norms = norms
        self._norms: NDArray[np.float32] | None = None
        self._match = np.zeros(size, np.float32)
        self._coverage = np.zeros(size, np.float32)
        self._of_term = np.zeros((2, size), np.float32)
        self._weights: dict[str, float] = {}

    def norms(self) -> NDArray[np.float32]:
        """What chunks' lengths count, of all chunks."""
        if self._norms is None:
            self._norms = self._make_norms()
        return self._norms

    def add_of_all(self, held: NDArray[np.uint8], match: NDArray[np.float32], term: str, idf: float) -> None:
        """Add one term that stands in very many chunks: how often it stands in each, and their parts, for all chunks.

        The numbers are those that `add` gives. Going through all is six times quicker than picking out half of them.
        """
        self._weights[term] = idf
        self._match += match
        self._coverage += (held > 0) * np.float32(idf)

    def add(self, parts: Sequence[tuple[NDArray[np.intp], NDArray[np.float32], float]], term: str, idf: float) -> None:
        """Add one term.

        Args:
            parts: (chunk ids, their parts of the match, the share of the term that they hold); an id stands once in
                each, and where several have it the greatest counts.
        """
        self._weights[term] = idf
        ids, match, _ = parts[0]
        coverage: NDArray[np.float32] | np.float32 = np.float32(idf)
        if len(parts) > 1:
            ids = np.concatenate([ids for ids, _, _ in parts])
            of_match, of_coverage = self._of_term
            np.maximum.at(of_match, ids, np.concatenate([match for _, match, _ in parts]))
            shares = np.repeat(np.array([idf * share for _, _, share in parts], np.float32), [len(p[0]) for p in parts])
            np.maximum.at(of_coverage, ids, shares)
            match, coverage = of_match.take(ids), of_coverage.take(ids)
            # so that the next term begins clean; both rows at once would take four times as long
            of_match[ids] = 0
            of_coverage[ids] = 0
        # not `+=`: an id of two parts gets the same sum twice
        self._match[ids] = self._match.take(ids) + match
        self._coverage[ids] = self._coverage.take(ids) + coverage

    def at(self, ids: NDArray[np.integer]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and coverage of some chunks."""
        total = np.float32(sum(sorted(self._weights.values(), reverse=True)[:_HEAVIEST_TERMS]))
        if total == 0:
            return np.zeros(len(ids), np.float32), np.zeros(len(ids), np.float32)
        coverage = np.minimum(self._coverage[ids] / total, np.float32(1))
        return np.minimum(self._match[ids] / total * np.sqrt(coverage), np.float32(1)), coverage

    def best(self, limit: int, term_count: int) -> WordHits:
        ids = np.flatnonzero(self._match > 0)  # seven times faster than asking the numbers themselves
        match, coverage = self.at(ids)
        if len(ids) > limit:
            place = np.argpartition(-match, limit)[:limit]
            ids, match, coverage = ids[place], match[place], coverage[place]
        # equal scores in the order of ids, newest first, so that a search gives the same list every time
        order = np.lexsort((-ids, -match))
        return WordHits(ids[order], match[order], coverage[order], term_count, self._weights, self)
