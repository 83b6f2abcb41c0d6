"""The names in a text, as mentions: what kind of thing is named, how, and in which passage."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel
from app.govern.people.keys import organisation_key, project_key
from app.govern.people.names import Form, Name, parse
from app.govern.people.rules import rules
from app.store.entities import ORGANISATION, PERSON, PLACE, PROJECT
from app.store.name_keys import name_key
from app.store.rows import storable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.readings import TextSpan
    from app.govern.understanding.contract import Passage

_TYPES = {
    SpanLabel.PERSON: PERSON,
    SpanLabel.ORGANISATION: ORGANISATION,
    SpanLabel.PROJECT: PROJECT,
    SpanLabel.PLACE: PLACE,
}
_KEYS: dict[str, Callable[[str], str]] = {ORGANISATION: organisation_key, PROJECT: project_key, PLACE: name_key}
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text.

    Attributes:
        span: where it stands.
        key: what it is compared by. name: of a person's, its parts.
    """

    span: TextSpan
    entity_type: str
    text: str
    key: str
    chunk_id: int | None
    name: Name | None = None


def find_mentions(text: str, spans: Sequence[TextSpan], passages: Sequence[Passage]) -> list[Mention]:
    """The names among the spans of a text, by their place; those too doubtful or too long are left out."""
    starts = [passage.start for passage in passages]
    found: list[Mention] = []
    for span in spans:
        entity_type = _TYPES.get(SpanLabel(span.label)) if span.label in set(SpanLabel) else None
        if entity_type is None or span.confidence < rules().least_confidence or span.end - span.start > _LONGEST:
            continue
        # a heading and the paragraph below it are no one name
        gap = text.rfind("\n\n", span.start, span.end)
        span = span if gap < 0 else replace(span, start=gap + 2)  # noqa: PLW2901 - the rest of it
        words = storable(" ".join(text[span.start : span.end].split()))
        at = bisect_right(starts, span.start) - 1
        mention = _mention(words, entity_type, span, passages[at].chunk_id if at >= 0 else None)
        if mention is not None:
            found.append(mention)
    return found[: rules().mentions]


def _mention(words: str, entity_type: str, span: TextSpan, chunk_id: int | None) -> Mention | None:
    if entity_type == PERSON:
        name = parse(words)
        is_nobody = name.form is Form.NONE or name.key in rules().nobody
        return None if is_nobody else Mention(span, entity_type, words, name.key, chunk_id, name)
    key = _KEYS[entity_type](words)
    return Mention(span, entity_type, words, key, chunk_id) if key else None
