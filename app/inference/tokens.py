"""Counts tokens, and says where they end in the text (G2.3). Needs the pack's tokenizer only, not its network.

Without a pack it estimates: 3.3 characters a token in English and 1.35 in Chinese. Prose has more (docs/models.md), so
that the estimate is rather too high than too low: it is never used to feed the model, only to cut chunks that will be
embedded later and should then fit.
"""

from __future__ import annotations

import hashlib
import re
import threading
from bisect import bisect_left, bisect_right
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from app.inference.packs import TOKENIZER, damaged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import sentencepiece
    from numpy.typing import NDArray

    from app.inference.packs import FileSeal, ModelPack

BEGIN, END, UNKNOWN = 0, 2, 3
CHARACTERS_PER_TOKEN = 3.3
CHARACTERS_PER_TOKEN_CJK = 1.35
# Han, kana, Hangul and full-width forms: scripts without spaces, a token being a character or two.
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")
# Longer texts are tokenized in pieces: one call takes memory many times the text's size.
_STRETCH = 50_000
_sharing = threading.Lock()


class Tokenizer:
    """The pack's tokenizer. Safe from several threads; loads in about half a second, at first use.

    It takes 36 MB, so packs with the same vocabulary share one (`of`): its users say when they begin and when they
    rest, and the memory is given back when all of them rest.
    """

    def __init__(self, path: Path, seal: FileSeal | None = None) -> None:
        """Know where the file is, and what it must be where a manifest says so."""
        self._paths = [path]
        self._seal = seal
        self._loading = threading.Lock()
        self._processor: sentencepiece.SentencePieceProcessor | None = None
        self._users: WeakSet[object] = WeakSet()

    @classmethod
    def of(cls, pack: ModelPack) -> Tokenizer:
        """The tokenizer of all packs whose manifests vouch for the same file."""
        path, seal = pack.path(TOKENIZER), pack.manifest.files.get(TOKENIZER)
        if seal is None:
            return cls(path)
        with _sharing:
            found = _shared.get(seal.sha256)
            if found is None:
                found = _shared[seal.sha256] = cls(path, seal)
            elif path not in found._paths:
                found._paths.append(path)  # the other pack may be removed
            return found

    def ids(self, text: str) -> NDArray[np.int64]:
        """Token ids, without the marks at the ends of a text."""
        processor = self._load()
        parts = [processor.encode(part) for _, part in _stretches(text)]
        return np.array([token for part in parts for token in part], np.int64)

    def ends(self, text: str) -> list[int]:
        """For every token the index in `text` behind its last character; never falling."""
        processor = self._load()
        ends: list[int] = []
        for start, part in _stretches(text):
            offsets = processor.encode(part, return_type="offset_mapping")["offsets"]
            # one character can stand for several tokens (½ is three); all but its last have no width of their own
            ends.extend(start + min(max(end, begin + 1), len(part)) for begin, end in offsets)
        return ends

    def pieces(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Every token's id, and the characters of `text` that it stands for, the end exclusive."""
        processor = self._load()
        for start, part in _stretches(text):
            found = processor.encode(part, return_type="offset_mapping")
            for token, (begin, end) in zip(found["ids"], found["offsets"], strict=True):
                yield token, start + begin, start + end

    def character_id(self, character: str) -> int:
        """The token that stands for one character and nothing else; `UNKNOWN` where there is none."""
        token: int = self._load().piece_to_id(character)
        return token

    def coverage(self, text: str) -> float:
        """The share, 0..1, of a text's visible characters that the vocabulary knows; 1 for a text without any."""
        processor = self._load()
        known = unknown = 0
        for _, part in _stretches(text):
            found = processor.encode(part, return_type="offset_mapping")
            for token, (start, end) in zip(found["ids"], found["offsets"], strict=True):
                size = len(part[start:end].strip())
                known += size if token != UNKNOWN else 0
                unknown += size if token == UNKNOWN else 0
        return known / (known + unknown) if known + unknown else 1.0

    @property
    def is_loaded(self) -> bool:
        """Whether it holds memory now."""
        return self._processor is not None

    def begin(self, user: object) -> None:
        """Somebody will use it for a while."""
        with self._loading:
            self._users.add(user)

    def rest(self, user: object) -> None:
        """Somebody is done with it: where nobody else uses it, its memory is given back until the next use."""
        with self._loading:
            self._users.discard(user)
            if not self._users:
                self._processor = None

    def _load(self) -> sentencepiece.SentencePieceProcessor:
        with self._loading:
            if self._processor is None:
                import sentencepiece  # noqa: PLC0415 - heavy, and not needed without a pack

                try:
                    self._processor = sentencepiece.SentencePieceProcessor(model_proto=self._read())
                except RuntimeError as error:
                    raise damaged() from error
            return self._processor

    def _read(self) -> bytes:
        """The file of the first pack that still has it."""
        for path in self._paths:
            with suppress(OSError):
                data = path.read_bytes()
                if self._seal is None or hashlib.sha256(data).hexdigest() == self._seal.sha256:
                    return data
        raise damaged()


_shared: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()
"""By the file's sha256."""


class TokenCounter:
    """What the chunker counts with: the model's own tokenizer, or an estimate while there is no model."""

    def __init__(self, tokenizer: Tokenizer | None = None) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def of(cls, pack: ModelPack | None) -> TokenCounter:
        """A counter for a pack, or an estimating one."""
        return cls(Tokenizer.of(pack) if pack is not None else None)

    @property
    def is_exact(self) -> bool:
        """Whether the counts are the model's own."""
        return self._tokenizer is not None

    def count(self, text: str) -> int:
        """How many tokens a text has, without the marks and the prefix that the model adds (at most 6)."""
        return len(self._tokenizer.ids(text)) if self._tokenizer is not None else estimate(text)

    def ends(self, text: str) -> list[int]:
        """For every token the index in `text` behind its last character; never falling."""
        return self._tokenizer.ends(text) if self._tokenizer is not None else _estimated_ends(text)

    def cut(self, text: str, limit: int) -> list[str]:
        """Cut a text at token borders into parts of at most `limit` tokens, preferring the gap between two words.

        The parts, joined, are the text. A part counted alone may have a token more than it has in the whole; a single
        character that stands for more than `limit` tokens (a fraction, a ligature) is a part of its own.
        """
        ends = self.ends(text)
        parts: list[str] = []
        start = taken = 0
        while len(ends) - taken > limit:
            last = _last_whole(ends, taken, taken + limit - 1)
            stop = _word_border(text, start, ends[last])
            parts.append(text[start:stop])
            start = stop
            taken = bisect_right(ends, stop)
        parts.append(text[start:])
        return [part for part in parts if part]


def estimate(text: str) -> int:
    """How many tokens a text has, without a tokenizer: for prose rather too many than too few."""
    dense = len(_DENSE.findall(text))
    return round(dense / CHARACTERS_PER_TOKEN_CJK + (len(text) - dense) / CHARACTERS_PER_TOKEN)


def readable(text: str) -> str:
    """The text with what has no UTF-8 form (a lone surrogate, a zero) turned into spaces; of the same length."""
    return _UNREADABLE.sub(" ", text)


def _stretches(text: str) -> Iterator[tuple[int, str]]:
    """The text in stretches that end at a space or a line where they can, each with its start."""
    text = readable(text)
    start = 0
    while len(text) - start > _STRETCH:
        stop = _word_border(text, start, start + _STRETCH)
        yield start, text[start:stop]
        start = stop
    if start < len(text):
        yield start, text[start:]


def _word_border(text: str, start: int, stop: int) -> int:
    """The last gap between words in the second half of a stretch, or `stop`; always behind `start`."""
    stop = max(stop, start + 1)
    middle = (start + stop + 1) // 2
    for gap in ("\n", " "):
        found = text.rfind(gap, middle, stop)
        if found > start:
            return found
    return stop


def _last_whole(ends: list[int], first: int, last: int) -> int:
    """The last token up to `last` behind which no further token of the same character follows; `first` at least."""
    if ends[last + 1] > ends[last]:
        return last
    return max(first, bisect_left(ends, ends[last]) - 1)


def _estimated_ends(text: str) -> list[int]:
    """Evenly spread token borders that agree with `estimate`."""
    weights = [1 / CHARACTERS_PER_TOKEN_CJK if _DENSE.match(char) else 1 / CHARACTERS_PER_TOKEN for char in text]
    if not weights:
        return []
    sums = np.cumsum(weights)
    count = estimate(text)
    borders = np.searchsorted(sums, np.arange(1, count) * (sums[-1] / max(count, 1)))
    return [*(int(border) + 1 for border in borders), len(text)] if count else []
