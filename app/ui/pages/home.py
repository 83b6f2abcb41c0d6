"""The first page: is all well, what comes next, and what was asked last."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.events import EntriesChanged, LockStateChanged
from app.domain.labels import EntryKind, Status
from app.domain.text import msg
from app.domain.words import word
from app.runtime import clock
from app.ui import moments, naming
from app.ui.hints import keys_in_words
from app.ui.pages.heading import Heading
from app.ui.pages.health import Health
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button, words_of
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import Page, beside, card, column, empty
from app.ui.parts.timeline import DayLine, Moment
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.context_item import AgendaItem
    from app.ui.desk import Desk

_DAYS: Final = 4
_QUESTIONS: Final = 5
_OVER: Final = frozenset({Status.DONE, Status.CANCELED, Status.SUPERSEDED})


class HomePage(Page):
    """`wants_ask` asks for quick-ask, with a question or without; `wants_page` for another page."""

    wants_ask = Signal(str)
    wants_page = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._agenda: list[tuple[AgendaItem, ...]] = []
        self.banner = Banner(desk.wording, desk.theme)
        self.ask_button = button(
            desk.wording, msg("Ask"), lambda: self.wants_ask.emit(""), role="primary", theme=desk.theme, icon="ask"
        )
        self.keys = plain(role="keycap")
        call = QWidget()
        call.setLayout(beside(self.keys, self.ask_button, gap=GAP, is_left=False))
        self._heading = Heading(desk.wording, None, None, call)
        self._health = Health(desk)
        self._health.wants_page.connect(self.wants_page)
        self._days = column(gap=GAP_MEDIUM)
        self._questions = column(gap=GAP_TINY)
        self._recent, recent = card()
        recent.addWidget(said(desk.wording, msg("Asked in this session"), "heading"))
        recent.addLayout(self._questions)
        self._build()
        self._connect()

    def show_hotkey(self, hotkey: str) -> None:
        """Show the keys that open quick-ask, or none where there are none."""
        self.keys.setText(keys_in_words(hotkey))
        self.keys.setVisible(bool(hotkey))

    def refresh(self) -> None:
        """Ask for the agenda and the state of the house anew."""
        self._health.refresh()
        self._fetch()

    async def _load(self) -> None:
        today = clock.now().date()
        days = [today + timedelta(days=number) for number in range(_DAYS)]
        self._agenda = [tuple(await self._desk.api.agenda(day.isoformat(), is_asked=False)) for day in days]
        self._show_days()

    def _show_days(self) -> None:
        now = clock.now()
        wording = self._desk.wording
        self._heading.title.setText(moments.written_day(now.date(), wording))
        empty(self._days)
        for number, items in enumerate(self._agenda):
            if number > 1 and not items:
                continue
            day = now.date() + timedelta(days=number)
            heading = moments.day_heading(day, now.date(), wording)
            nothing = wording.say(msg("Nothing planned."))
            self._days.addWidget(DayLine(self._desk.theme, heading, self._moments(items, now), nothing=nothing))

    def _moments(self, items: Sequence[AgendaItem], now: datetime) -> list[Moment]:
        return [
            Moment(
                time=moments.time_of(item, now, self._desk.wording),
                title=item.title,
                details=naming.DOT.join(self._details(item)),
                is_past=item.status in _OVER or _is_over(item, now),
                is_task=item.kind is EntryKind.TASK,
            )
            for item in items
        ]

    def _details(self, item: AgendaItem) -> list[str]:
        """Where and with whom, and why it is not certain."""
        parts = [part for part in (item.location, self._desk.wording.listed(item.people)) if part]
        if item.status is Status.PENDING:
            parts.append(self._desk.wording.say(word(Status.PENDING.value)))
        if item.reason is not None:
            parts.append(moments.reason_in_words(item.reason, self._desk.wording))
        return parts

    def _show_questions(self) -> None:
        empty(self._questions)
        questions = self._desk.history.questions[:_QUESTIONS]
        for question in questions:
            self._questions.addWidget(words_of(question, partial(self.wants_ask.emit, question)))
        self._recent.setVisible(bool(questions))

    def _fetch(self, _: object = None) -> None:
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "agenda", self.banner)

    def _connect(self) -> None:
        self._desk.bus.subscribe(EntriesChanged, self._fetch)
        self._desk.bus.subscribe(LockStateChanged, self._fetch)
        self._desk.history.changed.connect(self._show_questions)
        self._desk.wording.changed.connect(self._show_days)

    def _build(self) -> None:
        coming, inside = card()
        inside.addLayout(self._days)
        for widget in (self._heading, self.banner, self._health, coming, self._recent):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        self.show_hotkey("")
        self._show_days()
        self._show_questions()


def _is_over(item: AgendaItem, now: datetime) -> bool:
    end = item.end or item.start
    return end is not None and not item.is_all_day and end <= now
