"""Redaction of a conversation: what is personal is replaced on the way out and put back in the reply (L5.3, DESIGN 2).

    redactor = Redactor()
    sent = redactor.redact("Call Anna Petrova on 555-010-9999").text      # Call [PERSON_1] on [PHONE_1]
    redactor.restore("I will call [PERSON_1].")                           # I will call Anna Petrova.

What was kept back is held in memory for as long as the conversation, and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.outgoing import RedactedOutgoing
from app.policy.redaction.finder import STRICT, find_personal, require_readable
from app.policy.redaction.findings import Finding, Kind, merge
from app.policy.redaction.json_text import JsonValue, is_json, json_values
from app.policy.redaction.placeholders import PLACEHOLDER, Kept, Placeholders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.readings import TextSpan
    from app.policy.redaction.finder import RedactionPolicy

RULE_VERSION = "redaction-1"

# What is kept back wherever it comes again in the conversation, with or without the words that gave it away.
_REMEMBERED = frozenset(
    {
        Kind.PERSON,
        Kind.NAME,
        Kind.ORGANISATION,
        Kind.ADDRESS,
        Kind.USER_NAME,
        Kind.SECRET,
        Kind.ID_NUMBER,
        Kind.PASSPORT,
    }
    | {Kind.PHONE, Kind.BANK_ACCOUNT, Kind.BANK_CARD, Kind.EMAIL}
)
_SHORTEST_REMEMBERED = {True: 2, False: 4}
_MOST_REMEMBERED = 500


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with placeholders.

    Attributes:
        text: what may be shown.
        findings: what was kept back, where it stood in the text as given.
    """

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A stretch of the text and what it says."""

    start: int
    end: int
    kind: Kind
    kept: Kept


class Redactor:
    """One conversation: the same value has the same placeholder in all of its texts."""

    def __init__(self, policy: RedactionPolicy = STRICT) -> None:
        self._policy = policy
        self._placeholders = Placeholders()

    def redact(self, text: str, names: Sequence[TextSpan] = ()) -> Redacted:
        """Put placeholders where a text is personal. `restore` gives back exactly the text.

        In a JSON object or list the values and what names somebody in the keys are looked through, and it stays JSON.

        Args:
            text: at most `finder.LONGEST_TEXT` characters.
            names: what a model of names found in it.

        Raises:
            BadInput: the text is too long to be looked through.
        """
        require_readable(text)
        is_structured = is_json(text)
        cuts = list(self._cuts_of_json(text, names) if is_structured else self._cuts_of_text(text, names))
        redacted = self._cut(text, cuts)
        if self._placeholders.restore(redacted, is_json=is_structured) != text:
            # What is left beside a placeholder reads like one itself: a text that cannot come back is kept back whole.
            cuts = [_Cut(0, len(text), Kind.LITERAL, Kept(text, is_number=is_structured))]
            redacted = self._placeholders.stand_in(cuts[0].kept, Kind.LITERAL)
        return Redacted(redacted, tuple(Finding(cut.start, cut.end, cut.kind) for cut in cuts))

    def outgoing(self, text: str, names: Sequence[TextSpan] = (), *, is_by_model: bool) -> RedactedOutgoing:
        """The same, as the only thing that may be sent; raises `BadInput` like `redact`."""
        redacted = self.redact(text, names)
        return RedactedOutgoing(redacted.text, len(redacted.findings), RULE_VERSION, is_by_model=is_by_model)

    def restore(self, text: str) -> str:
        """Put the values back into a reply; a JSON text stays JSON, and placeholders of no value stay as they are."""
        return self._placeholders.restore(text, is_json=is_json(text))

    def _cut(self, text: str, cuts: Sequence[_Cut]) -> str:
        parts: list[str] = []
        place = 0
        for cut in cuts:
            parts += (text[place : cut.start], self._placeholders.stand_in(cut.kept, cut.kind))
            place = cut.end
        return "".join((*parts, text[place:]))

    def _cuts_of_text(self, text: str, names: Sequence[TextSpan]) -> Iterator[_Cut]:
        for found in self._find(text, names):
            yield _Cut(found.start, found.end, found.kind, Kept(text[found.start : found.end]))

    def _cuts_of_json(self, text: str, names: Sequence[TextSpan]) -> Iterator[_Cut]:
        for value in json_values(text):
            yield from self._cuts_of_value(text, value, _within(names, value))

    def _cuts_of_value(self, text: str, value: JsonValue, names: Sequence[TextSpan]) -> Iterator[_Cut]:
        """A value is read with its key before it, since a key says what a value is."""
        lead = f"{_as_words(value.key)}: " if value.key else ""
        shifted = [
            type(span)(span.start + len(lead), span.end + len(lead), span.label, span.confidence) for span in names
        ]
        for found in self._find(lead + value.text, shifted):
            start, end = max(0, found.start - len(lead)), found.end - len(lead)
            if (
                end <= 0
                or (value.is_number and found.kind in _NOT_NUMBERS)
                or (value.is_key and found.kind not in _KEYS)
            ):
                continue
            if value.is_number:
                start, end = 0, len(value.text)
            low, high = value.positions[start], value.positions[end]
            said, raw = value.text[start:end], text[low:high]
            yield _Cut(low, high, found.kind, Kept(said, None if said == raw else raw, value.is_number))
            if value.is_number:
                return

    def _find(self, text: str, names: Sequence[TextSpan]) -> tuple[Finding, ...]:
        found = list(find_personal(text, names, self._policy))
        found += (Finding(one.start(), one.end(), Kind.LITERAL, 1.0) for one in PLACEHOLDER.finditer(text))
        found += self._remembered(text, found)
        return merge(found)

    def _remembered(self, text: str, found: Sequence[Finding]) -> Iterator[Finding]:
        """Where something kept back before, or elsewhere in this text, stands again."""
        known = {text[one.start : one.end]: one.kind for one in found if one.kind in _REMEMBERED}
        known.update(self._placeholders.values(_REMEMBERED))
        for value, kind in list(known.items())[-_MOST_REMEMBERED:]:
            if len(value) < _SHORTEST_REMEMBERED[not value.isascii()]:
                continue
            at = text.find(value)
            while at >= 0:
                if not (_goes_on(text, at - 1, value[0]) or _goes_on(text, at + len(value), value[-1])):
                    yield Finding(at, at + len(value), kind, 0.1)
                at = text.find(value, at + len(value))


_NOT_NUMBERS = frozenset({Kind.AGE, Kind.MONEY, Kind.PERSON, Kind.NAME, Kind.ORGANISATION, Kind.PLACE, Kind.ADDRESS})
# Keys are words of a program; what is personal among them are tables by telephone, mail, number or person.
_KEYS = frozenset(
    {Kind.EMAIL, Kind.PHONE, Kind.ID_NUMBER, Kind.BANK_CARD, Kind.BANK_ACCOUNT, Kind.SECRET, Kind.PERSON, Kind.LITERAL}
)


def _goes_on(text: str, index: int, beside: str) -> bool:
    """Whether a Western word or a number runs on over the border at `index`."""
    return (
        0 <= index < len(text)
        and beside.isascii()
        and beside.isalnum()
        and text[index].isascii()
        and text[index].isalnum()
    )


def _as_words(key: str) -> str:
    return key.replace("_", " ").replace("-", " ")


def _within(names: Sequence[TextSpan], value: JsonValue) -> list[TextSpan]:
    """The spans of a model that lie inside a value, in its own positions."""
    inside = []
    for span in names:
        if value.positions[0] <= span.start and span.end <= value.positions[-1]:
            start = sum(position < span.start for position in value.positions[:-1])
            end = sum(position < span.end for position in value.positions[:-1])
            inside.append(type(span)(start, end, span.label, span.confidence))
    return inside
