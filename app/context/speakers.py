"""Which people that a question names are speakers in the conversations that the viewer may see.

In a conversation every passage begins with who says it, so a speaker's name stands in half of all passages and tells
little, and yet the model puts it before everything else: "When did Anna move?" is nearer to whatever Anna says than to
moving. So a speaker's name is taken off the question before it is embedded; words, and who speaks (`clues`), decide
about the person. On three long conversations this is worth five points of recall at 10 (docs/benchmarks.md).

Names are not recognised by their look: a word of the question that stands in many visible passages is looked up in a
few of them, and is a speaker if these begin with it. That is the same for every language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.store.analyser import query_terms
from app.store.reading import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.visibility import VisibilityFilter
    from app.store.database import Database
    from app.store.lexical import LexicalSearch
    from app.store.visibility import View

_LONGEST_LABEL = 40
_COLONS = ":："
_CAPITALISED = re.compile(r"\b[A-ZÀ-Þ][^\W\d_]{1,30}")
# A name in fewer passages than this still tells something.
_LEAST_SHARE = 0.01
_LEAST_PASSAGES = 12
_WORDS_LOOKED_UP = 3
_SAMPLE = 12
_LEAST_LABELS = 2
_REMEMBERED = 100
_LONGEST_QUESTION = 400


class Speakers:
    """Finds speakers' names in questions, on readers' lanes."""

    def __init__(self, database: Database, lexical: LexicalSearch) -> None:
        self._database = database
        self._lexical = lexical
        self._known: dict[tuple[VisibilityFilter, str], tuple[NDArray[np.bool_], frozenset[str]]] = {}

    def known_in(self, text: str, visible: VisibilityFilter) -> tuple[str, ...]:
        """The same as far as it is known from earlier questions of the same viewer: most likely, and at no cost.

        On the loop too: hundreds of labels may be known, and a pattern for each would hold it for 0.1 s.
        """
        if len(text) > _LONGEST_QUESTION:
            return ()
        known, folded = list(self._known.items()), text.casefold()
        labels = {label for (whose, _), (_, labels) in known if whose == visible for label in labels}
        return _in_order((label for label in labels if label.casefold() in folded), text)

    def named_in(self, text: str, view: View, visible: VisibilityFilter) -> tuple[str, ...]:
        """The speakers that a question names, as the conversations write them, longest first; none in a long text."""
        if len(text) > _LONGEST_QUESTION:
            return ()
        least = max(_LEAST_PASSAGES, int(view.count * _LEAST_SHARE))
        often = self._lexical.frequent_terms(
            query_terms(_likely(text)), view, least, _WORDS_LOOKED_UP, is_unrestricted=visible.is_unrestricted
        )
        return _in_order({label for term in often for label in self._labels(term, view, visible, least)}, text)

    def _labels(self, term: str, view: View, visible: VisibilityFilter, least: int) -> frozenset[str]:
        """The speakers of visible passages that hold a term; only of what may be seen, as everything here."""
        known = self._known.get((visible, term))
        if known is not None and known[0] is view.mask:
            return known[1]
        holders = self._lexical.holders(term, view)
        labels: list[str] = []
        if len(holders) >= least:
            sample = holders[:: -(-len(holders) // _SAMPLE)]
            with self._database.reader() as reader:
                texts = texts_of(reader, sample.tolist()).values()
            labels = [label for text in texts if (label := label_of(text)) is not None]
        found = frozenset(label for label in labels if labels.count(label) >= _LEAST_LABELS)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[visible, term] = view.mask, found
        return found


def _in_order(labels: Iterable[str], text: str) -> tuple[str, ...]:
    """Those that a text names, longest first."""
    return tuple(sorted((label for label in labels if stands_in(label, text)), key=lambda label: (-len(label), label)))


def _likely(text: str) -> str:
    """The capitalised words of a question that has any but its first; else the whole question."""
    capitalised = _CAPITALISED.findall(text)
    return " ".join(capitalised) if any(not text.startswith(word) for word in capitalised) else text


def label_of(text: str) -> str | None:
    """Who says a passage, if it begins with a name and a colon."""
    head = text[:_LONGEST_LABEL].lstrip()
    end = min((place for colon in _COLONS if (place := head.find(colon)) > 0), default=0)
    # "12:30" and "https://" are none
    is_followed_well = head[end : end + 1] == "：" or head[end + 1 : end + 2].isspace()
    is_label = end > 0 and head[0].isalpha() and "\n" not in head[:end] and is_followed_well
    return head[:end].rstrip() if is_label else None


def stands_in(name: str, text: str) -> bool:
    """Whether a text holds a name, as a whole word where its script has words."""
    return _pattern(name).search(text) is not None


def without(names: Sequence[str], text: str) -> str:
    """A text without some names; the text itself where nothing else would be left."""
    rest = text
    for name in names:
        rest = _pattern(name).sub(" ", rest)
    rest = " ".join(rest.split())
    return rest if any(character.isalnum() for character in rest) else text


def _pattern(name: str) -> re.Pattern[str]:
    if name.isascii():
        return re.compile(rf"\b{re.escape(name)}(?:['’]s)?\b", re.IGNORECASE)
    return re.compile(re.escape(name), re.IGNORECASE)
