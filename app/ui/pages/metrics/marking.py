"""Marking: which entries a question should have found, so that ranking can be measured and tuned by it (G7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.text import counted, msg
from app.runtime import clock
from app.ui import moments, naming
from app.ui.pages.metrics.mark_row import MarkRow
from app.ui.pages.metrics.tuning import TuningCard
from app.ui.pages.sections import Section
from app.ui.parts.back_link import BackLink
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.filter_field import FilterField
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import card, column, empty, line, row
from app.ui.parts.record_list import RecordList
from app.ui.rows import Row
from app.ui.tokens import GAP, GAP_SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import AskedQuestion, MarkedItem
    from app.ui.desk import Desk

_MOST: Final = 1_000
"""Whoever looks for a question looks among all of them."""
_QUERY_CHARACTERS: Final = 300


class MarkingSection(Section):
    """The questions, or in their place the one that is marked; below them what the marks propose."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        wording, theme = desk.wording, desk.theme
        self._questions: Sequence[AskedQuestion] = ()
        self._query: str | None = None
        self.rows: dict[int, MarkRow] = {}
        self.banner = Banner(wording, theme)
        self.filter = FilterField(wording, theme, msg("Find a question"))
        self.list = RecordList(wording, theme, msg("Questions"))
        self._listed = self.list.framed(is_narrowed=True)
        self._progress = plain(role="small", is_wrapping=True)
        self._empty = EmptyState(
            wording,
            theme,
            "ask",
            msg("Nothing was asked lately."),
            msg("Ask something; then say here what the answer should have found."),
        )
        self._title = plain(role="heading", is_wrapping=True)
        self._items = column(gap=GAP)
        self.more = QLineEdit()
        self._marker = self._make_marker()
        self.tuning = TuningCard(desk)
        self._build()
        wording.changed.connect(self._show)

    def refresh(self) -> None:
        """Ask for the questions anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "questions", self.banner)

    async def _load(self) -> None:
        self._questions = await self._desk.api.asked_questions(limit=_MOST)
        self._show()

    def _show(self) -> None:
        wording = self._desk.wording
        fitting = [question for question in self._questions if self.filter.fits((question.query,))]
        self.list.show_rows([self._row(question) for question in fitting])
        marked = sum(question.marked > 0 for question in self._questions)
        told = counted(
            "Marked: {marked} of {all} question.",
            "Marked: {marked} of {all} questions.",
            all=wording.number(len(self._questions)),
            marked=wording.number(marked),
        )
        self._progress.setText(wording.say(told))
        is_marking = self._query is not None
        self._listed.setVisible(not is_marking and bool(self._questions))
        self.filter.setVisible(not is_marking and len(self._questions) > 1)
        self._progress.setVisible(not is_marking and bool(self._questions))
        self._empty.setVisible(not is_marking and not self._questions)
        self._marker.setVisible(is_marking)
        self.tuning.setVisible(not is_marking)

    def _row(self, question: AskedQuestion) -> Row:
        say = self._desk.wording.say
        details = [say(naming.client_name(question.client)), say(moments.age(question.asked_at, clock.now()))]
        if question.marked:
            details.insert(0, say(msg("{count} marked", count=question.marked)))
        icon = "done" if question.marked else "ask"
        return Row(key=question.query, icon=icon, title=question.query, details=naming.DOT.join(details))

    def open_question(self, query: str) -> None:
        """Show what a question finds."""
        self._query = query
        self._title.setText(naming.in_one_line(query, _QUERY_CHARACTERS))
        self.more.clear()
        # what another question found must not be marked for this one
        empty(self._items)
        self.rows = {}
        # before the list goes: what is hidden gives the keyboard to whatever is next
        self._marker.show()
        self.back_button.setFocus()
        self._show()
        self._desk.doing(self._load_items(), "items to mark", self.banner)

    async def _load_items(self) -> None:
        query, turn = self._query, self._begin()
        if query is None:
            return
        found = await self._desk.api.items_to_mark(query, more=self.more.text().strip() or None)
        if self._is_latest(turn) and query == self._query:
            self._show_items(found)
            self._show()

    def _show_items(self, found: Sequence[MarkedItem]) -> None:
        empty(self._items)
        self.rows = {}
        for item in found:
            if self.rows:
                self._items.addWidget(line())
            made = MarkRow(self._desk, item)
            made.marked.connect(self._mark)
            self.rows[item.entry_id] = made
            self._items.addWidget(made)
        if not found:
            self._items.addWidget(said(self._desk.wording, msg("Nothing was found. Look for it below."), "hint"))

    def _mark(self, entry_id: int, is_wanted: bool | None) -> None:
        self._desk.doing(self._mark_entry(entry_id, is_wanted=is_wanted), "mark an entry", self.banner)

    async def _mark_entry(self, entry_id: int, *, is_wanted: bool | None) -> None:
        query = self._query
        if query is None:
            return
        try:
            await self._desk.api.mark(query, entry_id, is_wanted=is_wanted)
        except Exception:
            # what could not be kept must not look as if it were
            await self._load_items()
            raise

    def _look_for_more(self) -> None:
        self._desk.doing(self._load_items(), "items to mark", self.banner, busy=(self.more_button,))

    def _back(self) -> None:
        self._query = None
        self._show()
        self.refresh()
        self.list.enter()

    def _make_marker(self) -> QWidget:
        wording, theme = self._desk.wording, self._desk.theme
        self.back_button = BackLink(wording, theme, msg("All questions"), self._back)
        self.more_button = button(wording, msg("Look for more"), self._look_for_more, theme=theme, icon="search")
        hint = msg("Other words for what should have been found")
        wording.bind(self.more, "setPlaceholderText", hint)
        wording.bind(self.more, "setAccessibleName", hint)
        self.more.returnPressed.connect(self._look_for_more)
        frame, inside = card()
        inside.addWidget(self._title)
        inside.addLayout(self._items)
        inside.addWidget(line())
        search = row(gap=GAP_SMALL)
        search.addWidget(self.more, 1)
        search.addWidget(self.more_button)
        inside.addLayout(search)
        return self.back_button.above(frame)

    def _build(self) -> None:
        self.filter.narrowed.connect(self._show)
        self.filter.left.connect(self.list.enter)
        self.list.opened.connect(lambda chosen: self.open_question(chosen.key))
        about = msg(
            "Say what a question should have found, and what it should not have. The marks stay on this device."
        )
        self.content.addWidget(said(self._desk.wording, about, "small", is_wrapping=True))
        for widget in (self.banner, self._progress, self.filter, self._empty, self._listed, self._marker, self.tuning):
            self.content.addWidget(widget)
        for widget in (self._progress, self.filter, self._empty, self._listed, self._marker):
            widget.hide()
