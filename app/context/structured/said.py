"""What somebody said about something: quoted from what they wrote themselves, and from nobody else's words (G3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.quoting import best_said, body, tells
from app.context.structured.people import people_called
from app.context.structured.scene import Draft
from app.context.structured.several import several
from app.domain.labels import EntryKind
from app.govern.sentences import split_sentences
from app.store.exact import parts_of
from app.store.reading import entry_passages

if TYPE_CHECKING:
    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.store.reading import Passage

PEOPLE = "people"
_KINDS = (EntryKind.MAIL, EntryKind.CHAT)
_SHOWN, _LOOKED_AT = 3, 60
_LONGEST = 260


def answer_said(scene: Scene, asked: Asked) -> Draft | None:
    """Their latest words about a topic, or their latest at all; None where they wrote nothing of the sort."""
    people = people_called(scene.reader, asked.who, scene.visible)
    if asked.is_me and scene.me is not None:
        people = [scene.me]
    if len(people) != 1:
        return several(scene, asked.who, people, PEOPLE) if people else None
    written = parts_of(scene.reader, people[0].ids, scene.visible, kinds=_KINDS, until=scene.now)
    draft = Draft(scene, PEOPLE)
    for part in [part for part in written if part.role == "author"][:_LOOKED_AT]:
        own = [
            passage
            for passage in entry_passages(scene.reader, part.entry_id, scene.visible)
            if passage.place.is_own_words and passage.stale_reason is None
        ]
        text = "\n".join(body(passage) for passage in own)
        if not own or (scene.topic is not None and not scene.is_on_topic(part.title, text)):
            continue
        said = _best(scene, own)
        if said:
            draft.say(f"{scene.day(part.at)}: {said}", draft.cite_entry(part.entry_id, own[0].chunk_id))
        if len(draft.lines) == (_SHOWN if asked.about else 1):
            break
    return draft if draft.lines else None


def _best(scene: Scene, passages: list[Passage]) -> str:
    """From the sentence that says most of the topic on, as far as there is room; of a short text all that tells."""
    sentences = [
        sentence.strip()
        for passage in passages
        for paragraph in body(passage).split("\n\n")
        for sentence in split_sentences(" ".join(paragraph.split()))
        if sentence.strip().endswith(("?", "？")) or tells(sentence, passage)
    ]
    if not sentences:
        return ""
    if sum(map(len, sentences)) <= _LONGEST or scene.topic is None:
        return best_said(sentences, _LONGEST)
    shares = [scene.topic.share(sentence) for sentence in sentences]
    first = shares.index(max(shares))
    return best_said(sentences[first:], _LONGEST)
