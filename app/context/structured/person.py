"""Who somebody is, and single facts of them: looked up, never searched for (G2.4, L6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.facts import ME, facts_of
from app.context.quoting import best_said
from app.context.structured.contact import last_contact
from app.context.structured.people import people_called
from app.context.structured.scene import Draft
from app.context.structured.several import several
from app.context.structured.tasks import open_tasks_of
from app.domain.labels import EntryKind
from app.govern.sentences import split_sentences
from app.store.entities import CARD, CARD_NAME
from app.store.exact import traits_of
from app.store.name_keys import name_key
from app.store.reading import entry_passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.context.structured.forms import Asked
    from app.context.structured.people import Someone
    from app.context.structured.scene import Scene
    from app.domain.serving import Fact

PEOPLE, FACTS = "people", "facts"
_PREDICATES = {
    "address": ("lives_in",),
    "email": ("email",),
    "phone": ("phone",),
    "work": ("role", "works_at"),
    "contact": ("phone", "email"),
}
_CARDS = frozenset({CARD, CARD_NAME})
_LONGEST_CARD = 220
_MOST_VALUES, _MOST_GONE, _MOST_TASKS = 4, 2, 3


def answer_person(scene: Scene, asked: Asked) -> Draft | None:
    """A person's card, each line with its source; None for nobody who is known."""
    who = _meant(scene, asked, PEOPLE)
    if who is None or isinstance(who, Draft):
        return who
    facts = [fact for fact in _facts(scene, who, is_me=asked.is_me) if fact.stale_reason is None]
    draft, words = Draft(scene, PEOPLE), scene.words
    # who is known by an address alone is called as the question does
    name = asked.who if "@" in who.name and asked.who else who.name
    work, addresses = _of(facts, ("role", "works_at")), _of(facts, ("email",))
    if work or addresses:
        known = words.between.join(fact.value for fact in work or addresses)
        draft.say(words.works.format(name=name, work=known), *_citations(draft, work or addresses))
    for form, some in (
        (words.lives, _of(facts, ("lives_in",))),
        (words.phones, _of(facts, ("phone",))),
        (words.addresses, addresses if work else []),
    ):
        if some:
            draft.say(form.format(values=words.between.join(fact.value for fact in some)), *_citations(draft, some))
    if not work and (card := _card(scene, who)) is not None:
        draft.say(card.said if draft.lines else f"{name}: {card.said}", draft.cite_entry(card.entry_id))
    if (last := last_contact(scene, who)) is not None and not _is_self(scene, who):
        line = words.last_contact.format(day=scene.day(last.at), kind=words.kinds[last.kind], title=last.title)
        draft.say(line if draft.lines else f"{name}. {line}", draft.cite_entry(last.entry_id))
    for owed in open_tasks_of(scene, who)[:_MOST_TASKS]:
        citation = draft.cite_record(owed.record) if owed.record is not None else draft.cite_entry(owed.item.entry_id)
        title = owed.record.title if owed.record is not None else owed.item.title
        draft.say(words.open_tasks.format(title=title), citation)
    return draft if draft.items else None


@dataclass(frozen=True, slots=True)
class _Card:
    entry_id: int
    said: str


def _card(scene: Scene, who: Someone) -> _Card | None:
    """What a contact card says in free words, as far as it is no field that is told anyway."""
    cards = [one.entry_id for one in traits_of(scene.reader, who.ids, scene.visible) if one.predicate in _CARDS]
    for entry_id in dict.fromkeys(cards):
        if scene.kind_of(entry_id) is not EntryKind.CONTACT:
            continue
        text = "\n".join(passage.text for passage in entry_passages(scene.reader, entry_id, scene.visible))
        known = {name_key(one) for one in (who.name, *who.addresses, scene.title_of(entry_id))}
        said = best_said([one for one in split_sentences(text) if name_key(one) not in known], _LONGEST_CARD)
        if said:
            return _Card(entry_id, said)
    return None


def answer_fact(scene: Scene, asked: Asked) -> Draft | None:
    """One fact of a person, what holds first; None where no entry says it."""
    who = None if asked.is_me else _meant(scene, asked, FACTS)
    if isinstance(who, Draft):
        return who
    if who is None and not asked.is_me:
        return None
    wanted = _PREDICATES.get(asked.attribute, ())
    facts = [fact for fact in _facts(scene, who, is_me=asked.is_me) if fact.predicate in wanted]
    held = [fact for fact in facts if fact.stale_reason is None][:_MOST_VALUES]
    gone = [fact for fact in facts if fact.stale_reason is not None][:_MOST_GONE]
    if not facts:
        return None
    draft = Draft(scene, FACTS)
    for fact in held:
        said = "" if fact.said_at is None else f" ({scene.words.said.format(day=scene.day(fact.said_at))})"
        draft.say(f"{fact.value}{said}", *_citations(draft, [fact]))
    for fact in gone:
        assert fact.stale_reason is not None  # noqa: S101 - chosen by it
        line = scene.words.no_longer.format(reason=scene.reason(fact.stale_reason), said=fact.value)
        draft.say(line, *_citations(draft, [fact]))
    return draft


def _meant(scene: Scene, asked: Asked, route: str) -> Someone | Draft | None:
    """The one person who is meant; who they may be, where a name is several people's; None for nobody."""
    if asked.is_me:
        return scene.me
    people = people_called(scene.reader, asked.who, scene.visible)
    if len(people) > 1:
        return several(scene, asked.who, people, route)
    return people[0] if people else None


def _facts(scene: Scene, who: Someone | None, *, is_me: bool) -> list[Fact]:
    """Everything that is known of somebody, asked for by what stands for this one person alone where there is such."""
    if is_me or who is None or _is_self(scene, who):
        return facts_of(scene.reader, ME, None, scene.seen, scene.own or frozenset(who.addresses if who else ()))
    subjects = [f"p{who.ids[0]}"] if scene.visible.is_unrestricted else [*who.addresses, who.name]
    found: dict[tuple[str, str], Fact] = {}
    for subject in subjects:
        for fact in facts_of(scene.reader, subject, None, scene.seen, scene.own):
            found.setdefault((fact.predicate, fact.value.casefold()), fact)
    return list(found.values())


def _is_self(scene: Scene, who: Someone) -> bool:
    return scene.me is not None and bool(set(who.ids) & set(scene.me.ids))


def _of(facts: Iterable[Fact], predicates: Sequence[str]) -> list[Fact]:
    return [fact for predicate in predicates for fact in facts if fact.predicate == predicate][:_MOST_VALUES]


def _citations(draft: Draft, facts: Iterable[Fact]) -> list[str]:
    return [draft.cite(fact.item_id) for fact in facts]
