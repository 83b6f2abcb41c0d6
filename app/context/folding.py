"""What says what another passage says takes no second place in a result (G2.1).

    the same text           from one entry or several
    alike by their meaning  short texts in which nothing differs (`govern.near_duplicates`)
    linked entries          a copy, a quotation, a forwarding, a version: their common passages

Of passages that are folded the best one stays, unless it is stale and another one is not; how many were folded into it
stands in its explanation. Only passages that the viewer may see come here, and nothing is asked about others, so a
folded one tells of nothing that is hidden (G4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.domain.instants import to_ixdtf
from app.domain.labels import EntryKind
from app.govern.likeness.judging import Kind, body_of
from app.govern.likeness.rules import rules
from app.govern.likeness.samples import may_share, overlap, sample, words_of
from app.govern.likeness.versions import are_versions, newer
from app.govern.near_duplicates import difference, difference_of_texts, surely_differ
from app.inference.calibration import NEAR_DUPLICATE
from app.store.likenesses import Likeness, likenesses_among

if TYPE_CHECKING:
    from app.govern.likeness.samples import Sampled
    from app.store.connection import Reader
    from app.store.reading import Passage

HowAlike: TypeAlias = Callable[[Sequence[int], Sequence[str]], NDArray[np.float32]]
"""How alike some chunks are, given their languages: float32[n, n] in 0..1."""

_A_BEGINNING = 24
_COMPARED = 8
"""Texts compared word by word for one question."""
_LINKED_COMPARED = 40
_LEAST_ALIKE = 0.65
"""By their vectors. Of 1,225 pairs of texts that share enough, in two languages, all are above 0.73, 99 % over 0.93."""
_LETTERS = frozenset({EntryKind.MAIL, EntryKind.CHAT})


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate with its passage; `folded`: how many others it stands for."""

    passage: Passage
    place: int
    folded: int = 0


def fold_equal(found: Sequence[tuple[Passage, int]]) -> list[Row]:
    """Passages with the same text take one place: the first, unless it is stale and a later one is not."""
    kept: dict[str, Row] = {}
    for (passage, place), text in zip(found, _distinctions([passage.text for passage, _ in found]), strict=True):
        known = kept.get(text)
        if known is None:
            kept[text] = Row(passage, place)
        elif known.passage.stale_reason is not None and passage.stale_reason is None:
            kept[text] = Row(passage, known.place, known.folded + 1)
        else:
            kept[text] = replace(known, folded=known.folded + 1)
    return list(kept.values())


def _distinctions(texts: Sequence[str]) -> list[str]:
    """What only texts that say the same have in common: all of it, or their first letters where nothing begins so too.

    Most passages begin differently, which spares folding them whole.
    """
    begins = ["".join(text[: 2 * _A_BEGINNING].split()).casefold()[:_A_BEGINNING] for text in texts]
    are_long = all(len(begin) == _A_BEGINNING for begin in begins)
    return [
        begin if are_long and begins.count(begin) == 1 else _whole(text)
        for begin, text in zip(begins, texts, strict=True)
    ]


def _whole(text: str) -> str:
    return " ".join(text.casefold().split())


def fold_alike(rows: Sequence[Row], likeness: HowAlike | None) -> list[Row]:
    """What another entry says too, in hardly other words; without a model nothing is known of that."""
    if likeness is None or len(rows) < 2:  # noqa: PLR2004 - nothing to compare
        return list(rows)
    table = likeness([row.passage.chunk_id for row in rows], [row.passage.language for row in rows])
    firsts, seconds = np.nonzero(np.triu(table >= NEAR_DUPLICATE, 1))
    folding = _Folding(rows)
    compared = 0
    for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
        one, other = rows[first].passage, rows[second].passage
        if one.entry_id == other.entry_id or folding.is_over(first, second) or compared == _COMPARED:
            continue
        compared += 1
        if not surely_differ(one.text, other.text) and difference(one.text, other.text) is None:
            folding.fold(first, second, is_better=_is_original(other, one))
    return folding.left()


def fold_linked(
    reader: Reader,
    rows: Sequence[Row],
    likeness: HowAlike | None,
    *,
    is_unrestricted: bool,
) -> list[Row]:
    """The common passages of entries that are known to be alike.

    Args:
        likeness: as for `fold_alike`; it only saves work.
        is_unrestricted: whether nothing is hidden from the viewer; else likenesses are found among the rows themselves.
    """
    places: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        places.setdefault(row.passage.entry_id, []).append(at)
    if len(places) < 2:  # noqa: PLR2004 - nothing to compare
        return list(rows)
    texts = _Texts(rows)
    links = likenesses_among(reader, places) if is_unrestricted else _links(rows, texts, _worth_a_look(rows, likeness))
    folding = _Folding(rows)
    compared = 0
    for link in links:
        is_quoted = link.kind in {Kind.QUOTE, Kind.FORWARD, Kind.COPY}
        for one in places[link.entry_id]:
            for other in places[link.other_id]:
                first, second = sorted((one, other))
                if folding.is_over(first, second) or compared == _LINKED_COMPARED:
                    continue
                compared += 1
                earlier, later = rows[first].passage, rows[second].passage
                if texts.say_the_same(first, second, is_quoted=is_quoted):
                    is_newer = link.kind == Kind.VERSION and _is_newer(later, earlier)
                    folding.fold(first, second, is_better=is_newer or _is_original(later, earlier))
    return folding.left()


