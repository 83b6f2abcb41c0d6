"""A briefing: its parts with their sources, or all of it as text; copied as Markdown (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.text import msg
from app.runtime import clock
from app.ui import moments, naming, rows
from app.ui.parts.buttons import button
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import card, column, empty, row
from app.ui.parts.markdown_view import MarkdownView
from app.ui.parts.record_list import RecordList
from app.ui.parts.tabs import Tabs
from app.ui.rows import Row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL

if TYPE_CHECKING:
    from app.domain.serving import Briefing, BriefingPart, Fact
    from app.domain.text import Text
    from app.ui.desk import Desk


class BriefingView(QWidget):
    """`opened` tells the address of a source."""

    opened = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._briefing: Briefing | None = None
        self.lists: list[RecordList] = []
        wording, theme = desk.wording, desk.theme
        self._title = plain(role="heading", is_wrapping=True)
        self._instructions = plain(role="soft", is_wrapping=True)
        self._notes = column(gap=GAP_SMALL)
        self.copy_button = button(wording, msg("Copy as Markdown"), self._copy, theme=theme, icon="copy")
        self._told = plain(role="hint")
        self.tabs = Tabs(wording, {"parts": msg("With its sources"), "text": msg("As text")})
        self._parts = column(gap=GAP_MEDIUM)
        self._text_card, inside = card()
        self.text = MarkdownView(theme)
        inside.addWidget(self.text)
        self._build()
        self.tabs.chosen.connect(lambda _: self._show_chosen())
        wording.changed.connect(self._show)

    def show_briefing(self, briefing: Briefing) -> None:
        """Show what was put together."""
        self._briefing = briefing
        self._told.setText("")
        self._show()

    def _show(self) -> None:
        briefing = self._briefing
        if briefing is None:
            return
        say = self._desk.wording.say
        self._title.setText(say(briefing.title))
        self._instructions.setText(say(briefing.instructions))
        self._instructions.setVisible(bool(self._instructions.text()))
        empty(self._notes)
        for note in briefing.notes:
            self._notes.addWidget(self._note(note))
        empty(self._parts)
        self.lists = []
        for part in briefing.parts:
            self._parts.addWidget(self._part(part, self._rows(part)))
        self.text.show_markdown(briefing.text)
        self._show_chosen()

    def _show_chosen(self) -> None:
        is_text = self.tabs.current == "text"
        self._text_card.setVisible(is_text)
        for place in range(self._parts.count()):
            item = self._parts.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.setVisible(not is_text)

    def _rows(self, part: BriefingPart) -> list[Row]:
        wording, now = self._desk.wording, clock.now()
        found = rows.of_items(part.items, wording, now, has_snippets=True)
        found += rows.of_agenda(part.agenda, wording, now)
        found += [self._fact(fact) for fact in part.facts]
        return found

    def _fact(self, fact: Fact) -> Row:
        return Row(
            key=f"{fact.subject}/{fact.predicate}/{fact.item_id}",
            icon="info",
            title=f"{fact.subject}{naming.DOT}{fact.predicate}: {fact.value}",
            details=moments.reason_in_words(fact.stale_reason, self._desk.wording) if fact.stale_reason else "",
            uri=fact.source_uri,
            is_stale=fact.stale_reason is not None,
        )

    def _part(self, part: BriefingPart, listed: list[Row]) -> QFrame:
        say = self._desk.wording.say
        made = RecordList(self._desk.wording, self._desk.theme, part.heading)
        made.opened.connect(self._on_opened)
        made.show_rows(listed)
        self.lists += [made] if listed else []
        frame = made.framed(say(part.heading))
        made.setVisible(bool(listed))
        if not listed:
            remark = msg("Nothing was found for this.")
        elif part.must_cite:
            remark = msg("Whatever is taken from here needs its source.")
        else:
            return frame
        foot = plain(say(remark), "hint", is_wrapping=True)
        foot.setContentsMargins(GAP, 0, GAP, 0)
        inside = frame.layout()
        if inside is not None:
            inside.addWidget(foot)
        return frame

    def _note(self, note: Text) -> QWidget:
        made = QWidget()
        inside = row(gap=GAP_SMALL)
        inside.addWidget(pictured(self._desk.theme, "info", size=16))
        inside.addWidget(plain(self._desk.wording.say(note), "small", is_wrapping=True), 1)
        made.setLayout(inside)
        return made

    def _on_opened(self, chosen: Row) -> None:
        if chosen.uri:
            self.opened.emit(chosen.uri)

    def _copy(self) -> None:
        if self._briefing is not None:
            QGuiApplication.clipboard().setText(self._briefing.text)
            self._told.setText(self._desk.wording.say(msg("Copied, with its sources.")))

    def _build(self) -> None:
        whole = column(gap=GAP)
        whole.addWidget(self._title)
        whole.addWidget(self._instructions)
        whole.addLayout(self._notes)
        foot = row(gap=GAP)
        foot.addWidget(self.tabs, 1)
        foot.addWidget(self._told)
        foot.addWidget(self.copy_button)
        whole.addLayout(foot)
        whole.addLayout(self._parts)
        whole.addWidget(self._text_card)
        self.setLayout(whole)
