"""How an event or a task is shown on the terminal: one line, and under it what it depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.screen import one_line
from app.domain.labels import EntryKind, Status
from app.domain.text import msg
from app.domain.words import word
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.domain.context_item import AgendaItem


def say_item(session: Session, item: AgendaItem, *, has_id: bool = False) -> None:
    """Show one item, with its id where it can be used."""
    facts = [
        fact
        for fact in (item.location, ", ".join(item.people), item.status and translate(word(item.status.value)))
        if fact
    ]
    more = f"  ({' · '.join(facts)})" if facts else ""
    number = f"{item.item_id}  " if has_id else ""
    session.screen.say(f"{number}{_span(item)}  {one_line(item.title)}{more}")
    if item.reason is not None:
        session.screen.say(f"    {translate(item.reason)}")
    if item.condition is not None and item.status is not Status.DONE:
        session.screen.say("    " + translate(msg("Condition: {condition}", condition=one_line(item.condition))))


def _span(item: AgendaItem) -> str:
    if item.start is None:
        return translate(msg("no date"))
    day = item.start.date().isoformat()
    if item.is_all_day:
        return f"{day}  " + translate(msg("due") if item.kind is EntryKind.TASK else msg("all day"))
    if item.end is None or item.end == item.start:
        return f"{day} {item.start:%H:%M}"
    is_same_day = item.end.date() == item.start.date()
    return f"{day} {item.start:%H:%M} - " + (f"{item.end:%H:%M}" if is_same_day else f"{item.end:%Y-%m-%d %H:%M}")
