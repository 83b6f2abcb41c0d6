"""From the form of a question to its answer: one answerer a kind, each with the same surroundings (G3.2, L6.3, G4.3).

What the viewer may not see is not read by any of them. An answerer that knows nothing says so by None, and the question
goes on as any other does.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from app.context.structured.changes import answer_changes
from app.context.structured.contact import answer_last, answer_next
from app.context.structured.counting import answer_count
from app.context.structured.debt_ledger import ledger
from app.context.structured.debts import answer_debts
from app.context.structured.decisions import answer_decisions
from app.context.structured.people import oneself
from app.context.structured.person import answer_fact, answer_person
from app.context.structured.plans import answer_plans
from app.context.structured.question_rules import Kind
from app.context.structured.said import answer_said
from app.context.structured.scene import Scene
from app.context.structured.tasks import answer_tasks
from app.context.structured.times import answer_time
from app.context.structured.topic import Topic
from app.domain.context_item import Answer, SearchRequest
from app.domain.text import Text
from app.policy.disclosure import visible_to
from app.store.name_keys import address_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from app.context.search import ContextService, Found
    from app.context.structured.forms import Asked
    from app.context.structured.people import Someone
    from app.context.structured.scene import Draft
    from app.domain.context_item import Viewer
    from app.domain.visibility import VisibilityFilter
    from app.runtime.lanes import Lanes
    from app.store.connection import Reader
    from app.store.store import Store

    Answerer = Callable[[Scene, Asked], Draft | None]

_ANSWERERS: Mapping[Kind, Answerer] = MappingProxyType(
    {
        Kind.DECISIONS: answer_decisions,
        Kind.OVERDUE: answer_tasks,
        Kind.WAITING: answer_tasks,
        Kind.MINE: answer_tasks,
        Kind.EVERYONES: answer_tasks,
        Kind.THEIRS: answer_tasks,
        Kind.LAST: answer_last,
        Kind.NEXT: answer_next,
        Kind.CHANGES: answer_changes,
        Kind.FACTS: answer_fact,
        Kind.PERSON: answer_person,
        Kind.COUNT: answer_count,
        Kind.SAID: answer_said,
        Kind.I_OWE: answer_debts,
        Kind.OWED: answer_debts,
        Kind.PLANS: answer_plans,
    }
)
_LOOKED_AT = 40
_REMEMBERED = 20
_IMPERSONAL = frozenset({Kind.DECISIONS, Kind.CHANGES})


class StructuredAnswers:
    """Answers from structure. Its methods are called on the loop.

    Attributes:
        own_addresses: the person's, folded; where there are none, a mailbox tells whose it is.
    """

    def __init__(self, store: Store, lanes: Lanes, context: ContextService) -> None:
        self._store = store
        self._lanes = lanes
        self._context = context
        self._selves: dict[tuple[VisibilityFilter, frozenset[str], int], Someone | None] = {}
        self.own_addresses: frozenset[str] = frozenset()

    async def answer(self, asked: Asked, viewer: Viewer, now: datetime) -> Answer | None:
        """The answer to a question of a known form; None where structure knows nothing of what it asks."""
        topic = asked.about or (asked.who if asked.kind is Kind.LAST else "")
        sought = f"{asked.verb} {topic}" if asked.kind is Kind.PLANS else topic
        found = await self._found(sought, viewer) if topic else None
        if topic and found is None:
            return None
        answerer = _ANSWERERS[asked.kind]
        is_personal = asked.kind not in _IMPERSONAL
        return await self._read(
            viewer, now, asked.language, (topic, found), lambda scene: answerer(scene, asked), is_personal=is_personal
        )

    async def time_of(self, event: str, viewer: Viewer, language: str, now: datetime) -> Answer | None:
        """When something is, or that it is off; None where structure knows nothing of that name."""
        found = await self._found(event, viewer)
        if found is None:
            return None
        return await self._read(viewer, now, language, (event, found), answer_time, is_personal=False)

    async def _found(self, topic: str, viewer: Viewer) -> Found | None:
        """A search for a topic, with what no longer holds; None for a topic without a letter."""
        if not any(sign.isalnum() for sign in topic):
            return None
        return await self._context.find(SearchRequest(topic, limit=_LOOKED_AT, include_stale=True, viewer=viewer))

    async def _read(
        self,
        viewer: Viewer,
        now: datetime,
        language: str,
        about: tuple[str, Found | None],
        answerer: Callable[[Scene], Draft | None],
        *,
        is_personal: bool,
    ) -> Answer | None:
        visible = visible_to(viewer)
        topic = Topic(about[0]) if about[0] else None

        def read() -> Answer | None:
            with self._store.database.reader() as reader:
                me = self._self_of(reader, visible, now) if is_personal else None
                draft = answerer(Scene(reader, now, visible, language, self.own_addresses, me, topic, about[1]))
                return None if draft is None else _answer(draft)

        # a topic may be compared by its meaning, which is done where the model is
        found = about[1]
        has_meaning = found is not None and found.semantics is not None
        return await (self._lanes.inference if has_meaning else self._lanes.readers).run(read)

    def oneself(self, reader: Reader, visible: VisibilityFilter, now: datetime) -> Callable[[str], bool]:
        """Tells whether a name or an address is the person's own; everybody's, where nothing tells who they are."""
        me = self._self_of(reader, visible, now)
        return lambda name: me is None or address_key(name) in me.addresses or me.is_called(name)

    def paid(self, reader: Reader, visible: VisibilityFilter, now: datetime) -> frozenset[str]:
        """The tasks that are debts of money which were paid back, by their ids."""
        me = self._self_of(reader, visible, now)
        scene = Scene(reader, now, visible, "en", self.own_addresses, me)
        return frozenset(f"r{one.record.record_id}" for one in ledger(scene) if one.is_settled)

    def _self_of(self, reader: Reader, visible: VisibilityFilter, now: datetime) -> Someone | None:
        """Who the person is, found out once after every commit."""
        key = (visible, self.own_addresses, self._store.visibility.view(visible, now).generation)
        if key not in self._selves:
            if len(self._selves) >= _REMEMBERED:
                self._selves.clear()
            self._selves[key] = oneself(reader, self.own_addresses, visible)
        return self._selves[key]


def _answer(draft: Draft) -> Answer:
    return Answer(
        text=Text("\n".join(draft.lines)),
        items=tuple(draft.items),
        agenda=tuple(draft.agenda),
        route=draft.route,
    )
