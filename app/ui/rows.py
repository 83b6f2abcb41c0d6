"""What the rows of quick-ask say: found passages, agenda items and actions become one kind of line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.labels import EntryKind, Status
from app.domain.text import Text, msg
from app.ui import moments, naming

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.context_item import AgendaItem, Answer, ContextItem
    from app.ui.wording import Wording

_SNIPPET_CHARACTERS: Final = 200
_MOST_CHARACTERS: Final = 500
_AGENDA_ICONS: Final = {EntryKind.EVENT: "calendar", EntryKind.TASK: "task"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line.

    Attributes:
        key: the same for the same thing in two lists.
        number: the citation that it stands for, if any.
        details: kind, scope and age; or why it is no longer valid.
        action: what it does, for a row that is no source.
        depth: how far it is indented, below the row that it belongs to. is_strong: whether rows below belong to it.
    """

    key: str
    icon: str
    title: str
    details: str
    snippet: str = ""
    number: int | None = None
    uri: str = ""
    is_stale: bool = False
    item: ContextItem | None = None
    action: str = ""
    depth: int = 0
    is_strong: bool = False

    def __post_init__(self) -> None:
        """No name, subject or query can turn or hide letters, whoever wrote it (X9.1)."""
        object.__setattr__(self, "title", naming.in_one_line(self.title, _MOST_CHARACTERS))
        object.__setattr__(self, "snippet", naming.in_one_line(self.snippet, _MOST_CHARACTERS))
        object.__setattr__(self, "details", naming.in_plain_sight(self.details))

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        parts = (
            str(self.number) if self.number else "",
            self.title,
            self.details.replace(naming.DOT, ", "),
            self.snippet,
        )
        return ". ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Action:
    """Something that quick-ask can do, found by what follows the slash."""

    name: str
    label: Text
    icon: str


ACTIONS: Final = (
    Action("sync", msg("Sync all sources now"), "sync"),
    Action("pause", msg("Pause or go on with indexing"), "pause"),
    Action("home", msg("Open Famulus"), "home"),
    Action("prepare", msg("Prepare something"), "prepare"),
    Action("agents", msg("Show the agents"), "agents"),
    Action("metrics", msg("Show the metrics"), "metrics"),
    Action("sources", msg("Show the sources"), "sources"),
    Action("settings", msg("Open the settings"), "settings"),
    Action("lock", msg("Lock Famulus"), "lock"),
    Action("quit", msg("Quit Famulus"), "quit"),
)


def of_items(
    items: Sequence[ContextItem],
    wording: Wording,
    now: datetime,
    *,
    is_numbered: bool = False,
    has_snippets: bool = False,
) -> list[Row]:
    """Rows for found passages."""
    return [
        Row(
            key=item.item_id,
            icon=naming.kind_icon(item.source_type),
            title=item.title,
            details=_details(item, wording, now),
            snippet=_snippet(item) if has_snippets else "",
            number=place if is_numbered else None,
            uri=item.source_uri,
            is_stale=item.stale_reason is not None,
            item=item,
        )
        for place, item in enumerate(items, start=1)
    ]


def of_answer(answer: Answer, wording: Wording, now: datetime) -> list[Row]:
    """Rows for what an answer cites; one from the calendar cites its events in order, and says when they are."""
    if answer.agenda:
        return of_agenda(answer.agenda, wording, now, cited=len(answer.items))
    return of_items(answer.items, wording, now, is_numbered=True)


def of_agenda(items: Sequence[AgendaItem], wording: Wording, now: datetime, *, cited: int = 0) -> list[Row]:
    """Rows for events and tasks, of which the first ones are cited."""
    return [
        Row(
            key=item.item_id,
            icon=_AGENDA_ICONS.get(item.kind, "calendar"),
            title=item.title,
            details=naming.DOT.join(part for part in (_when(item, wording, now), item.location) if part),
            number=place if place <= cited else None,
            uri=item.source_uri,
            is_stale=item.status in {Status.CANCELED, Status.SUPERSEDED},
        )
        for place, item in enumerate(items, start=1)
    ]


def of_actions(typed: str, wording: Wording) -> list[Row]:
    """Rows for the actions that fit what was typed after the slash, by name or by label."""
    wanted = typed.removeprefix("/").strip().lower()
    labelled = [(action, wording.say(action.label)) for action in ACTIONS]
    return [
        Row(key=action.name, icon=action.icon, title=label, details=f"/{action.name}", action=action.name)
        for action, label in labelled
        if wanted in action.name or wanted in label.lower()
    ]


def _details(item: ContextItem, wording: Wording, now: datetime) -> str:
    kind = wording.say(naming.kind_name(item.source_type))
    if item.stale_reason is not None:
        reason = moments.reason_in_words(item.stale_reason, wording)
        return naming.DOT.join((kind, wording.say(msg("stale: {reason}", reason=reason))))
    age = wording.say(moments.age(item.event_time or item.ingested_at, now))
    facts = [kind, wording.say(naming.scope_name(item.scope)), age]
    if item.place.time:
        facts.append(wording.say(msg("at {time}", time=item.place.time)))
    return naming.DOT.join(facts)


def _when(item: AgendaItem, wording: Wording, now: datetime) -> str:
    time = moments.time_of(item, now, wording)
    if item.start is None:
        return time
    day = moments.written_day(item.start.astimezone(now.tzinfo).date(), wording)
    return f"{day}, {time}"


def _snippet(item: ContextItem) -> str:
    """The beginning of a passage, without the title that stands above it already."""
    text = " ".join(item.content.split()).lstrip("# ")
    return text.removeprefix(" ".join(item.title.split())).lstrip(" :-")[:_SNIPPET_CHARACTERS]