def _worth_a_look(rows: Sequence[Row], likeness: HowAlike | None) -> NDArray[np.bool_]:
    """bool[n, n]: which rows, each pair once, may have most of their words in common, being of two entries."""
    entries = np.array([row.passage.entry_id for row in rows])
    others: NDArray[np.bool_] = np.triu(entries[:, np.newaxis] != entries, 1)
    if likeness is None:
        return others
    table = likeness([row.passage.chunk_id for row in rows], [row.passage.language for row in rows])
    has_vector = table.diagonal() > 0
    others &= (table >= _LEAST_ALIKE) | ~has_vector[:, np.newaxis] | ~has_vector
    return others


def _links(rows: Sequence[Row], texts: _Texts, is_near: NDArray[np.bool_]) -> list[Likeness]:
    """Which of the rows' entries are alike, by these rows alone; what they are to each other by their kinds.

    Which likenesses are stored may depend on how many other entries are like both; for a viewer who may not see all of
    them that would tell of them (G4.3).
    """
    found: dict[tuple[int, int], Likeness] = {}
    for first, second in texts.that_may_share(is_near):
        chosen, others = texts.chosen(first), texts.chosen(second)
        least = min(rules().in_common, len(chosen), len(others))
        if not least or len(chosen & others) < least:
            continue
        mine, theirs = rows[first].passage, rows[second].passage
        kind = _kind(mine, theirs)
        if kind is not None:
            pair = (min(mine.entry_id, theirs.entry_id), max(mine.entry_id, theirs.entry_id))
            found[pair] = Likeness(*pair, kind.value, 1.0)
    return [found[pair] for pair in sorted(found)]


def _kind(one: Passage, other: Passage) -> Kind | None:
    kinds = {one.kind, other.kind}
    if kinds & _LETTERS:
        return Kind.QUOTE
    if EntryKind.EVENT in kinds and one.event_time != other.event_time:
        return None
    return Kind.VERSION if are_versions(one.native_id, other.native_id) else Kind.NEAR


def _is_newer(one: Passage, other: Passage) -> bool:
    """Whether one is of a later version of the other's file."""
    return newer(*((passage.native_id, to_ixdtf(passage.updated_at)) for passage in (one, other))) == 0


def _is_original(one: Passage, other: Passage) -> bool:
    """Whether the other one only quotes what this one says itself."""
    return other.place.is_quoted and not one.place.is_quoted


def _body(passage: Passage) -> str:
    return body_of(passage.kind.value, passage.title, passage.text) if passage.ordinal == 0 else passage.text


class _Texts:
    """The rows' own words and their samples, each made once and only when it is needed."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._samples: dict[int, Sampled] = {}
        self._chosen: dict[int, frozenset[int]] = {}

    def that_may_share(self, is_near: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """The pairs of rows, of some, that may have as much in common as it takes, by a look at their words."""
        at = np.flatnonzero(is_near.any(axis=0) | is_near.any(axis=1))
        words = [words_of(_body(self._rows[row].passage)) for row in at.tolist()]
        may = may_share(words, rules().contained) & is_near[np.ix_(at, at)]
        return [(int(at[first]), int(at[second])) for first, second in np.argwhere(may)]

    def sample(self, at: int) -> Sampled:
        """The samples of one row."""
        if at not in self._samples:
            self._samples[at] = sample(_body(self._rows[at].passage))
        return self._samples[at]

    def chosen(self, at: int) -> frozenset[int]:
        """The samples by which a row would be found."""
        if at not in self._chosen:
            self._chosen[at] = frozenset(self.sample(at).chosen)
        return self._chosen[at]

    def say_the_same(self, first: int, second: int, *, is_quoted: bool) -> bool:
        """Whether two passages of linked entries have hardly anything that the other has not."""
        mine, theirs = self.sample(first), self.sample(second)
        if mine.whole is not None and mine.whole == theirs.whole:
            return True
        shared = overlap(mine, theirs)
        if min(shared.of_first, shared.of_second) < rules().contained:
            return False
        one, other = (_body(self._rows[at].passage) for at in (first, second))
        return is_quoted or difference_of_texts(one, other) is None


class _Folding:
    """Which rows go into which."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = list(rows)
        self._dropped: set[int] = set()

    def is_over(self, first: int, second: int) -> bool:
        """Whether one of two is folded already."""
        return bool({first, second} & self._dropped)

    def fold(self, first: int, second: int, *, is_better: bool = False) -> None:
        """Fold the second into the first, or the first into the second where only the first is stale.

        Args:
            is_better: the second is to be preferred where both are stale or neither is: a newer version, an original.
        """
        is_stale, is_other_stale = (self._rows[at].passage.stale_reason is not None for at in (first, second))
        is_turned = is_stale if is_stale != is_other_stale else is_better
        kept, gone = (second, first) if is_turned else (first, second)
        count = self._rows[kept].folded + self._rows[gone].folded + 1
        self._rows[kept] = replace(self._rows[kept], folded=count)
        self._dropped.add(gone)

    def left(self) -> list[Row]:
        """The rows that stay, in their order."""
        return [row for at, row in enumerate(self._rows) if at not in self._dropped]
