"""Answers as text, for clients that read no structured output: numbered sources, labels of age, and quotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.instants import to_iso
from app.domain.labels import EntryKind, Trust
from app.mcp_server.quoting import NOTICE, one_line, quoted, title
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.errors import Expected
    from app.domain.serving import Fact, Greeting, Served
    from app.domain.text import Text

_OUT_OF_DATE = "OUT OF DATE"
_NOTHING = "Nothing was found."


def served(answer: Served) -> str:
    """All of an answer: passages, then the agenda, then facts, numbered through."""
    parts: list[str] = []
    for item in answer.items:
        parts.append(_item(len(parts) + 1, item))
    for entry in answer.agenda:
        parts.append(_agenda_item(len(parts) + 1, entry))
    for fact in answer.facts:
        parts.append(_fact(len(parts) + 1, fact))
    head = [f"Request {one_line(answer.request_id)}."] if answer.request_id else []
    head.append(NOTICE if parts else _NOTHING)
    head += [_note(note) for note in answer.notes]
    return "\n\n".join(["\n".join(head), *parts])


def about(greeting: Greeting) -> str:
    """What a client may see: its own grant, and nothing of what there is."""
    until = to_iso(greeting.expires_at) if greeting.expires_at is not None else "no end"
    return "\n".join(
        (
            "# What this client may see",
            "",
            f"- Name: {title(greeting.name)}",
            f"- State: {one_line(greeting.state)}",
            f"- Scopes: {', '.join(map(one_line, greeting.scopes)) or 'none'}",
            f"- Highest sensitivity: {greeting.ceiling.word}",
            f"- Until: {until}",
        )
    )


def refusal(error: Expected) -> str:
    """Why there is no answer, and what can be done."""
    return f"{translate(error.what)} {translate(error.next_step)}"


def _note(note: Text) -> str:
    return f"Note: {one_line(translate(note))}"


_WRITTEN_BY = {
    Trust.WEB: "from the web",
    Trust.STRANGER: "by a stranger",
    Trust.KNOWN_SENDER: "by somebody the person knows",
    Trust.OWN_FILES: "in the person's own files",
    Trust.USER: "by the person",
}


def _item(number: int, item: ContextItem) -> str:
    facts = [
        item.source_type.value,
        to_iso(item.event_time) if item.event_time is not None else "",
        f"scope {one_line(item.scope)}",
        item.sensitivity.word,
        _WRITTEN_BY[item.trust],
        item.task_status.value if item.task_status is not None else "",
        f"confidence {item.confidence:.2f}",
        f"score {item.final_score:.2f}",
    ]
    lines = [
        f"[{number}] {title(item.title)}",
        f"    {_joined(facts)}",
        f"    source {one_line(item.source_uri)}{_place(item)} · id {one_line(item.item_id)}",
        *_stale(item.stale_reason),
    ]
    return "\n".join([*lines, quoted(item.content)])


def _place(item: ContextItem) -> str:
    place = item.place
    if place.time:
        return f", at {place.time} of the recording"
    if place.page is not None:
        return f", page {place.page}"
    if place.first_line is not None:
        last = place.last_line if place.last_line is not None else place.first_line
        return f", lines {place.first_line}-{last}" if last != place.first_line else f", line {place.first_line}"
    return ""


def _agenda_item(number: int, item: AgendaItem) -> str:
    facts = [
        item.kind.value,
        _span(item),
        item.status.value if item.status is not None else "",
        "overdue" if item.is_overdue else "",
        f"who: {_names([item.owner])}" if item.owner else "",
        f"with: {_names(item.people)}" if item.people else "",
        f"where: {title(item.location)}" if item.location else "",
        f"if: {title(item.condition)}" if item.condition else "",
    ]
    lines = [
        f"[{number}] {title(item.title)}",
        f"    {_joined(facts)}",
        f"    source {one_line(item.source_uri)} · id {one_line(item.item_id)}",
    ]
    if item.reason is not None:
        lines.append(f"    {one_line(translate(item.reason))}")
    return "\n".join(lines)


def _fact(number: int, fact: Fact) -> str:
    said = f"said {to_iso(fact.said_at)}" if fact.said_at is not None else "said at no known time"
    lines = [
        f"[{number}] {title(fact.subject)}: {one_line(fact.predicate)}",
        f"    {said} · trust {_trust(fact.trust)} · confidence {fact.confidence:.2f}",
        f"    source {one_line(fact.source_uri)} · id {one_line(fact.item_id)}",
        *_stale(fact.stale_reason),
    ]
    return "\n".join([*lines, quoted(fact.value)])


def _trust(trust: int) -> str:
    return Trust(trust).name.lower() if trust in set(Trust) else str(trust)


def _stale(reason: Text | None) -> list[str]:
    return [] if reason is None else [f"    {_OUT_OF_DATE}: {one_line(translate(reason))}"]


def _span(item: AgendaItem) -> str:
    if item.start is None:
        return "no date"
    if item.is_all_day:
        day = item.start.date().isoformat()
        return f"due {day}" if item.kind is EntryKind.TASK else f"{day}, all day"
    if item.end is None or item.end == item.start:
        return to_iso(item.start)
    return f"{to_iso(item.start)} to {to_iso(item.end)}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(title(name) for name in names)


def _joined(facts: Iterable[str]) -> str:
    return " · ".join(fact for fact in facts if fact)
