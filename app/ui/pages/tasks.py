"""What is to be done: to-dos of lists and calendars, and what texts state, each with its tick (G2.4, D8.4)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.events import EntriesChanged
from app.domain.labels import Status
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import moments, naming
from app.ui.opening import open_source
from app.ui.pages.heading import Heading
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import glyph
from app.ui.parts.labels import plain
from app.ui.parts.layouts import Page, at_once, card, column, empty, line, row
from app.ui.parts.toggles import TickBox
from app.ui.tokens import GAP, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.context_item import AgendaItem
    from app.ui.desk import Desk

_SHOWN: Final = 200
_TITLE_CHARACTERS: Final = 300


class TasksPage(Page):
    """One card with a line for each task, in the order of their days; those without a day last."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.ticks: dict[str, TickBox] = {}
        self._tasks: Sequence[AgendaItem] = ()
        self.banner = Banner(desk.wording, desk.theme)
        self._card, self._lines = card(gap=GAP)
        self._empty = EmptyState(
            desk.wording,
            desk.theme,
            "task",
            msg("Nothing is to be done."),
            msg("To-dos of your lists, and what mails, notes and minutes say somebody has to do, will be here."),
        )
        self._build()
        desk.bus.subscribe(EntriesChanged, lambda _: self.refresh())
        desk.wording.changed.connect(self._show)

    def refresh(self) -> None:
        """Ask for the tasks anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "tasks", self.banner)

    async def _load(self) -> None:
        self._tasks = await self._desk.api.tasks(is_asked=False)
        self._show()

    def _show(self) -> None:
        with at_once(self._lines):
            self._put_lines()
        self._card.setVisible(bool(self._tasks))
        self._empty.setVisible(not self._tasks)

    def _put_lines(self) -> None:
        empty(self._lines)
        self.ticks = {}
        for number, task in enumerate(self._tasks[:_SHOWN]):
            if number:
                self._lines.addWidget(line())
            self._lines.addWidget(self._line(task))
        left_out = len(self._tasks) - _SHOWN
        if left_out > 0:
            self._lines.addWidget(plain(self._desk.wording.say(msg("... and {count} more.", count=left_out)), "small"))

    def _line(self, task: AgendaItem) -> QWidget:
        tick = TickBox(self._desk.theme)
        title = naming.in_one_line(task.title, _TITLE_CHARACTERS)
        tick.setAccessibleName(title)
        tick.setChecked(task.status is Status.DONE)
        tick.toggled.connect(partial(self._mark, task.item_id))
        self.ticks[task.item_id] = tick
        words = column(gap=GAP_TINY)
        words.addWidget(plain(title, is_wrapping=True))
        for part, role in self._details(task):
            words.addWidget(plain(part, role, is_wrapping=True))
        inside = row(gap=GAP)
        inside.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(words, 1)
        show = glyph(
            self._desk.wording, self._desk.theme, "open", msg("Open where it stands"), partial(self._open, task)
        )
        inside.addWidget(show, 0, Qt.AlignmentFlag.AlignTop)
        made = QWidget()
        made.setLayout(inside)
        return made

    def _details(self, task: AgendaItem) -> list[tuple[str, str]]:
        """When it is due and what it depends on; overdue ones in amber, and in words."""
        say = self._desk.wording.say
        now = clock.now()
        parts: list[str | Text] = []
        if task.start is not None:
            parts.append(moments.day_heading(task.start.date(), now.date(), self._desk.wording))
        parts += [self._desk.wording.listed(task.people)] if task.people else []
        lines = [(naming.DOT.join(say(part) for part in parts), "small")] if parts else []
        if task.reason is not None:
            reason = moments.reason_in_words(task.reason, self._desk.wording)
            lines.append((reason, "warning" if task.is_overdue else "small"))
        if task.condition is not None:
            condition = naming.in_one_line(task.condition, _TITLE_CHARACTERS)
            lines.append((say(msg("Condition: {condition}", condition=condition)), "small"))
        return lines

    def _mark(self, item_id: str, is_done: bool) -> None:
        self._desk.doing(self._mark_and_load(item_id, is_done=is_done), "mark a task", self.banner)

    async def _mark_and_load(self, item_id: str, *, is_done: bool) -> None:
        marked = await self._desk.api.mark_task(item_id, is_done=is_done)
        self._tasks = [marked if task.item_id == item_id else task for task in self._tasks]

    def _open(self, task: AgendaItem) -> None:
        self._desk.doing(self._open_original(task.source_uri), "open a source", self.banner)

    async def _open_original(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)

    def _build(self) -> None:
        heading = Heading(
            self._desk.wording,
            msg("Tasks"),
            msg("From your lists and calendars, and from what mails, notes and minutes say."),
        )
        for widget in (heading, self.banner, self._card, self._empty):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        self._card.hide()
        self._empty.hide()
