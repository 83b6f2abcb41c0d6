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
    from app.context.structured.people import Someone
    from app.context.structured.scene import Scene
    from app.store.exact import Part
    from app.store.reading import Passage

PEOPLE = "people"
_KINDS = (EntryKind.MAIL, EntryKind.CHAT)
_SHOWN, _LOOKED_AT = 3, 60
_MOST_PEOPLE = 6
_LONGEST = 260


def answer_said(scene: Scene, asked: Asked) -> Draft | None:
    """Their latest words about a topic, or their latest at all; None where they wrote nothing of the sort."""
    people = people_called(scene.reader, asked.who, scene.visible)
    if asked.is_me and scene.me is not None:
        people = [scene.me]
    told = [(one, lines) for one in people[:_MOST_PEOPLE] if (lines := _lines(scene, one, asked))]
    # of several who are called so, the only one who wrote about it is meant, where there is a topic
    if len(told) != 1 or (len(people) > 1 and not asked.about):
        return several(scene, asked.who, people, PEOPLE) if len(people) > 1 else None
    who, lines = told[0]
    draft = Draft(scene, PEOPLE)
    name = f"{who.name}, " if len(people) > 1 else ""
    for part, passage, said in lines:
        draft.say(f"{name}{scene.day(part.at)}: {said}", draft.cite_entry(part.entry_id, passage.chunk_id))
    return draft


def _lines(scene: Scene, who: Someone, asked: Asked) -> list[tuple[Part, Passage, str]]:
    """What somebody wrote of the sort, the latest first."""
    found: list[tuple[Part, Passage, str]] = []
    wrote: list[tuple[Part, list[Passage]]] = []
    written = parts_of(scene.reader, who.ids, scene.visible, kinds=_KINDS, until=scene.now)
    for part in [part for part in written if part.role == "author"][:_LOOKED_AT]:
        own = [
            passage
            for passage in entry_passages(scene.reader, part.entry_id, scene.visible)
            if passage.place.is_own_words and passage.stale_reason is None
        ]
        if own:
            wrote.append((part, own))
    fitting = scene.fitting([f"{part.title}\n{_joined(own)}" for part, own in wrote])
    for part, own in [one for one, fits in zip(wrote, fitting, strict=True) if fits]:
        if said := _best(scene, own):
            found.append((part, own[0], said))
        if len(found) == (_SHOWN if asked.about else 1):
            break
    return found


def _joined(passages: list[Passage]) -> str:
    return "\n".join(body(passage) for passage in passages)


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
