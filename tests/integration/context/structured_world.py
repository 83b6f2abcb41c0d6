"""A filled store to ask questions of: mails, a calendar, lists, notes and cards, understood as they are in life."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from app.domain.entries import Block, ContactFacts, Entry, EventFacts, Occurrence, PersonRef, Place, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status
from app.govern.people.step import PeopleStep
from app.govern.supersession.step import SupersessionStep
from app.govern.understanding.queue import Understanding
from app.runtime.tasks import Tasks
from tests.integration.govern.supersession_world import WithoutModel
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from tests.integration.context.makers import World

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2025, 5, 14, 9, tzinfo=ZONE)
ME = PersonRef("Wei Chen", "wei@example.org", "author")
OWN = frozenset({"wei@example.org"})


def at(day: int, hour: int = 9, month: int = 5) -> datetime:
    """A time of 2025."""
    return datetime(2025, month, day, hour, tzinfo=ZONE)


def made(kind: EntryKind, title: str, text: str, when: datetime, **changes: object) -> Entry:
    """An entry whose address is its title."""
    lines = text.split("\n\n") if text else []
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, part, Place(first_line=number * 2 + 1, last_line=number * 2 + 1))
        for number, part in enumerate(lines)
    )
    values: dict[str, object] = {
        "source_id": f"{kind.value}s",
        "native_id": f"{title} {when:%d%H}",
        "kind": kind,
        "title": title,
        "source_uri": f"test:///{title}",
        "content_hash": f"{kind}{title}{text}{when}",
        "blocks": blocks,
        "created_at": when,
        "updated_at": when,
    }
    return Entry(**{**values, **changes})  # type: ignore[arg-type]


def mail(title: str, text: str, when: datetime, author: tuple[str, str], *to: tuple[str, str]) -> Entry:
    """A mail between people, each by name and address."""
    people = (PersonRef(*author, "author"), *(PersonRef(*one, "recipient") for one in to))
    return made(EntryKind.MAIL, title, text, when, event_time=when, people=people, thread=title.removeprefix("Re: "))


def event(title: str, *starts: datetime, people: tuple[tuple[str, str], ...] = (), is_canceled: bool = False) -> Entry:
    """An event of an hour, each time that it happens."""
    times = tuple(
        Occurrence(start, start + timedelta(hours=1), is_all_day=False, is_canceled=is_canceled) for start in starts
    )
    refs = tuple(PersonRef(*one, "attendee") for one in people)
    facts = EventFacts("", times, is_recurring=len(starts) > 1)
    return made(EntryKind.EVENT, title, "", at(1), event_time=starts[0], event=facts, people=refs)


def to_do(title: str, due: datetime | None, status: Status = Status.ACTIVE) -> Entry:
    """A to-do of a list."""
    return made(EntryKind.TASK, title, "", at(1), status=status, task=TaskFacts(status, due_at=due))


def card(name: str, address: str, **facts: object) -> Entry:
    """A contact card."""
    contact = ContactFacts((name,), (address,), **facts)  # type: ignore[arg-type]
    return made(EntryKind.CONTACT, name, name, at(1), contact=contact)


async def tell(world: World, *entries: Entry, scope: str = "personal") -> None:
    """Take entries in, each under a source of its kind, and understand them."""
    for entry in entries:
        source_id = f"{scope} {entry.source_id}"
        changed = Entry(**{**_values(entry), "source_id": source_id})
        await world.add(changed, source=source_info(source_id, scope=scope))
    tasks = Tasks()
    queue = Understanding(
        world.store.database,
        world.lanes,
        WithoutModel(),
        [PeopleStep(), SupersessionStep()],
        on_written=lambda: None,
    )
    tasks.start(queue.run(), "understand")
    queue.wake()
    try:
        await queue.wait_until_done()
    finally:
        await tasks.close()


def _values(entry: Entry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in entry.__dataclass_fields__}
