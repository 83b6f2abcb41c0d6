"""Reads what a text is for: the routing table's examples, likened by meaning (L3.3, A5.3).

A reading below `PLAUSIBLE`, and one that is nearer to what belongs to no intent, is free conversation. Acting wrongly
is worse than asking once too often, so a reading is *certain* only from a threshold on that holds wrong actions well
below 3 % on sentences that were never trained on (docs/intents.md).

It understands no dates (`app.inference.dates`), calls no tool and keeps no text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from app.domain.intents import Guess, IntentPart, IntentReading, SlotKind
from app.inference.intent.doubt import is_doubtful
from app.inference.intent.features import Centring, raw_vectors
from app.inference.intent.head import KernelHead, probabilities
from app.inference.intent.slots import slots_of
from app.inference.intent.splitting import Openings, Stretch, split

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.inference.intent.features import TextEncoder
    from app.inference.intent.table import RouteTable
    from app.inference.intent.vectors import KnownVectors

PLAUSIBLE = 0.2
"""Below this probability the best intent of a table with free conversation is not named."""
CERTAIN = 0.4
CERTAIN_TO_ACT = 0.5
_IN_PARTS = 0.5
_ALTERNATIVES = 3
_LONGEST_READ = 400
"""Characters of a text that are read: who pastes a page says what it is for at its beginning."""
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_CONTENT = "text"


class IntentReader:
    """Made for one table and one embedding model; call it from the model's lane.

    Args:
        table: the routing table.
        encoder: the embedding model.
        known: vectors that need not be computed.

    Raises:
        Damaged, Unavailable: the embedding model cannot be used.
    """

    def __init__(self, table: RouteTable, encoder: TextEncoder, known: KnownVectors | None = None) -> None:
        self.table = table
        self._encoder = encoder
        examples = table.examples()
        texts = [text for text, _ in examples]
        raw = known.raw(texts, encoder) if known is not None else raw_vectors(encoder, texts)
        self._centring = Centring.of(texts, raw, encoder.calibration)
        coefficients = known.coefficients(examples) if known is not None else None
        self._head = KernelHead(self._centring.apply(texts, raw), [intent for _, intent in examples], coefficients)
        self._openings = Openings(text for text, intent in examples if intent != table.outside)

    @property
    def coefficients(self) -> NDArray[np.float32]:
        """Those of the fitted head; they are shipped with the table (packaging/models/examples.py)."""
        return self._head.coefficients

    def read(self, text: str) -> IntentReading:
        """What a text is for. Never raises for a strange text: one without a word is free conversation.

        Raises:
            Damaged, Unavailable: the embedding model cannot be used.
        """
        seen: dict[str, list[Guess]] = {}

        def guesses(part: str) -> list[Guess]:
            if part not in seen:
                seen[part] = self.guesses(part)
            return seen[part]

        def fits(left: Stretch, right: Stretch) -> bool:
            return self._are_two_wishes(guesses(left.of(text))[0], guesses(right.of(text))[0], right)

        stretches = split(text, self._openings, fits)
        parts: list[IntentPart] = []
        for stretch in stretches:
            parts.append(self._part(text, stretch, guesses(stretch.of(text))[0], parts[-1] if parts else None))
        return IntentReading(
            intent=parts[0].intent,
            score=parts[0].score,
            is_certain=all(part.is_certain for part in parts),
            alternatives=tuple(guesses(stretches[0].of(text))[1 : _ALTERNATIVES + 1]),
            parts=tuple(parts),
        )

    def guesses(self, text: str) -> list[Guess]:
        """All intents for a text read as one wish, the likeliest first."""
        cleaned = _visible(text[: 4 * _LONGEST_READ])[:_LONGEST_READ]
        if not any(character.isalnum() for character in cleaned):
            return [Guess(self._otherwise(), 1.0 if self.table.outside is not None else 0.0)]
        vector = self._centring.apply([cleaned], raw_vectors(self._encoder, [cleaned]))
        chances = probabilities(self._head.scores(vector))[0]
        found = [Guess(name, float(chances[place])) for place, name in enumerate(self._head.classes)]
        found.sort(key=lambda guess: (-guess.score, guess.intent))
        outside = self.table.outside
        if outside is not None and found[0].intent != outside and found[0].score < PLAUSIBLE:
            found.insert(0, Guess(outside, 1.0 - found[0].score))
            del found[next(place for place, guess in enumerate(found) if place and guess.intent == outside)]
        return found

    def _otherwise(self) -> str:
        return self.table.outside or self._head.classes[0]

    def _are_two_wishes(self, left: Guess, right: Guess, second: Stretch) -> bool:
        outside = self.table.outside
        if outside in {left.intent, right.intent} or min(left.score, right.score) < _IN_PARTS:
            return False
        # what follows a content may belong to it: a note, a mail or a translation goes on behind "and"
        return second.is_strong or not self._has_content(left.intent)

    def _part(self, text: str, stretch: Stretch, guess: Guess, before: IntentPart | None) -> IntentPart:
        intent = self.table.intents[guess.intent]
        is_certain = guess.score >= (CERTAIN_TO_ACT if intent.acts else CERTAIN)
        if before is not None and intent.acts and self._has_content(guess.intent):
            # "remind me to call Ann and send the bill to Karl": is the bill to be sent now, or to be reminded of?
            is_certain = is_certain and not (self.table.intents[before.intent].acts and not stretch.is_strong)
        if before is not None and self._has_content(before.intent):
            is_certain = False
        if intent.acts and (is_doubtful(stretch.of(text)) or is_doubtful(text)):
            is_certain = False
        slots = slots_of(text, stretch.start, stretch.end, intent.slots)
        return IntentPart(guess.intent, guess.score, is_certain, stretch.start, stretch.end, slots)

    def _has_content(self, name: str) -> bool:
        """Whether an intent carries a text of the person's own, which may go on for long."""
        return self.table.intents[name].slots.get(_CONTENT) is SlotKind.TEXT


def _visible(text: str) -> str:
    """Without control, format and unassigned characters, which change what is read and not what is seen."""
    kept = "".join(" " if unicodedata.category(character) in _INVISIBLE else character for character in text)
    return re.sub(r"\s+", " ", kept).strip()
