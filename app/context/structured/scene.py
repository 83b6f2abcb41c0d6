"""What every answerer has at hand, and the answer that it puts together with its citations (G3.2, G4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.context.items import Standing, context_item
from app.context.phrases import phrases_for
from app.context.structured.alike import alike
from app.context.structured.sayings import sayings_for
from app.runtime import clock
from app.runtime.translation import CHINESE, ENGLISH, translator
from app.store.exact import entity_name, heading_of
from app.store.name_keys import address_key
from app.store.reading import first_passage, passages, people_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.phrases import Phrases
    from app.context.search import Found
    from app.context.structured.people import Someone
    from app.context.structured.sayings import Sayings
    from app.context.structured.topic import Topic
    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.labels import EntryKind
    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage
    from app.store.records import StoredRecord

MOST_LINES = 8
_MOST_CITED = 12
_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class Scene:
    """A question's surroundings: read from once, within one reader.

    Attributes:
        visible: what may be seen and still holds; seen: with what no longer holds.
        own: the person's addresses, as far as they are known.
        me: the person whose context this is; None where nothing tells.
        topic: what is asked about, and found: a search for it; None where there is none.
    """

    reader: Reader
    now: datetime
    visible: VisibilityFilter
    language: str
    own: frozenset[str] = frozenset()
    me: Someone | None = None
    topic: Topic | None = None
    found: Found | None = None

    @property
    def seen(self) -> VisibilityFilter:
        """What may be seen, whether or not it still holds."""
        return replace(self.visible, include_stale=True)

    @property
    def found_entries(self) -> frozenset[int]:
        """The entries that a search for the topic found."""
        return frozenset(one.passage.entry_id for one in self.found.ranked) if self.found is not None else frozenset()

    @property
    def on_topic(self) -> frozenset[int]:
        """The entries of which a passage says most of the topic."""
        ranked = self.found.ranked if self.found is not None else ()
        return frozenset(
            one.passage.entry_id for one in ranked if self.is_on_topic(one.passage.title, one.passage.text)
        )

    def fitting(self, texts: Sequence[str]) -> list[bool]:
        """Which texts are about the topic: by their words, or where none is so, by their meaning."""
        if self.topic is None:
            return [True] * len(texts)
        said = [self.topic.is_in(text) for text in texts]
        return said if any(said) else self.meaning(texts)

    def meaning(self, texts: Sequence[str], *, are_titles: bool = False) -> list[bool]:
        """Which texts mean the topic; asked for where none says it."""
        if self.topic is None or self.found is None:
            return [False] * len(texts)
        return alike(self.topic, self.found, texts, are_titles=are_titles)

    @property
    def words(self) -> Sayings:
        """Our own sentences."""
        return sayings_for(self.language)

    @property
    def phrases(self) -> Phrases:
        """Days and occurrences in words."""
        return phrases_for(self.language)

    def day(self, moment: datetime) -> str:
        """A moment's day, on the person's clock."""
        return self.phrases.day(moment.astimezone(clock.zone()))

    def is_on_topic(self, *texts: str) -> bool:
        """Whether texts say most of the topic; everything does, where there is none."""
        return self.topic is None or self.topic.is_in(*texts)

    def reason(self, text: Text) -> str:
        """Why something no longer holds, in the language of the question."""
        return translator(CHINESE if self.language == "zh" else ENGLISH)[1](text)

    def day_of(self, item: AgendaItem) -> str:
        """The day of an agenda item; what lasts all day keeps its own zone."""
        if item.start is None:
            return self.words.no_day
        return self.phrases.day(item.start) if item.is_all_day else self.day(item.start)

    def kind_of(self, entry_id: int) -> EntryKind | None:
        """What an entry is."""
        found = heading_of(self.reader, entry_id)
        return None if found is None else found.kind

    def title_of(self, entry_id: int) -> str:
        """What an entry is called; empty for one that is gone."""
        found = heading_of(self.reader, entry_id)
        return "" if found is None else found.title

    def project_of(self, record: StoredRecord) -> str:
        """The project that a record is part of; for the owner alone, since its name may come from anywhere (G4.3)."""
        if record.project_id is None or not self.visible.is_unrestricted:
            return ""
        return entity_name(self.reader, record.project_id)

    def is_me(self, name: str) -> bool:
        """Whether a name or an address is that of the person whose context this is."""
        return self.me is not None and (address_key(name) in self.me.addresses or self.me.is_called(name))

    def people_of(self, entry_id: int, role: str) -> list[str]:
        """Who has a role in an entry, as far as the viewer may know."""
        known = people_of(self.reader, entry_id, is_owner=self.visible.is_unrestricted)
        return list(dict.fromkeys(name for name, its in known if its == role and name))


@dataclass(slots=True)
class Draft:
    """An answer in the making: lines, and what they cite. `[n]` in a line is `items[n - 1]`."""

    scene: Scene
    route: str
    lines: list[str] = field(default_factory=list)
    items: list[ContextItem] = field(default_factory=list)
    agenda: list[AgendaItem] = field(default_factory=list)

    def say(self, line: str, *citations: str) -> None:
        """Add a line, cut to a readable length, with its citations behind it."""
        text = " ".join(line.split())
        if len(text) > _LONGEST_LINE:
            text = text[: _LONGEST_LINE - 1].rstrip() + "…"
        self.lines.append(" ".join([text, *(one for one in dict.fromkeys(citations) if one)]))

    def cite(self, item_id: str) -> str:
        """Cite by an id: "c12" is a passage, "e12" an entry."""
        number = int(item_id[1:])
        if item_id.startswith("e"):
            return self.cite_entry(number)
        found = passages(self.scene.reader, [number], self.scene.visible)
        return self._cite(found[0] if found else None, None)

    def cite_entry(self, entry_id: int, chunk_id: int | None = None) -> str:
        """Cite an entry, by its first passage or by another one; empty where it has none."""
        return self._cite(self._passage(entry_id, chunk_id), None)

    def cite_record(self, record: StoredRecord) -> str:
        """Cite the passage that states a record; a record that no longer holds says why."""
        return self._cite(self._passage(record.entry_id, record.chunk_id), record)

    def _passage(self, entry_id: int, chunk_id: int | None) -> Passage | None:
        reader, visible = self.scene.reader, self.scene.visible
        found = passages(reader, [chunk_id], visible) if chunk_id is not None else []
        return found[0] if found else first_passage(reader, entry_id, visible)

    def _cite(self, passage: Passage | None, record: StoredRecord | None) -> str:
        if passage is None:
            return ""
        item = context_item(passage, Standing(), self.scene.now, {"exact": 1.0})
        if record is not None and record.stale_reason is not None and item.stale_reason is None:
            item = replace(item, stale_reason=record.stale_reason)
        for number, known in enumerate(self.items, start=1):
            if known.item_id == item.item_id:
                return f"[{number}]"
        if len(self.items) == _MOST_CITED:
            return ""
        self.items.append(item)
        return f"[{len(self.items)}]"
